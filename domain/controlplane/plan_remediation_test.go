package controlplane_test

import (
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
)

func remediationCases() map[string]situation {
	return map[string]situation{
		"remediation/dead": {
			"a health check marked a dead machine", three, func(f *fixture) { f.die("m2"); f.mark("m2") },
			"DeleteMachine m2 because Remediating", "",
		},
		"remediation/false mark": {
			"the member responds, and the others are a quorum", three, func(f *fixture) { f.mark("m2") },
			"DeleteMachine m2 because Remediating", "",
		},
		"remediation/requested": {
			"a user requested it; it goes first", three, func(f *fixture) {
				f.mark("m1")
				f.m("m3").RemediationRequested = true
			}, "DeleteMachine m3 because Remediating", "a user requested it",
		},
		"remediation/voter without a node": {
			"its API server does not start, and no other machine joins", one, func(f *fixture) { f.boot(); f.mark("m2") },
			"DeleteMachine m2 because Remediating", "",
		},
		"remediation/two of five": {
			"both are dead (C#10125): one after the other", five, func(f *fixture) { f.die("m1", "m2"); f.mark("m1", "m2") },
			"DeleteMachine m1 because Remediating", "",
		},
		"remediation/two of five, second": {
			"the first one is drained forever, because its kubelet is dead", five, func(f *fixture) {
				f.die("m1", "m2")
				f.mark("m1", "m2")
				f.phase(controlplane.PhaseDeleting, "m1")
			}, "DeleteMachine m2 because Remediating", "",
		},
		"remediation/one at a time": {
			"two voters that respond must not leave at once", five, func(f *fixture) {
				f.mark("m1", "m2")
				f.phase(controlplane.PhaseDeleting, "m1")
				f.d.Replicas = 4
			}, "Wait because RemediationBlocked", "m2",
		},
		"remediation/single replica": {
			"one machine: a replacement is created first (C#4554)", one, func(f *fixture) { f.mark("m1") },
			"CreateMachine in b because Remediating", "a health check marked it",
		},
		"remediation/single replica, second step": {
			"then the marked one is deleted", one, func(f *fixture) { f.mark("m1"); f.join() },
			"DeleteMachine m1 because Remediating", "",
		},
		"remediation/false mark, a machine joins": {
			"two of three would be left, and one of them is new", three, func(f *fixture) {
				f.d.Replicas = 4
				f.provision()
				f.mark("m2")
			}, "Wait because WaitingForMachine", "Besides, machine m2 is replaced after machine m4 has joined",
		},
		"remediation/false mark, a machine is missing": {
			"the missing one is created first", three, func(f *fixture) { f.d.Replicas = 4; f.mark("m2") },
			"CreateMachine in a because ScalingUp", "",
		},
		"remediation/no API server, a machine is missing": {
			"its API server may be why none can be created", three, func(f *fixture) {
				f.d.Replicas = 4
				f.mark("m2")
				f.unhealthy("m2", controlplane.ComponentAPIServer)
			}, "DeleteMachine m2 because Remediating", "",
		},
		"remediation/false mark, certificates missing": {
			"its replacement could not be created", three, func(f *fixture) { f.o.CertificatesReady = false; f.mark("m2") },
			"Wait because CertificatesMissing", "machine m2 is marked and not replaced",
		},
		"remediation/dead, certificates missing": {
			"a dead member endangers the quorum", three,
			func(f *fixture) { f.o.CertificatesReady = false; f.die("m2"); f.mark("m2") },
			"DeleteMachine m2 because Remediating", "",
		},
		"remediation/needed": {
			"another member is dead and not marked: neither may go", three, func(f *fixture) { f.mark("m1"); f.die("m2") },
			"Wait because CreationBlocked", "2 of 3",
		},
		"remediation/machine that boots": {
			"no vote is lost", three, func(f *fixture) { f.d.Replicas = 4; f.provision().Unhealthy = true },
			"DeleteMachine m4 because Remediating", "",
		},
		"remediation/machine that failed to boot": {
			"it is not marked: its report suffices", three, func(f *fixture) {
				f.d.Replicas = 4
				f.provision().Failure = "phase join: exit code 1"
			}, "DeleteMachine m4 because Remediating", "phase join: exit code 1",
		},
		"remediation/old failure": {
			"a report about the boot does not matter once the machine votes", three,
			func(f *fixture) { f.m("m1").Failure = "post command failed" }, "Wait because UpToDate", "",
		},
		"remediation/first failure": {
			"the replacement was healthy for longer than minHealthyPeriod", three, func(f *fixture) {
				f.d.Remediation.MaxRetry = new(int)
				f.die("m2")
				f.mark("m2")
				f.m("m2").Replaces = &controlplane.Retry{At: epoch().Add(-2 * time.Hour), Count: 5}
			}, "DeleteMachine m2 because Remediating", "",
		},
		"remediation/limit": {
			"its replacement would fail again", three, func(f *fixture) {
				f.d.Remediation.MaxRetry = new(int)
				f.die("m2")
				f.mark("m2")
				f.m("m2").Replaces = &controlplane.Retry{At: epoch().Add(-time.Minute)}
			}, "Wait because RemediationLimitReached", "m2",
		},
		"remediation/retry period": {
			"the next retry is due in nine minutes", three, func(f *fixture) {
				f.d.Remediation.RetryPeriod = new(10 * time.Minute)
				f.die("m2")
				f.mark("m2")
				f.m("m2").Replaces = &controlplane.Retry{At: epoch().Add(-time.Minute)}
			}, "Wait because RemediationDelayed", "2026-01-01T00:09:00Z",
		},
		"remediation/first retry of the first machine": {
			"its successor would probably fail, too: KCP replaces it at once, for ever", unstarted, func(f *fixture) {
				f.failedFirst(0)
			}, "Wait because RemediationDelayed",
			"machine m1 is replaced not before 2026-01-01T00:00:50Z: kubeadm: ImagePull; correct the cause",
		},
		"remediation/fourth retry of the first machine": {
			"the delay doubles", unstarted, func(f *fixture) { f.failedFirst(3) },
			"Wait because RemediationDelayed", "2026-01-01T00:07:50Z",
		},
		"remediation/many retries of the first machine": {
			"the delay has a limit", unstarted, func(f *fixture) { f.failedFirst(1 << 30) },
			"Wait because RemediationDelayed", "2026-01-01T00:15:50Z",
		},
		"remediation/the delay of the first machine has passed": {
			"", unstarted, func(f *fixture) {
				f.failedFirst(0)
				f.m("m1").Replaces.At = epoch().Add(-time.Minute)
			}, "DeleteMachine m1 because Remediating", "",
		},
		"remediation/a time in the future": {
			"an annotation with a wrong time does not prolong the delay", unstarted, func(f *fixture) {
				f.failedFirst(3)
				f.m("m1").Replaces.At = epoch().Add(24 * time.Hour)
			}, "DeleteMachine m1 because Remediating", "",
		},
		"remediation/a time in the future, new machine": {
			"the delay begins with the creation of the machine", unstarted, func(f *fixture) {
				f.failedFirst(3)
				f.m("m1").CreatedAt = epoch().Add(-10 * time.Second)
				f.m("m1").Replaces.At = epoch().Add(24 * time.Hour)
			}, "Wait because RemediationDelayed", "2026-01-01T00:07:50Z",
		},
		"remediation/a failure after minHealthyPeriod is not a retry": {
			"the delay ends then", unstarted, func(f *fixture) {
				f.failedFirst(3)
				f.d.Remediation.MinHealthyPeriod = time.Minute
			}, "Wait because RemediationDelayed", "2026-01-01T00:00:50Z",
		},
		"remediation/first machine, a user requests it": {
			"a user who has corrected the cause does not wait", unstarted, func(f *fixture) {
				f.failedFirst(3)
				f.m("m1").RemediationRequested = true
			}, "DeleteMachine m1 because Remediating", "",
		},
		"remediation/first machine, no retry period": {
			"a period that the user sets, also 0, replaces the growing delay", unstarted, func(f *fixture) {
				f.failedFirst(3)
				f.d.Remediation.RetryPeriod = new(time.Duration(0))
			}, "DeleteMachine m1 because Remediating", "",
		},
		"remediation/retry of a machine that does not join": {
			"its cause is often the same as that of its predecessor", three, func(f *fixture) {
				f.d.Replicas = 4
				m := f.provision()
				m.Failure, m.Replaces = "no disk", &controlplane.Retry{At: epoch()}
			}, "Wait because RemediationDelayed", "machine m4 is replaced not before 2026-01-01T00:01:00Z",
		},
		"remediation/retry of a voter": {
			"a dead voter endangers the quorum", three, func(f *fixture) {
				f.die("m2")
				f.mark("m2")
				f.m("m2").Replaces = &controlplane.Retry{At: epoch(), Count: 5}
			}, "DeleteMachine m2 because Remediating", "",
		},
		"remediation/limit, new template": {
			"a correction of the spec does not wait for the limit", three, func(f *fixture) {
				f.d.Replicas, f.d.Remediation.MaxRetry = 4, new(int)
				m := f.provision()
				m.Failure, m.Replaces, m.Template.Bootstrap = "no disk", &controlplane.Retry{At: epoch()}, "b0"
			}, "DeleteMachine m4 because Superseded", "",
		},
	}
}

func heldCases() map[string]situation {
	from := func() *fixture {
		f := perfect(3)
		f.d.Held = "the Cluster waits for its workers"
		return f
	}
	return map[string]situation{
		"held/rollout": {
			"with ClusterClass, a rollout starts after the whole change (R#651)", from, func(f *fixture) { f.outdate() },
			"Wait because Held", "the Cluster waits for its workers",
		},
		"held/scale up":   {"", from, func(f *fixture) { f.d.Replicas = 5 }, "Wait because Held", ""},
		"held/scale down": {"", from, func(f *fixture) { f.d.Replicas = 1 }, "Wait because Held", ""},
		"held/stray": {
			"a stray member endangers the quorum", from, func(f *fixture) { f.vanish("m3") },
			"RemoveMember member 3 because RemovingStrayMember", "",
		},
		"held/dead": {
			"", from, func(f *fixture) { f.die("m2"); f.mark("m2") }, "DeleteMachine m2 because Remediating", "",
		},
		"held/false mark": {
			"its replacement cannot be created", from, func(f *fixture) { f.mark("m2") }, "Wait because Held", "",
		},
		"held/deleted by a user": {
			"", from, func(f *fixture) { f.phase(controlplane.PhaseDue, "m2") },
			"RemoveMember m2 member 2 because RemovingMember", "",
		},
		"held/superseded": {
			"the next template may be another one", from, func(f *fixture) { f.provision(); f.outdate() },
			"Wait because WaitingForMachine", "",
		},
		"held/add-ons": {"", from, func(f *fixture) { f.o.AddonsCurrent = false }, "Wait because UpToDate", ""},
	}
}

func externalCases() map[string]situation {
	from := func() *fixture {
		f := perfect(2)
		f.external()
		return f
	}
	return map[string]situation{
		"external/steady": {"even numbers are fine", from, nil, "Wait because UpToDate", ""},
		"external/scale up": {
			"no member is counted", from, func(f *fixture) { f.d.Replicas = 3 }, "CreateMachine in c because ScalingUp", "",
		},
		"external/release": {
			"no member is removed", from, func(f *fixture) { f.phase(controlplane.PhaseDue, "m1") },
			"ReleaseMachine m1 because ReleasingMachine", "",
		},
		"external/last API server": {
			"a machine joins through it", from, func(f *fixture) {
				f.phase(controlplane.PhaseDue, "m1")
				f.unhealthy("m2", controlplane.ComponentAPIServer)
				f.d.Replicas = 1
			}, "Wait because LastMachine", "m1",
		},
		"external/marked": {"", from, func(f *fixture) { f.mark("m1") }, "DeleteMachine m1 because Remediating", ""},
		"external/marked, another leaves": {
			"one at a time", from, func(f *fixture) {
				f.join()
				f.o.Members.List = nil
				f.mark("m1")
				f.phase(controlplane.PhaseDeleting, "m2")
			},
			"Wait because RemediationBlocked", "m2",
		},
		"external/single replica": {
			"its replacement joins through it", from, func(f *fixture) {
				*f = *perfect(1)
				f.external()
				f.mark("m1")
			}, "CreateMachine in b because Remediating", "",
		},
		"external/held": {
			"", from, func(f *fixture) { f.d.Held = "no"; f.mark("m1") }, "Wait because Held", "",
		},
		"external/rollout": {
			"two replicas are replaced by create-then-remove", from, func(f *fixture) { f.outdate() },
			"CreateMachine in c because RollingOut", "",
		},
		"external/scale to zero": {
			"a machine joins through the last API server", from, func(f *fixture) {
				*f = *perfect(1)
				f.external()
				f.d.Replicas = 0
			}, "Wait because LastMachine", "",
		},
	}
}
