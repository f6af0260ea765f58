package plugincontract_test

import (
	"context"
	"fmt"
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// flaw is one way to break the contract; the zero flaw breaks nothing.
type flaw string

// controller is a plain controller of a kind, which looks at everything again and again, and breaks the contract in one
// way.
type controller struct {
	client.Client
	namespace, kind string
	flaw            flaw
	// done are the resources that a lazy controller does not look at again, and paused the clusters that one has seen go
	// on.
	done map[string]bool
}

// polling is the interval at which the controller reads its resources, as plugincontract does.
const polling = 200 * time.Millisecond

func (c *controller) run(ctx context.Context) {
	c.done = map[string]bool{}
	for ctx.Err() == nil {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(group.WithKind(c.kind + "List"))
		if c.List(ctx, list, client.InNamespace(c.namespace)) == nil {
			for i := range list.Items {
				// Whatever failed is tried again.
				_ = c.reconcile(ctx, &list.Items[i])
			}
		}
		// Each round is several requests for each resource.
		time.Sleep(polling)
	}
}

func (c *controller) reconcile(ctx context.Context, o *unstructured.Unstructured) error {
	if c.paused(ctx, o) || o.GetDeletionTimestamp() != nil || c.lazy(ctx, o) {
		return nil
	}
	if c.flaw == "ready first" {
		if err := c.report(ctx, o, c.secretName(o)); err != nil {
			return err
		}
	}
	if err := c.strip(ctx, o); err != nil {
		return err
	}
	name, err := c.publish(ctx, o)
	if err != nil {
		return err
	}
	return c.report(ctx, o, name)
}

// paused reports what keeps the controller from working.
func (c *controller) paused(ctx context.Context, o *unstructured.Unstructured) bool {
	_, settled, _ := unstructured.NestedBool(o.Object, "status", "ready")
	if c.flaw == "pause of new ones alone" && settled {
		return false
	}
	if _, annotated := o.GetAnnotations()[clusterv1.PausedAnnotation]; annotated && c.flaw != "no look at the annotation" {
		return true
	}
	name := o.GetLabels()[clusterv1.ClusterNameLabel]
	if name == "" || c.flaw == "no look at the cluster" {
		return false
	}
	cluster := &unstructured.Unstructured{}
	cluster.SetGroupVersionKind(clusterv1.GroupVersion.WithKind("Cluster"))
	if c.Get(ctx, client.ObjectKey{Namespace: o.GetNamespace(), Name: name}, cluster) != nil {
		return false
	}
	paused, _, _ := unstructured.NestedBool(cluster.Object, "spec", "paused")
	if paused && c.flaw == "no end of a cluster's pause" {
		c.done[string(o.GetUID())] = true
	}
	return paused || c.flaw == "no end of a cluster's pause" && c.done[string(o.GetUID())]
}

// lazy reports whether the controller does not look at something that it has made before.
func (c *controller) lazy(ctx context.Context, o *unstructured.Unstructured) bool {
	ready, _, _ := unstructured.NestedBool(o.Object, "status", "ready")
	s := &corev1.Secret{}
	there := c.Get(ctx, client.ObjectKey{Namespace: o.GetNamespace(), Name: c.secretName(o)}, s) == nil
	switch c.flaw {
	case "no look at changes":
		return ready && there
	case "no look at the Secret":
		return ready && o.GetGeneration() == observed(o)
	case "no look at the status":
		return there && o.GetGeneration() == 1
	default:
		return false
	}
}

func observed(o *unstructured.Unstructured) int64 {
	n, _, _ := unstructured.NestedInt64(o.Object, "status", "observedGeneration")
	return n
}

// strip removes what others have set.
func (c *controller) strip(ctx context.Context, o *unstructured.Unstructured) error {
	before := o.DeepCopy()
	switch c.flaw {
	case "no owner references":
		o.SetOwnerReferences(nil)
	case "no labels":
		o.SetLabels(nil)
	default:
		return nil
	}
	return c.Patch(ctx, o, client.MergeFrom(before))
}

// secretName follows from the resource's, but for a controller that finds its Secret by the status alone.
func (c *controller) secretName(o *unstructured.Unstructured) string {
	name, given, _ := unstructured.NestedString(o.Object, "status", "secretName")
	switch {
	case c.flaw == "a Secret of any name" && given:
		return name
	case c.flaw == "a Secret of any name":
		return fmt.Sprintf("%s-%d", o.GetName(), time.Now().UnixNano())
	default:
		return o.GetName() + "-documents"
	}
}

func (c *controller) publish(ctx context.Context, o *unstructured.Unstructured) (string, error) {
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: o.GetNamespace(), Name: c.secretName(o)}}
	found := c.Get(ctx, client.ObjectKeyFromObject(s), s) == nil
	before := s.DeepCopy()
	s.OwnerReferences = c.owners(o)
	s.Data = map[string][]byte{"documents": c.documents(o)}
	if c.flaw == "another key" {
		s.Data = map[string][]byte{"value": c.documents(o)}
	}
	switch {
	case !found:
		return s.Name, c.Create(ctx, s)
	case maps.EqualFunc(before.Data, s.Data, func(a, b []byte) bool { return string(a) == string(b) }):
		return s.Name, nil
	default:
		return s.Name, c.Update(ctx, s)
	}
}

func (c *controller) owners(o *unstructured.Unstructured) []metav1.OwnerReference {
	owner := *metav1.NewControllerRef(o, o.GroupVersionKind())
	switch c.flaw {
	case "a Secret without an owner":
		return nil
	case "a Secret that is only owned":
		owner.Controller = nil
	case "a Secret of another owner":
		owner.UID = "00000000-0000-0000-0000-000000000000"
	}
	return []metav1.OwnerReference{owner}
}

func (c *controller) documents(o *unstructured.Unstructured) []byte {
	message, _, _ := unstructured.NestedString(o.Object, "spec", "message")
	switch c.flaw {
	case "no documents":
		return []byte(message)
	case "a bad document":
		message = "relative/" + message
	default:
		message = "/etc/" + message
	}
	return fmt.Appendf(nil, "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec: {path: %s, content: hello}\n", message)
}

// report writes the status if it has changed.
func (c *controller) report(ctx context.Context, o *unstructured.Unstructured, secret string) error {
	before := o.DeepCopy()
	status := map[string]any{"ready": true, "secretName": secret, "observedGeneration": o.GetGeneration()}
	switch c.flaw {
	case "not ready":
		status["ready"] = false
	case "of an older generation":
		status["observedGeneration"] = min(o.GetGeneration(), 1)
	case "a Secret elsewhere":
		status["secretName"] = "kube-system/" + secret
	case "failed and ready":
		status["failureReason"] = "Broken"
	case "an order without a plugin":
		status["beforePlugins"] = []any{"everybody"}
	}
	o.Object["status"] = status
	return client.IgnoreNotFound(c.Status().Patch(ctx, o, client.MergeFrom(before)))
}
