package pluginresources

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/ports"
)

// The reasons of the condition Ready.
const (
	reasonReady          = "Ready"
	reasonInvalid        = "InvalidSpec"
	reasonReference      = "WaitingForReference"
	reasonSecretNotOwned = "SecretNotOwned"
)

// maxDocuments is the maximum size of the documents in a Secret, in bytes, without their key; the API server refuses
// more.
const maxDocuments = corev1.MaxSecretSize - len(v1alpha1.PluginDocumentsKey)

// SecretCache reads Secrets, and is notified of created and deleted ones.
type SecretCache interface {
	Secret(ctx context.Context, key client.ObjectKey) (*corev1.Secret, error)
	Note(o client.Object)
	Forget(kind string, key client.ObjectKey)
}

// Reconciler reconciles the resources of one kind. Set its fields before the setup.
type Reconciler struct {
	// Kind is an empty object of the kind.
	Kind v1alpha1.Plugin
	// Client reads from the manager's cache and writes to the API.
	Client client.Client
	Codec  ports.Codec
	// Secrets reads Secrets.
	Secrets SecretCache
	// Resolver returns a resolver for the references of resources in a namespace.
	Resolver func(namespace string) convert.Resolver
	// Pool limits the expensive objects that are processed at once; nil sets no limit.
	Pool *budget.Pool
	// WatchFilter is the required value of the label cluster.x-k8s.io/watch-filter; empty accepts all objects.
	WatchFilter string
}

// busyRetry is the requeue delay of an expensive resource while no slot is free.
const busyRetry = 2 * time.Second

// result is the result of reconciling a resource.
type result struct{ secret, reason, message string }

// Reconcile creates or updates the Secret of one resource.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	spent := r.Pool.New(budget.Default(), req.Namespace)
	defer spent.Release()
	ctx = budget.NewContext(ctx, spent)
	p, err := r.fetch(ctx, req)
	if p == nil || err != nil {
		return ctrl.Result{}, err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("measure the plugin: %w", err)
	}
	if spent.Weigh(len(text)) != nil {
		return ctrl.Result{RequeueAfter: busyRetry}, nil
	}
	o, err := r.ensure(ctx, p)
	if spent.Busy() {
		return ctrl.Result{RequeueAfter: busyRetry}, nil
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.setStatus(ctx, p, o)
}

// fetch returns the resource, or nil if there is nothing to do.
func (r *Reconciler) fetch(ctx context.Context, req ctrl.Request) (v1alpha1.Plugin, error) {
	p, ok := r.Kind.DeepCopyObject().(v1alpha1.Plugin)
	if !ok {
		return nil, errors.New("the kind is not a plugin")
	}
	err := r.Client.Get(ctx, req.NamespacedName, p)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("get the plugin: %w", err)
	}
	if p.GetDeletionTimestamp() != nil || !kube.HasWatchFilter(p, r.WatchFilter) {
		return nil, nil
	}
	paused, err := kube.IsPaused(ctx, r.Client, p)
	if paused || err != nil {
		return nil, err
	}
	return p, nil
}

// ensure writes the Secret if the spec can be converted to documents.
func (r *Reconciler) ensure(ctx context.Context, p v1alpha1.Plugin) (result, error) {
	converted, err := convert.Plugin(ctx, p, r.Resolver(p.GetNamespace()))
	if err != nil {
		return result{}, err
	}
	for _, d := range converted.Documents {
		converted.Findings = append(converted.Findings, converted.Fields.In(d.Check())...)
	}
	switch {
	case converted.Findings.HasErrors():
		return result{reason: reasonInvalid, message: converted.Findings.Sorted().Errors()}, nil
	case len(converted.Missing) > 0:
		return result{reason: reasonReference, message: converted.Missing.Errors()}, nil
	}
	text, err := r.Codec.Encode(converted.Documents)
	if err != nil {
		return result{}, fmt.Errorf("serialise the documents: %w", err)
	}
	if len(text) > maxDocuments {
		message := fmt.Sprintf("its documents have %d bytes, and a Secret takes %d; divide it into several",
			len(text), maxDocuments)
		return result{reason: reasonInvalid, message: message}, nil
	}
	return r.publish(ctx, p, text)
}

// setStatus writes the result into the status, if it has changed.
func (r *Reconciler) setStatus(ctx context.Context, p v1alpha1.Plugin, o result) error {
	before, ok := p.DeepCopyObject().(v1alpha1.Plugin)
	if !ok {
		return errors.New("the kind is not a plugin")
	}
	s := p.PluginStatus()
	s.Ready, s.ObservedGeneration = o.reason == reasonReady, p.GetGeneration()
	condition := metav1.Condition{
		Type: clusterv1.ReadyCondition, Status: metav1.ConditionFalse, Reason: o.reason, Message: o.message,
		ObservedGeneration: p.GetGeneration(),
	}
	if s.Ready {
		s.SecretName, condition.Status = o.secret, metav1.ConditionTrue
	}
	meta.SetStatusCondition(&s.Conditions, condition)
	if equality.Semantic.DeepEqual(before.PluginStatus(), s) {
		return nil
	}
	err := r.Client.Status().Patch(ctx, p, client.MergeFrom(before))
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("patch the status: %w", err)
	}
	return nil
}
