package controlplane_test

import (
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
)

func joinCases() map[string]situation {
	return map[string]situation{
		"join/creating": {
			"one machine joins at a time", three, func(f *fixture) { f.d.Replicas = 5; f.create() },
			"Wait because WaitingForMachine", "m4",
		},
		"join/node without a member": {
			"the node registers before etcd runs", three, func(f *fixture) { f.d.Replicas = 5; f.join(); f.leaveEtcd("m4") },
			"Wait because WaitingForMember", "m4",
		},
		"join/learner": {
			"a learner has no vote", three, func(f *fixture) { f.d.Replicas = 5; f.join(); f.member("m4").Learner = true },
			"Wait because WaitingForMember", "m4",
		},
		"join/learner beside one voter": {
			"one of one voter responds", one, func(f *fixture) { f.d.Replicas = 3; f.join(); f.member("m2").Learner = true },
			"Wait because WaitingForMember", "m2",
		},
		"join/superseded": {
			"the spec changes while a machine boots (K#1489, k0rdent/kcm#2809)", three, func(f *fixture) {
				f.provision()
				f.outdate("m1", "m2", "m3", "m4")
			}, "DeleteMachine m4 because Superseded", "another bootstrap configuration",
		},
		"join/superseded voter without a node": {
			"its API server does not start, and a user corrected the spec", three, func(f *fixture) {
				f.boot()
				f.member("m4").Responds = false
				f.outdate("m4")
			}, "DeleteMachine m4 because Superseded", "another bootstrap configuration",
		},
		"join/superseded voter, single replica": {
			"both respond, and the earlier machine remains", one, func(f *fixture) { f.boot(); f.outdate("m1", "m2") },
			"DeleteMachine m2 because Superseded", "another bootstrap configuration",
		},
		"join/superseded voter without addresses": {
			"the provider of the infrastructure reports addresses of nodes only", one, func(f *fixture) {
				f.boot()
				f.member("m2").Name = "host-2"
				f.m("m2").Addresses = nil
				f.outdate("m1", "m2")
			}, "DeleteMachine m2 because Superseded", "another bootstrap configuration",
		},
		"join/voter of another node": {
			"its API server works, and it may be in use", one, func(f *fixture) {
				f.boot()
				f.member("m2").Name = "host-2"
				f.m("m2").Addresses = nil
				f.outdate("m1", "m2")
				f.o.NodesWithoutMachine = []string{"host-2"}
			}, "Wait because WaitingForMachine", "etcd member 2 belongs to none of the machines",
		},
		"join/nodes are not known yet": {
			"after a move, Cluster API finds the nodes later than the API server", three, func(f *fixture) {
				f.external()
				f.each(func(m *controlplane.Machine) {
					m.Phase, m.NodeName, m.Components = controlplane.PhaseProvisioned, "", nil
					m.CertificatesExpireAt = epoch().AddDate(1, 0, 0)
				}, "m1", "m2", "m3")
				f.outdate()
			}, "Wait because WaitingForMachine", "m1",
		},
		"join/nodes are not known yet, scaled down": {
			"such a machine is drained before it is deleted", three, func(f *fixture) {
				f.external()
				f.d.Replicas = 2
				f.each(func(m *controlplane.Machine) {
					m.Phase, m.NodeName, m.Components = controlplane.PhaseProvisioned, "", nil
					m.CertificatesExpireAt = epoch().AddDate(1, 0, 0)
				}, "m1", "m2", "m3")
			}, "Wait because WaitingForMachine", "m1",
		},
		"join/not needed": {
			"scaled down while a machine boots", three, func(f *fixture) { f.provision() },
			"DeleteMachine m4 because ScalingDown", "m4",
		},
		"join/surge is needed": {
			"the machine that boots replaces an outdated one", three, func(f *fixture) { f.outdate("m1"); f.provision() },
			"Wait because WaitingForMachine", "m4",
		},
		"join/failed beyond the limit": {
			"no more machines are created beside one that failed (C#3230)", three, func(f *fixture) {
				f.d.Replicas, f.d.Remediation.MaxRetry = 5, new(int)
				m := f.provision()
				m.Failure, m.Replaces = "no disk", &controlplane.Retry{At: epoch()}
			}, "Wait because RemediationLimitReached", "no disk",
		},
	}
}

func creationCases() map[string]situation {
	growing := func() *fixture {
		f := perfect(1)
		f.d.Replicas = 3
		return f
	}
	return map[string]situation{
		"create/scale up": {
			"one voter: a cluster grows from it", growing, nil, "CreateMachine in b because ScalingUp", "1 of 3",
		},
		"create/prepare": {
			"kubeadm reads the configuration of the cluster", growing, func(f *fixture) { f.o.JoinPrepared = false },
			"PrepareJoin because PreparingJoin", "v1.36.3",
		},
		"create/terminating": {
			"infrastructure that is being deleted blocks nothing", three,
			func(f *fixture) { f.leaveEtcd("m1"); f.phase(controlplane.PhaseTerminating, "m1") },
			"CreateMachine in a because ScalingUp", "",
		},
		"create/draining": {
			"with a surge, the replacement boots while the machine is drained", three,
			func(f *fixture) { f.phase(controlplane.PhaseDeleting, "m1") }, "CreateMachine in a because ScalingUp", "",
		},
		"create/beside a voter without a node": {
			"of two members that cannot be asked, it is not known whether they are needed for a quorum", growing,
			func(f *fixture) { f.boot().Phase = controlplane.PhaseDeleting },
			"Wait because DeletingMachine", "before m2 is gone",
		},
		"create/quorum": {
			"two of three respond", three, func(f *fixture) { f.d.Replicas = 5; f.die("m2") },
			"Wait because CreationBlocked",
			"2 of 3 etcd members respond, and etcd adds no member before all do; those that do not: m2",
		},
		"create/four of five": {
			"they are a quorum of six, and etcd adds no member nevertheless", five,
			func(f *fixture) { f.d.Replicas = 6; f.die("m5") }, "Wait because CreationBlocked", "m5",
		},
		"create/API server": {
			"a machine joins through it", growing, func(f *fixture) { f.unhealthy("m1", controlplane.ComponentAPIServer) },
			"Wait because APIServerUnhealthy", "",
		},
		"create/certificates": {
			"a deleted CA is not created anew (K#1623)", growing, func(f *fixture) {
				f.o.CertificatesReady, f.o.MissingCertificates = false, []string{"c-ca"}
			}, "Wait because CertificatesMissing", "c-ca",
		},
		"create/infrastructure": {
			"", growing, func(f *fixture) { f.o.InfrastructureReady = false }, "Wait because WaitingForInfrastructure", "",
		},
		"create/endpoint": {
			"", growing, func(f *fixture) { f.o.EndpointKnown = false }, "Wait because WaitingForEndpoint", "",
		},
		"create/domains": {
			"the domain with the fewest machines (T#239)", three, func(f *fixture) {
				f.d.Replicas = 5
				f.each(func(m *controlplane.Machine) { m.FailureDomain = "a" }, "m1", "m2")
				f.m("m3").FailureDomain = "b"
			}, "CreateMachine in c because ScalingUp", "",
		},
		"create/no domains": {
			"", growing, func(f *fixture) { f.d.FailureDomains = nil }, "CreateMachine because ScalingUp", "",
		},
		"create/skew": {
			"kubeadm joins no machine that is two minor versions newer", three, func(f *fixture) {
				f.d.Template.Version = "v1.38.0"
			}, "Wait because VersionSkew", "machine m1: v1.38.0 is more than one minor version newer than v1.36.3",
		},
		"create/downgrade": {
			"", three, func(f *fixture) { f.d.Template.Version = "v1.35.9" }, "Wait because VersionSkew", "older than",
		},
		"create/revert": {
			"an API server of the newer version served", three, func(f *fixture) {
				f.each(func(m *controlplane.Machine) { m.Template.Version = "v1.37.0" }, "m3")
			}, "Wait because VersionSkew", "machine m3: v1.36.3 is older than v1.37.0",
		},
		"create/add-ons": {
			"after all machines were replaced", three, func(f *fixture) { f.o.AddonsCurrent = false },
			"UpdateAddons because UpdatingAddons", "",
		},
		"create/add-ons of a rollout": {
			"kube-proxy must not be newer than the API server of a machine that is drained", three, func(f *fixture) {
				f.o.AddonsCurrent = false
				f.join().Phase = controlplane.PhaseDeleting
			}, "Wait because DeletingMachine", "m4",
		},
		"create/nothing": {"", three, nil, "Wait because UpToDate", "3 machines are up to date"},
	}
}

func rolloutCases() map[string]situation {
	outdated := func() *fixture {
		f := perfect(3)
		f.outdate()
		return f
	}
	surged := func() *fixture {
		f := outdated()
		f.join()
		return f
	}
	return map[string]situation{
		"rollout/surge": {
			"a machine is created first", outdated, nil, "CreateMachine in a because RollingOut", "machine m1 is replaced",
		},
		"rollout/no surge": {
			"bare metal has no spare machine (C#3512)", outdated, func(f *fixture) { f.d.MaxSurge = 0 },
			"DeleteMachine m1 because RollingOut", "",
		},
		"rollout/one replica, no surge": {
			"the last member cannot leave first (k0rdent/kcm#2788, T#193)", one,
			func(f *fixture) { f.d.MaxSurge = 0; f.outdate() }, "CreateMachine in b because RollingOut", "",
		},
		"rollout/one replica, second step": {
			"the old machine leaves after the new one votes", one, func(f *fixture) { f.outdate(); f.join() },
			"DeleteMachine m1 because RollingOut", "",
		},
		"rollout/delete": {
			"the oldest of the fullest domain", surged, func(f *fixture) { f.m("m4").FailureDomain = "b" },
			"DeleteMachine m2 because RollingOut", "",
		},
		"rollout/oldest": {
			"all domains are equal", surged, func(f *fixture) { f.d.FailureDomains = nil },
			"DeleteMachine m1 because RollingOut", "",
		},
		"rollout/vanished domain": {
			"a domain that accepts no machines is emptied first", surged,
			func(f *fixture) { f.d.FailureDomains = []string{"a", "b"} },
			"DeleteMachine m3 because RollingOut", "",
		},
		"rollout/annotation": {
			"the user prefers it", surged, func(f *fixture) { f.m("m3").DeletionPreferred = true },
			"DeleteMachine m3 because RollingOut", "",
		},
		"rollout/annotation of a new machine": {
			"the user prefers it, also among machines that are up to date", surged,
			func(f *fixture) { f.m("m4").DeletionPreferred = true }, "DeleteMachine m4 because RollingOut", "a user prefers",
		},
		"rollout/sick one first": {
			"two would be without a scheduler otherwise", surged,
			func(f *fixture) { f.unhealthy("m3", controlplane.ComponentAPIServer) }, "DeleteMachine m3 because RollingOut", "",
		},
		"rollout/new machine is sick": {
			"a faulty template stops after one machine", surged,
			func(f *fixture) { f.unhealthy("m4", controlplane.ComponentScheduler) },
			"Wait because MachineUnhealthy", "machine m4 is unhealthy: kube-scheduler is not healthy",
		},
		"rollout/old machine without a scheduler": {
			"the rollout is the repair", outdated, func(f *fixture) {
				f.unhealthy("m2", controlplane.ComponentScheduler)
				f.unhealthy("m3", controlplane.ComponentScheduler)
			}, "CreateMachine in a because RollingOut", "",
		},
		"rollout/dead member": {
			"new and old fail together (C#9398): no other member may leave", surged, func(f *fixture) { f.die("m4") },
			"Wait because MachineUnhealthy", "machine m4 is unhealthy: the etcd member does not respond",
		},
		"rollout/counts may differ": {
			"an etcd member more than machines stops nothing (T#225, T#150)", surged, func(f *fixture) {
				f.stray(controlplane.Member{ID: 9, Name: "n9", Responds: true})
			}, "DeleteMachine m1 because RollingOut", "",
		},
		"rollout/leaving": {
			"one machine is replaced at a time", surged, func(f *fixture) { f.phase(controlplane.PhaseDeleting, "m1") },
			"Wait because DeletingMachine", "m1",
		},
		"rollout/terminating": {
			"infrastructure that is being deleted delays no rollout", outdated, func(f *fixture) {
				f.join()
				f.leaveEtcd("m1")
				f.phase(controlplane.PhaseTerminating, "m1")
			}, "CreateMachine in b because RollingOut", "",
		},
		"rollout/alarm": {
			"a rollout would spread the problem", surged, func(f *fixture) { f.member("m4").Alarms = []string{"CORRUPT"} },
			"Wait because MachineUnhealthy", "CORRUPT",
		},
		"rollout/after": {
			"spec.rollout.after has passed", three, func(f *fixture) { f.d.RolloutAfter = epoch() },
			"CreateMachine in a because RollingOut", "spec.rollout.after",
		},
		"rollout/after, later": {
			"spec.rollout.after has not passed", three, func(f *fixture) { f.d.RolloutAfter = epoch().Add(time.Hour) },
			"Wait because UpToDate", "",
		},
		"rollout/expiry": {
			"certificates expire soon", three, func(f *fixture) {
				f.d.RolloutBeforeExpiry = 30 * 24 * time.Hour
				f.m("m2").CertificatesExpireAt = epoch().Add(29 * 24 * time.Hour)
				f.m("m2").CreatedAt = epoch().Add(-300 * 24 * time.Hour)
			}, "CreateMachine in b because RollingOut", "certificates expire at",
		},
		"rollout/short certificates": {
			"new certificates would expire as soon", three, func(f *fixture) {
				f.d.RolloutBeforeExpiry = 30 * 24 * time.Hour
				f.m("m2").CertificatesExpireAt = epoch().Add(29 * 24 * time.Hour)
			}, "Wait because UpToDate", "",
		},
		"rollout/no surge, version skew": {
			"the replacement could not be created", outdated, func(f *fixture) {
				f.d.MaxSurge, f.d.Template.Version = 0, "v1.39.0"
			}, "Wait because VersionSkew", "",
		},
		"rollout/no surge, not prepared": {
			"the cluster is prepared before a machine is missing", outdated, func(f *fixture) {
				f.d.MaxSurge, f.o.JoinPrepared = 0, false
			}, "PrepareJoin because PreparingJoin", "",
		},
		"rollout/no surge, certificates": {
			"the replacement could not be created", outdated, func(f *fixture) {
				f.d.MaxSurge, f.o.CertificatesReady = 0, false
			}, "Wait because CertificatesMissing", "",
		},
		"rollout/content": {
			"a referenced ConfigMap changed (R#921)", three, func(f *fixture) { f.m("m1").Template.Content = "c0" },
			"CreateMachine in a because RollingOut", "ConfigMaps",
		},
		"rollout/infrastructure": {
			"another template (R#69, R#307, 3#83, K#808)", three,
			func(f *fixture) { f.d.Template.Infrastructure = "HostMachineTemplate.infra/t2" },
			"CreateMachine in a because RollingOut", "t1 instead of HostMachineTemplate.infra/t2",
		},
		"rollout/unknown digest": {
			"a digest that is not known is not compared: an upgrade replaces nothing (C#6093, C#13017)", three,
			func(f *fixture) {
				f.each(func(m *controlplane.Machine) { m.Template.Bootstrap = "" }, "m1", "m2", "m3")
			},
			"Wait because UpToDate", "",
		},
		"rollout/kubelet of a distribution": {
			"the suffix is that of the build", three, func(f *fixture) { f.m("m1").KubeletVersion = "v1.36.3-eks-1a2b3c" },
			"Wait because UpToDate", "",
		},
		"rollout/kubelet": {
			"a new machine would have the same kubelet", three, func(f *fixture) { f.m("m1").KubeletVersion = "v1.36.2" },
			"Wait because UpToDate", "",
		},
	}
}

func scaleDownCases() map[string]situation {
	tooMany := func() *fixture {
		f := perfect(5)
		f.d.Replicas = 3
		return f
	}
	return map[string]situation{
		"scale down/fullest domain": {
			"even domains (C#3396): a and b have two machines, m1 is the oldest", tooMany, nil,
			"DeleteMachine m1 because ScalingDown", "3 of 5",
		},
		"scale down/annotation": {
			"", tooMany, func(f *fixture) { f.m("m3").DeletionPreferred = true }, "DeleteMachine m3 because ScalingDown", "",
		},
		"scale down/sick": {
			"", tooMany, func(f *fixture) { f.unhealthy("m3", controlplane.ComponentScheduler) },
			"DeleteMachine m3 because ScalingDown", "",
		},
		"scale down/dead": {
			"the dead one leaves first", tooMany, func(f *fixture) { f.die("m3") }, "DeleteMachine m3 because ScalingDown", "",
		},
		"scale down/outdated": {
			"", tooMany, func(f *fixture) { f.outdate("m3") }, "DeleteMachine m3 because RollingOut", "",
		},
		"scale down/to one": {
			"etcd agrees with one of one (R#263, rancher/rancher#43097)", func() *fixture { return perfect(2) },
			func(f *fixture) { f.d.Replicas = 1 }, "DeleteMachine m1 because ScalingDown", "",
		},
		"scale down/to zero": {
			"the last member stays", one, func(f *fixture) { f.d.Replicas = 0 }, "Wait because LastMachine", "m1",
		},
		"scale down/two to one, one dead": {
			"there is no quorum of two", func() *fixture { return perfect(2) },
			func(f *fixture) { f.d.Replicas = 1; f.die("m2") }, "Wait because QuorumLost", "",
		},
		"scale down/quorum": {
			"a user prefers a machine that is needed", three,
			func(f *fixture) { f.d.Replicas = 2; f.die("m1"); f.m("m2").DeletionPreferred = true },
			"Wait because DeletionBlocked", "m2",
		},
	}
}
