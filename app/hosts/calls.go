package hosts

import (
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// The delays of the next reconciliation after a call that changes a host: a host that reports the same phase after each
// call must not use the limits of the API server that all namespaces share.
const (
	minCallDelay = time.Second
	maxCallDelay = time.Minute
)

// calls counts how often the same call for a machine was repeated. The zero value is ready for use.
type calls struct {
	mutex sync.Mutex
	last  map[ports.Key]repeated
}

// repeated is an operation that calls a driver, and the delay after its last call.
type repeated struct {
	operation host.Operation
	delay     time.Duration
}

// next returns the delay after an operation: at least minCallDelay if it calls a driver, and twice as long each time
// when it is repeated, up to maxCallDelay. It is 0 after any other operation, which ends the repetition.
func (c *calls) next(key ports.Key, o host.Operation) time.Duration {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if o != host.OperationPrepare && o != host.OperationBoot && o != host.OperationRelease {
		delete(c.last, key)
		return 0
	}
	delay := minCallDelay
	if before := c.last[key]; before.operation == o {
		delay = min(2*before.delay, maxCallDelay)
	}
	if c.last == nil {
		c.last = map[ports.Key]repeated{}
	}
	c.last[key] = repeated{operation: o, delay: delay}
	return delay
}
