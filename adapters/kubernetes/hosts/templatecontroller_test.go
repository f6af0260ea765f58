package hosts

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/ports"
)

// countedReader counts what is read from the API server.
type countedReader struct {
	client.Reader
	reads int
}

func (c *countedReader) Get(ctx context.Context, key client.ObjectKey, o client.Object, options ...client.GetOption,
) error {
	c.reads++
	return c.Reader.Get(ctx, key, o, options...)
}

// template returns a template with the name and the settings.
func template(name string, s v1alpha1.HostMachineSettings) *v1alpha1.HostMachineTemplate {
	t := &v1alpha1.HostMachineTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
	t.Spec.Template.Spec = s
	return t
}

// newTemplates returns the controller of templates, and the reader of the API server.
func newTemplates(t *testing.T, objects ...client.Object) (*templateReconciler, *countedReader) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	api := fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).
		WithStatusSubresource(&v1alpha1.HostMachineTemplate{}).Build()
	live := &countedReader{Reader: api}
	return &templateReconciler{setup: setup{reader: api}, store: store{live: live, client: api}}, live
}

// pooled returns a Host with the label.
func pooled(pool string) *v1alpha1.Host {
	h := &v1alpha1.Host{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: "h", Labels: map[string]string{"pool": pool},
	}}
	h.Status.Architecture = "amd64"
	h.Status.Capacity = v1alpha1.NewCapacity(capacity(ports.HostProbe{CPUs: 4, MemoryBytes: 8 << 30}))
	return h
}

// TestTemplatesOfHost checks that a Host wakes the templates whose capacity it may change, and no others.
func TestTemplatesOfHost(t *testing.T) {
	selector := func(pool string) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchLabels: map[string]string{"pool": pool}}
	}
	r, _ := newTemplates(t,
		template("all", v1alpha1.HostMachineSettings{}),
		template("architecture", v1alpha1.HostMachineSettings{Architecture: "arm64"}),
		template("namespaces", v1alpha1.HostMachineSettings{NamespaceMachine: &v1alpha1.NamespaceMachine{Root: "a"}}),
		template("other", v1alpha1.HostMachineSettings{HostSelector: selector("b")}),
		template("pool", v1alpha1.HostMachineSettings{HostSelector: selector("a")}),
		template("virtual", v1alpha1.HostMachineSettings{VirtualMachine: &v1alpha1.VirtualMachine{}}),
	)
	var names []string
	for _, request := range r.templatesOfHost(t.Context(), pooled("a")) {
		names = append(names, request.Name)
	}
	if diff := cmp.Diff([]string{"all", "pool"}, names); diff != "" {
		t.Error(diff)
	}
}

// TestUnchangedTemplatesAreNotRead checks that a template whose capacity does not change costs no request: a Host may
// wake all templates of its namespace, and all namespaces share the limit of requests.
func TestUnchangedTemplatesAreNotRead(t *testing.T) {
	r, live := newTemplates(t, pooled("a"), template("all", v1alpha1.HostMachineSettings{}))
	request := ctrl.Request{NamespacedName: client.ObjectKey{Namespace: "default", Name: "all"}}
	for range 10 {
		if _, err := r.Reconcile(t.Context(), request); err != nil {
			t.Fatal(err)
		}
	}
	o := &v1alpha1.HostMachineTemplate{}
	if err := r.reader.Get(t.Context(), request.NamespacedName, o); err != nil ||
		o.Status.Capacity[corev1.ResourceCPU] != "4" || o.Status.NodeInfo.Architecture != "amd64" {
		t.Errorf("%+v, error %v", o.Status, err)
	}
	if live.reads != 1 {
		t.Errorf("it was read %d times", live.reads)
	}
	changed := pooled("a")
	if err := r.reader.Get(t.Context(), client.ObjectKeyFromObject(changed), changed); err != nil {
		t.Fatal(err)
	}
	changed.Status.Capacity[corev1.ResourceCPU] = changed.Status.Capacity[corev1.ResourceMemory]
	if err := r.client.Update(t.Context(), changed); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Reconcile(t.Context(), request); err != nil || live.reads != 2 {
		t.Errorf("another capacity: %d reads, error %v", live.reads, err)
	}
}
