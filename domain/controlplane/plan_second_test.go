package controlplane_test

import "github.com/machineadm/machineadm/domain/controlplane"

// secondVoterCases are those of the second of two voters, whose machine is not a node.
func secondVoterCases() map[string]situation {
	// unjoined adds a machine that failed before it joined etcd, and the voter of a node without a Machine.
	unjoined := func(p controlplane.Phase, change func(*fixture)) func(*fixture) {
		return func(f *fixture) {
			f.create().Phase = p
			f.stray(controlplane.Member{ID: 9, Name: "old", Responds: true})
			change(f)
		}
	}
	notReady := func(f *fixture) { f.o.NodesWithoutMachine = []string{"old"} }
	// pair removes the member of m2, and makes m3 a machine whose API server does not start. Both are being deleted, and
	// no addresses are known.
	pair := func(f *fixture) {
		f.leaveEtcd("m2")
		f.member("m3").Name = "host-3"
		f.m("m3").NodeName, f.m("m3").Components = "", nil
		f.each(func(m *controlplane.Machine) { m.Addresses = nil }, "m1", "m2", "m3")
		f.phase(controlplane.PhaseDue, "m2", "m3")
	}
	return map[string]situation{
		"second/machine leaves": {
			"no other machine and no node can own the member", one, unjoined(controlplane.PhaseDue, func(*fixture) {}),
			"RemoveMember m2 member 9 because RemovingMember", "",
		},
		"second/node that is not Ready, machine leaves": {
			"a restored management cluster has no Machine of the node", one, unjoined(controlplane.PhaseDue, notReady),
			"Wait because MemberUnassigned", "etcd member 9",
		},
		"second/node that is not Ready, machine terminates": {
			"the member does not leave with the machine", one, func(f *fixture) {
				f.d.Replicas = 3
				unjoined(controlplane.PhaseTerminating, notReady)(f)
			}, "CreateMachine in b because ScalingUp", "",
		},
		"second/node that is not Ready, machine failed": {
			"the member may be that of the machine", one, func(f *fixture) {
				f.d.Replicas = 3
				unjoined(controlplane.PhaseProvisioned, notReady)(f)
				f.m("m2").Failure = "no disk"
			}, "Wait because MemberUnassigned", "",
		},
		"second/foreign machines": {
			"a Machine of the former controller may run the member", one, unjoined(controlplane.PhaseDue, func(f *fixture) {
				f.o.ForeignMachines = true
			}), "Wait because MemberUnassigned", "",
		},
		"second/nodes unknown": {
			"a node may run the member", one, unjoined(controlplane.PhaseDue, func(f *fixture) { f.o.NodesUnknown = true }),
			"Wait because MemberUnassigned", "",
		},
		"second/other machine has left etcd": {
			"its recorded member is another one", three, func(f *fixture) {
				f.m("m2").MemberID = 2
				pair(f)
			}, "ReleaseMachine m2 because ReleasingMachine", "",
		},
		"second/other machine may have joined": {
			"the member may be that of either machine", three, pair, "Wait because DeletingMachine",
			"etcd member 3 belongs to none of the machines",
		},
	}
}
