package plugincontract

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

const (
	// polling is the interval at which the suite reads objects.
	polling = 200 * time.Millisecond
	// still is how long nothing may happen.
	still = 2 * time.Second
	// known is how long a controller may take to learn that a cluster is there, or paused: it hears of that and of the
	// resource by two ways.
	known = time.Second
)

// pausing is a way to pause a resource.
type pausing struct {
	name string
	// mark makes a resource one that can be paused so, before it is made.
	mark func(o *unstructured.Unstructured)
	// set pauses, or lets go on.
	set func(t *testing.T, o *unstructured.Unstructured, paused bool)
}

// byAnnotation pauses the resource itself.
func (k Kind) byAnnotation() pausing {
	annotate := func(o *unstructured.Unstructured) {
		o.SetAnnotations(map[string]string{clusterv1.PausedAnnotation: ""})
	}
	return pausing{
		name: "conformance-paused", mark: annotate,
		set: func(t *testing.T, o *unstructured.Unstructured, paused bool) {
			t.Helper()
			k.update(t, o, func(o *unstructured.Unstructured) {
				o.SetAnnotations(nil)
				if paused {
					annotate(o)
				}
			})
		},
	}
}

// byCluster makes a paused cluster and pauses by it.
func (k Kind) byCluster(t *testing.T) pausing {
	t.Helper()
	// A cluster has to name its infrastructure. This one does not exist.
	nowhere := map[string]any{"apiGroup": "conformance.machineadm.io", "kind": "Nowhere", "name": "nowhere"}
	c := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{
		"paused":            true,
		"infrastructureRef": nowhere,
	}}}
	c.SetGroupVersionKind(clusterv1.GroupVersion.WithKind("Cluster"))
	c = k.create(t, c, "conformance")
	set := func(t *testing.T, _ *unstructured.Unstructured, paused bool) {
		t.Helper()
		patch := client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"spec":{"paused":%t}}`, paused))
		if err := k.Client.Patch(context.WithoutCancel(t.Context()), c, patch); err != nil {
			t.Fatal(err)
		}
		time.Sleep(known)
	}
	t.Cleanup(func() { k.drop(t, c) })
	time.Sleep(known)
	return pausing{name: "conformance-of-paused", set: set, mark: func(o *unstructured.Unstructured) {
		o.SetLabels(map[string]string{clusterv1.ClusterNameLabel: c.GetName()})
	}}
}

// drop deletes the cluster, for which Cluster API would look for its infrastructure first.
func (k Kind) drop(t *testing.T, c *unstructured.Unstructured) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	err := errors.Join(k.Client.Delete(ctx, c),
		client.IgnoreNotFound(k.Client.Patch(ctx, c, client.RawPatch(types.MergePatchType,
			[]byte(`{"metadata":{"finalizers":null}}`)))))
	if err != nil {
		t.Error(err)
	}
}

// paused holds that nothing happens during a pause, be the resource new or settled, and that work goes on after it.
func paused(t *testing.T, k Kind, by pausing) {
	t.Helper()
	o := k.Plugin()
	by.mark(o)
	o = k.create(t, o, by.name)
	k.quiet(t, "while it is paused, a new resource gets no Secret and is not ready", func(ctx context.Context) bool {
		if k.get(ctx, o) != nil {
			return false
		}
		name, _, _ := unstructured.NestedString(o.Object, "status", "secretName")
		return !ready(o) && name == "" && len(k.controlled(ctx, t, o)) == 0
	})
	by.set(t, o, false)
	before := k.settled(t, o)
	text := k.text(t, before)
	by.set(t, o, true)
	k.update(t, o, k.Change)
	k.quiet(t, "while it is paused, a resource's Secret stays as it is", func(ctx context.Context) bool {
		now := k.controlled(ctx, t, o)
		return len(now) == 1 && now[0].ResourceVersion == before.ResourceVersion
	})
	if err := k.Client.Delete(t.Context(), before); err != nil {
		t.Fatal(err)
	}
	k.quiet(t, "while it is paused, a resource's Secret is not made again", func(ctx context.Context) bool {
		return len(k.controlled(ctx, t, o)) == 0
	})
	by.set(t, o, false)
	k.follows(t, o, text)
}

// quiet holds that something stays true for a while.
func (k Kind) quiet(t *testing.T, what string, holds func(context.Context) bool) {
	t.Helper()
	for end := time.Now().Add(still); time.Now().Before(end); time.Sleep(polling) {
		if !holds(t.Context()) {
			t.Fatalf("this does not hold: %s", what)
		}
	}
}

// controlled returns the Secrets that the resource controls, independent of its status.
func (k Kind) controlled(ctx context.Context, t *testing.T, o *unstructured.Unstructured) []corev1.Secret {
	t.Helper()
	var all corev1.SecretList
	if err := k.Client.List(ctx, &all, client.InNamespace(k.Namespace)); err != nil {
		t.Fatal(err)
	}
	var found []corev1.Secret
	for _, s := range all.Items {
		if _, holds := s.Data[v1alpha1.PluginDocumentsKey]; holds && metav1.IsControlledBy(&s, o) {
			found = append(found, s)
		}
	}
	return found
}
