package controller_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports/portstest/inmemory"
)

// inPool returns a world whose config is a pool's, none of whose machines has joined.
func inPool(t *testing.T, replicas int32) (*world, *inmemory.Clock) {
	t.Helper()
	p := &clusterv1.MachinePool{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "p1", UID: "uid-2"}}
	p.Spec.ClusterName, p.Spec.Replicas, p.Spec.Template.Spec.Version = "c1", ptr.To(replicas), "v1.36.3"
	w := newWorld(t, func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
		c.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(p, clusterv1.GroupVersion.WithKind("MachinePool"))}
	})
	if err := w.client.Create(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	clock := inmemory.NewClock(time.Now())
	w.Service.Clock = clock
	return w, clock
}

func TestHeldRotationIsToldAndTakesNothingBack(t *testing.T) {
	w, clock := inPool(t, 0)
	w.reconcile()
	<-w.events.Events // the data's own
	w.findings = report.Report{report.Errorf("spec.machine", "it is wrong")}
	clock.Advance(8 * time.Minute)
	w.reconcile()
	want := map[string]string{
		"Ready": "True Ready", "DataSecretAvailable": "True Available", "CertificatesAvailable": "True Available", "Paused": "False NotPaused",
		"DataSecretMaintained": "False InvalidSpec",
	}
	if diff := cmp.Diff(want, conditions(w.reconcile())); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
	if len(w.events.Events) != 1 {
		t.Errorf("%d events", len(w.events.Events))
	}
	w.findings = nil
	if got := conditions(w.reconcile()); got["DataSecretMaintained"] != "True Maintained" {
		t.Errorf("conditions %v", got)
	}
}

func TestNewAddressIsTold(t *testing.T) {
	w, clock := inPool(t, 1)
	deposits := &inmemory.Deposits{Storage: &inmemory.Storage{Base: "https://storage", Clock: clock}, Lifetime: time.Hour}
	w.Service.Deposits = deposits
	w.Service.Render = func(_ context.Context, _ []document.Document, target osprofile.Target, f delivery.Format) (bootstrap.Rendered, error) {
		if l := target.Delivery.Location; l != nil {
			return bootstrap.Rendered{Payload: delivery.Payload{Format: f, Data: l.URL}}, nil
		}
		data := func(context.Context) (secret.Value, error) { return secret.FromString("data"), nil }
		return bootstrap.Rendered{Stored: &bootstrap.Stored{Sum: "sum", Data: data}}, nil
	}
	take := func() {
		t.Helper()
		w.reconcile()
		if err := deposits.Take(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
	}
	take()
	w.reconcile()
	<-w.events.Events // the data's own
	clock.Advance(31 * time.Minute)
	take()
	told := conditions(w.reconcile())
	if event := <-w.events.Events; !strings.HasPrefix(event, "Normal BootstrapAddressRenewed ") || told["Ready"] != "True Ready" {
		t.Errorf("event %q, conditions %v", event, told)
	}
}
