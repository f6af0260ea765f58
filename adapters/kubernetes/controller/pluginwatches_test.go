package controller_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/controller"
)

func object(kind string) client.Object {
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(schema.GroupVersionKind{Group: "plugins.example.com", Version: "v1", Kind: kind})
	return o
}

// TestPluginWatchesEnd verifies that a kind is watched once, until no config names it and no reader uses it. It is
// watched again when a config names it again.
func TestPluginWatchesEnd(t *testing.T) {
	w := newWorld(t, func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
		ref := func(kind string) []v1alpha1.PluginReference {
			return []v1alpha1.PluginReference{{APIGroup: "plugins.example.com", Kind: kind, Name: "a"}}
		}
		c.Spec.PluginRefs, c.Spec.PluginTemplateRefs = ref("Named"), ref("MadeTemplate")
	})
	var watched []string
	watches := &controller.PluginWatches{
		Start: func(o client.Object) error {
			watched = append(watched, o.GetObjectKind().GroupVersionKind().Kind)
			return nil
		},
		Stop: func(_ context.Context, o client.Object) error {
			watched = slices.DeleteFunc(watched, func(kind string) bool {
				return kind == o.GetObjectKind().GroupVersionKind().Kind
			})
			return nil
		},
	}
	use := func(kind string) func() {
		done, err := watches.Use(object(kind))
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	all := []string{"Named", "Made", "MadeTemplate", "Unnamed"}
	for range 2 {
		for _, kind := range all {
			use(kind)()
		}
	}
	expect := func(want ...string) {
		t.Helper()
		if !slices.Equal(watched, want) {
			t.Errorf("watched are %q, want %q", watched, want)
		}
	}
	sweep := func() {
		t.Helper()
		if err := watches.Sweep(t.Context(), w.PluginKindUsed); err != nil {
			t.Fatal(err)
		}
	}
	expect(all...)
	reading := use("Unnamed")
	sweep()
	expect(all...)
	reading()
	sweep()
	expect("Named", "Made", "MadeTemplate")
	use("Unnamed")()
	expect("Named", "Made", "MadeTemplate", "Unnamed")
}

// TestPluginWatchesOfAnUpgrade verifies that a kind is watched only in the version that is read. An earlier version
// would keep another copy of all resources in memory, or fail endlessly after it is no longer served.
func TestPluginWatchesOfAnUpgrade(t *testing.T) {
	var watched []string
	watches := &controller.PluginWatches{
		Start: func(o client.Object) error {
			watched = append(watched, o.GetObjectKind().GroupVersionKind().Version)
			return nil
		},
		Stop: func(_ context.Context, o client.Object) error {
			watched = slices.DeleteFunc(watched, func(v string) bool {
				return v == o.GetObjectKind().GroupVersionKind().Version
			})
			return nil
		},
	}
	for _, version := range []string{"v1alpha1", "v1beta1", "v1"} {
		o := object("A")
		o.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{
			Group:   "plugins.example.com",
			Version: version, Kind: "A",
		})
		done, err := watches.Use(o)
		if err != nil {
			t.Fatal(err)
		}
		done()
	}
	named := func(context.Context, schema.GroupKind) (bool, error) { return true, nil }
	if err := watches.Sweep(t.Context(), named); err != nil || !slices.Equal(watched, []string{"v1"}) {
		t.Errorf("watched are %q: %v", watched, err)
	}
}

// TestPluginWatchesFail verifies that failed watches are retried.
func TestPluginWatchesFail(t *testing.T) {
	fail := errors.New("no luck")
	watches := &controller.PluginWatches{
		Start: func(client.Object) error { return fail }, Stop: func(context.Context, client.Object) error { return fail },
	}
	for range 2 {
		if _, err := watches.Use(object("A")); !errors.Is(err, fail) {
			t.Error(err)
		}
	}
	watches.Start = func(client.Object) error { return nil }
	done, err := watches.Use(object("A"))
	if err != nil {
		t.Fatal(err)
	}
	done()
	unused := func(context.Context, schema.GroupKind) (bool, error) { return false, nil }
	for range 2 {
		if err := watches.Sweep(t.Context(), unused); !errors.Is(err, fail) {
			t.Error(err)
		}
	}
}

// TestPluginWatchesAtOnce runs readers and sweeps concurrently: every reader reads a kind that is watched.
func TestPluginWatchesAtOnce(t *testing.T) {
	var watched atomic.Int32
	watches := &controller.PluginWatches{
		Start: func(client.Object) error { watched.Add(1); return nil },
		Stop:  func(context.Context, client.Object) error { watched.Add(-1); return nil },
	}
	unused := func(context.Context, schema.GroupKind) (bool, error) { return false, nil }
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 500 {
				done, err := watches.Use(object("A"))
				if err != nil || watched.Load() != 1 {
					t.Errorf("%d watches: %v", watched.Load(), err)
				}
				done()
				if err := watches.Sweep(t.Context(), unused); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}
