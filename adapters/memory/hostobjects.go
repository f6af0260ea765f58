package memory

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// HostObjects stores the objects of machines and hosts. It implements ports.HostReader and ports.HostSecrets; Machines
// and Entries implement the writers.
type HostObjects struct {
	// Format is the format of all bootstrap data.
	Format ports.HostFormat
	// Clock is for the times of conditions.
	Clock ports.Clock
	// Written is called before each change with its name, and may refuse it. It may be nil.
	Written func(change string) error

	mutex    sync.Mutex
	version  int
	machines map[ports.Key]ports.HostMachine
	entries  map[ports.Key]ports.HostEntry
	statuses map[ports.Key]ports.HostMachineStatus
}

var (
	_ ports.HostReader        = (*HostObjects)(nil)
	_ ports.HostSecrets       = (*HostObjects)(nil)
	_ ports.HostMachineWriter = hostMachines{}
	_ ports.HostWriter        = hostEntries{}
)

// Machine returns the machine.
func (o *HostObjects) Machine(_ context.Context, key ports.Key) (ports.HostMachine, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	m, found := o.machines[key]
	if !found {
		return ports.HostMachine{}, ports.ErrNoMachine
	}
	return m, nil
}

// Host returns the host.
func (o *HostObjects) Host(_ context.Context, key ports.Key) (ports.HostEntry, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	e, found := o.entries[key]
	if !found {
		return ports.HostEntry{}, ports.ErrNoHost
	}
	return e, nil
}

// Hosts returns the hosts of the namespace, sorted by name.
func (o *HostObjects) Hosts(_ context.Context, namespace string) ([]host.Host, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	var found []host.Host
	for _, e := range o.entries {
		if e.Namespace == namespace {
			found = append(found, e.Host)
		}
	}
	slices.SortFunc(found, func(a, b host.Host) int { return strings.Compare(a.Name, b.Name) })
	return found, nil
}

// PrivateKey returns a key.
func (o *HostObjects) PrivateKey(context.Context, ports.HostEntry) (secret.Value, error) {
	return secret.FromString("key"), nil
}

// Data returns bootstrap data.
func (o *HostObjects) Data(context.Context, ports.HostMachine) (ports.HostFormat, secret.Value, error) {
	return o.Format, secret.FromString("data"), nil
}

// Snapshot returns the objects as they are, as a cache that is not updated any more.
func (o *HostObjects) Snapshot() *HostObjects {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return &HostObjects{machines: maps.Clone(o.machines), entries: maps.Clone(o.entries)}
}

// SetMachine creates or replaces a machine, and SetHost a host.
func (o *HostObjects) SetMachine(m ports.HostMachine) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.machines == nil {
		o.machines = map[ports.Key]ports.HostMachine{}
	}
	m.Version = o.next()
	o.machines[m.Key] = m
}

// SetHost creates or replaces a host.
func (o *HostObjects) SetHost(e ports.HostEntry) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.entries == nil {
		o.entries = map[ports.Key]ports.HostEntry{}
	}
	e.Version = o.next()
	o.entries[e.Key()] = e
}

// Status returns the last status of a machine.
func (o *HostObjects) Status(key ports.Key) ports.HostMachineStatus {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.statuses[key]
}

// next returns a new version. The caller has the lock.
func (o *HostObjects) next() string {
	o.version++
	return strconv.Itoa(o.version)
}

func (o *HostObjects) refuse(change string) error {
	if o.Written == nil {
		return nil
	}
	return o.Written(change)
}

// changeMachine changes a machine whose version is the one that was read.
func (o *HostObjects) changeMachine(m ports.HostMachine, name string, change func(*ports.HostMachine)) error {
	if err := o.refuse(name); err != nil {
		return err
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	stored, found := o.machines[m.Key]
	if !found || stored.Version != m.Version {
		return ports.ErrConflict
	}
	change(&stored)
	stored.Version = o.next()
	o.machines[m.Key] = stored
	if !stored.Finalizer && !stored.DeletedAt.IsZero() {
		delete(o.machines, m.Key)
	}
	return nil
}

// changeHost changes a host whose version is the one that was read.
func (o *HostObjects) changeHost(e ports.HostEntry, name string, change func(*ports.HostEntry)) error {
	if err := o.refuse(name); err != nil {
		return err
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	stored, found := o.entries[e.Key()]
	if !found || stored.Version != e.Version {
		return ports.ErrConflict
	}
	change(&stored)
	stored.Version = o.next()
	o.entries[e.Key()] = stored
	if !stored.Finalizer && stored.Deleting {
		delete(o.entries, e.Key())
	}
	return nil
}

// Machines returns the writer of machines.
func (o *HostObjects) Machines() ports.HostMachineWriter { return hostMachines{o} }

// Entries returns the writer of hosts.
func (o *HostObjects) Entries() ports.HostWriter { return hostEntries{o} }

type hostMachines struct{ objects *HostObjects }

// SetFinalizer adds or removes the finalizer.
func (w hostMachines) SetFinalizer(_ context.Context, m ports.HostMachine, present bool) error {
	return w.objects.changeMachine(m, "finalizer", func(stored *ports.HostMachine) { stored.Finalizer = present })
}

// SetClaim writes the claim.
func (w hostMachines) SetClaim(_ context.Context, m ports.HostMachine, claim host.Claim, sentAt time.Time) error {
	return w.objects.changeMachine(m, "claim of the machine", func(stored *ports.HostMachine) {
		stored.Claim, stored.SentAt = claim, sentAt
	})
}

// SetProviderID writes the provider ID. Unless the machine is being deleted, it is provisioned then.
func (w hostMachines) SetProviderID(_ context.Context, m ports.HostMachine) error {
	return w.objects.changeMachine(m, "provider ID", func(stored *ports.HostMachine) {
		stored.Identified, stored.Provisioned = true, stored.Provisioned || stored.DeletedAt.IsZero()
	})
}

// SetStatus writes the status.
func (w hostMachines) SetStatus(_ context.Context, m ports.HostMachine, status ports.HostMachineStatus) error {
	o := w.objects
	if err := o.refuse("status of the machine"); err != nil {
		return err
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	stored, found := o.machines[m.Key]
	if !found {
		return nil
	}
	if o.statuses == nil {
		o.statuses = map[ports.Key]ports.HostMachineStatus{}
	}
	o.statuses[m.Key], stored.PauseReported = status, m.Paused
	if status.Failed != "" {
		stored.Failed = status.Failed
	}
	stored.Provisioned = stored.Provisioned || status.Provisioned
	for _, c := range status.Conditions {
		switch {
		case c.Type != host.ConditionHostClaimed:
		case c.Status == host.StatusTrue:
			stored.WithoutHostSince = time.Time{}
		case stored.WithoutHostSince.IsZero():
			stored.WithoutHostSince = o.Clock.Now()
		}
	}
	o.machines[m.Key] = stored
	return nil
}

type hostEntries struct{ objects *HostObjects }

// SetClaim writes the claim and the finalizer.
func (w hostEntries) SetClaim(_ context.Context, e ports.HostEntry, claim host.Claim) error {
	return w.objects.changeHost(e, "claim of the host", func(stored *ports.HostEntry) {
		stored.Claim, stored.Finalizer = claim, !claim.IsZero()
		stored.Probed, stored.ProbedAt = false, time.Time{}
	})
}

// MarkUnavailable makes the host unavailable.
func (w hostEntries) MarkUnavailable(_ context.Context, e ports.HostEntry, reason host.Reason, _ string) error {
	return w.objects.changeHost(e, "mark of the host", func(stored *ports.HostEntry) {
		stored.Claim, stored.Finalizer, stored.Unavailable = host.Claim{}, false, reason
	})
}

// SetHostKey writes the key.
func (w hostEntries) SetHostKey(_ context.Context, e ports.HostEntry, key string) error {
	return w.objects.changeHost(e, "key of the host", func(stored *ports.HostEntry) {
		stored.Connection.HostKeys = []string{key}
	})
}

// SetStatus writes the result of a probe.
func (w hostEntries) SetStatus(_ context.Context, e ports.HostEntry, status ports.HostStatus) error {
	o := w.objects
	if err := o.refuse("status of the host"); err != nil {
		return err
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	stored, found := o.entries[e.Key()]
	if !found {
		return nil
	}
	stored.Probe, stored.Probed, stored.Message = status.Host.Probe, status.Host.Probed, status.Message
	if !status.ProbedAt.IsZero() {
		stored.ProbedAt = status.ProbedAt
	}
	o.entries[e.Key()] = stored
	return nil
}
