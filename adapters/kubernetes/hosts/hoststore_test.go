package hosts

import (
	"errors"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// TestResultsOfProbesAreNotMixedUp checks that the result of a probe is not stored if the Host changed meanwhile: a
// probe of the old address would make the host available, and a condition has the generation that was probed.
func TestResultsOfProbesAreNotMixedUp(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	stored := inventoryHost()
	stored.ResourceVersion, stored.Status.Conditions = "", nil
	api := fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(stored).WithObjects(stored).Build()
	recorder := events.NewFakeRecorder(10)
	writer := hostStore{store: store{live: api, client: api}, recorder: recorder}
	o := &v1alpha1.Host{}
	read := func() ports.HostEntry {
		if err := api.Get(t.Context(), client.ObjectKeyFromObject(stored), o); err != nil {
			t.Fatal(err)
		}
		return readHost(o)
	}
	result := func(e ports.HostEntry) ports.HostStatus {
		e.Probed = true
		return ports.HostStatus{Host: e.Host, ProbedAt: time.Unix(1_800_000_000, 0)}
	}
	old := read()
	o.Spec.Address = "198.51.100.9"
	if err := api.Update(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if err := writer.SetStatus(t.Context(), old, result(old)); !errors.Is(err, ports.ErrConflict) {
		t.Errorf("error %v", err)
	}
	if read(); meta.FindStatusCondition(o.Status.Conditions, conditionReachable) != nil {
		t.Errorf("the conditions are %v", o.Status.Conditions)
	}
	current := read()
	if err := writer.SetStatus(t.Context(), current, result(current)); err != nil {
		t.Fatal(err)
	}
	if read(); o.Status.State != string(host.StateAvailable) {
		t.Errorf("the status is %+v", o.Status)
	}
	if len(recorder.Events) != 1 {
		t.Fatalf("%d events, want one for the new reason", len(recorder.Events))
	}
	if got := <-recorder.Events; got != "Normal Available the condition Ready is now True" {
		t.Errorf("the event is %q", got)
	}
}
