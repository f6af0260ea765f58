//go:build linux

package linux

import (
	"errors"
	"sync"

	"github.com/machineadm/machineadm/ports"
)

// cache keeps the output of read-only programs while one operation is processed. Capture, diff and apply run the same
// programs, and starting a program is slow compared to the agent's own work.
type cache struct {
	mutex sync.Mutex
	// operation is the current operation and stage its latest stage. Without an operation nothing is cached.
	operation string
	stage     stage
	// change increases with each change of the machine, so that output from before a change is not cached after it.
	change  int
	results map[string]result
}

// result is the result of a program.
type result struct {
	output []byte
	err    error
}

// stage is a stage of an operation. The stages of one operation follow each other without a pause.
type stage int

const (
	comparing stage = iota + 1
	capturing
	applying
)

// enter starts a stage of an operation. It clears the cache unless the stage follows an earlier one of the same
// operation.
func (c *cache) enter(s stage, operation string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.operation != operation || s <= c.stage {
		c.clear()
	}
	c.operation, c.stage = operation, s
}

// forget clears the cache after a change of the machine.
func (c *cache) forget() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.clear()
}

func (c *cache) clear() {
	c.change++
	c.results = map[string]result{}
}

// output returns the cached result of the command, or runs it. Errors are cached only if the program exited by itself.
func (c *cache) output(command string, run func() ([]byte, error)) ([]byte, error) {
	c.mutex.Lock()
	cached, found := c.results[command]
	change := c.change
	c.mutex.Unlock()
	if found {
		return cached.output, cached.err
	}
	output, err := run()
	var failed *ports.CommandError
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.operation != "" && c.change == change && (err == nil || errors.As(err, &failed)) {
		c.results[command] = result{output, err}
	}
	return output, err
}
