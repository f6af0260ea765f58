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
	"k8s.io/client-go/tools/events"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/annotations"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/compose"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// Reconciler makes the bootstrap data of configs. Its fields are set before it is set up.
type Reconciler struct {
	// Client reads from the manager's cache and writes to the API.
	Client client.Client
	// Lookup reads the objects around a config.
	Lookup *capi.Lookup
	// Service is the use case.
	Service *bootstrap.Service
	// Plugins is the use case that joins the documents of plugins.
	Plugins *compose.Service
	// Resolver returns what resolves the references of configs in a namespace.
	Resolver func(namespace string) convert.Resolver
	Recorder events.EventRecorder
	// Clock says when machines have to have reported.
	Clock   ports.Clock
	Metrics *Metrics
	// Pool limits the expensive objects that are processed at once; nil does not.
	Pool *budget.Pool
	// WatchFilter is the value that the label cluster.x-k8s.io/watch-filter has to have; empty takes all objects.
	WatchFilter string

	written versions
	plugins PluginWatches
}

// scope is a config and what stands around it.
type scope struct {
	config  *v1alpha1.MachineBootstrapConfig
	owner   *capi.Owner
	cluster *clusterv1.Cluster
	facts   bootstrap.Cluster
	// composed is what came of the config's plugins; nil if nobody looked.
	composed *composed
}

// Reconcile takes a config through the steps of the contract's "Behavior": fetch, convert, produce, tell.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	spent := r.Pool.New(budget.Default())
	defer spent.Release()
	ctx = budget.NewContext(ctx, spent)
	s, err := r.fetch(ctx, req)
	if s == nil || err != nil {
		return ctrl.Result{}, err
	}
	if spent.Weigh(sizeOf(s.config)) != nil {
		return ctrl.Result{RequeueAfter: busyAgain}, nil
	}
	before := s.config.DeepCopy()
	if paused := setPaused(s.config, s.cluster); paused {
		return ctrl.Result{}, r.patch(ctx, before, s.config)
	}
	ready, err := r.ensure(ctx, s)
	if spent.Busy() {
		return ctrl.Result{RequeueAfter: busyAgain}, nil
	}
	verdict := r.judge(s, ready)
	setStatus(s.config, ready, err, verdict)
	tellPlugins(s.config, s.composed)
	if patchErr := r.patch(ctx, before, s.config); patchErr != nil {
		return ctrl.Result{}, errors.Join(bootstrap.Failure(err), patchErr)
	}
	r.announce(before, s.config, ready, err)
	r.announceBootstrapped(before, s.config)
	r.Metrics.observe(ready, err)
	if err := bootstrap.Failure(err); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: sooner(next(ready, s.composed), verdict)}, nil
}

// busyAgain is how long a config waits that is expensive while others are processed.
const busyAgain = 2 * time.Second

// sizeOf returns the bytes of a config's spec. What cannot be written has the size of all that is expensive.
func sizeOf(c *v1alpha1.MachineBootstrapConfig) int {
	text, err := json.Marshal(&c.Spec)
	if err != nil {
		return math.MaxInt
	}
	return len(text)
}

// fetch returns the config and what stands around it; nil if there is nothing to do (contract, "Behavior", steps 1 to
// 3).
func (r *Reconciler) fetch(ctx context.Context, req ctrl.Request) (*scope, error) {
	s := &scope{config: &v1alpha1.MachineBootstrapConfig{}}
	err := r.Client.Get(ctx, req.NamespacedName, s.config)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("get the config: %w", err)
	}
	if !s.config.DeletionTimestamp.IsZero() || !r.mine(s.config) || failed(s.config) || r.written.stale(s.config) {
		return nil, nil
	}
	if s.owner, err = r.Lookup.Owner(ctx, s.config); s.owner == nil || err != nil {
		return nil, err
	}
	key := client.ObjectKey{Namespace: s.config.Namespace, Name: s.owner.ClusterName}
	if s.cluster, err = r.Lookup.Cluster(ctx, key); s.cluster == nil || err != nil {
		return nil, err
	}
	s.facts, err = r.Lookup.Facts(ctx, s.cluster)
	return s, err
}

// mine reports whether the config is this controller's when several of them share a management cluster.
func (r *Reconciler) mine(c *v1alpha1.MachineBootstrapConfig) bool {
	return r.WatchFilter == "" || c.Labels[clusterv1.WatchLabel] == r.WatchFilter
}

func failed(c *v1alpha1.MachineBootstrapConfig) bool {
	return c.Status.FailureReason != nil || c.Status.FailureMessage != nil
}

// request says what the use case has to know. The name of the data is deterministic: the config's own, or after a move
// or a restore the one that the machine has taken over.
func (r *Reconciler) request(s *scope) bootstrap.Request {
	return bootstrap.Request{
		Owner: ports.Owner{
			Key: ports.Key{Namespace: s.config.Namespace, Name: s.config.Name}, UID: string(s.config.UID),
		},
		DataName: s.owner.DataSecretName, Published: s.config.Status.DataSecretCreated(), Reported: succeeded(s.config),
		Cluster:  s.facts,
		Machine:  s.owner.Facts,
		Describe: func(ctx context.Context) (composition.Description, error) { return r.describe(ctx, s) },
	}
}

// succeeded reports whether the machine has reported success.
func succeeded(c *v1alpha1.MachineBootstrapConfig) bool {
	return c.Status.Bootstrap != nil && c.Status.Bootstrap.State == string(status.StateSucceeded)
}

func (r *Reconciler) describe(ctx context.Context, s *scope) (composition.Description, error) {
	d, err := convert.Config(ctx, s.config, r.Resolver(s.config.Namespace))
	if err == nil {
		err = r.compose(ctx, s)
	}
	if err != nil {
		return composition.Description{}, err
	}
	d.Documents, d.Plugins = append(d.Documents, s.composed.documents...), s.composed.plugins
	return d, nil
}

// patch writes the status if it has changed. Nothing else of a config is ever written.
func (r *Reconciler) patch(ctx context.Context, before, after *v1alpha1.MachineBootstrapConfig) error {
	if equality.Semantic.DeepEqual(before.Status, after.Status) {
		return nil
	}
	err := r.Client.Status().Patch(ctx, after, client.MergeFrom(before))
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("patch the status: %w", err)
	}
	r.written.note(after)
	return nil
}

// next returns when published data has to be looked after, or a plugin of a kind that cannot be watched; everything
// else wakes the config by a watch.
func next(ready bootstrap.Ready, c *composed) time.Duration {
	if c != nil && c.plugins.Unwatched() {
		return unwatchedAgain
	}
	return ready.Next
}

// isPaused reports whether the cluster or the object is paused.
func isPaused(cluster *clusterv1.Cluster, o client.Object) bool {
	return annotations.IsPaused(cluster, o)
}
