package controlplane_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	capierrors "sigs.k8s.io/cluster-api/api/deprecated/errors" //nolint:staticcheck // a field's type
	"sigs.k8s.io/controller-runtime/pkg/client"

	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/host"
)

// TestFailuresOfMachines checks that a machine that failed to boot is faulty, if the machine reports it or its
// infrastructure machine does. Both texts are hostile input.
func TestFailuresOfMachines(t *testing.T) {
	const key = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIB\n-----END EC PRIVATE KEY-----"
	for name, test := range map[string]struct {
		state, message, reason, terminal, want string
	}{
		"none":                     {},
		"a report of a success":    {state: "Succeeded", message: "done"},
		"a report of a failure":    {state: "Failed", message: "no disk", want: "the bootstrap failed: no disk"},
		"a message without reason": {terminal: "exit code 1"},
		"a terminal failure": {
			reason: "BootstrapFailed", terminal: "exit code 1", want: "the machine failed: BootstrapFailed: exit code 1",
		},
		"a failure that Cluster API copies": {
			reason: "BootstrapFailed", terminal: "Failure detected from referenced resource " +
				`infrastructure.machineadm.io/v1alpha1, Kind=HostMachine with name "demo": phase join`,
			want: "the machine failed: BootstrapFailed: phase join",
		},
		"both": {
			state: "Failed", message: "no disk", reason: "BootstrapFailed", terminal: "exit code 1",
			want: "the bootstrap failed: no disk",
		},
		"a secret": {
			reason: "BootstrapFailed", terminal: "a\n" + key + "\nb", want: "the machine failed: BootstrapFailed: a",
		},
		"a long text": {
			reason: "BootstrapFailed", terminal: strings.Repeat("long ", 1000),
			want: "the machine failed: BootstrapFailed: long",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, newCluster(), newPlane())
			m := w.machine(t, w.creates(t))
			if test.state != "" {
				w.bootReports(t, m.Spec.Bootstrap.ConfigRef.Name, test.state, test.message)
			}
			w.gaveUp(t, m, test.reason, test.terminal)
			got := w.read(t).Observed.Machines[0].Failure
			if (got == "") != (test.want == "") || !strings.HasPrefix(got, test.want) {
				t.Errorf("the failure is %q, expected %q", got, test.want)
			}
			if len(got) > 512 || strings.ContainsAny(got, "\n") || strings.Contains(got, "MHcCAQEEIB") {
				t.Errorf("the failure contains what no condition may: %q", got)
			}
		})
	}
}

// gaveUp writes the terminal failure as Cluster API does.
//
//nolint:staticcheck // the field of the contract v1beta1
func (w *world) gaveUp(t *testing.T, m *clusterv1.Machine, reason, message string) {
	t.Helper()
	status := &clusterv1.MachineV1Beta1DeprecatedStatus{FailureMessage: &message}
	if reason != "" {
		status.FailureReason = ptr.To(capierrors.MachineStatusError(reason))
	}
	m.Status.Deprecated = &clusterv1.MachineDeprecatedStatus{V1Beta1: status}
	if err := w.Status().Update(t.Context(), m); err != nil {
		t.Fatal(err)
	}
}

// bootReports writes the state of the bootstrap as the machine's report does.
func (w *world) bootReports(t *testing.T, name, state, message string) {
	t.Helper()
	config := &bootstrapv1.MachineBootstrapConfig{}
	if err := w.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, config); err != nil {
		t.Fatal(err)
	}
	succeeded := metav1.ConditionTrue
	if state == "Failed" {
		succeeded = metav1.ConditionFalse
	}
	config.Status.Bootstrap = &bootstrapv1.BootstrapStatus{State: state}
	config.Status.Conditions = []metav1.Condition{{
		Type: host.ConditionBootSucceeded, Status: succeeded, Reason: "Reported", Message: message,
		LastTransitionTime: metav1.Now(),
	}}
	if err := w.Status().Update(t.Context(), config); err != nil {
		t.Fatal(err)
	}
}
