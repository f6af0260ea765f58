package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// The kinds are those of test/controlplane/standin.
const (
	group     = "infrastructure.standin.machineadm.io"
	finalizer = group + "/inmemory"
	// offAnnotation switches a machine off: its API server and its etcd member do not answer any more.
	offAnnotation = group + "/off"
	// pausePeriod is the time after which a paused cluster is read again.
	pausePeriod = time.Second
)

func object(kind string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(schema.GroupVersionKind{Group: group, Version: "v1beta2", Kind: kind})
	return o
}

// provider provisions clusters and machines.
type provider struct {
	client    client.Client
	workloads *workloads
	now       func() time.Time

	mutex sync.Mutex
	// booted is when machines received their data.
	booted map[client.ObjectKey]time.Time
}

// setup adds the controllers to the manager.
func (p *provider) setup(manager ctrl.Manager) error {
	// A process can have the controllers once for each management cluster.
	many := controller.Options{MaxConcurrentReconciles: 10, SkipNameValidation: ptr.To(true)}
	err := ctrl.NewControllerManagedBy(manager).Named("clusters").WithOptions(many).For(object("StandInCluster")).
		Complete(reconcile.Func(p.cluster))
	if err != nil {
		return fmt.Errorf("set up clusters: %w", err)
	}
	err = ctrl.NewControllerManagedBy(manager).Named("machines").WithOptions(many).For(object("StandInMachine")).
		Watches(&clusterv1.Machine{}, handler.EnqueueRequestsFromMapFunc(infrastructureOf)).
		Complete(reconcile.Func(p.machine))
	if err != nil {
		return fmt.Errorf("set up machines: %w", err)
	}
	return nil
}

func infrastructureOf(_ context.Context, o client.Object) []reconcile.Request {
	machine, ok := o.(*clusterv1.Machine)
	if !ok || machine.Spec.InfrastructureRef.APIGroup != group {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{
		Namespace: machine.Namespace, Name: machine.Spec.InfrastructureRef.Name,
	}}}
}

// clusterOf returns the namespace and the name of the Cluster of an object: that of its label, or else its own.
func clusterOf(o *unstructured.Unstructured) client.ObjectKey {
	name := cmp.Or(o.GetLabels()[clusterv1.ClusterNameLabel], o.GetName())
	return client.ObjectKey{Namespace: o.GetNamespace(), Name: name}
}

// paused reports whether the Cluster of an object is paused, as it is while clusterctl moves it.
func (p *provider) paused(ctx context.Context, o *unstructured.Unstructured) (bool, error) {
	cluster := &clusterv1.Cluster{}
	err := p.client.Get(ctx, clusterOf(o), cluster)
	return ptr.Deref(cluster.Spec.Paused, false), client.IgnoreNotFound(err)
}

// cluster sets the endpoint of a cluster.
func (p *provider) cluster(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	o := object("StandInCluster")
	if err := p.client.Get(ctx, request.NamespacedName, o); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if paused, err := p.paused(ctx, o); err != nil || paused {
		return reconcile.Result{RequeueAfter: pausePeriod}, err
	}
	w, err := p.workloads.cluster(clusterOf(o).String())
	if err != nil {
		return reconcile.Result{}, err
	}
	host, port, err := net.SplitHostPort(w.address)
	if err != nil {
		return reconcile.Result{}, err
	}
	number, err := strconv.ParseInt(port, 10, 32)
	if err != nil {
		return reconcile.Result{}, err
	}
	endpoint := map[string]any{"host": host, "port": number}
	return reconcile.Result{}, p.provision(ctx, o, endpoint, "spec", "controlPlaneEndpoint")
}

// provision sets a field and then the status, if they differ.
func (p *provider) provision(ctx context.Context, o *unstructured.Unstructured, value any, path ...string) error {
	before := o.DeepCopy()
	if err := unstructured.SetNestedField(o.Object, value, path...); err != nil {
		return fmt.Errorf("set %v: %w", path, err)
	}
	if !equality.Semantic.DeepEqual(before, o) {
		if err := p.client.Patch(ctx, o, client.MergeFrom(before)); err != nil {
			return fmt.Errorf("patch %s: %w", o.GetName(), err)
		}
	}
	before = o.DeepCopy()
	o.Object["status"] = map[string]any{"initialization": map[string]any{"provisioned": true}}
	if equality.Semantic.DeepEqual(before, o) {
		return nil
	}
	if err := p.client.Status().Patch(ctx, o, client.MergeFrom(before)); err != nil {
		return fmt.Errorf("patch the status of %s: %w", o.GetName(), err)
	}
	return nil
}

// machine boots a machine as soon as it has its data, and ends it when it is deleted.
func (p *provider) machine(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	o := object("StandInMachine")
	if err := p.client.Get(ctx, request.NamespacedName, o); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if paused, err := p.paused(ctx, o); err != nil || paused {
		return reconcile.Result{RequeueAfter: pausePeriod}, err
	}
	w, err := p.workloads.cluster(clusterOf(o).String())
	if err != nil {
		return reconcile.Result{}, err
	}
	if !o.GetDeletionTimestamp().IsZero() {
		return p.end(ctx, w, o)
	}
	machine, err := p.owner(ctx, o)
	if err != nil || machine == nil || machine.Spec.Bootstrap.DataSecretName == nil {
		return reconcile.Result{}, err
	}
	before := o.DeepCopy()
	if controllerutil.AddFinalizer(o, finalizer) {
		if err := p.client.Patch(ctx, o, client.MergeFrom(before)); err != nil {
			return reconcile.Result{}, fmt.Errorf("patch %s: %w", o.GetName(), err)
		}
	}
	if wait := p.booting(o); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	if err := p.boot(ctx, w, machine); err != nil {
		return reconcile.Result{}, err
	}
	if _, off := o.GetAnnotations()[offAnnotation]; off {
		w.setServer(machine.Name, false)
		w.stopMember(etcdComponent + "-" + machine.Name)
		if err := w.elect(ctx, p.now()); err != nil {
			return reconcile.Result{}, err
		}
	}
	return reconcile.Result{}, p.provision(ctx, o, providerID(machine), "spec", "providerID")
}

func providerID(machine *clusterv1.Machine) string {
	return "inmemory://" + machine.Namespace + "/" + machine.Name
}

// owner returns the Machine of an infrastructure machine, or nil.
func (p *provider) owner(ctx context.Context, o *unstructured.Unstructured) (*clusterv1.Machine, error) {
	for _, ref := range o.GetOwnerReferences() {
		if ref.Kind != "Machine" {
			continue
		}
		machine := &clusterv1.Machine{}
		err := p.client.Get(ctx, client.ObjectKey{Namespace: o.GetNamespace(), Name: ref.Name}, machine)
		if err != nil {
			return nil, client.IgnoreNotFound(err)
		}
		return machine, nil
	}
	return nil, nil
}

// booting returns how long a machine still boots. spec.bootSeconds is the whole time.
func (p *provider) booting(o *unstructured.Unstructured) time.Duration {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	key := client.ObjectKeyFromObject(o)
	if p.booted[key].IsZero() {
		p.booted[key] = p.now()
	}
	return p.booted[key].Add(seconds(o, "bootSeconds")).Sub(p.now())
}

func seconds(o *unstructured.Unstructured, field string) time.Duration {
	n, _, _ := unstructured.NestedInt64(o.Object, "spec", field)
	return time.Duration(n) * time.Second
}

// boot does what kubeadm and kubelet do on a machine.
func (p *provider) boot(ctx context.Context, w *workload, machine *clusterv1.Machine) error {
	if _, controlPlane := machine.Labels[clusterv1.MachineControlPlaneLabel]; !controlPlane {
		return w.ensure(ctx, node(machine, providerID(machine)))
	}
	pod := etcdComponent + "-" + machine.Name
	if w.has(pod) {
		return nil
	}
	cluster := client.ObjectKey{Namespace: machine.Namespace, Name: machine.Spec.ClusterName}
	err := w.setCertificate(func() (*tls.Certificate, error) { return p.sign(ctx, cluster, "ca", "kube-apiserver") })
	if err != nil {
		return err
	}
	certificate, err := p.sign(ctx, cluster, "etcd", pod)
	if err != nil {
		return err
	}
	if err := w.elect(ctx, p.now()); err != nil {
		return err
	}
	created, err := w.etcdPod(ctx, machine.Name, p.now())
	if err != nil {
		return err
	}
	objects := []client.Object{created}
	for _, component := range components()[1:] {
		objects = append(objects, staticPod(component, machine.Name))
	}
	for _, o := range append(objects, node(machine, providerID(machine))) {
		if err := w.ensure(ctx, o); err != nil {
			return err
		}
	}
	if err := w.ensureKubeadm(ctx, machine.Spec.Version); err != nil {
		return err
	}
	w.setServer(machine.Name, true)
	return w.addMember(pod, certificate)
}

// end switches a machine off. Its object remains for spec.deletionSeconds.
func (p *provider) end(ctx context.Context, w *workload, o *unstructured.Unstructured) (reconcile.Result, error) {
	w.setServer(o.GetName(), false)
	w.removeMember(etcdComponent + "-" + o.GetName())
	for _, component := range components() {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: metav1.NamespaceSystem, Name: component + "-" + o.GetName(),
		}}
		if err := w.objects().Delete(ctx, pod); client.IgnoreNotFound(err) != nil {
			return reconcile.Result{}, fmt.Errorf("delete Pod %s: %w", pod.Name, err)
		}
	}
	if err := w.elect(ctx, p.now()); err != nil {
		return reconcile.Result{}, err
	}
	if wait := o.GetDeletionTimestamp().Add(seconds(o, "deletionSeconds")).Sub(p.now()); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	before := o.DeepCopy()
	controllerutil.RemoveFinalizer(o, finalizer)
	return reconcile.Result{}, client.IgnoreNotFound(p.client.Patch(ctx, o, client.MergeFrom(before)))
}
