package memory

import (
	"context"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// Reports keeps what machines report. The zero value knows no machine.
type Reports struct {
	// Pool makes all of them pools of machines.
	Pool bool

	mutex   sync.Mutex
	known   map[ports.Key]ports.Reporting
	reports map[ports.Owner]status.Status
}

// Put makes a machine known.
func (r *Reports) Put(data ports.Key, who ports.Reporting) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.known == nil {
		r.known = map[ports.Key]ports.Reporting{}
	}
	r.known[data] = who
}

// Find returns who reports under the name.
func (r *Reports) Find(_ context.Context, data ports.Key) (ports.Reporting, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	who, found := r.known[data]
	if !found {
		return who, ports.ErrNoMachine
	}
	return who, nil
}

// Last returns what the machine reported last.
func (r *Reports) Last(_ context.Context, owner ports.Owner) (ports.LastReport, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.last(owner), r.gone(owner)
}

func (r *Reports) last(owner ports.Owner) ports.LastReport {
	last := ports.LastReport{Pool: r.Pool}
	if s, found := r.reports[owner]; found {
		last.Summary = &s
	}
	return last
}

// Save keeps a report that follows the last one.
func (r *Reports) Save(_ context.Context, owner ports.Owner, s status.Status, _ time.Time,
	follows func(ports.LastReport) error,
) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if err := r.gone(owner); err != nil {
		return err
	}
	if err := follows(r.last(owner)); err != nil {
		return err
	}
	if r.reports == nil {
		r.reports = map[ports.Owner]status.Status{}
	}
	r.reports[owner] = s
	return nil
}

// Delete removes the owner; what is known of its data stays for a while.
func (r *Reports) Delete(owner ports.Owner) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for key, who := range r.known {
		if who.Owner == owner {
			who.Owner.UID = ""
			r.known[key] = who
		}
	}
}

func (r *Reports) gone(owner ports.Owner) error {
	for _, who := range r.known {
		if who.Owner == owner {
			return nil
		}
	}
	return ports.ErrNoMachine
}
