package controlplane_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/controlplane"
)

// situation is a case of a decision.
type situation struct {
	reason string
	from   func() *fixture
	change func(*fixture)
	want   string
	// message is a part of the message.
	message string
}

func three() *fixture { return perfect(3) }
func one() *fixture   { return perfect(1) }
func five() *fixture  { return perfect(5) }

// situations are all cases by name. The reasons name issues of other providers: C of Cluster API, R of its provider for
// RKE2, T of Talos, K of k0smotron, 3 of k3s.
func situations() map[string]situation {
	all := map[string]situation{}
	for _, some := range []map[string]situation{
		startCases(), talosCases(), deletionCases(), memberCases(), leaveCases(), remediationCases(), joinCases(),
		creationCases(), rolloutCases(), scaleDownCases(), externalCases(), heldCases(), secondVoterCases(),
	} {
		maps.Copy(all, some)
	}
	return all
}

// TestPlan decides each case. The message must contain the remedy of its code.
func TestPlan(t *testing.T) {
	for name, s := range situations() {
		t.Run(name, func(t *testing.T) {
			f := s.from()
			if s.change != nil {
				s.change(f)
			}
			o, r := f.plan()
			if got := decision(o, r); got != s.want {
				t.Errorf("%s: got %s, want %s\n%s", s.reason, got, s.want, r.Message)
			}
			if !strings.Contains(r.Message, s.message) || !strings.Contains(r.Message, r.Code.Remedy()) || r.Message == "" {
				t.Errorf("%s: the message is %q, want %q and the remedy", s.reason, r.Message, s.message)
			}
		})
	}
}

// TestEachReasonHasACase expects a case for each reason.
func TestEachReasonHasACase(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range situations() {
		_, code, _ := strings.Cut(s.want, "because ")
		seen[code] = true
	}
	for _, c := range controlplane.Codes() {
		if !seen[string(c)] {
			t.Errorf("no case of TestPlan has the reason %s", c)
		}
	}
}

func startCases() map[string]situation {
	return map[string]situation{
		"start/paused": {
			"a paused control plane is left alone", three, func(f *fixture) { f.d.Paused, f.d.Deleting = true, true },
			"Wait because Paused", "",
		},
		"start/infrastructure": {
			"the first machine needs the infrastructure of the cluster", unstarted,
			func(f *fixture) { f.o.InfrastructureReady = false }, "Wait because WaitingForInfrastructure", "",
		},
		"start/certificates": {
			"the key pairs are generated before the first machine", unstarted, func(f *fixture) {
				f.o.CertificatesReady, f.o.MissingCertificates = false, []string{"c-ca", "c-sa"}
			}, "GenerateCertificates because GeneratingCertificates", "c-ca, c-sa",
		},
		"start/incomplete certificates": {
			"a key pair that exists is not replaced", unstarted, func(f *fixture) { f.o.CertificatesReady = false },
			"Wait because CertificatesMissing", "",
		},
		"start/endpoint": {
			"machines need the endpoint", unstarted, func(f *fixture) { f.o.EndpointKnown = false },
			"Wait because WaitingForEndpoint", "",
		},
		"start/no replicas": {
			"the user wants no machine yet", unstarted, func(f *fixture) { f.d.Replicas = 0 }, "Wait because NoReplicas", "",
		},
		"start/unclaimed": {
			"a control plane without a cluster creates nothing", unstarted, func(f *fixture) { f.d.Unclaimed = true },
			"Wait because WaitingForCluster", "",
		},
		"start/first": {
			"all is ready", unstarted, nil, "CreateFirstMachine in a because CreatingFirstMachine", "",
		},
		"start/held": {
			"a specification with a mistake creates nothing", unstarted, func(f *fixture) { f.d.Held = "spec.version: no" },
			"Wait because Held", "spec.version: no",
		},
		"start/boots": {
			"there is one machine until the cluster is initialized", unstarted, func(f *fixture) { f.provision() },
			"Wait because WaitingForInitialization", "m1",
		},
		"start/failed": {
			"a first machine that failed is replaced (C#7496, C#4472, C#4365)", unstarted,
			func(f *fixture) { f.provision().Failure = "phase join: exit code 1" },
			"DeleteMachine m1 because Remediating", "exit code 1",
		},
		"start/marked": {
			"a health check marked the first machine", unstarted, func(f *fixture) { f.provision().Unhealthy = true },
			"DeleteMachine m1 because Remediating", "",
		},
		"start/superseded": {
			"a corrected specification does not wait for the first machine", unstarted,
			func(f *fixture) { f.provision(); f.outdate() }, "DeleteMachine m1 because Superseded", "",
		},
		"start/released": {
			"no cluster is left", unstarted, func(f *fixture) { f.provision().Phase = controlplane.PhaseDue },
			"ReleaseMachine m1 because ReleasingMachine", "",
		},
		"start/terminates": {
			"two machines that initialize would be two clusters (K#992)", unstarted,
			func(f *fixture) { f.provision().Phase = controlplane.PhaseTerminating }, "Wait because DeletingMachine", "m1",
		},
		"start/ran before": {
			"after a move the status is lost: a second cluster must not be started", unstarted,
			func(f *fixture) { f.provision().MemberID = 7; f.m("m1").Phase = controlplane.PhaseDue },
			"Wait because WaitingForInitialization", "ran before",
		},
		"start/ran before, external etcd": {
			"no member is recorded, and the outdated machines must not be deleted", unstarted, func(f *fixture) {
				f.external()
				for range 3 {
					f.provision().CertificatesExpireAt = epoch().AddDate(1, 0, 0)
				}
				f.outdate()
			}, "Wait because WaitingForInitialization", "ran before",
		},
		"start/adopted": {
			"adopted machines are nodes before the API server was observed", unstarted, func(f *fixture) {
				f.provision()
				f.provision()
				f.each(func(m *controlplane.Machine) { m.NodeName, m.Unhealthy = m.Name, true }, "m1", "m2")
			}, "Wait because WaitingForInitialization", "ran before",
		},
		"start/registered": {
			"the first machine registers before its initialization ends", unstarted, func(f *fixture) {
				m := f.provision()
				m.NodeName, m.Phase = m.Name, controlplane.PhaseRunning
				f.outdate()
			}, "Wait because WaitingForInitialization", "initialized by m1",
		},
		"start/registered and failed": {
			"its initialization failed after it had registered", unstarted, func(f *fixture) {
				m := f.provision()
				m.NodeName, m.Phase, m.Failure = m.Name, controlplane.PhaseRunning, "phase init: exit code 1"
			}, "DeleteMachine m1 because Remediating", "exit code 1",
		},
		"start/registered and failed, external etcd": {
			"", unstarted, func(f *fixture) {
				f.external()
				m := f.provision()
				m.NodeName, m.Phase, m.Failure = m.Name, controlplane.PhaseRunning, "phase init: exit code 1"
			}, "DeleteMachine m1 because Remediating", "",
		},
		"start/no machine left": {
			"a cluster is never initialized twice", three,
			func(f *fixture) { f.o.Machines, f.o.Members = nil, controlplane.Members{} }, "Wait because NoMachines", "",
		},
	}
}

func deletionCases() map[string]situation {
	deleting := func(f *fixture) { f.d.Deleting = true }
	return map[string]situation{
		"deletion/workers": {
			"workers need the API server", three, func(f *fixture) { deleting(f); f.o.Workers = 2 },
			"Wait because WaitingForWorkers", "2",
		},
		"deletion/delete": {
			"no worker is left", three, deleting, "DeleteMachine m1 because DeletingControlPlane", "",
		},
		"deletion/release": {
			"etcd is not changed, and the last machine is released as well", three, func(f *fixture) {
				deleting(f)
				f.phase(controlplane.PhaseDeleting, "m1", "m2", "m3")
			}, "ReleaseMachine m1 because DeletingControlPlane", "",
		},
		"deletion/terminates": {
			"the infrastructure is being deleted", one,
			func(f *fixture) { deleting(f); f.phase(controlplane.PhaseTerminating, "m1") },
			"Wait because DeletingControlPlane", "m1",
		},
		"deletion/finish": {
			"no machine is left", unstarted, deleting, "Finish because DeletingControlPlane", "no machine",
		},
		"deletion/unclaimed": {
			"the machines are not known", unstarted, func(f *fixture) { deleting(f); f.d.Unclaimed = true },
			"Finish because DeletingControlPlane", "no Cluster refers",
		},
	}
}

func talosCases() map[string]situation {
	from := func() *fixture {
		f := unstarted()
		f.d.Type = "Talos"
		return f
	}
	return map[string]situation{
		"talos/first": {
			"", from, nil, "CreateFirstMachine in a because CreatingFirstMachine", "",
		},
		"talos/parallel": {
			"all machines boot alike", from, func(f *fixture) { f.create() }, "CreateMachine in b because ScalingUp", "1 of 3",
		},
		"talos/no address": {
			"the machine API cannot be reached yet", from, func(f *fixture) { f.create(); f.create(); f.create() },
			"Wait because WaitingForMachine", "m1, m2, m3",
		},
		"talos/start": {
			"the oldest machine that can be reached starts the cluster", from,
			func(f *fixture) { f.create(); f.provision(); f.provision() }, "StartCluster m2 because StartingCluster", "",
		},
		"talos/start, a machine failed again": {
			"the failed machine may be why the cluster does not start", from, func(f *fixture) {
				f.failedFirst(0)
				f.provision()
				f.provision()
			}, "StartCluster m1 because StartingCluster", "Besides, machine m1 is replaced not before 2026-01-01T00:00:50Z",
		},
		"talos/started": {
			"its members answer before the API server", from,
			func(f *fixture) {
				f.provision()
				f.provision()
				f.provision()
				f.o.Members = controlplane.Members{Known: true}
			},
			"Wait because WaitingForInitialization", "",
		},
		"talos/failed": {
			"a machine that failed does not keep the others from starting", from, func(f *fixture) {
				f.provision()
				f.provision().Failure = "no disk"
			}, "DeleteMachine m2 because Remediating", "no disk",
		},
		"talos/scale up": {
			"etcd adds the machines one after the other itself", from, func(f *fixture) {
				*f = *perfect(1)
				f.d.Replicas, f.d.Type = 3, "Talos"
				f.provision()
			}, "CreateMachine in c because ScalingUp", "",
		},
		"talos/quorum": {
			"etcd adds no member while one does not respond, also for Talos", from, func(f *fixture) {
				*f = *perfect(4)
				f.d.Replicas, f.d.Type = 7, "Talos"
				f.die("m4")
				f.provision()
				f.provision()
			}, "Wait because CreationBlocked", "3 of 4",
		},
	}
}
