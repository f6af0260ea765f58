package hosts

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/ports"
)

// TestProviderIDsAreEqual checks that the bootstrap provider gives kubelet the ID that this provider expects.
func TestProviderIDsAreEqual(t *testing.T) {
	m := &v1alpha1.HostMachine{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "b"}}
	if got := infrastructure.ProviderID(v1alpha1.MachineKind, "a", "b"); got != m.ExpectedProviderID() {
		t.Errorf("%q and %q", got, m.ExpectedProviderID())
	}
}

// hostMachine returns a HostMachine with each field of its spec.
func hostMachine() *v1alpha1.HostMachine {
	return &v1alpha1.HostMachine{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "a", Name: "b", ResourceVersion: "7", Finalizers: []string{v1alpha1.MachineFinalizer},
		},
		Spec: v1alpha1.HostMachineSpec{
			HostMachineSettings: v1alpha1.HostMachineSettings{
				Architecture: "arm64", Timeouts: &v1alpha1.MachineTimeouts{BootSeconds: 60},
				HostSelector: &metav1.LabelSelector{
					MatchLabels: map[string]string{"pool": "x"},
					MatchExpressions: []metav1.LabelSelectorRequirement{
						{Key: "gpu", Operator: metav1.LabelSelectorOpDoesNotExist},
					},
				},
			},
			Claim: &v1alpha1.MachineClaim{ID: "c", HostName: "h", SentAt: metav1.Unix(5, 0)},
		},
		Status: v1alpha1.HostMachineStatus{Conditions: []metav1.Condition{{
			Type: host.ConditionHostReachable, Status: metav1.ConditionFalse, Reason: "Unreachable",
			LastTransitionTime: metav1.Unix(9, 0),
		}}},
	}
}

func TestReadMachine(t *testing.T) {
	timeouts := host.DefaultTimeouts()
	timeouts.Boot = time.Minute
	got := readMachine(hostMachine(), &clusterv1.Machine{Spec: clusterv1.MachineSpec{
		FailureDomain: "rack", Bootstrap: clusterv1.Bootstrap{DataSecretName: ptr.To("data")},
	}}, &clusterv1.Cluster{Status: clusterv1.ClusterStatus{
		Initialization: clusterv1.ClusterInitializationStatus{InfrastructureProvisioned: ptr.To(true)},
	}})
	want := ports.HostMachine{
		Key: ports.Key{Namespace: "a", Name: "b"}, Version: "7", Timeouts: timeouts,
		ProviderID: "machineadm-hosts:///a/b", DataSecretName: "data",
		Request: host.Request{Machine: "b", Architecture: "arm64", FailureDomain: "rack", Selector: host.Selector{
			{Key: "pool", Operator: host.OperatorIn, Values: []string{"x"}}, {Key: "gpu", Operator: host.OperatorDoesNotExist},
		}},
		Fault: host.FaultUnreachable, FaultSince: metav1.Unix(9, 0).Time,
		Machine: host.Machine{
			Owned: true, ClusterFound: true, Finalizer: true, InfrastructureReady: true, DataReady: true,
			Claim: host.Claim{ID: "c", Machine: "b", Host: "h"}, SentAt: metav1.Unix(5, 0).Time,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestReadMachineWithoutOwner checks what is known before the Machine and the Cluster exist, and after a failure.
func TestReadMachineWithoutOwner(t *testing.T) {
	o := hostMachine()
	o.Annotations = map[string]string{clusterv1.PausedAnnotation: ""}
	o.Status.FailureReason = ptr.To("BootstrapFailed")
	o.DeletionTimestamp = ptr.To(metav1.Unix(3, 0))
	got := readMachine(o, nil, nil)
	if got.Owned || got.ClusterFound || got.DataReady || !got.Paused || got.Failed != host.ReasonBootFailed ||
		got.DeletedAt.IsZero() {
		t.Errorf("%+v", got.Machine)
	}
}

// TestReadProvisioned expects that a provider ID without status is that of a machine that was moved, unless the machine
// is being deleted: then it gets the ID in any case.
func TestReadProvisioned(t *testing.T) {
	o := hostMachine()
	expect := func(name string, provisioned, identified bool) {
		t.Helper()
		if got := readMachine(o, nil, nil); got.Provisioned != provisioned || got.Identified != identified {
			t.Errorf("%s: %+v", name, got.Machine)
		}
	}
	expect("new", false, false)
	o.Spec.ProviderID = o.ExpectedProviderID()
	expect("moved", true, true)
	o.DeletionTimestamp = ptr.To(metav1.Unix(3, 0))
	expect("deleted while it boots", false, true)
	o.Status.Initialization.Provisioned = ptr.To(true)
	expect("deleted", true, true)
}

// TestReadPause checks since when a machine is not paused.
func TestReadPause(t *testing.T) {
	for status, want := range map[metav1.ConditionStatus]ports.HostMachine{
		metav1.ConditionTrue:  {PauseReported: true},
		metav1.ConditionFalse: {ResumedAt: metav1.Unix(8, 0).Time},
	} {
		o := hostMachine()
		o.Status.Conditions = append(o.Status.Conditions, metav1.Condition{
			Type: host.ConditionPaused, Status: status, LastTransitionTime: metav1.Unix(8, 0),
		})
		got := readMachine(o, nil, nil)
		if got.PauseReported != want.PauseReported || !got.ResumedAt.Equal(want.ResumedAt) {
			t.Errorf("%s: %v, %s", status, got.PauseReported, got.ResumedAt)
		}
	}
}

// TestReadLossOfHost checks since when a machine has no host.
func TestReadLossOfHost(t *testing.T) {
	for status, want := range map[metav1.ConditionStatus]int64{metav1.ConditionTrue: 0, metav1.ConditionFalse: 8} {
		o := hostMachine()
		o.Status.Conditions = append(o.Status.Conditions, metav1.Condition{
			Type: host.ConditionHostClaimed, Status: status, LastTransitionTime: metav1.Unix(8, 0),
		})
		got := readMachine(o, nil, nil).WithoutHostSince
		if got.IsZero() != (want == 0) || want != 0 && got.Unix() != want {
			t.Errorf("%s: %s", status, got)
		}
	}
}

func TestReadSettings(t *testing.T) {
	cases := map[string]struct {
		settings v1alpha1.HostMachineSettings
		want     *ports.HostMachineSettings
	}{
		"claims a host": {},
		"namespaces": {
			settings: v1alpha1.HostMachineSettings{NamespaceMachine: &v1alpha1.NamespaceMachine{Root: "debian"}},
			want:     &ports.HostMachineSettings{Root: "debian"},
		},
		"virtual machine": {
			settings: v1alpha1.HostMachineSettings{VirtualMachine: &v1alpha1.VirtualMachine{
				Image: v1alpha1.VirtualMachineImage{Path: "a.img", SHA256: "00"}, Seed: "NoCloud", Accelerator: "KVM",
				CPUs: 2, MemoryMiB: 512, DiskGiB: 4,
			}},
			want: &ports.HostMachineSettings{
				Image: "a.img", ImageSHA256: "00", Seed: "NoCloud", KVM: true, CPUs: 2, MemoryMiB: 512, DiskGiB: 4,
			},
		},
	}
	for name, c := range cases {
		if diff := cmp.Diff(c.want, readSettings(&c.settings)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// inventoryHost returns a Host whose last probe found it available.
func inventoryHost() *v1alpha1.Host {
	return &v1alpha1.Host{
		ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "h", Generation: 2, Labels: map[string]string{"pool": "x"}},
		Spec: v1alpha1.HostSpec{
			Address: "192.0.2.1", HostKeys: []string{"ssh-ed25519 AAAA"}, SSHKeyRef: v1alpha1.SSHKeyReference{Name: "ssh"},
		},
		Status: v1alpha1.HostStatus{
			Architecture: "amd64", LastProbeTime: metav1.Unix(5, 0), Capacity: v1alpha1.Capacity{
				corev1.ResourceCPU: "4", corev1.ResourceMemory: "8Gi",
			},
			Conditions: []metav1.Condition{{Type: conditionReachable, Status: metav1.ConditionTrue, ObservedGeneration: 2}},
		},
	}
}

// TestReadHost checks the state of a host by its spec and its last probe.
func TestReadHost(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*v1alpha1.Host)
		state  host.State
		why    host.Reason
	}{
		"probed": {state: host.StateAvailable, why: host.ReasonAvailable},
		"changed": {
			reason: "the probe was of another spec", change: func(o *v1alpha1.Host) { o.Generation = 3 },
			state: host.StatePending, why: host.ReasonNotProbed,
		},
		"unreachable": {
			change: func(o *v1alpha1.Host) {
				o.Status.Conditions[0].Status, o.Status.Conditions[0].Reason = metav1.ConditionFalse, "Unreachable"
			},
			state: host.StateUnavailable, why: host.FaultUnreachable.Reason(),
		},
		"marked": {
			change: func(o *v1alpha1.Host) { o.Spec.Unavailable = &v1alpha1.HostUnavailable{Reason: "Maintenance"} },
			state:  host.StateUnavailable, why: host.ReasonMaintenance,
		},
		"claimed": {
			change: func(o *v1alpha1.Host) { o.Spec.Claim = &v1alpha1.HostClaim{ID: "c", MachineName: "m"} },
			state:  host.StateClaimed, why: host.ReasonClaimed,
		},
	}
	for name, c := range cases {
		o := inventoryHost()
		if c.change != nil {
			c.change(o)
		}
		e := readHost(o)
		if state, why := e.State(); state != c.state || why != c.why {
			t.Errorf("%s (%s): %s (%s), want %s (%s)", name, c.reason, state, why, c.state, c.why)
		}
		if e.Connection.Port != 22 || e.Connection.User != "root" || e.SecretKey != corev1.SSHAuthPrivateKey {
			t.Errorf("%s: %+v", name, e.Connection)
		}
	}
}

// TestAgentOfAHost checks that the result of a probe about the agent is in the status, and read from there.
func TestAgentOfAHost(t *testing.T) {
	o := inventoryHost()
	for _, agent := range []bool{true, false} {
		writeHostStatus(o, ports.HostStatus{Properties: &ports.HostProbe{Agent: agent}})
		if got := readHost(o).Agent; got != agent {
			t.Errorf("the agent is %v, want %v", got, agent)
		}
	}
}

func TestDetectFormat(t *testing.T) {
	for name, c := range map[string]struct {
		key, data string
		want      ports.HostFormat
	}{
		"script":         {"", "#!/bin/sh\n", ports.HostFormatShell},
		"script and key": {"cloud-config", "#!/bin/sh\n", ports.HostFormatShell},
		"cloud-config":   {"cloud-config", "#cloud-config\n", ports.HostFormatCloudConfig},
		"no key":         {"", "## template: jinja\n#cloud-config\n", ports.HostFormatCloudConfig},
		"ignition":       {"ignition", `{"ignition":{"version":"3.4.0"}}`, ports.HostFormatIgnition},
		"other key":      {"talos", "version: v1alpha1\n", unknownFormat},
	} {
		if got := detectFormat(c.key, []byte(c.data)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestTemplateStatus(t *testing.T) {
	other := inventoryHost()
	other.Status.Architecture = "arm64"
	other.Status.Capacity = v1alpha1.Capacity{corev1.ResourceCPU: "2"}
	both := []v1alpha1.Host{*inventoryHost(), *other}
	unknown, foreign := inventoryHost(), inventoryHost()
	unknown.Status.Architecture, unknown.Status.Capacity = "", nil
	foreign.Status.Architecture = "riscv64"
	cases := map[string]struct {
		reason            string
		hosts             []v1alpha1.Host
		settings          v1alpha1.HostMachineSettings
		cpu, memory, arch string
	}{
		"all hosts": {reason: "the smallest of each, and no architecture", cpu: "2", memory: "8Gi"},
		"not probed": {
			reason: "the others are known", hosts: []v1alpha1.Host{*inventoryHost(), *unknown}, cpu: "4", memory: "8Gi",
			arch: "amd64",
		},
		"another architecture": {
			reason: "the field has no other values: no status would be written", hosts: []v1alpha1.Host{*foreign}, cpu: "4",
			memory: "8Gi",
		},
		"amd64": {
			settings: v1alpha1.HostMachineSettings{Architecture: "amd64"}, cpu: "4", memory: "8Gi", arch: "amd64",
		},
		"no host of an architecture": {
			reason: "the setting", hosts: []v1alpha1.Host{}, settings: v1alpha1.HostMachineSettings{Architecture: "arm64"},
			arch: "arm64",
		},
		"no host": {
			settings: v1alpha1.HostMachineSettings{HostSelector: &metav1.LabelSelector{
				MatchLabels: map[string]string{"pool": "y"},
			}},
		},
		"virtual machine": {
			settings: v1alpha1.HostMachineSettings{VirtualMachine: &v1alpha1.VirtualMachine{CPUs: 3}}, cpu: "3",
			memory: "2Gi",
		},
		"namespaces": {
			settings: v1alpha1.HostMachineSettings{NamespaceMachine: &v1alpha1.NamespaceMachine{Root: "a"}},
		},
	}
	for name, c := range cases {
		if c.hosts == nil {
			c.hosts = both
		}
		got := templateStatus(&c.settings, c.hosts)
		if string(got.Capacity[corev1.ResourceCPU]) != c.cpu || string(got.Capacity[corev1.ResourceMemory]) != c.memory ||
			got.NodeInfo.Architecture != c.arch || got.NodeInfo.OperatingSystem != "linux" {
			t.Errorf("%s (%s): %+v", name, c.reason, got)
		}
	}
}

// TestAddresses checks that a host chooses neither the type nor the form of an address.
func TestAddresses(t *testing.T) {
	got := addresses(ports.HostObservation{
		Hostname: "n", Addresses: []string{"192.0.2.1", "2001:DB8::1", "fe80::1%eth0", "not an address"},
	})
	want := []clusterv1.MachineAddress{
		{Type: clusterv1.MachineInternalIP, Address: "192.0.2.1"},
		{Type: clusterv1.MachineInternalIP, Address: "2001:db8::1"},
		{Type: clusterv1.MachineHostName, Address: "n"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
