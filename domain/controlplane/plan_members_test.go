package controlplane_test

import "github.com/machineadm/machineadm/domain/controlplane"

func memberCases() map[string]situation {
	return map[string]situation{
		"members/unknown": {
			"a join needs the quorum, and a deletion may need it", three, func(f *fixture) {
				f.o.Members = controlplane.Members{Since: epoch(), Problem: "kubelet\nrefused"}
				f.outdate()
				f.mark("m1")
			}, "Wait because MembersUnknown", "since 2026-01-01T00:00:00Z: kubelet; refused",
		},
		"members/unknown since": {
			"machineadmctl does not know when the members were observed", three, func(f *fixture) {
				f.o.Members = controlplane.Members{Problem: "refused"}
			}, "Wait because MembersUnknown", "the etcd members are unknown: refused",
		},
		"members/quorum lost": {
			"no operation is safe", three, func(f *fixture) {
				f.die("m2", "m3")
				f.mark("m2", "m3")
				f.phase(controlplane.PhaseDue, "m1")
			}, "Wait because QuorumLost", "1 of 3 etcd members respond; those that do not: m2, m3",
		},
		"members/stray learner": {
			"etcd accepts one learner at a time (C#13221)", three, func(f *fixture) {
				f.stray(controlplane.Member{ID: 9, Learner: true})
			}, "RemoveMember member 9 because RemovingStrayMember", "9",
		},
		"members/stray learner of a machine that may join": {
			"the addresses of the machine are unknown", three, func(f *fixture) {
				f.d.Replicas = 4
				f.create()
				f.stray(controlplane.Member{ID: 9, Learner: true})
			}, "Wait because WaitingForMachine", "m4",
		},
		"members/learner of a machine that joins": {
			"its address is known", three, func(f *fixture) {
				f.d.Replicas = 4
				f.stray(controlplane.Member{ID: 9, Learner: true, PeerAddresses: f.provision().Addresses})
			}, "Wait because WaitingForMachine", "m4",
		},
		"members/stray learner beside a machine that joins": {
			"the addresses of all members are those of machines, so that of a learner cannot be another one", three,
			func(f *fixture) {
				f.d.Replicas = 4
				f.provision()
				f.stray(controlplane.Member{ID: 9, Learner: true})
			}, "RemoveMember member 9 because RemovingStrayMember", "",
		},
		"members/addresses that are not exact": {
			"members listen on addresses that the Machines do not have", three, func(f *fixture) {
				f.d.Replicas = 4
				f.m("m1").Addresses = []string{"192.0.2.1"}
				f.provision()
				f.stray(controlplane.Member{ID: 9, Learner: true})
			}, "Wait because WaitingForMachine", "",
		},
		"members/stray learner of a failed machine": {
			"a machine that failed joins no more", three, func(f *fixture) {
				f.d.Replicas, f.d.Remediation.MaxRetry = 4, new(int)
				f.create().Failure = "no disk"
				f.m("m4").Replaces = &controlplane.Retry{At: epoch()}
				f.stray(controlplane.Member{ID: 9, Learner: true})
			}, "RemoveMember member 9 because RemovingStrayMember", "",
		},
		"members/dead voter without a machine": {
			"a Machine was removed together with its hook (C#2818, C#2759, K#991)", three,
			func(f *fixture) { f.vanish("m3") }, "RemoveMember member 3 because RemovingStrayMember", "",
		},
		"members/unstarted voter": {
			"a member without a name does not respond, whatever is reported", three,
			func(f *fixture) { f.stray(controlplane.Member{ID: 9, Responds: true}) },
			"RemoveMember member 9 because RemovingStrayMember", "",
		},
		"members/voter that responds": {
			"a Machine that is not adopted yet may run it", three,
			func(f *fixture) { f.stray(controlplane.Member{ID: 9, Name: "n9", Responds: true}) },
			"Wait because ForeignMember", "9",
		},
		"members/dead voter beside foreign machines": {
			"the adoption is not complete, and a Machine of the former controller reboots", three,
			func(f *fixture) {
				f.vanish("m3")
				f.o.ForeignMachines, f.d.Held = true, "m3 belongs to another controller"
			},
			"Wait because Held", "etcd member 3 belongs to none of the machines",
		},
		"members/learner beside foreign machines": {
			"the former controller creates a machine", three, func(f *fixture) {
				f.o.ForeignMachines, f.d.Held = true, "m9 belongs to another controller"
				f.stray(controlplane.Member{ID: 9, Learner: true})
			}, "Wait because ForeignMember", "another controller",
		},
		"members/all machines are foreign": {
			"no data is lost, so that nothing is to be restored", three, func(f *fixture) {
				f.o.Machines, f.o.Members, f.o.ForeignMachines = nil, controlplane.Members{}, true
			}, "Wait because Held", "all control plane Machines belong to another controller",
		},
		"members/dead voter, nodes unknown": {
			"it may run on a node that the workload cluster does not report now", three, func(f *fixture) {
				f.d.Replicas, f.o.NodesUnknown = 2, true
				f.vanish("m3")
			}, "Wait because ForeignMember", "unknown",
		},
		"members/voter of a node without a Machine": {
			"only the members of machines are asked", three, func(f *fixture) {
				f.d.Replicas, f.o.OtherNodes = 2, []string{"m3"}
				f.vanish("m3")
			}, "Wait because ForeignMember", "the API server of node m3 is healthy",
		},
		"members/stray learner, nodes unknown": {
			"it does not vote", three, func(f *fixture) {
				f.o.NodesUnknown = true
				f.stray(controlplane.Member{ID: 9, Learner: true})
			}, "RemoveMember member 9 because RemovingStrayMember", "",
		},
		"members/of a machine that terminates beside foreign machines": {
			"it is known whose member it is", three, func(f *fixture) {
				f.phase(controlplane.PhaseTerminating, "m2")
				f.o.ForeignMachines, f.d.Held = true, "m9 belongs to another controller"
			}, "RemoveMember member 2 because RemovingStrayMember", "",
		},
		"members/of a machine that terminates": {
			"its machine is powered off at any time", three, func(f *fixture) { f.phase(controlplane.PhaseTerminating, "m2") },
			"RemoveMember member 2 because RemovingStrayMember", "",
		},
		"members/of a machine that terminates, needed": {
			"the others are no quorum", three,
			func(f *fixture) { f.phase(controlplane.PhaseTerminating, "m2"); f.die("m3") },
			"Wait because CreationBlocked", "without it 1 of 2 etcd members respond",
		},
		"members/of a machine that terminates, nothing else to do": {
			"it is repeated until the others are a quorum", three,
			func(f *fixture) { f.d.Replicas = 2; f.phase(controlplane.PhaseTerminating, "m2"); f.die("m3") },
			"Wait because RemovalBlocked", "without it 1 of 2 etcd members respond",
		},
		"members/by name": {
			"the member does not listen on a known address", three, func(f *fixture) {
				f.m("m1").Addresses = nil
				f.phase(controlplane.PhaseDue, "m1")
				f.member("m1").Leader = false
			}, "RemoveMember m1 member 1 because RemovingMember", "",
		},
		"members/node name": {
			"nodes do not have the names of Machines (C#4239)", three, func(f *fixture) {
				f.m("m1").Addresses, f.m("m1").NodeName = nil, "node-1"
				*f.member("m1") = controlplane.Member{ID: 1, Name: "node-1", PeerAddresses: []string{"10.9.9.9"}, Responds: true}
				f.phase(controlplane.PhaseDue, "m1")
			}, "RemoveMember m1 member 1 because RemovingMember", "",
		},
		"members/by recorded ID": {
			"neither address nor name match", three, func(f *fixture) {
				f.m("m1").Addresses, f.m("m1").NodeName, f.m("m1").MemberID = nil, "node-1", 1
				f.phase(controlplane.PhaseDue, "m1")
				f.member("m1").Leader = false
			}, "RemoveMember m1 member 1 because RemovingMember", "",
		},
		"members/unassigned": {
			"its member may be that of another name, which responds", three, func(f *fixture) {
				f.d.Replicas = 2
				f.m("m1").Addresses, f.m("m1").NodeName = nil, "node-1"
				f.phase(controlplane.PhaseDue, "m1")
			}, "Wait because MemberUnassigned", "",
		},
		"members/unassigned and marked": {
			"it cannot be known whether a vote is lost", three, func(f *fixture) {
				f.m("m1").Addresses, f.m("m1").NodeName = nil, "node-1"
				f.mark("m1")
			}, "Wait because MemberUnassigned", "",
		},
		"members/unassigned and superseded": {
			"the machine may vote before its addresses are known", three, func(f *fixture) {
				f.d.Replicas = 4
				f.create()
				f.outdate("m4")
				f.stray(controlplane.Member{ID: 9, Name: "node-4", Responds: true})
			}, "Wait because WaitingForMachine", "",
		},
		"members/alarm": {
			"etcd refuses the writes of a join", one, func(f *fixture) {
				f.d.Replicas = 3
				f.member("m1").Alarms = []string{"NOSPACE"}
			}, "Wait because AlarmRaised", "NOSPACE",
		},
	}
}

func leaveCases() map[string]situation {
	due := func(names ...string) func(*fixture) {
		return func(f *fixture) { f.phase(controlplane.PhaseDue, names...) }
	}
	return map[string]situation{
		"leave/draining": {
			"the member stays until the machine is drained (R#431, R#507)", three, func(f *fixture) {
				f.d.MaxSurge = 0
				f.phase(controlplane.PhaseDeleting, "m2")
			}, "Wait because DeletingMachine", "m2",
		},
		"leave/remove": {
			"deleted by a user (C#2818); the others remove the member before it is powered off (T#179)", three, due("m2"),
			"RemoveMember m2 member 2 because RemovingMember", "2 of 2",
		},
		"leave/leader": {
			"an election would interrupt clients", three, due("m1"), "MoveLeader m1 member 1 because RemovingMember", "",
		},
		"leave/leader that cannot be moved": {
			"moving the leader is best effort (C#8465): the caller clears it", three,
			func(f *fixture) { due("m1")(f); f.member("m1").Leader = false },
			"RemoveMember m1 member 1 because RemovingMember", "",
		},
		"leave/leader last": {
			"otherwise the leader moves twice", five, due("m1", "m2"), "RemoveMember m2 member 2 because RemovingMember", "",
		},
		"leave/release": {
			"the controller stopped after the removal of the member (C#3978)", three,
			func(f *fixture) { due("m2")(f); f.leaveEtcd("m2") }, "ReleaseMachine m2 because ReleasingMachine", "",
		},
		"leave/learner": {
			"its machine was deleted while it joined", three, func(f *fixture) {
				f.d.Replicas = 4
				f.join().Phase = controlplane.PhaseDue
				f.member("m4").Learner = true
			}, "RemoveMember m4 member 4 because RemovingMember", "",
		},
		"leave/learner that is not recognized": {
			"it votes as soon as it is promoted, and then the machine is needed", one, func(f *fixture) {
				f.create().Phase = controlplane.PhaseDue
				f.stray(controlplane.Member{ID: 9, Learner: true})
			}, "RemoveMember member 9 because RemovingStrayMember", "",
		},
		"leave/learner of one of two machines": {
			"it is not known which one joins", one, func(f *fixture) {
				f.d.Replicas = 3
				f.create().Phase = controlplane.PhaseDue
				f.create()
				f.stray(controlplane.Member{ID: 9, Learner: true})
			}, "Wait because WaitingForMachine", "",
		},
		"leave/voter that is not recognized": {
			"it may be that of the machine, which has no node, so that the member cannot be asked", three, func(f *fixture) {
				f.create().Phase = controlplane.PhaseDue
				f.stray(controlplane.Member{ID: 9, Name: "node-4"})
			}, "RemoveMember member 9 because RemovingStrayMember", "",
		},
		"leave/voter that is not recognized, nodes unknown": {
			"the machine must not be switched off before its member is removed", three, func(f *fixture) {
				f.o.NodesUnknown = true
				f.create().Phase = controlplane.PhaseDue
				f.stray(controlplane.Member{ID: 9, Name: "node-4"})
			}, "Wait because ForeignMember", "unknown",
		},
		"leave/voter without a node": {
			"the others remain a quorum", one, func(f *fixture) {
				f.d.Replicas = 3
				f.boot().Phase = controlplane.PhaseDue
			}, "RemoveMember m2 member 2 because RemovingMember", "1 of 1",
		},
		"leave/dead first": {
			"the dead one makes room for the other", five,
			func(f *fixture) { due("m1", "m2")(f); f.die("m2") }, "RemoveMember m2 member 2 because RemovingMember", "4 of 4",
		},
		"leave/dead first of three": {
			"{leaving, dead and leaving, healthy}: only the dead one may leave", three,
			func(f *fixture) { due("m1", "m2")(f); f.die("m2") }, "RemoveMember m2 member 2 because RemovingMember", "2 of 2",
		},
		"leave/blocked by a dead one": {
			"{leaving, dead, healthy}: the deletion waits, the remediation does not", three,
			func(f *fixture) { due("m1")(f); f.die("m2"); f.mark("m2") }, "DeleteMachine m2 because Remediating", "",
		},
		"leave/blocked, and not marked": {
			"nothing makes room before a health check marks the dead machine", three,
			func(f *fixture) { due("m1")(f); f.die("m2") }, "Wait because CreationBlocked",
			"Besides, machine m1 is being deleted, and without its etcd member 1 of 2 etcd members respond",
		},
		"leave/last": {
			"the only machine was deleted by a user (reference: lost with KubeadmControlPlane)", one, due("m1"),
			"CreateMachine in a because ScalingUp", "",
		},
		"leave/last, replacement boots": {
			"it stays until the replacement votes", one, func(f *fixture) { due("m1")(f); f.provision() },
			"Wait because WaitingForMachine", "m2",
		},
		"leave/last, replacement votes": {
			"two of two respond", one, func(f *fixture) { f.join(); due("m1")(f) },
			"MoveLeader m1 member 1 because RemovingMember", "",
		},
		"leave/last API server": {
			"the API server of the other machine is not healthy", func() *fixture { return perfect(2) }, func(f *fixture) {
				due("m1")(f)
				f.unhealthy("m2", controlplane.ComponentAPIServer)
			}, "CreateMachine in a because ScalingUp", "",
		},
		"leave/API servers unknown": {
			"the workload cluster does not answer, and the members do", three, func(f *fixture) {
				due("m2")(f)
				f.each(func(m *controlplane.Machine) { m.Components = nil }, "m1", "m2", "m3")
			}, "Wait because APIServerUnhealthy",
			"machine m2 is being deleted, and stays because no other has a healthy API server",
		},
		"leave/second of three": {
			"a user deleted two of three, and one has left: a machine joins before the other one leaves", three,
			func(f *fixture) {
				f.leaveEtcd("m1")
				f.phase(controlplane.PhaseTerminating, "m1")
				due("m2")(f)
			}, "CreateMachine in a because ScalingUp", "1 of 3",
		},
		"leave/second of three, held": {
			"no machine can be created", three, func(f *fixture) {
				f.d.Held = "no"
				f.leaveEtcd("m1")
				f.phase(controlplane.PhaseTerminating, "m1")
				due("m2")(f)
			}, "RemoveMember m2 member 2 because RemovingMember", "",
		},
		"leave/second of three, a machine joins": {
			"", three, func(f *fixture) {
				f.leaveEtcd("m1")
				f.phase(controlplane.PhaseTerminating, "m1")
				due("m2")(f)
				f.provision()
			}, "Wait because WaitingForMachine", "machine m2 is being deleted, and stays until another one has joined",
		},
		"leave/replicas 0": {
			"scaled to zero by something else: etcd would be lost", one, func(f *fixture) { f.d.Replicas = 0; due("m1")(f) },
			"Wait because LastMachine", "m1",
		},
		"leave/one of several waits": {
			"a drain that hangs does not keep another machine from leaving", five,
			func(f *fixture) { f.phase(controlplane.PhaseDeleting, "m1"); due("m2")(f) },
			"RemoveMember m2 member 2 because RemovingMember", "",
		},
		"leave/dead blocked": {
			"two of four are dead and leave: no quorum, nothing to do", func() *fixture { return perfect(4) },
			func(f *fixture) { f.die("m1", "m2"); due("m1", "m2")(f) }, "Wait because QuorumLost", "",
		},
		"leave/deletion blocked": {
			"a drained machine is needed as long as another one is dead, and none is missing", three,
			func(f *fixture) { f.d.Replicas = 2; due("m1")(f); f.die("m2") }, "Wait because DeletionBlocked", "m1",
		},
	}
}
