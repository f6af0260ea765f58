package hosts

import (
	"context"
	"fmt"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/app/hosts"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// hostIndex finds HostMachines by the Host of their claim. Machines without a claim have the key waiting.
const (
	hostIndex = "infrastructure.machineadm.io/host"
	waiting   = "/"
)

// hostOf is the index function of hostIndex.
func hostOf(o client.Object) []string {
	m, ok := o.(*v1alpha1.HostMachine)
	switch {
	case !ok || readSettings(&m.Spec.HostMachineSettings) != nil:
		return nil
	case m.Spec.Claim == nil:
		return []string{waiting}
	default:
		return []string{m.Spec.Claim.HostName}
	}
}

// machineReconciler is the controller of HostMachines.
type machineReconciler struct {
	setup
	machines *hosts.Machines
}

// Reconcile carries out the next operation of a HostMachine.
func (r *machineReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if handled, err := r.handles(ctx, req, &v1alpha1.HostMachine{}); err != nil || !handled {
		return ctrl.Result{}, err
	}
	after, err := r.machines.Reconcile(ctx, ports.Key(req.NamespacedName))
	return ctrl.Result{RequeueAfter: after}, err
}

func (r *machineReconciler) setupWithManager(ctx context.Context, mgr ctrl.Manager, o controller.Options) error {
	if err := mgr.GetFieldIndexer().IndexField(ctx, &v1alpha1.HostMachine{}, hostIndex, hostOf); err != nil {
		return fmt.Errorf("index HostMachines: %w", err)
	}
	gvk := v1alpha1.GroupVersion().WithKind(v1alpha1.MachineKind)
	return ctrl.NewControllerManagedBy(mgr).Named("hostmachine").WithOptions(o).
		For(&v1alpha1.HostMachine{}, builder.WithPredicates(r.filter(ctx, mgr), kube.ExceptStatus())).
		Watches(&clusterv1.Machine{}, handler.EnqueueRequestsFromMapFunc(util.MachineToInfrastructureMapFunc(gvk)),
			builder.WithPredicates(kube.ExceptStatus())).
		Watches(&clusterv1.Cluster{}, handler.EnqueueRequestsFromMapFunc(r.machinesOfCluster),
			builder.WithPredicates(clusterChanges())).
		Watches(&v1alpha1.Host{}, handler.EnqueueRequestsFromMapFunc(r.machinesOfHost),
			builder.WithPredicates(predicate.Or(kube.ExceptStatus(), stateChanges()))).
		Complete(r)
}

// machinesOfCluster returns the HostMachines with the label of a Cluster.
func (r *machineReconciler) machinesOfCluster(ctx context.Context, o client.Object) []ctrl.Request {
	return kube.Requests(ctx, r.reader, &v1alpha1.HostMachineList{}, kube.All, client.InNamespace(o.GetNamespace()),
		client.MatchingLabels{clusterv1.ClusterNameLabel: o.GetName()})
}

// machinesOfHost returns the HostMachine that has a Host, and all that wait for one if it is available.
func (r *machineReconciler) machinesOfHost(ctx context.Context, o client.Object) []ctrl.Request {
	h, ok := o.(*v1alpha1.Host)
	if !ok {
		return nil
	}
	withKey := func(key string) []ctrl.Request {
		return kube.Requests(ctx, r.reader, &v1alpha1.HostMachineList{}, kube.All, client.InNamespace(h.Namespace),
			client.MatchingFields{hostIndex: key})
	}
	found := withKey(h.Name)
	if state, _ := readHost(h).State(); state == host.StateAvailable {
		found = append(found, withKey(waiting)...)
	}
	return found
}
