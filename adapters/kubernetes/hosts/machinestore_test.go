package hosts

import (
	"context"
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// countingReader counts the objects that are read from the API server.
type countingReader struct {
	client.Reader
	reads int
}

// Get reads an object.
func (r *countingReader) Get(ctx context.Context, key client.ObjectKey, o client.Object, _ ...client.GetOption) error {
	r.reads++
	return r.Reader.Get(ctx, key, o)
}

// machineWriter returns a writer of the status of a stored machine, and its reader of the API server.
func machineWriter(t *testing.T, stored *v1alpha1.HostMachine) (machineStore, *countingReader) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	stored.ResourceVersion = ""
	api := fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(stored).WithObjects(stored).Build()
	live := &countingReader{Reader: api}
	return machineStore{store: store{live: live, client: api}, recorder: events.NewFakeRecorder(10)}, live
}

// TestPolledStatusIsReadFromTheCache checks that a machine that waits reads nothing from the API server as long as its
// status is the same. All machines share the limit of requests.
func TestPolledStatusIsReadFromTheCache(t *testing.T) {
	writer, live := machineWriter(t, hostMachine())
	m := ports.HostMachine{Key: ports.Key{Namespace: "a", Name: "b"}}
	for _, c := range []struct {
		name   string
		reason host.Reason
		polled bool
		reads  int
	}{
		{"first", host.ReasonBooting, true, 1},
		{"the same", host.ReasonBooting, true, 0},
		{"the same, but it is not polled", host.ReasonBooting, false, 1},
		{"another reason", host.ReasonBootFailed, true, 1},
	} {
		before := live.reads
		if err := writer.SetStatus(t.Context(), m, ports.HostMachineStatus{
			Polled:     c.polled,
			Conditions: []host.Condition{{Type: host.ConditionReady, Status: host.StatusFalse, Reason: c.reason}},
		}); err != nil {
			t.Fatal(err)
		}
		if got := live.reads - before; got != c.reads {
			t.Errorf("%s: %d reads, want %d", c.name, got, c.reads)
		}
	}
}

// TestFaultsHaveTheirOwnTime expects that the time of a fault is not that of another fault before it.
func TestFaultsHaveTheirOwnTime(t *testing.T) {
	o := hostMachine()
	write := func(f host.Fault) (host.Fault, bool) {
		writeMachineStatus(o, ports.HostMachine{}, ports.HostMachineStatus{Conditions: []host.Condition{{
			Type: host.ConditionHostReachable, Status: host.StatusFalse, Reason: f.Reason(),
		}}})
		fault, since := readFault(o.Status.Conditions, host.ConditionHostReachable)
		return fault, since.Equal(metav1.Unix(9, 0).Time)
	}
	if f, first := write(host.FaultUnreachable); f != host.FaultUnreachable || !first {
		t.Errorf("the same fault: %s, since its first occurrence: %v", f, first)
	}
	if f, first := write(host.FaultBusy); f != host.FaultBusy || first {
		t.Errorf("another fault: %s, since the occurrence of the first one: %v", f, first)
	}
}

// TestMissingDataIsDistinguished expects the error that makes a machine wait with a reason, not a failure of the API.
func TestMissingDataIsDistinguished(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	empty := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "empty"}}
	live := fake.NewClientBuilder().WithScheme(scheme).WithObjects(empty).Build()
	for _, name := range []string{"missing", "empty"} {
		_, _, err := secrets{live: live}.Data(t.Context(), ports.HostMachine{
			Key: ports.Key{Namespace: "a", Name: "b"}, DataSecretName: name,
		})
		if !errors.Is(err, ports.ErrNoBootstrapData) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
