package controller

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/compose"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// Reconciler creates the bootstrap data of configs. Set its fields before the setup.
type Reconciler struct {
	// Client reads from the manager's cache and writes to the API.
	Client client.Client
	// Lookup reads the machine and cluster of a config.
	Lookup ports.ClusterLookup
	// Service is the use case.
	Service *bootstrap.Service
	// Plugins is the use case that merges the documents of plugins.
	Plugins *compose.Service
	// Resolver returns a resolver for the references of configs in a namespace.
	Resolver func(namespace string) convert.Resolver
	Recorder events.EventRecorder
	// Clock determines when a machine's deadline for reporting has passed.
	Clock   ports.Clock
	Metrics *Metrics
	// Pool limits the expensive objects that are processed at once; nil sets no limit.
	Pool *budget.Pool
	// WatchFilter is the required value of the label cluster.x-k8s.io/watch-filter; empty accepts all objects.
	WatchFilter string

	written versions
	plugins PluginWatches
}

// scope is a config, its machine and its cluster.
type scope struct {
	config  *v1alpha1.MachineBootstrapConfig
	machine ports.Machine
	cluster ports.Cluster
	// composed is the result of composing the plugins, or nil if they were not looked up.
	composed *composed
}

// Reconcile processes a config by the contract's "Behavior": fetch, convert, render, set the status.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	spent := r.Pool.New(budget.Default(), req.Namespace)
	defer spent.Release()
	ctx = budget.NewContext(ctx, spent)
	s, err := r.fetch(ctx, req)
	if errors.Is(err, ports.ErrNoOwner) || errors.Is(err, ports.ErrNoCluster) {
		return r.await(ctx, s, err)
	}
	if s == nil || err != nil {
		return ctrl.Result{}, err
	}
	if spent.Weigh(sizeOf(s.config)) != nil {
		return ctrl.Result{RequeueAfter: busyRetry}, nil
	}
	before := statusOf(s.config).DeepCopy()
	if paused := setPaused(s.config, s.cluster); paused {
		return ctrl.Result{}, r.patch(ctx, before, s.config)
	}
	ready, err := r.ensure(ctx, s)
	if spent.Busy() {
		return ctrl.Result{RequeueAfter: busyRetry}, nil
	}
	verdict := r.evaluateReports(s, ready)
	setStatus(s.config, ready, err, verdict)
	setUpToDate(s, before, ready)
	setPluginConditions(s.config, s.composed)
	if patchErr := r.patch(ctx, before, s.config); patchErr != nil {
		return ctrl.Result{}, errors.Join(bootstrap.Failure(err), patchErr)
	}
	r.announce(before, s.config, ready, err)
	r.announceUpToDate(before, s.config)
	r.announceBootstrapped(before, s.config)
	r.Metrics.observe(ready, err)
	if err := bootstrap.Failure(err); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: earliest(next(ready, s.composed), verdict)}, nil
}

// busyRetry is the requeue delay of an expensive config while no slot is free.
const busyRetry = 2 * time.Second

// sizeOf returns the size of a config's spec in bytes. A spec that cannot be encoded counts as expensive.
func sizeOf(c *v1alpha1.MachineBootstrapConfig) int {
	text, err := json.Marshal(&c.Spec)
	if err != nil {
		return math.MaxInt
	}
	return len(text)
}

// fetch returns the config, its machine and its cluster, or nil if there is nothing to do (contract, "Behavior", steps
// 1 to 3). It also returns the config beside ErrNoOwner and ErrNoCluster.
func (r *Reconciler) fetch(ctx context.Context, req ctrl.Request) (*scope, error) {
	s := &scope{config: &v1alpha1.MachineBootstrapConfig{}}
	err := r.Client.Get(ctx, req.NamespacedName, s.config)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("get the config: %w", err)
	}
	if !s.config.DeletionTimestamp.IsZero() || !kube.HasWatchFilter(s.config, r.WatchFilter) || failed(s.config) ||
		r.written.stale(s.config) {
		return nil, nil
	}
	if s.machine, err = r.Lookup.Machine(ctx, s.owner()); err == nil {
		key := ports.Key{Namespace: s.config.Namespace, Name: s.machine.ClusterName}
		s.cluster, err = r.Lookup.Cluster(ctx, key)
	}
	return s, err
}

// owner returns the owner of the bootstrap data.
func (s *scope) owner() ports.Owner {
	return ports.Owner{Key: ports.Key{Namespace: s.config.Namespace, Name: s.config.Name}, UID: string(s.config.UID)}
}

func failed(c *v1alpha1.MachineBootstrapConfig) bool {
	return c.Status.FailureReason != nil || c.Status.FailureMessage != nil
}

// request returns the request for the use case. The data has the name of the config, or the name that the machine
// already uses after a move or restore.
func (r *Reconciler) request(s *scope) bootstrap.Request {
	source := ""
	if s.machine.Pool {
		source = sourceOf(&s.config.Spec)
	}
	return bootstrap.Request{
		Owner:    s.owner(),
		DataName: s.machine.DataSecretName, Published: s.config.Status.DataSecretCreated(), Reported: succeeded(s.config),
		Cluster: s.cluster,
		Machine: s.machine, Source: source,
		Describe: func(ctx context.Context) (composition.Description, error) { return r.describe(ctx, s) },
	}
}

// succeeded reports whether the machine has reported success.
func succeeded(c *v1alpha1.MachineBootstrapConfig) bool {
	return c.Status.Bootstrap != nil && c.Status.Bootstrap.State == string(status.StateSucceeded)
}

func (r *Reconciler) describe(ctx context.Context, s *scope) (composition.Description, error) {
	names := convert.Names{Machine: s.machine.Name, Cluster: s.cluster.Name, ControlPlaneVersion: s.cluster.OldestVersion}
	if s.machine.Pool {
		names.Machine = ""
	}
	d, err := convert.Config(ctx, s.config, names, r.Resolver(s.config.Namespace))
	if err == nil {
		err = r.compose(ctx, s)
	}
	if err != nil {
		return composition.Description{}, err
	}
	d.Documents, d.Plugins = append(d.Documents, s.composed.documents...), s.composed.plugins
	d.Source = sourceOf(&s.config.Spec)
	return d, nil
}

// patch writes the status if it has changed. It never changes other fields of a config. It asks the API server for the
// metadata of the new config only, whose version is all that it needs of it.
func (r *Reconciler) patch(ctx context.Context, before, after *v1alpha1.MachineBootstrapConfig) error {
	if equality.Semantic.DeepEqual(before.Status, after.Status) {
		return nil
	}
	change, err := client.MergeFrom(statusOf(before)).Data(statusOf(after))
	if err != nil {
		return fmt.Errorf("compare the status: %w", err)
	}
	written := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: after.Namespace, Name: after.Name}}
	written.SetGroupVersionKind(v1alpha1.GroupVersion().WithKind(v1alpha1.ConfigKind))
	err = r.Client.Status().Patch(ctx, written, client.RawPatch(types.MergePatchType, change))
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("patch the status: %w", err)
	}
	r.written.note(written)
	return nil
}

// statusOf returns a config with nothing but its name and its status, which are small. A patch compares two configs in
// JSON.
func statusOf(c *v1alpha1.MachineBootstrapConfig) *v1alpha1.MachineBootstrapConfig {
	return &v1alpha1.MachineBootstrapConfig{
		ObjectMeta: metav1.ObjectMeta{Namespace: c.Namespace, Name: c.Name}, Status: c.Status,
	}
}

// next returns the requeue delay for published data that must be maintained, for the init lock, or for a plugin of a
// kind that cannot be watched. Watches trigger everything else.
func next(ready bootstrap.Ready, c *composed) time.Duration {
	if c != nil && c.plugins.Unwatched() {
		return unwatchedRetry
	}
	return ready.Next
}
