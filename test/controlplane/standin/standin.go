// Package standin is the least infrastructure provider that the machine infrastructure contract allows: its clusters
// and machines become provisioned without anything behind them.
package standin

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Group is the API group of the provider's kinds, and the prefix of their provider IDs' scheme.
const (
	Group   = "infrastructure.standin.machineadm.io"
	Version = "v1beta2"
)

// Manifests holds the CustomResourceDefinitions and the aggregated role for the core manager.
//
//go:embed manifests.yaml
var Manifests []byte

// MachineKind and ClusterKind are the provider's kinds; MachineKind+"Template" is the third.
const (
	ClusterKind = "StandInCluster"
	MachineKind = "StandInMachine"
)

// Object returns an empty object of one of the provider's kinds.
func Object(kind, namespace, name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(schema.GroupVersionKind{Group: Group, Version: Version, Kind: kind})
	object.SetNamespace(namespace)
	object.SetName(name)
	return object
}

// Reference returns a reference to an object of one of the provider's kinds.
func Reference(kind, name string) clusterv1.ContractVersionedObjectReference {
	return clusterv1.ContractVersionedObjectReference{APIGroup: Group, Kind: kind, Name: name}
}

const providerScheme = "standin://"

// ProviderID returns the identifier of the instance behind a machine of the given name.
func ProviderID(namespace, name string) string {
	return providerScheme + namespace + "/" + name
}

// Provider provisions. Host and Port become the control plane endpoint of each cluster that has none.
type Provider struct {
	Client client.Client
	Host   string
	Port   int32
}

// SetupWithManager adds the controllers of clusters and machines to a manager.
func (p *Provider) SetupWithManager(mgr ctrl.Manager) error {
	anyName := controller.Options{SkipNameValidation: ptr.To(true)}
	err := ctrl.NewControllerManagedBy(mgr).Named("standincluster").WithOptions(anyName).
		For(Object(ClusterKind, "", "")).Complete(reconcile.Func(p.cluster))
	if err != nil {
		return fmt.Errorf("set up fake clusters: %w", err)
	}
	err = ctrl.NewControllerManagedBy(mgr).Named("standinmachine").WithOptions(anyName).
		For(Object(MachineKind, "", "")).
		Watches(&clusterv1.Machine{}, handler.EnqueueRequestsFromMapFunc(infrastructureOf)).
		Watches(&corev1.Node{}, handler.EnqueueRequestsFromMapFunc(instanceOf)).
		Complete(reconcile.Func(p.machine))
	if err != nil {
		return fmt.Errorf("set up fake machines: %w", err)
	}
	return nil
}

func infrastructureOf(_ context.Context, object client.Object) []reconcile.Request {
	machine, ok := object.(*clusterv1.Machine)
	if !ok || machine.Spec.InfrastructureRef.APIGroup != Group {
		return nil
	}
	name := types.NamespacedName{Namespace: machine.Namespace, Name: machine.Spec.InfrastructureRef.Name}
	return []reconcile.Request{{NamespacedName: name}}
}

// instanceOf returns the machine behind a node.
func instanceOf(_ context.Context, object client.Object) []reconcile.Request {
	node, ok := object.(*corev1.Node)
	if !ok {
		return nil
	}
	id, ours := strings.CutPrefix(node.Spec.ProviderID, providerScheme)
	namespace, name, _ := strings.Cut(id, "/")
	if !ours {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: namespace, Name: name}}}
}

func (p *Provider) cluster(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	object := Object(ClusterKind, "", "")
	if err := p.Client.Get(ctx, request.NamespacedName, object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if host, _, _ := unstructured.NestedString(object.Object, "spec", "controlPlaneEndpoint", "host"); host == "" {
		endpoint := map[string]any{"host": p.Host, "port": int64(p.Port)}
		if err := p.set(ctx, object, endpoint, "spec", "controlPlaneEndpoint"); err != nil {
			return reconcile.Result{}, err
		}
	}
	return reconcile.Result{}, p.provisioned(ctx, object)
}

// machine waits for the bootstrap data, as the contract demands, and then provisions. The instance of a control plane
// machine is known when its node exists.
//
// The core watches a cluster's nodes only once the control plane is initialized, and a control plane without a provider
// is initialized when the core has found its first machine's node. The core looks for that node on each change of the
// machine, and the last change is that the instance becomes known: a node that appeared later was found only at the
// next resynchronization, after ten minutes. In a real cluster the core connects to the API server of this machine and
// looks again once it is connected; here the API server existed before.
func (p *Provider) machine(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	object := Object(MachineKind, "", "")
	if err := p.Client.Get(ctx, request.NamespacedName, object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	machine, err := p.owner(ctx, object)
	if err != nil || machine == nil || machine.Spec.Bootstrap.DataSecretName == nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if known, err := p.known(ctx, machine); err != nil || !known {
		return reconcile.Result{}, err
	}
	if err := p.set(ctx, object, ProviderID(object.GetNamespace(), object.GetName()), "spec", "providerID"); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, p.provisioned(ctx, object)
}

// known reports whether a machine's instance has an identity yet.
func (p *Provider) known(ctx context.Context, machine *clusterv1.Machine) (bool, error) {
	if _, controlPlane := machine.Labels[clusterv1.MachineControlPlaneLabel]; !controlPlane {
		return true, nil
	}
	err := p.Client.Get(ctx, client.ObjectKey{Name: machine.Name}, &corev1.Node{})
	return err == nil, client.IgnoreNotFound(err)
}

func (p *Provider) owner(ctx context.Context, object *unstructured.Unstructured) (*clusterv1.Machine, error) {
	for _, ref := range object.GetOwnerReferences() {
		if ref.Kind != "Machine" {
			continue
		}
		machine := &clusterv1.Machine{}
		err := p.Client.Get(ctx, client.ObjectKey{Namespace: object.GetNamespace(), Name: ref.Name}, machine)
		return machine, err
	}
	return nil, nil
}

func (p *Provider) set(ctx context.Context, object *unstructured.Unstructured, value any, path ...string) error {
	before := object.DeepCopy()
	if err := unstructured.SetNestedField(object.Object, value, path...); err != nil {
		return fmt.Errorf("set %v: %w", path, err)
	}
	if equality.Semantic.DeepEqual(before, object) {
		return nil
	}
	if err := p.Client.Patch(ctx, object, client.MergeFrom(before)); err != nil {
		return fmt.Errorf("patch %s: %w", object.GetName(), client.IgnoreNotFound(err))
	}
	return nil
}

// provisioned sets the status of both contract versions.
func (p *Provider) provisioned(ctx context.Context, object *unstructured.Unstructured) error {
	before := object.DeepCopy()
	object.Object["status"] = map[string]any{"ready": true, "initialization": map[string]any{"provisioned": true}}
	if equality.Semantic.DeepEqual(before, object) {
		return nil
	}
	if err := p.Client.Status().Patch(ctx, object, client.MergeFrom(before)); err != nil {
		return fmt.Errorf("patch status of %s: %w", object.GetName(), client.IgnoreNotFound(err))
	}
	return nil
}

// Join makes the Node object that a machine's kubelet would make. It may be called as soon as the machine has its data,
// and again. Like kubelet it tries again when the API server does not answer.
func Join(ctx context.Context, c client.Client, machine *clusterv1.Machine) (*corev1.Node, error) {
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: machine.Name},
		Spec:       corev1.NodeSpec{ProviderID: ProviderID(machine.Namespace, machine.Spec.InfrastructureRef.Name)},
	}
	err := retry.OnError(retry.DefaultBackoff, transient, func() error {
		err := c.Create(ctx, node)
		if apierrors.IsAlreadyExists(err) {
			return c.Get(ctx, client.ObjectKeyFromObject(node), node)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("make node: %w", err)
	}
	// The core may be at it already: a patch does not mind.
	before := node.DeepCopy()
	node.Status.Conditions = nil
	for kind, status := range map[corev1.NodeConditionType]corev1.ConditionStatus{
		corev1.NodeReady: corev1.ConditionTrue, corev1.NodeMemoryPressure: corev1.ConditionFalse,
		corev1.NodeDiskPressure: corev1.ConditionFalse, corev1.NodePIDPressure: corev1.ConditionFalse,
	} {
		node.Status.Conditions = append(node.Status.Conditions, corev1.NodeCondition{
			Type: kind, Status: status, LastHeartbeatTime: metav1.Now(), LastTransitionTime: metav1.Now(),
		})
	}
	node.Status.NodeInfo.KubeletVersion = machine.Spec.Version
	ready := node.DeepCopy()
	err = retry.OnError(retry.DefaultBackoff, transient, func() error {
		return c.Status().Patch(ctx, ready.DeepCopy(), client.MergeFrom(before))
	})
	if err != nil {
		return nil, fmt.Errorf("make node ready: %w", err)
	}
	return ready, nil
}

// transient reports whether a request may succeed the next time.
func transient(err error) bool {
	return !apierrors.IsNotFound(err) && !apierrors.IsInvalid(err) && !apierrors.IsForbidden(err)
}
