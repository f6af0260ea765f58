package workload

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

const (
	kubeProxy = "kube-proxy"
	coreDNS   = "coredns"
	// maxQuoted limits text of the workload cluster in errors.
	maxQuoted = 128
)

// bounded returns text of the workload cluster for an error.
func bounded(text string) string { return host.Line(secret.CleanShapes(text), maxQuoted) }

// UpdateAddons sets the image of kube-proxy to the version of the control plane, and that of CoreDNS to the specified
// one. It migrates the Corefile. A failure of one add-on does not prevent the update of the other one.
func (w *Cluster) UpdateAddons(ctx context.Context, c ports.ControlPlane) error {
	if c.Desired.Type == node.ControlPlaneTalos {
		return nil
	}
	w.settings.forget(c)
	ctx, cancel := context.WithTimeout(ctx, w.options.Timeout)
	defer cancel()
	api, err := w.dial(ctx, client.ObjectKey(clusterKey(c)))
	if err != nil {
		return err
	}
	return errors.Join(updateProxy(ctx, api, c), updateDNS(ctx, api, c))
}

// addonsCurrent reports whether UpdateAddons would change nothing.
func addonsCurrent(ctx context.Context, api client.Client, c ports.ControlPlane) (bool, error) {
	proxy, err := findProxy(ctx, api, c)
	if err != nil {
		return false, err
	}
	dns, err := findDNS(ctx, api, c)
	if err != nil {
		return false, err
	}
	return (proxy == nil || proxy.current()) && (dns == nil || dns.settled()), nil
}

// addon is the image of an add-on.
type addon struct {
	object client.Object
	// pod is the template in the object, and name that of the add-on's container.
	pod  *corev1.PodTemplateSpec
	name string
	// desired returns the image that the add-on must have.
	desired func(image) image
}

// container returns the container, or nil. A patch of the object replaces it.
func (a *addon) container() *corev1.Container {
	for i := range a.pod.Spec.Containers {
		if a.pod.Spec.Containers[i].Name == a.name {
			return &a.pod.Spec.Containers[i]
		}
	}
	return nil
}

// next returns the image that the container must have.
func (a *addon) next() (from, to image, err error) {
	from, err = parseImage(a.container().Image)
	if err != nil {
		return from, to, err
	}
	return from, a.desired(from), nil
}

// current reports whether the container has its image. One whose image cannot be managed does not: UpdateAddons returns
// the reason.
func (a *addon) current() bool {
	from, to, err := a.next()
	return err == nil && from == to
}

// findProxy returns kube-proxy, or nil if it is not managed or does not exist.
func findProxy(ctx context.Context, api client.Reader, c ports.ControlPlane) (*addon, error) {
	if !c.Addons.KubeProxy || c.Config.KubeProxy.Disabled {
		return nil, nil
	}
	set := &appsv1.DaemonSet{}
	err := api.Get(ctx, client.ObjectKey{Namespace: metav1.NamespaceSystem, Name: kubeProxy}, set)
	if err != nil {
		return nil, apiError("get DaemonSet "+kubeProxy, client.IgnoreNotFound(err))
	}
	found := &addon{object: set, pod: &set.Spec.Template, name: kubeProxy}
	if found.container() == nil {
		return nil, nil
	}
	found.desired = func(from image) image { return from.with(c.Config.ImageRepository, c.Desired.Template.Version) }
	return found, nil
}

func updateProxy(ctx context.Context, api client.Client, c ports.ControlPlane) error {
	proxy, err := findProxy(ctx, api, c)
	if err != nil || proxy == nil {
		return err
	}
	from, to, err := proxy.next()
	if err != nil || from == to {
		return wrap("update "+kubeProxy, err)
	}
	return proxy.patch(ctx, api, func() { proxy.container().Image = to.String() })
}

// patch writes a change of the object. An object that changed since it was read is a conflict.
func (a *addon) patch(ctx context.Context, api client.Client, change func()) error {
	before, ok := a.object.DeepCopyObject().(client.Object)
	if !ok {
		return fmt.Errorf("copy %T", a.object)
	}
	change()
	patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	return apiError("patch "+a.object.GetName(), api.Patch(ctx, a.object, patch))
}

func wrap(operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", operation, err)
}

// findDNS returns CoreDNS, or nil if it is not managed, does not exist, or has no specified image. kubeadm's image does
// not follow the version of Kubernetes by itself.
func findDNS(ctx context.Context, api client.Reader, c ports.ControlPlane) (*dns, error) {
	wanted := c.Config.CoreDNS
	repository := c.Config.CoreDNSRepository()
	if !c.Addons.CoreDNS || wanted.Disabled || wanted.ImageTag == "" && repository == "" {
		return nil, nil
	}
	deployment := &appsv1.Deployment{}
	err := api.Get(ctx, client.ObjectKey{Namespace: metav1.NamespaceSystem, Name: coreDNS}, deployment)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, apiError("get Deployment "+coreDNS, err)
	}
	found := &dns{addon{object: deployment, pod: &deployment.Spec.Template, name: coreDNS}}
	if found.container() == nil {
		return nil, nil
	}
	found.desired = func(from image) image { return from.with(repository, wanted.ImageTag) }
	return found, nil
}
