package controller_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/controller"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// inPool returns a world whose config belongs to a pool without joined machines.
func inPool(t *testing.T, replicas int32) (*world, *memory.Clock) {
	t.Helper()
	p := &clusterv1.MachinePool{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "p1", UID: "uid-2"}}
	p.Spec.ClusterName, p.Spec.Replicas, p.Spec.Template.Spec.Version = "c1", ptr.To(replicas), "v1.36.3"
	p.Spec.Template.Spec.Bootstrap.ConfigRef = clusterv1.ContractVersionedObjectReference{
		APIGroup: v1alpha1.Group,
		Kind:     v1alpha1.ConfigKind, Name: "m1",
	}
	w := newWorld(t, func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
		c.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(p,
			clusterv1.GroupVersion.WithKind("MachinePool"))}
	})
	if err := w.client.Create(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	clock := memory.NewClock(time.Now())
	w.Service.Clock = clock
	return w, clock
}

func TestBlockedRotationIsReportedAndKeepsData(t *testing.T) {
	w, clock := inPool(t, 0)
	w.reconcile()
	w.findings = report.Report{report.Errorf("spec.machine", "it is wrong")}
	clock.Advance(8 * time.Minute)
	w.reconcile()
	want := map[string]string{
		"Ready": "True Ready", "DataSecretAvailable": "True Available", "CertificatesAvailable": "True Available",
		"Paused":               "False NotPaused",
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

// TestChangedSpecReplacesThePoolsData changes the spec of a pool none of whose machines has joined.
func TestChangedSpecReplacesThePoolsData(t *testing.T) {
	w, _ := inPool(t, 1)
	w.reconcile()
	w.emitted()
	w.findings = report.Report{report.Errorf("spec.machine", "it is wrong")}
	w.change(func(s *v1alpha1.MachineBootstrapConfigSpec) { s.Machine = &v1alpha1.MachineSpec{} })
	w.reconcile()
	invalid := w.reconcile()
	if got := conditions(invalid); got["UpToDate"] != "False SpecChanged" || got["DataSecretMaintained"] !=
		"False InvalidSpec" || got["Ready"] != "True Ready" {
		t.Errorf("conditions %v", got)
	}
	if message := messageOf(invalid, "UpToDate"); !strings.HasPrefix(message, "spec.machine: ") ||
		!strings.Contains(message, "see DataSecretMaintained") {
		t.Errorf("message %q", message)
	}
	w.emitted()
	w.findings = nil
	w.reconcile()
	if got := conditions(w.reconcile()); got["UpToDate"] != "True UpToDate" || got["DataSecretMaintained"] !=
		"True Maintained" {
		t.Errorf("conditions %v", got)
	}
	if events := w.emitted(); len(events) != 1 || !strings.HasPrefix(events[0], "Normal BootstrapAddressRenewed ") {
		t.Errorf("events %q", events)
	}
}

// TestMisleadingSummaryReplacesThePoolsDataOnce changes the description of the data of a pool, as a user who can write
// Secrets can do, while the controller is restarted.
func TestMisleadingSummaryReplacesThePoolsDataOnce(t *testing.T) {
	w, _ := inPool(t, 1)
	config := w.reconcile()
	key := ports.Key{Namespace: "default", Name: "m1"}
	d, err := w.data.Find(t.Context(), key, ports.Owner{Key: key, UID: string(config.UID)})
	if err != nil {
		t.Fatal(err)
	}
	d.Summary = ports.DataSummary{Format: "talos", Source: strings.Repeat("os:1,", 800), Agent: ":::"}
	if err := w.data.Replace(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	w.emitted()
	w.Service = bootstrap.New(w.Service.Options)
	w.reconcile()
	w.reconcile()
	if events := w.emitted(); len(events) != 1 || !strings.HasPrefix(events[0], "Normal BootstrapAddressRenewed ") {
		t.Errorf("events %q", events)
	}
}

// storing makes the world's machines fetch their configuration, and returns the storage requests.
func storing(w *world, clock *memory.Clock) *memory.StorageRequests {
	requests := &memory.StorageRequests{
		Storage:  &memory.Storage{Base: "https://storage", Clock: clock},
		Lifetime: time.Hour,
	}
	w.Service.StorageRequests = requests
	w.Service.Render = func(_ context.Context, job plan.Job) (render.Result, error) {
		if l := job.Delivery.Location; l != nil {
			payload := delivery.Payload{Format: job.Format, Data: l.URL}
			return render.Result{Rendering: ports.Rendering{Payload: payload}}, nil
		}
		n, _, _ := document.First[node.NodeConfig](job.Documents)
		token := n.Discovery.Token
		data := func(context.Context) (secret.Value, error) { return token, nil }
		return render.Result{Stored: &render.StoredObject{Sum: string(token.Reveal()), Data: data}}, nil
	}
	return requests
}

func TestNewLocationIsReported(t *testing.T) {
	w, clock := inPool(t, 1)
	requests := storing(w, clock)
	take := func() {
		t.Helper()
		w.reconcile()
		if err := requests.Process(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
	}
	take()
	w.reconcile()
	clock.Advance(31 * time.Minute)
	take()
	reported := conditions(w.reconcile())
	if event := <-w.events.Events; !strings.HasPrefix(event, "Normal BootstrapAddressRenewed ") ||
		reported["Ready"] != "True Ready" {
		t.Errorf("event %q, conditions %v", event, reported)
	}
}

// TestBriefStorageDelayIsNotReported follows a full pool whose token is replaced twice.
func TestBriefStorageDelayIsNotReported(t *testing.T) {
	w, clock := inPool(t, 0)
	requests := storing(w, clock)
	registry := prometheus.NewRegistry()
	var err error
	if w.Metrics, err = controller.NewMetrics(registry); err != nil {
		t.Fatal(err)
	}
	counted := func(want int) {
		t.Helper()
		n, err := testutil.GatherAndCount(registry, "machineadm_reconcile_outcomes_total")
		if err != nil || n != want {
			t.Errorf("%d outcomes are counted, want %d: %v", n, want, err)
		}
	}
	maintained := func(reason, want string) {
		t.Helper()
		if got := conditions(w.reconcile())["DataSecretMaintained"]; got != want {
			t.Errorf("%s: it is %q, want %q", reason, got, want)
		}
	}
	take := func() {
		t.Helper()
		if err := requests.Process(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
	}
	w.reconcile()
	take()
	w.reconcile()
	for range 3 {
		clock.Advance(8 * time.Minute)
		maintained("it was just asked", "")
		take()
		maintained("there is the next token", "")
	}
	clock.Advance(8 * time.Minute)
	maintained("it was just asked", "")
	counted(2) // It waited before the data was published, and was ready from then on.
	clock.Advance(100 * time.Second)
	maintained("it has not answered", "False WaitingForStorage")
	maintained("it still has not, whatever the event", "False WaitingForStorage")
	counted(3)
	take()
	maintained("it has", "True Maintained")
}
