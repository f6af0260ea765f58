// Command motd is the controller of a kind of plugins that is not machineadm's: a Motd is a message of the day. It shows all that
// docs/plugin-contract.md asks for, and is what machineadm's own tests have for somebody else's controller.
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
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/yaml"
)

// pausedAnnotation is Cluster API's.
const pausedAnnotation = "cluster.x-k8s.io/paused"

// kind is what the controller looks after.
var kind = schema.GroupVersionKind{Group: "plugins.example.com", Version: "v1", Kind: "Motd"}

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
	mgr, err := ctrl.NewManager(config, ctrl.Options{Metrics: server.Options{BindAddress: "0"}})
	if err != nil {
		return err
	}
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(kind)
	err = ctrl.NewControllerManagedBy(mgr).Named("motd").For(o).Owns(&corev1.Secret{}).Complete(&reconciler{Client: mgr.GetClient()})
	if err != nil {
		return err
	}
	return mgr.Start(ctx)
}

type reconciler struct{ client.Client }

// Reconcile publishes the documents of a Motd, and then says so.
func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(kind)
	if err := r.Get(ctx, req.NamespacedName, o); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if _, paused := o.GetAnnotations()[pausedAnnotation]; paused || !o.GetDeletionTimestamp().IsZero() {
		return ctrl.Result{}, nil
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
	return ctrl.Result{}, r.tell(ctx, o, secret.Name)
}

// tell writes the status by the contract's names.
func (r *reconciler) tell(ctx context.Context, o *unstructured.Unstructured, secret string) error {
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

// documents returns what a Motd says to the machine: a file, or with agentOnly a document of a kind that only a plugin of the
// machine's agent knows.
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
