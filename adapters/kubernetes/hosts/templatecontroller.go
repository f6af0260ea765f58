package hosts

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// The defaults of a virtual machine.
const (
	defaultCPUs      = 2
	defaultMemoryMiB = 2048
)

// templateReconciler is the controller of HostMachineTemplates: it reports their capacity for the cluster autoscaler.
type templateReconciler struct {
	setup
	store
}

// Reconcile reports the capacity of the machines that a template creates.
func (r *templateReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	o := &v1alpha1.HostMachineTemplate{}
	if handled, err := r.handles(ctx, req, o); err != nil || !handled || !o.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, err
	}
	var hosts v1alpha1.HostList
	// Each template lists all Hosts. They are only read.
	err := r.client.List(ctx, &hosts, client.InNamespace(req.Namespace), client.UnsafeDisableDeepCopy)
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("list the Hosts of namespace %s: %w", req.Namespace, err)
	}
	if equality.Semantic.DeepEqual(o.Status, templateStatus(&o.Spec.Template.Spec, hosts.Items)) {
		return ctrl.Result{}, nil
	}
	_, err = r.changeStatus(ctx, ports.Key(req.NamespacedName), o, func() {
		o.Status = templateStatus(&o.Spec.Template.Spec, hosts.Items)
	})
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("patch the status of HostMachineTemplate %s: %w", req, err)
	}
	return ctrl.Result{}, nil
}

// templateStatus returns the capacity of a virtual machine, or the smallest one of the hosts that match. Nothing is
// known about machines in namespaces: they share the host of the controller.
func templateStatus(s *v1alpha1.HostMachineSettings, all []v1alpha1.Host) v1alpha1.HostMachineTemplateStatus {
	status := v1alpha1.HostMachineTemplateStatus{
		NodeInfo: v1alpha1.NodeInfo{Architecture: s.Architecture, OperatingSystem: "linux"},
	}
	switch {
	case s.VirtualMachine != nil:
		status.Capacity = v1alpha1.NewCapacity(virtualCapacity(s.VirtualMachine))
		return status
	case s.NamespaceMachine != nil:
		return status
	}
	selector, architectures := readSelector(s.HostSelector), map[string]bool{}
	var capacity corev1.ResourceList
	for i := range all {
		h := &all[i]
		if !matches(s, selector, h) {
			continue
		}
		// A host that was not probed has none.
		if h.Status.Architecture != "" {
			architectures[h.Status.Architecture] = true
		}
		capacity = smallest(capacity, h.Status.Capacity.ResourceList())
	}
	status.Capacity = v1alpha1.NewCapacity(capacity)
	if s.Architecture == "" {
		status.NodeInfo.Architecture = common(architectures)
	}
	return status
}

// matches reports whether machines of a template may claim a Host. The selector is that of the template.
func matches(s *v1alpha1.HostMachineSettings, selector host.Selector, h *v1alpha1.Host) bool {
	return selector.Matches(h.Labels) && (s.Architecture == "" || h.Status.Architecture == s.Architecture)
}

// common returns the only architecture, or an empty string if there are several, or if Nodes of it have no value of the
// field.
func common(architectures map[string]bool) string {
	for _, name := range []string{"amd64", "arm64"} {
		if len(architectures) == 1 && architectures[name] {
			return name
		}
	}
	return ""
}

func virtualCapacity(vm *v1alpha1.VirtualMachine) corev1.ResourceList {
	cpus, memory := int64(defaultCPUs), int64(defaultMemoryMiB)
	if vm.CPUs > 0 {
		cpus = int64(vm.CPUs)
	}
	if vm.MemoryMiB > 0 {
		memory = int64(vm.MemoryMiB)
	}
	return corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewQuantity(cpus, resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(memory<<20, resource.BinarySI),
	}
}

// smallest returns the smaller quantity of each resource. A resource that is known of one host only is part of the
// result.
func smallest(a, b corev1.ResourceList) corev1.ResourceList {
	if a == nil {
		return b
	}
	for name, quantity := range b {
		if known, found := a[name]; !found || quantity.Cmp(known) < 0 {
			a[name] = quantity
		}
	}
	return a
}

func (r *templateReconciler) setupWithManager(ctx context.Context, mgr ctrl.Manager, o controller.Options) error {
	return ctrl.NewControllerManagedBy(mgr).Named("hostmachinetemplate").WithOptions(o).
		For(&v1alpha1.HostMachineTemplate{}, builder.WithPredicates(r.filter(ctx, mgr), kube.ExceptStatus())).
		Watches(&v1alpha1.Host{}, handler.EnqueueRequestsFromMapFunc(r.templatesOfHost),
			builder.WithPredicates(capacityChanges())).
		Complete(r)
}

// templatesOfHost returns the templates whose machines may claim a Host. For an update, it is called with both versions
// of the Host.
func (r *templateReconciler) templatesOfHost(ctx context.Context, o client.Object) []ctrl.Request {
	h, ok := o.(*v1alpha1.Host)
	if !ok {
		return nil
	}
	wanted := func(t *v1alpha1.HostMachineTemplate) bool {
		s := &t.Spec.Template.Spec
		return readSettings(s) == nil && matches(s, readSelector(s.HostSelector), h)
	}
	return kube.Requests(ctx, r.reader, &v1alpha1.HostMachineTemplateList{}, wanted, client.InNamespace(h.Namespace))
}
