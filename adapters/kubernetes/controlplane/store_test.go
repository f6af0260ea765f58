package controlplane_test

import (
	"context"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	infrastructurev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/controlplane"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

// The names of the objects of the tests.
const (
	namespace = "default"
	plane     = "cp"
	cluster   = "c"
)

// testScheme contains the kinds of the tests.
func testScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, apiextensionsv1.AddToScheme, clusterv1.AddToScheme, v1alpha1.AddToScheme,
		bootstrapv1.AddToScheme, infrastructurev1.AddToScheme,
	} {
		if err := add(s); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// definition returns a definition with the label of the contract.
func definition(name string) *apiextensionsv1.CustomResourceDefinition {
	return &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{
		Name: name, Labels: map[string]string{"cluster.x-k8s.io/v1beta2": "v1alpha1"},
	}}
}

// newCluster returns a Cluster whose infrastructure is ready, with two failure domains for control planes.
func newCluster() *clusterv1.Cluster {
	c := &clusterv1.Cluster{ObjectMeta: metav1.ObjectMeta{Name: cluster, Namespace: namespace, UID: "cluster-uid"}}
	c.Spec.ControlPlaneEndpoint = clusterv1.APIEndpoint{Host: "api.example", Port: 6443}
	c.Spec.ControlPlaneRef = clusterv1.ContractVersionedObjectReference{
		APIGroup: v1alpha1.Group, Kind: v1alpha1.Kind, Name: plane,
	}
	c.Status.Initialization.InfrastructureProvisioned = ptr.To(true)
	for name, usable := range map[string]bool{"b": true, "a": true, "workers": false} {
		c.Status.FailureDomains = append(c.Status.FailureDomains, clusterv1.FailureDomain{
			Name: name, ControlPlane: ptr.To(usable),
		})
	}
	return c
}

// newPlane returns a control plane of the Cluster.
func newPlane() *v1alpha1.MachineadmControlPlane {
	o := &v1alpha1.MachineadmControlPlane{ObjectMeta: metav1.ObjectMeta{
		Name: plane, Namespace: namespace, UID: "plane-uid", Finalizers: []string{v1alpha1.Finalizer},
		Labels: map[string]string{clusterv1.ClusterNameLabel: cluster},
		OwnerReferences: []metav1.OwnerReference{{
			APIVersion: clusterv1.GroupVersion.String(), Kind: "Cluster", Name: cluster, UID: "cluster-uid",
		}},
	}}
	o.Spec.Version = "v1.36.3"
	o.Spec.Replicas = ptr.To(int32(3))
	o.Spec.Bootstrap.OS.Distribution = "debian"
	o.Spec.MachineTemplate.Spec.InfrastructureRef = clusterv1.ContractVersionedObjectReference{
		APIGroup: infrastructurev1.Group, Kind: infrastructurev1.MachineTemplateKind, Name: "template",
	}
	return o
}

// world is a management cluster with a control plane.
type world struct {
	client.Client
	store    *controlplane.Store
	clock    *memory.Clock
	contents map[convert.Reference]string
	// fails returns the error of a write, or nil.
	fails func(verb string, o client.Object) error
	// writes counts the writes.
	writes int
}

// Resolve returns the contents of Secrets and ConfigMaps.
func (w *world) Resolve(_ context.Context, r convert.Reference) ([]byte, error) {
	if text, found := w.contents[r]; found {
		return []byte(text), nil
	}
	return nil, convert.ErrNotFound
}

// write counts a write, and returns its error.
func (w *world) write(verb string, o client.Object) error {
	w.writes++
	if w.fails == nil {
		return nil
	}
	return w.fails(verb, o)
}

// newWorld returns a world with the objects.
func newWorld(t *testing.T, objects ...client.Object) *world {
	t.Helper()
	w := &world{clock: memory.NewClock(time.Unix(1_800_000_000, 0)), contents: map[convert.Reference]string{}}
	template := &infrastructurev1.HostMachineTemplate{}
	template.Name, template.Namespace = "template", namespace
	objects = append(objects, template, definition("hostmachines.infrastructure.machineadm.io"),
		definition("hostmachinetemplates.infrastructure.machineadm.io"))
	w.Client = fake.NewClientBuilder().WithScheme(testScheme(t)).WithObjects(objects...).
		WithStatusSubresource(&clusterv1.Cluster{}, &clusterv1.Machine{}, &v1alpha1.MachineadmControlPlane{},
			&bootstrapv1.MachineBootstrapConfig{}).
		WithInterceptorFuncs(interceptor.Funcs{
			Apply: func(ctx context.Context, c client.WithWatch, o runtime.ApplyConfiguration, options ...client.ApplyOption,
			) error {
				if err := w.write("apply", nil); err != nil {
					return err
				}
				if err := c.Apply(ctx, o, options...); err != nil {
					return err
				}
				return holdMachines(ctx, c)
			},
			Create: func(ctx context.Context, c client.WithWatch, o client.Object, options ...client.CreateOption) error {
				if err := w.write("create", o); err != nil {
					return err
				}
				o.SetUID(uid("uid-of-" + o.GetObjectKind().GroupVersionKind().Kind + "-" + o.GetName()))
				o.SetCreationTimestamp(metav1.NewTime(w.clock.Now()))
				return c.Create(ctx, o, options...)
			},
			Patch: func(ctx context.Context, c client.WithWatch, o client.Object, p client.Patch, options ...client.PatchOption,
			) error {
				if err := w.write("patch", o); err != nil {
					return err
				}
				return c.Patch(ctx, o, p, options...)
			},
		}).Build()
	w.store = &controlplane.Store{
		Client: w.Client, Live: w.Client, Clock: w.clock,
		Resolver: func(string) convert.Resolver { return w },
	}
	return w
}

// with returns a store with another client.
func (w *world) with(c client.Client) *controlplane.Store {
	return &controlplane.Store{Client: c, Live: w.store.Live, Clock: w.store.Clock, Resolver: w.store.Resolver}
}

// holdMachines adds the finalizer, the UID and the time of creation, which Cluster API and the API server add.
func holdMachines(ctx context.Context, c client.WithWatch) error {
	var list clusterv1.MachineList
	if err := c.List(ctx, &list); err != nil {
		return err
	}
	for i := range list.Items {
		m := &list.Items[i]
		if len(m.Finalizers) > 0 {
			continue
		}
		m.Finalizers, m.UID = []string{clusterv1.MachineFinalizer}, uid("uid-of-Machine-"+m.Name)
		m.CreationTimestamp = metav1.Unix(1_800_000_000, 0)
		if err := c.Update(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// machine returns a Machine.
func (w *world) machine(t *testing.T, name string) *clusterv1.Machine {
	t.Helper()
	m := &clusterv1.Machine{}
	if err := w.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, m); err != nil {
		t.Fatal(err)
	}
	return m
}

// plane returns the control plane.
func (w *world) plane(t *testing.T) *v1alpha1.MachineadmControlPlane {
	t.Helper()
	o := &v1alpha1.MachineadmControlPlane{}
	if err := w.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: plane}, o); err != nil {
		t.Fatal(err)
	}
	return o
}

// update changes an object as another client does.
func update[T client.Object](t *testing.T, w *world, o T, change func(T)) {
	t.Helper()
	change(o)
	if err := w.Update(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

func TestStoreConforms(t *testing.T) {
	portstest.ControlPlane(t, func(t *testing.T) portstest.ControlPlaneStore {
		w := newWorld(t, newCluster(), newPlane())
		return portstest.ControlPlaneStore{
			Objects: w.store, Machines: w.store, Key: ports.Key{Namespace: namespace, Name: plane},
			Scale: func(t *testing.T, replicas int) {
				update(t, w, w.plane(t), func(o *v1alpha1.MachineadmControlPlane) {
					o.Spec.Replicas = ptr.To(int32(replicas)) //nolint:gosec // a small number
				})
			},
			Delete: func(t *testing.T) {
				if err := w.Delete(t.Context(), w.plane(t)); err != nil {
					t.Fatal(err)
				}
			},
			Drain: func(t *testing.T, machine string) { w.drained(t, machine) },
		}
	})
}

// gone reports whether an object does not exist.
func gone(t *testing.T, w *world, o client.Object, name string) bool {
	t.Helper()
	return apierrors.IsNotFound(w.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, o))
}

// uid returns a UID for the name.
func uid(name string) types.UID { return types.UID(name) }
