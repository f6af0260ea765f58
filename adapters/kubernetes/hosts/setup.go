package hosts

import (
	"context"
	"fmt"
	"maps"
	"time"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/predicates"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/app/hosts"
	"github.com/machineadm/machineadm/ports"
)

// conflictRetry is the delay after an object was changed by others.
const conflictRetry = 20 * time.Millisecond

// Options configure the controllers.
type Options struct {
	Drivers hosts.Drivers
	Clock   ports.Clock
	// Entropy is for the IDs of claims.
	Entropy ports.Entropy
	// WatchFilter is the required value of the label cluster.x-k8s.io/watch-filter; empty accepts all objects.
	WatchFilter string
	// ProbePeriod is the time between two probes of a host without a machine.
	ProbePeriod time.Duration
	// Controller configures each controller.
	Controller controller.Options
}

// SetupWithManager adds the four controllers to the manager.
func SetupWithManager(ctx context.Context, mgr ctrl.Manager, o Options) error {
	cached := Reader{Objects: mgr.GetClient(), Cluster: mgr.GetClient(), WatchFilter: o.WatchFilter}
	live := Reader{Objects: mgr.GetAPIReader(), Cluster: mgr.GetClient(), WatchFilter: o.WatchFilter}
	objects := store{live: mgr.GetAPIReader(), client: mgr.GetClient()}
	keys := secrets{live: mgr.GetAPIReader()}
	recorder := mgr.GetEventRecorder("machineadm-hosts")
	entries := hostStore{store: objects, clock: o.Clock, recorder: recorder}
	common := setup{reader: mgr.GetClient(), watchFilter: o.WatchFilter}
	machines := &machineReconciler{setup: common, machines: &hosts.Machines{
		Cached: cached, Live: live, Hosts: entries, Secrets: keys, Drivers: o.Drivers, Clock: o.Clock, Entropy: o.Entropy,
		Started:  o.Clock.Now(),
		Machines: machineStore{store: objects, recorder: recorder},
	}}
	inventory := &hostReconciler{setup: common, inventory: &hosts.Inventory{
		Cached: cached, Live: live, Hosts: entries, Secrets: keys, Driver: o.Drivers.Hosts, Clock: o.Clock,
		Period: o.ProbePeriod,
	}}
	for _, c := range []interface {
		setupWithManager(ctx context.Context, mgr ctrl.Manager, o controller.Options) error
	}{
		machines, inventory, &clusterReconciler{setup: common, store: objects},
		&templateReconciler{setup: common, store: objects},
	} {
		if err := c.setupWithManager(ctx, mgr, o.Controller); err != nil {
			return fmt.Errorf("set up the controllers of hosts: %w", err)
		}
	}
	return nil
}

// setup is what the controllers share.
type setup struct {
	// reader reads from the cache.
	reader      client.Reader
	watchFilter string
}

// handles reads the object, and reports whether it exists and this controller handles it.
func (s setup) handles(ctx context.Context, req ctrl.Request, o client.Object) (bool, error) {
	if err := s.reader.Get(ctx, req.NamespacedName, o); err != nil {
		return false, client.IgnoreNotFound(err)
	}
	return kube.HasWatchFilter(o, s.watchFilter), nil
}

// filter accepts the objects that this controller handles.
func (s setup) filter(ctx context.Context, mgr ctrl.Manager) predicate.Predicate {
	return predicates.ResourceHasFilterLabel(mgr.GetScheme(), ctrl.LoggerFrom(ctx), s.watchFilter)
}

// stateChanges accepts the updates of Hosts after which machines decide differently. The probe of an available host
// writes its status each time.
func stateChanges() predicate.Predicate {
	return hostUpdates(func(was, now *v1alpha1.Host) bool {
		before, after := readHost(was), readHost(now)
		stateBefore, reasonBefore := before.State()
		stateAfter, reasonAfter := after.State()
		return stateBefore != stateAfter || reasonBefore != reasonAfter || before.Architecture != after.Architecture ||
			before.Agent != after.Agent
	})
}

// capacityChanges accepts the updates of Hosts that may change the capacity of templates.
func capacityChanges() predicate.Predicate {
	return hostUpdates(func(was, now *v1alpha1.Host) bool {
		return !maps.Equal(was.Labels, now.Labels) || was.Status.Architecture != now.Status.Architecture ||
			!maps.Equal(was.Status.Capacity, now.Status.Capacity)
	})
}

// hostUpdates accepts the updates of Hosts for which the function returns true.
func hostUpdates(changed func(was, now *v1alpha1.Host) bool) predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		was, found := e.ObjectOld.(*v1alpha1.Host)
		now, foundNow := e.ObjectNew.(*v1alpha1.Host)
		return found && foundNow && changed(was, now)
	}}
}

// clusterChanges accepts the updates of Clusters on which decisions depend.
func clusterChanges() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		was, found := e.ObjectOld.(*clusterv1.Cluster)
		now, foundNow := e.ObjectNew.(*clusterv1.Cluster)
		return found && foundNow && (was.Generation != now.Generation ||
			kube.IsProvisioned(was) != kube.IsProvisioned(now))
	}}
}
