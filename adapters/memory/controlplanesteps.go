package memory

import (
	"slices"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// Advance advances each machine by one step: infrastructure is created, the machine boots and joins, a machine that is
// being deleted is drained, and infrastructure is deleted. It reports whether anything changed.
func (w *ControlPlane) Advance() bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	changed := false
	for _, m := range slices.Clone(w.machines) {
		changed = w.advance(m) || changed
	}
	return changed
}

// AdvanceMachine advances one machine by one step.
func (w *ControlPlane) AdvanceMachine(name string) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	m := w.find(name)
	return m != nil && w.advance(m)
}

func (w *ControlPlane) advance(m *simulated) bool {
	switch m.Phase {
	case controlplane.PhaseCreating:
		m.Phase = controlplane.PhaseProvisioned
		m.Addresses = []string{m.address}
	case controlplane.PhaseProvisioned:
		if m.stopped || m.Failure != "" || !w.boot(m) {
			return false
		}
	case controlplane.PhaseDeleting:
		m.Phase = controlplane.PhaseDue
		if !m.hook {
			m.Phase = controlplane.PhaseTerminating
		}
	case controlplane.PhaseTerminating:
		w.machines = slices.DeleteFunc(w.machines, func(other *simulated) bool { return other == m })
	case controlplane.PhaseRunning, controlplane.PhaseDue:
		return false
	}
	w.changed()
	return true
}

// boot advances a machine that becomes a node, and reports whether it advanced. The caller has the lock.
func (w *ControlPlane) boot(m *simulated) bool {
	if !m.first && !w.serving() {
		return false
	}
	if !w.plane.Desired.ExternalEtcd {
		if members, voters := len(w.etcd.members), w.voters(); !w.join(m) {
			return members != len(w.etcd.members) || voters != w.voters()
		}
	}
	m.Phase, m.NodeName = controlplane.PhaseRunning, m.Name
	if m.first {
		w.joinVersion, w.addonsVersion = m.Template.Version, m.Template.Version
	}
	return true
}

// voters counts the voting members. The caller has the lock.
func (w *ControlPlane) voters() int {
	voters, _ := w.votes()
	return voters
}

// Machines returns the machines.
func (w *ControlPlane) Machines() []controlplane.Machine {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	var machines []controlplane.Machine
	for _, m := range w.machines {
		machines = append(machines, m.Machine)
	}
	return machines
}

// Firsts counts the machines that initialize the cluster and are not terminating.
func (w *ControlPlane) Firsts() int {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	n := 0
	for _, m := range w.machines {
		if m.first && m.Phase != controlplane.PhaseTerminating {
			n++
		}
	}
	return n
}

// Status returns the last status, and Finished whether the finalizer was removed.
func (w *ControlPlane) Status() (status ports.ControlPlaneStatus, finished bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.status, w.finished
}

// Change changes the control plane, as a user does.
func (w *ControlPlane) Change(f func(*ports.ControlPlane)) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	f(&w.plane)
	w.changed()
}

// ChangeMachine changes a machine, as a health check or a user does.
func (w *ControlPlane) ChangeMachine(name string, f func(*controlplane.Machine)) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if m := w.find(name); m != nil {
		f(&m.Machine)
		w.changed()
	}
}

// Stop makes a machine stop answering, with its member; Start makes it answer again.
func (w *ControlPlane) Stop(name string) { w.set(name, func(m *simulated) { m.stopped = true }) }

// Start makes a machine answer.
func (w *ControlPlane) Start(name string) { w.set(name, func(m *simulated) { m.stopped = false }) }

// DeleteMachine deletes a machine, as a user does.
func (w *ControlPlane) DeleteMachine(name string) {
	w.set(name, func(m *simulated) {
		if running(m.Phase) {
			m.Phase = controlplane.PhaseDeleting
		}
	})
}

// RestoreEtcd starts the machine with the data of a new cluster, of which it is the only member.
func (w *ControlPlane) RestoreEtcd(name string) {
	w.set(name, func(m *simulated) {
		m.stopped = false
		w.etcd.nextID++
		w.etcd.members = []*etcdMember{{id: w.etcd.nextID, machine: name, address: m.address, name: m.NodeName}}
		w.etcd.leader = 0
	})
}

// Vanish removes a machine and its infrastructure at once. Its member stays in the list.
func (w *ControlPlane) Vanish(name string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.machines = slices.DeleteFunc(w.machines, func(m *simulated) bool { return m.Name == name })
	w.changed()
}

func (w *ControlPlane) set(name string, f func(*simulated)) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if m := w.find(name); m != nil {
		f(m)
		w.changed()
	}
}
