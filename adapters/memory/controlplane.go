package memory

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// ControlPlane simulates a control plane: its objects, machines, etcd members and workload cluster. Machines advance
// only when Advance is called. It implements ports.ControlPlaneObjects and ports.ControlPlaneMachines; Members,
// Workload, Starter and Kubeconfigs return the other ports. NewControlPlane returns one.
type ControlPlane struct {
	// Clock sets the times of creation.
	Clock ports.Clock

	mutex    sync.Mutex
	plane    ports.ControlPlane
	version  int
	finished bool
	status   ports.ControlPlaneStatus
	machines []*simulated
	etcd     etcd
	// created counts the machines, for their addresses. joinVersion and addonsVersion are the versions for which the
	// workload cluster is prepared. kubeconfigs counts the calls of Kubeconfigs.
	created                    int
	joinVersion, addonsVersion string
	kubeconfigs                int
}

// simulated is a machine.
type simulated struct {
	controlplane.Machine
	// hook means that the deletion waits for ReleaseMachine. first means that the machine initializes the cluster.
	hook, first bool
	// stopped means that the machine does not answer.
	stopped bool
	// address is the address of the machine as soon as it exists.
	address string
	// from is the revision of the control plane from which the machine was created.
	from string
}

var (
	_ ports.ControlPlaneObjects  = (*ControlPlane)(nil)
	_ ports.ControlPlaneMachines = (*ControlPlane)(nil)
)

// NewControlPlane returns a control plane without machines, whose infrastructure is ready.
func NewControlPlane(c ports.ControlPlane, clock ports.Clock) *ControlPlane {
	c.Observed = controlplane.Observed{InfrastructureReady: true, EndpointKnown: true, Workers: c.Observed.Workers}
	return &ControlPlane{Clock: clock, plane: c}
}

// RestoreControlPlane returns a control plane that begins with the observation of c. A machine does not answer if its
// member or its API server does not.
func RestoreControlPlane(c ports.ControlPlane, clock ports.Clock) *ControlPlane {
	o := c.Observed
	w := &ControlPlane{Clock: clock, plane: c}
	if o.JoinPrepared {
		w.joinVersion = c.Desired.Template.Version
	}
	if o.AddonsCurrent {
		w.addonsVersion = c.Desired.Template.Version
	}
	machineOf := map[uint64]string{}
	for _, m := range o.Machines {
		w.created++
		s := &simulated{Machine: m, hook: m.Phase != controlplane.PhaseTerminating, address: address(w.created)}
		s.stopped = m.Components[controlplane.ComponentAPIServer] == controlplane.HealthUnhealthy
		if member, found := o.MemberOf(m); found {
			machineOf[member.ID] = m.Name
			s.stopped = s.stopped || !member.Learner && !member.Responds
		}
		if len(s.Addresses) > 0 {
			s.address = s.Addresses[0]
		} else if s.Phase != controlplane.PhaseCreating {
			s.Addresses = []string{s.address}
		}
		w.machines = append(w.machines, s)
	}
	for _, m := range o.Members.List {
		w.etcd.restore(m, machineOf[m.ID])
	}
	return w
}

// Read returns the control plane.
func (w *ControlPlane) Read(_ context.Context, key ports.Key) (ports.ControlPlane, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.finished || key != w.plane.Key {
		return ports.ControlPlane{}, ports.ErrNoControlPlane
	}
	c := w.plane
	c.Revision = strconv.Itoa(w.version)
	c.Observed.Machines = nil
	for _, m := range w.machines {
		copied := m.Machine
		copied.Components, copied.KubeletVersion = nil, ""
		c.Observed.Machines = append(c.Observed.Machines, copied)
	}
	return c, nil
}

// Propagate adds the hook to the machines that are not being deleted.
func (w *ControlPlane) Propagate(_ context.Context, c ports.ControlPlane) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, m := range w.machines {
		m.hook = m.hook || running(m.Phase)
	}
	return nil
}

// running reports whether a machine of the phase is not being deleted.
func running(p controlplane.Phase) bool {
	return p == controlplane.PhaseCreating || p == controlplane.PhaseProvisioned || p == controlplane.PhaseRunning
}

// SetStatus stores the status. The initialization in an interim status is lost.
func (w *ControlPlane) SetStatus(_ context.Context, c ports.ControlPlane, status ports.ControlPlaneStatus) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.finished || c.Key != w.plane.Key {
		return ports.ErrNoControlPlane
	}
	w.status = status
	if status.Interim {
		return nil
	}
	w.plane.Observed.Initialized = w.plane.Observed.Initialized || status.Observed.Initialized
	return nil
}

// Finish ends the control plane if it is being deleted.
func (w *ControlPlane) Finish(_ context.Context, c ports.ControlPlane) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	switch {
	case w.finished:
		return nil
	case c.Revision != strconv.Itoa(w.version):
		return ports.ErrConflict
	}
	w.finished = true
	return nil
}

// Create creates a machine. The same call creates one machine only.
func (w *ControlPlane) Create(_ context.Context, c ports.ControlPlane, o controlplane.Operation) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if slices.ContainsFunc(w.machines, func(m *simulated) bool { return m.from == c.Revision }) {
		return nil
	}
	if c.Revision != strconv.Itoa(w.version) {
		return ports.ErrConflict
	}
	m := controlplane.Machine{
		Name: w.newName(), Template: c.Desired.Template,
		FailureDomain: o.FailureDomain, CreatedAt: w.Clock.Now(), Phase: controlplane.PhaseCreating,
		Replaces: o.Replaces,
	}
	// Talos machines boot alike: Starter makes one of them start the cluster.
	first := o.Kind == controlplane.KindCreateFirstMachine && c.Desired.Type != node.ControlPlaneTalos
	w.machines = append(w.machines, &simulated{
		Machine: m, hook: true, first: first, address: address(w.created), from: c.Revision,
	})
	if o.Replaces != nil {
		w.plane.Observed.Remediated = nil
	}
	w.changed()
	return nil
}

// newName returns a name that no machine has. The caller has the lock.
func (w *ControlPlane) newName() string {
	for {
		w.created++
		if name := fmt.Sprintf("%s-%d", w.plane.Name, w.created); w.find(name) == nil {
			return name
		}
	}
}

// address returns an address for documentation (RFC 3849).
func address(number int) string { return fmt.Sprintf("2001:db8::%x", number) }

// changed gives the control plane another revision. The caller has the lock.
func (w *ControlPlane) changed() { w.version++ }

// Delete marks the machine as being deleted, and records a remediation.
func (w *ControlPlane) Delete(_ context.Context, c ports.ControlPlane, o controlplane.Operation) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	m := w.find(o.Machine)
	if m == nil || !running(m.Phase) {
		return nil
	}
	m.Phase = controlplane.PhaseDeleting
	if o.Replaces != nil {
		w.plane.Observed.Remediated = o.Replaces
	}
	w.changed()
	return nil
}

// Release removes the hook. A machine whose deletion waits for it terminates.
func (w *ControlPlane) Release(_ context.Context, _ ports.ControlPlane, machine string) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	m := w.find(machine)
	if m == nil || !m.hook {
		return nil
	}
	m.hook = false
	if m.Phase == controlplane.PhaseDue {
		m.Phase = controlplane.PhaseTerminating
	}
	w.changed()
	return nil
}

// Record stores the ID of the member and the expiry of the certificates.
func (w *ControlPlane) Record(_ context.Context, _ ports.ControlPlane, m controlplane.Machine) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if stored := w.find(m.Name); stored != nil {
		stored.MemberID, stored.CertificatesExpireAt = m.MemberID, m.CertificatesExpireAt
	}
	return nil
}

// find returns the machine, or nil. The caller has the lock.
func (w *ControlPlane) find(name string) *simulated {
	for _, m := range w.machines {
		if m.Name == name {
			return m
		}
	}
	return nil
}
