package controlplane_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
)

// fixture is a control plane that a case changes.
type fixture struct {
	d controlplane.Desired
	o controlplane.Observed
}

// perfect returns a control plane of machines m1, m2 and so on that is as desired. They are in the failure domains a, b
// and c, m1 is the oldest, and its member leads.
func perfect(replicas int) *fixture {
	f := &fixture{
		d: controlplane.Desired{
			Replicas: replicas, MaxSurge: 1, Type: node.ControlPlaneKubeadm, FailureDomains: []string{"a", "b", "c"},
			Template: controlplane.Template{
				Version: "v1.36.3", Bootstrap: "b1", Content: "c1", Infrastructure: "HostMachineTemplate.infra/t1",
			},
		},
		o: controlplane.Observed{
			InfrastructureReady: true, EndpointKnown: true, CertificatesReady: true, Initialized: true, JoinPrepared: true,
			AddonsCurrent: true, Members: controlplane.Members{Known: true, Since: epoch()},
		},
	}
	for range replicas {
		f.join()
	}
	f.member("m1").Leader = true
	return f
}

// unstarted returns a control plane without machines.
func unstarted() *fixture {
	f := perfect(3)
	f.o.Initialized, f.o.Machines, f.o.Members = false, nil, controlplane.Members{Problem: "no machine"}
	return f
}

// failedFirst adds a first machine that failed and that replaced another one ten seconds ago, after so many retries.
func (f *fixture) failedFirst(retries int) {
	m := f.provision()
	m.Failure = "kubeadm: ImagePull"
	m.Replaces = &controlplane.Retry{Machine: "m0", At: epoch().Add(-10 * time.Second), Count: retries}
}

// create adds a machine that is being created, and returns it.
func (f *fixture) create() *controlplane.Machine {
	n := len(f.o.Machines) + 1
	f.o.Machines = append(f.o.Machines, controlplane.Machine{
		Name: fmt.Sprintf("m%d", n), Template: f.d.Template, FailureDomain: string("abc"[(n-1)%3]),
		CreatedAt: epoch().Add(time.Duration(n-24) * time.Hour), Phase: controlplane.PhaseCreating,
	})
	return &f.o.Machines[n-1]
}

// provision adds a machine that boots.
func (f *fixture) provision() *controlplane.Machine {
	m := f.create()
	m.Phase = controlplane.PhaseProvisioned
	m.Addresses = []string{"10.0.0." + m.Name[1:]}
	return m
}

// join adds a healthy machine with a voting member whose ID is its number.
func (f *fixture) join() *controlplane.Machine {
	m := f.provision()
	m.Phase, m.NodeName, m.KubeletVersion, m.Components = controlplane.PhaseRunning, m.Name, m.Template.Version, healthy
	f.o.Members.List = append(f.o.Members.List, controlplane.Member{
		ID: uint64(len(f.o.Machines)), Name: m.Name, PeerAddresses: m.Addresses, Responds: true,
	})
	return m
}

// boot adds a machine whose member votes, and which has no node: its API server does not start, or not yet.
func (f *fixture) boot() *controlplane.Machine {
	m := f.join()
	m.Phase, m.NodeName, m.KubeletVersion, m.Components = controlplane.PhaseProvisioned, "", "", nil
	return m
}

// m returns the machine.
func (f *fixture) m(name string) *controlplane.Machine {
	i := slices.IndexFunc(f.o.Machines, func(m controlplane.Machine) bool { return m.Name == name })
	return &f.o.Machines[i]
}

// member returns the etcd member with the name.
func (f *fixture) member(name string) *controlplane.Member {
	i := slices.IndexFunc(f.o.Members.List, func(m controlplane.Member) bool { return m.Name == name })
	return &f.o.Members.List[i]
}

// each changes several machines.
func (f *fixture) each(change func(*controlplane.Machine), names ...string) {
	for _, name := range names {
		change(f.m(name))
	}
}

// outdate makes the machines outdated; all of them if none is named.
func (f *fixture) outdate(names ...string) {
	if len(names) == 0 {
		f.d.Template.Bootstrap = "b2"
	}
	f.each(func(m *controlplane.Machine) { m.Template.Bootstrap = "b0" }, names...)
}

// phase changes the phase of the machines.
func (f *fixture) phase(p controlplane.Phase, names ...string) {
	f.each(func(m *controlplane.Machine) { m.Phase = p }, names...)
}

// die powers the machines off.
func (f *fixture) die(names ...string) {
	f.each(func(m *controlplane.Machine) { m.Components = nil }, names...)
	for _, name := range names {
		member := f.member(name)
		member.Responds, member.Leader = false, false
	}
}

// mark makes a health check mark the machines.
func (f *fixture) mark(names ...string) {
	f.each(func(m *controlplane.Machine) { m.Unhealthy = true }, names...)
}

// unhealthy makes a component of the machine unhealthy.
func (f *fixture) unhealthy(name string, c controlplane.Component) {
	all := maps.Clone(healthy)
	all[c] = controlplane.HealthUnhealthy
	f.m(name).Components = all
}

// leaveEtcd removes the member of the machine.
func (f *fixture) leaveEtcd(name string) {
	f.o.Members.List = slices.DeleteFunc(f.o.Members.List, func(m controlplane.Member) bool { return m.Name == name })
	f.m(name).Components = nil
}

// vanish removes the machine, but not its member, which dies.
func (f *fixture) vanish(name string) {
	f.die(name)
	f.o.Machines = slices.DeleteFunc(f.o.Machines, func(m controlplane.Machine) bool { return m.Name == name })
}

// stray adds a member without a machine.
func (f *fixture) stray(m controlplane.Member) {
	if m.PeerAddresses == nil {
		m.PeerAddresses = []string{"10.0.0.99"}
	}
	f.o.Members.List = append(f.o.Members.List, m)
}

// external moves etcd out of the machines.
func (f *fixture) external() {
	f.d.ExternalEtcd, f.o.Members = true, controlplane.Members{}
}

func (f *fixture) plan() (controlplane.Operation, controlplane.Reason) {
	return controlplane.Plan(f.d, f.o, epoch())
}

// decision describes an operation and its reason: kind, machine, failure domain, member and code.
func decision(o controlplane.Operation, r controlplane.Reason) string {
	parts := []string{string(o.Kind)}
	if o.Machine != "" {
		parts = append(parts, o.Machine)
	}
	if o.FailureDomain != "" {
		parts = append(parts, "in "+o.FailureDomain)
	}
	if o.Member != 0 {
		parts = append(parts, fmt.Sprintf("member %d", o.Member))
	}
	return strings.Join(append(parts, "because "+string(r.Code)), " ")
}
