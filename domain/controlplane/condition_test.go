package controlplane_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
)

// positive are the conditions that are True if nothing is wrong; the others are False then.
var positive = map[controlplane.ConditionType]bool{
	controlplane.ConditionAvailable: true, controlplane.ConditionInitialized: true,
	controlplane.ConditionCertificatesAvailable: true, controlplane.ConditionEtcdClusterHealthy: true,
	controlplane.ConditionComponentsHealthy: true, controlplane.ConditionMachinesUpToDate: true,
}

// TestConditionsOfAPerfectControlPlane expects all conditions in order, and none that needs attention.
func TestConditionsOfAPerfectControlPlane(t *testing.T) {
	stacked, external := three(), three()
	external.external()
	want := []controlplane.ConditionType{
		"Available", "Initialized", "CertificatesAvailable", "EtcdClusterHealthy", "ControlPlaneComponentsHealthy",
		"MachinesUpToDate", "RollingOut", "ScalingUp", "ScalingDown", "Remediating", "Deleting",
	}
	for name, f := range map[string]*fixture{"stacked": stacked, "external": external} {
		var got []controlplane.ConditionType
		for _, c := range controlplane.Conditions(f.d, f.o, epoch()) {
			got = append(got, c.Type)
			status := controlplane.StatusFalse
			if positive[c.Type] {
				status = controlplane.StatusTrue
			}
			if c.Status != status || c.Reason == "" || c.Message != "" {
				t.Errorf("%s: %+v, want %s without a message", name, c, status)
			}
		}
		wanted := want
		if name == "external" {
			wanted = slices.Concat(want[:3], want[4:])
		}
		if !cmp.Equal(got, wanted) {
			t.Errorf("%s: %s", name, cmp.Diff(wanted, got))
		}
	}
}

// TestConditions changes a perfect control plane, and expects one condition.
func TestConditions(t *testing.T) {
	type condition = controlplane.Condition
	cases := map[string]struct {
		reason string
		change func(*fixture)
		want   condition
	}{
		"not initialized": {
			"", func(f *fixture) { *f = *unstarted() },
			condition{"Available", "False", "NotInitialized", "does not accept requests yet"},
		},
		"quorum lost": {
			"", func(f *fixture) { f.die("m1", "m2") }, condition{"Available", "False", "QuorumLost", "1 of 3"},
		},
		"one member dead": {
			"the cluster can be used", func(f *fixture) { f.die("m1") }, condition{"Available", "True", "Available", ""},
		},
		"no API server": {
			"", func(f *fixture) {
				for _, m := range []string{"m1", "m2", "m3"} {
					f.unhealthy(m, controlplane.ComponentAPIServer)
				}
			}, condition{"Available", "False", "ComponentsUnhealthy", "no machine"},
		},
		"members unknown": {
			"", func(f *fixture) { f.o.Members = controlplane.Members{Problem: "refused"} },
			condition{"Available", "Unknown", "MembersUnknown", "refused"},
		},
		"deleting": {
			"", func(f *fixture) { f.d.Deleting = true }, condition{"Available", "False", "Deleting", "being deleted"},
		},
		"deleting waits": {
			"", func(f *fixture) { f.d.Deleting, f.o.Workers = true, 1 },
			condition{"Deleting", "True", "WaitingForWorkers", "1"},
		},
		"deleting scales down": {
			"", func(f *fixture) { f.d.Deleting = true },
			condition{"ScalingDown", "True", "ScalingDown", "3 machines exist, and 0"},
		},
		"certificates": {
			"", func(f *fixture) { f.o.CertificatesReady, f.o.MissingCertificates = false, []string{"c-ca"} },
			condition{"CertificatesAvailable", "False", "CertificatesMissing", "c-ca"},
		},
		"certificates unknown": {
			"", func(f *fixture) { f.o.CertificatesReady = false },
			condition{"CertificatesAvailable", "Unknown", "Unknown", "cannot be read"},
		},
		"etcd member dead": {
			"", func(f *fixture) { f.die("m2") },
			condition{"EtcdClusterHealthy", "False", "Unhealthy", "* etcd member 2 of machine m2 does not respond"},
		},
		"etcd alarm": {
			"", func(f *fixture) { f.member("m2").Alarms = []string{"NOSPACE"} },
			condition{"EtcdClusterHealthy", "False", "Unhealthy", "raises the alarm NOSPACE"},
		},
		"etcd stray": {
			"", func(f *fixture) { f.stray(controlplane.Member{ID: 171, Name: "x", Responds: true}) },
			condition{"EtcdClusterHealthy", "False", "Unhealthy", "etcd member ab belongs to no machine"},
		},
		"etcd learner": {
			"", func(f *fixture) { f.member("m3").Learner = true },
			condition{"EtcdClusterHealthy", "False", "Unhealthy", "is a learner"},
		},
		"etcd joins": {
			"a Warning for each machine that joins would be noise",
			func(f *fixture) {
				m := f.provision()
				m.CreatedAt = epoch().Add(-9 * time.Minute)
				f.stray(controlplane.Member{ID: 4, Name: m.Name, PeerAddresses: m.Addresses, Learner: true})
			},
			condition{"EtcdClusterHealthy", "True", "Healthy", ""},
		},
		"etcd starts": {
			"the member may be known before the name of its machine",
			func(f *fixture) {
				f.create().CreatedAt = epoch()
				f.stray(controlplane.Member{ID: 4})
			},
			condition{"EtcdClusterHealthy", "True", "Healthy", ""},
		},
		"etcd joins with an alarm": {
			"", func(f *fixture) {
				m := f.provision()
				m.CreatedAt = epoch()
				f.stray(controlplane.Member{ID: 4, Name: m.Name, PeerAddresses: m.Addresses, Alarms: []string{"CORRUPT"}})
			}, condition{"EtcdClusterHealthy", "False", "Unhealthy", "raises the alarm CORRUPT"},
		},
		"etcd does not join": {
			"", func(f *fixture) {
				m := f.provision()
				m.CreatedAt = epoch().Add(-10 * time.Minute)
				f.stray(controlplane.Member{ID: 4, Name: m.Name, PeerAddresses: m.Addresses})
			}, condition{"EtcdClusterHealthy", "False", "Unhealthy", "etcd member 4 of machine m4 does not respond"},
		},
		"etcd not started": {
			"", func(f *fixture) { *f = *unstarted() }, condition{"EtcdClusterHealthy", "Unknown", "NotInitialized", ""},
		},
		"etcd unknown": {
			"the text of a workload cluster is one line",
			func(f *fixture) { f.o.Members = controlplane.Members{Problem: "a\nb"} },
			condition{"EtcdClusterHealthy", "Unknown", "MembersUnknown", "a; b"},
		},
		"component unhealthy": {
			"", func(f *fixture) { f.unhealthy("m2", controlplane.ComponentScheduler) },
			condition{"ControlPlaneComponentsHealthy", "False", "Unhealthy", "machine m2: kube-scheduler is unhealthy"},
		},
		"component unknown": {
			"", func(f *fixture) { f.m("m2").Components = nil },
			condition{"ControlPlaneComponentsHealthy", "Unknown", "Unknown", "machine m2: etcd is unknown"},
		},
		"component of a machine that boots": {
			"it has none yet", func(f *fixture) { f.provision() },
			condition{"ControlPlaneComponentsHealthy", "True", "Healthy", ""},
		},
		"components not started": {
			"", func(f *fixture) { *f = *unstarted() },
			condition{"ControlPlaneComponentsHealthy", "Unknown", "NotInitialized", ""},
		},
		"outdated": {
			"", func(f *fixture) { f.outdate("m1") },
			condition{"MachinesUpToDate", "False", "NotUpToDate", "* machine m1: created from another bootstrap"},
		},
		"outdated, many": {
			"the message is bounded", func(f *fixture) { *f = *perfect(7); f.outdate() },
			condition{"MachinesUpToDate", "False", "NotUpToDate", "and 2 more"},
		},
		"kubelet": {
			"it is not up to date, and a rollout would not help", func(f *fixture) { f.m("m1").KubeletVersion = "v1.36.2" },
			condition{"MachinesUpToDate", "False", "NotUpToDate", "kubelet has version v1.36.2 instead of v1.36.3"},
		},
		"kubelet of a distribution": {
			"the suffix is that of the build", func(f *fixture) { f.m("m1").KubeletVersion = "v1.36.3-eks-1a2b3c" },
			condition{"MachinesUpToDate", "True", "UpToDate", ""},
		},
		"Talos": {
			"etcd is not a Pod there", func(f *fixture) {
				f.d.Type = "Talos"
				all := maps.Clone(healthy)
				delete(all, controlplane.ComponentEtcd)
				f.each(func(m *controlplane.Machine) { m.Components = all }, "m1", "m2", "m3")
			}, condition{"ControlPlaneComponentsHealthy", "True", "Healthy", ""},
		},
		"kubelet does not roll": {
			"", func(f *fixture) { f.m("m1").KubeletVersion = "v1.36.2" },
			condition{"RollingOut", "False", "NotRollingOut", ""},
		},
		"rolling out": {
			"", func(f *fixture) { f.outdate("m1") }, condition{"RollingOut", "True", "RollingOut", "machine m1"},
		},
		"scaling up": {
			"", func(f *fixture) { f.d.Replicas = 5; f.die("m1") },
			condition{"ScalingUp", "True", "ScalingUp", "3 of 5 machines exist; 2 of 3 etcd members respond"},
		},
		"scaling down": {
			"", func(f *fixture) { f.d.Replicas = 1 },
			condition{"ScalingDown", "True", "ScalingDown", "3 machines exist, and 1"},
		},
		"remediating": {
			"", func(f *fixture) { f.die("m1"); f.mark("m1") },
			condition{"Remediating", "True", "Remediating", "machine m1: a health check marked it"},
		},
		"remediation waits": {
			"the message has the reason", func(f *fixture) {
				f.d.Remediation.MaxRetry = new(int)
				f.die("m1")
				f.mark("m1")
				f.m("m1").Replaces = &controlplane.Retry{At: epoch()}
			}, condition{"Remediating", "True", "Remediating", "permits 0 retries"},
		},
		"replacement": {
			"", func(f *fixture) { f.d.Replicas = 4; f.o.Remediated = &controlplane.Retry{Machine: "m9"} },
			condition{"Remediating", "True", "Remediating", "machine m9 was deleted"},
		},
		"no replacement": {
			"it is not needed any more", func(f *fixture) { f.o.Remediated = &controlplane.Retry{Machine: "m9"} },
			condition{"Remediating", "False", "NotRemediating", ""},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			f := three()
			tc.change(f)
			for _, c := range controlplane.Conditions(f.d, f.o, epoch()) {
				if c.Type == tc.want.Type && (c.Status != tc.want.Status || c.Reason != tc.want.Reason ||
					!strings.Contains(c.Message, tc.want.Message)) {
					t.Errorf("%s: got %+v, want %+v", tc.reason, c, tc.want)
				}
			}
		})
	}
}

// TestMachineConditions expects the conditions of each machine.
func TestMachineConditions(t *testing.T) {
	f := three()
	f.d.Template.Version = "v1.37.0"
	f.unhealthy("m2", controlplane.ComponentAPIServer)
	f.member("m2").Responds = false
	f.m("m3").Components = nil
	f.leaveEtcd("m3")
	all := controlplane.MachineConditions(f.d, f.o, epoch())
	for name, want := range map[string]map[controlplane.ConditionType]string{
		"m1": {
			"UpToDate": "False NotUpToDate * Version v1.36.3 instead of v1.37.0", "APIServerPodHealthy": "True Healthy ",
			"EtcdMemberHealthy": "True Healthy ",
		},
		"m2": {
			"APIServerPodHealthy": "False Unhealthy kube-apiserver is not healthy",
			"EtcdMemberHealthy":   "False Unhealthy etcd member 2 does not respond", "EtcdPodHealthy": "True Healthy ",
		},
		"m3": {
			"SchedulerPodHealthy": "Unknown Unknown kube-scheduler is not observed",
			"EtcdMemberHealthy":   "False NoMember the machine has no etcd member",
		},
	} {
		found := 0
		for _, c := range all[name] {
			if got := string(c.Status) + " " + c.Reason + " " + c.Message; want[c.Type] != "" {
				found++
				if got != want[c.Type] {
					t.Errorf("%s %s: got %q, want %q", name, c.Type, got, want[c.Type])
				}
			}
		}
		if found != len(want) || len(all[name]) != 7 {
			t.Errorf("%s has the conditions %v", name, all[name])
		}
	}
	f.external()
	if got := controlplane.MachineConditions(f.d, f.o, epoch())["m1"]; len(got) != 5 {
		t.Errorf("external etcd: %v, want no conditions of etcd", got)
	}
	for reason, change := range map[string]func(*fixture){
		"no member": func(f *fixture) { f.leaveEtcd("m3") },
		"learner":   func(f *fixture) { f.member("m3").Learner = true },
	} {
		for _, phase := range []controlplane.Phase{controlplane.PhaseCreating, controlplane.PhaseProvisioned} {
			f := three()
			f.m("m3").Phase = phase
			change(f)
			if got := controlplane.MachineConditions(f.d, f.o, epoch())["m3"][5]; got.Status != controlplane.StatusUnknown ||
				got.Reason != "NotJoined" {
				t.Errorf("%s of a machine that boots: %+v", reason, got)
			}
		}
	}
	f = three()
	f.o.Members = controlplane.Members{}
	if got := controlplane.MachineConditions(f.d, f.o, epoch())["m1"][5]; got.Status != controlplane.StatusUnknown {
		t.Errorf("unknown members: %+v", got)
	}
	f.phase(controlplane.PhaseTerminating, "m1")
	if got := controlplane.MachineConditions(f.d, f.o, epoch()); len(got) != 2 || got["m1"] != nil {
		t.Errorf("conditions of a machine that is being terminated: %+v", got)
	}
}

// TestNodeMarks expects the label and the taint with which kubeadm marks control plane nodes.
func TestNodeMarks(t *testing.T) {
	for name, tc := range map[string]struct {
		marks     *controlplane.NodeMarks
		ownTaints bool
		want      string
	}{
		"not observed": {want: "Unknown Unknown the node is not observed"},
		"marked":       {marks: &controlplane.NodeMarks{Labelled: true, Tainted: true}, want: "True Set "},
		"own taints":   {marks: &controlplane.NodeMarks{Labelled: true}, ownTaints: true, want: "True Set "},
		"without the taint": {
			marks: &controlplane.NodeMarks{Labelled: true},
			want:  "False NotSet the node has no taint node-role.kubernetes.io/control-plane:NoSchedule",
		},
		"before kubeadm": {
			marks: &controlplane.NodeMarks{}, want: "False NotSet the node has no label node-role.kubernetes.io/control-plane " +
				"and no taint node-role.kubernetes.io/control-plane:NoSchedule",
		},
	} {
		f := three()
		f.m("m1").NodeName, f.m("m1").Marks, f.m("m1").OwnTaints = "n1", tc.marks, tc.ownTaints
		all := controlplane.MachineConditions(f.d, f.o, epoch())["m1"]
		c := all[len(all)-1]
		got := string(c.Status) + " " + c.Reason + " " + c.Message
		if c.Type != controlplane.ConditionNodeMarked || got != tc.want {
			t.Errorf("%s: %s %q, want %q", name, c.Type, got, tc.want)
		}
		f.d.Type = node.ControlPlaneTalos
		for _, c := range controlplane.MachineConditions(f.d, f.o, epoch())["m1"] {
			if c.Type == controlplane.ConditionNodeMarked {
				t.Errorf("%s: Talos has the condition", name)
			}
		}
	}
}

// TestCount expects the versions from old to new, which Cluster API requires.
func TestCount(t *testing.T) {
	f := five()
	for name, version := range map[string]string{
		"m1": "v1.9.11", "m2": "v1.36.0", "m3": "v1.36.0-rc.1", "m4": "", "m5": "v1.36.3",
	} {
		f.m(name).Template.Version = version
	}
	f.phase(controlplane.PhaseTerminating, "m5")
	want := controlplane.Counters{
		Replicas: 5, UpToDate: 2, Versions: []controlplane.VersionCount{
			{Version: "v1.9.11", Count: 1},
			{Version: "v1.36.0-rc.1", Count: 1},
			{Version: "v1.36.0", Count: 1},
			{Version: "v1.36.3", Count: 2},
		},
	}
	if got := controlplane.Count(f.d, f.o, epoch()); !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

// TestMemberOf expects the member of a machine, and none while the members are unknown.
func TestMemberOf(t *testing.T) {
	f := three()
	if m, found := f.o.MemberOf(*f.m("m2")); !found || m.ID != 2 {
		t.Errorf("got %v, %t", m, found)
	}
	if m, found := f.o.MemberOf(controlplane.Machine{Name: "m9"}); found {
		t.Errorf("a machine that does not exist has the member %v", m)
	}
	f.o.Members.Known = false
	if m, found := f.o.MemberOf(*f.m("m2")); found {
		t.Errorf("unknown members: %v", m)
	}
}
