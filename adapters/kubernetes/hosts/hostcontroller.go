package hosts

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/app/hosts"
	"github.com/machineadm/machineadm/ports"
)

// hostReconciler is the controller of Hosts.
type hostReconciler struct {
	setup
	inventory *hosts.Inventory
}

// Reconcile reports the state of a Host and probes it when it is due.
func (r *hostReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if handled, err := r.handles(ctx, req, &v1alpha1.Host{}); err != nil || !handled {
		return ctrl.Result{}, err
	}
	after, err := r.inventory.Reconcile(ctx, ports.Key(req.NamespacedName))
	return ctrl.Result{RequeueAfter: after}, err
}

func (r *hostReconciler) setupWithManager(ctx context.Context, mgr ctrl.Manager, o controller.Options) error {
	return ctrl.NewControllerManagedBy(mgr).Named("host").WithOptions(o).
		For(&v1alpha1.Host{}, builder.WithPredicates(r.filter(ctx, mgr), kube.ExceptStatus())).
		Watches(&v1alpha1.HostMachine{}, handler.EnqueueRequestsFromMapFunc(hostOfMachine),
			builder.WithPredicates(kube.ExceptStatus())).
		Complete(r)
}

// hostOfMachine returns the Host of the claim of a HostMachine.
func hostOfMachine(_ context.Context, o client.Object) []ctrl.Request {
	m, ok := o.(*v1alpha1.HostMachine)
	if !ok || m.Spec.Claim == nil || m.Spec.Claim.HostName == "" {
		return nil
	}
	name := types.NamespacedName{Namespace: m.Namespace, Name: m.Spec.Claim.HostName}
	return []ctrl.Request{{NamespacedName: name}}
}
