// Command motd is the controller of a kind of plugins that is not machineadm's: a Motd is a message of the day. It
// implements docs/plugin-contract.md, and is the third-party controller of machineadm's own tests.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/yaml"
)

// pausedAnnotation is Cluster API's.
const pausedAnnotation = "cluster.x-k8s.io/paused"

// clusterLabel is Cluster API's, too: it names the cluster that an object belongs to.
const clusterLabel = "cluster.x-k8s.io/cluster-name"

// kind is what the controller looks after, and clusterKind what it looks at.
var (
	kind        = schema.GroupVersionKind{Group: "plugins.example.com", Version: "v1", Kind: "Motd"}
	clusterKind = schema.GroupVersionKind{Group: "cluster.x-k8s.io", Version: "v1beta2", Kind: "Cluster"}
)

func main() {
	if err := run(ctrl.SetupSignalHandler()); err != nil {
		fmt.Fprintf(os.Stderr, "motd: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	flag.Parse() // controller-runtime's own: --kubeconfig
	ctrl.SetLogger(zap.New())
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	// Throttling on this side would only hide how fast the other one is.
	config.QPS = -1
	// Without the cache, each change of a Cluster would list its Motds on the server.
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Metrics: server.Options{BindAddress: "0"}, Client: client.Options{Cache: &client.CacheOptions{Unstructured: true}},
	})
	if err != nil {
		return err
	}
	r := &reconciler{Client: mgr.GetClient()}
	// A cluster's pause has no event of the Motd's own when it ends.
	err = ctrl.NewControllerManagedBy(mgr).Named("motd").For(object(kind)).Owns(&corev1.Secret{}).
		Watches(object(clusterKind), handler.EnqueueRequestsFromMapFunc(r.ofCluster)).Complete(r)
	if err != nil {
		return err
	}
	return mgr.Start(ctx)
}

func object(kind schema.GroupVersionKind) *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(kind)
	return o
}

type reconciler struct{ client.Client }

// ofCluster returns the Motds that belong to a cluster.
func (r *reconciler) ofCluster(ctx context.Context, cluster client.Object) []ctrl.Request {
	var list unstructured.UnstructuredList
	list.SetGroupVersionKind(kind)
	if err := r.List(ctx, &list, client.InNamespace(cluster.GetNamespace()),
		client.MatchingLabels{clusterLabel: cluster.GetName()}); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "Cannot list Motds")
		return nil
	}
	var requests []ctrl.Request
	for _, o := range list.Items {
		requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&o)})
	}
	return requests
}

// paused reports whether the Motd, or the cluster that it belongs to, is paused.
func (r *reconciler) paused(ctx context.Context, o *unstructured.Unstructured) (bool, error) {
	if _, paused := o.GetAnnotations()[pausedAnnotation]; paused {
		return true, nil
	}
	name := o.GetLabels()[clusterLabel]
	if name == "" {
		return false, nil
	}
	cluster := object(clusterKind)
	if err := r.Get(ctx, client.ObjectKey{Namespace: o.GetNamespace(), Name: name}, cluster); err != nil {
		return false, client.IgnoreNotFound(err)
	}
	paused, _, err := unstructured.NestedBool(cluster.Object, "spec", "paused")
	return paused, err
}

// Reconcile publishes the documents of a Motd, and then updates its status.
func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	o := object(kind)
	if err := r.Get(ctx, req.NamespacedName, o); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	paused, err := r.paused(ctx, o)
	if paused || err != nil || !o.GetDeletionTimestamp().IsZero() {
		return ctrl.Result{}, err
	}
	text, err := documents(o)
	if err != nil {
		return ctrl.Result{}, err
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: o.GetNamespace(), Name: o.GetName() + "-motd"}}
	_, err = controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.Data = map[string][]byte{"documents": text}
		return controllerutil.SetControllerReference(o, secret, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.updateStatus(ctx, o, secret.Name)
}

// updateStatus writes the status by the contract's names.
func (r *reconciler) updateStatus(ctx context.Context, o *unstructured.Unstructured, secret string) error {
	before := o.DeepCopy()
	status := map[string]any{"ready": true, "secretName": secret, "observedGeneration": o.GetGeneration()}
	for from, to := range map[string]string{"before": "beforePlugins", "after": "afterPlugins"} {
		if names, found, _ := unstructured.NestedSlice(o.Object, "spec", from); found {
			status[to] = names
		}
	}
	o.Object["status"] = status
	return client.IgnoreNotFound(r.Status().Patch(ctx, o, client.MergeFrom(before)))
}

// documents returns the documents of a Motd: a file, or with agentOnly a document of a kind that only a plugin
// of the machine's agent knows.
func documents(o *unstructured.Unstructured) ([]byte, error) {
	message, _, _ := unstructured.NestedString(o.Object, "spec", "message")
	document := map[string]any{
		"apiVersion": "machineadm.io/v1alpha1", "kind": "File",
		"spec": map[string]any{"path": "/etc/motd.d/" + o.GetName(), "content": message},
	}
	if agentOnly, _, _ := unstructured.NestedBool(o.Object, "spec", "agentOnly"); agentOnly {
		document = map[string]any{
			"apiVersion": "plugins.example.com/v1", "kind": "Motd", "spec": map[string]any{"message": message},
		}
	}
	return yaml.Marshal(document)
}
