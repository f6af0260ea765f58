package memory

import (
	"context"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// Reports implements ports.Reports. The zero value contains no machine.
type Reports struct {
	// Pool means that all machines are pools.
	Pool bool

	mutex   sync.Mutex
	known   map[ports.Key]ports.ReportingMachine
	reports map[ports.Owner]status.Status
}

// Put adds a machine.
func (r *Reports) Put(data ports.Key, who ports.ReportingMachine) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.known == nil {
		r.known = map[ports.Key]ports.ReportingMachine{}
	}
	r.known[data] = who
}

// Find returns the machine with the name of the data.
func (r *Reports) Find(_ context.Context, data ports.Key) (ports.ReportingMachine, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	who, found := r.known[data]
	if !found {
		return who, ports.ErrNoMachine
	}
	return who, nil
}

// Last returns the last report of the machine.
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

// Save stores a report if follows accepts it.
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

// Delete removes the owner. Find still returns its credentials, as a cache does.
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
