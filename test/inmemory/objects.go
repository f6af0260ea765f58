package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	cloudv1 "sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/cloud/api/v1alpha1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	controlPlaneRole = "node-role.kubernetes.io/control-plane"
	etcdComponent    = "etcd"
	apiServer        = "kube-apiserver"
)

// components are those of a control plane machine, in the order in which they start.
func components() []string {
	return []string{etcdComponent, apiServer, "kube-controller-manager", "kube-scheduler"}
}

// node returns the Node that kubelet creates.
func node(machine *clusterv1.Machine, providerID string) *corev1.Node {
	created := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: machine.Name},
		Spec:       corev1.NodeSpec{ProviderID: providerID},
		Status: corev1.NodeStatus{
			NodeInfo: corev1.NodeSystemInfo{KubeletVersion: machine.Spec.Version},
			Conditions: []corev1.NodeCondition{
				nodeCondition(corev1.NodeReady, corev1.ConditionTrue),
				nodeCondition(corev1.NodeMemoryPressure, corev1.ConditionFalse),
				nodeCondition(corev1.NodeDiskPressure, corev1.ConditionFalse),
				nodeCondition(corev1.NodePIDPressure, corev1.ConditionFalse),
			},
		},
	}
	if _, controlPlane := machine.Labels[clusterv1.MachineControlPlaneLabel]; controlPlane {
		created.Labels = map[string]string{controlPlaneRole: ""}
		created.Spec.Taints = []corev1.Taint{{Key: controlPlaneRole, Effect: corev1.TaintEffectNoSchedule}}
	}
	return created
}

func nodeCondition(kind corev1.NodeConditionType, status corev1.ConditionStatus) corev1.NodeCondition {
	return corev1.NodeCondition{
		Type: kind, Status: status, Reason: "Kubelet", LastHeartbeatTime: metav1.Now(), LastTransitionTime: metav1.Now(),
	}
}

// staticPod returns the Pod that kubelet creates for a component.
func staticPod(component, machine string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: metav1.NamespaceSystem, Name: component + "-" + machine,
			Labels: map[string]string{"component": component, "tier": "control-plane"},
			// Such Pods are not drained.
			Annotations: map[string]string{corev1.MirrorPodAnnotationKey: component},
		},
		Spec: corev1.PodSpec{NodeName: machine},
		Status: corev1.PodStatus{
			Phase:      corev1.PodRunning,
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
		},
	}
}

// etcdPod returns the Pod of a new member. Its annotations are what the server knows of the member.
func (c *workload) etcdPod(ctx context.Context, machine string, now time.Time) (*corev1.Pod, error) {
	members, err := c.etcdMembers(ctx)
	if err != nil {
		return nil, err
	}
	pod := staticPod(etcdComponent, machine)
	pod.Annotations[cloudv1.EtcdClusterIDAnnotationName] = strconv.Itoa(int(identifier(c.group)))
	pod.Annotations[cloudv1.EtcdMemberIDAnnotationName] = strconv.Itoa(int(identifier(c.group + "/" + machine)))
	if len(members) == 0 {
		pod.Annotations[cloudv1.EtcdLeaderFromAnnotationName] = now.Format(time.RFC3339)
	}
	return pod, nil
}

// identifier returns an ID that the server can parse, and that is not 0.
func identifier(name string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	return cmp.Or(h.Sum32(), 1)
}

// etcdMembers returns the Pods of the members that were not removed.
func (c *workload) etcdMembers(ctx context.Context) ([]*corev1.Pod, error) {
	pods := &corev1.PodList{}
	if err := c.objects().List(ctx, pods, client.InNamespace(metav1.NamespaceSystem),
		client.MatchingLabels{"component": etcdComponent}); err != nil {
		return nil, fmt.Errorf("list members: %w", err)
	}
	var members []*corev1.Pod
	for i := range pods.Items {
		if _, removed := pods.Items[i].Annotations[cloudv1.EtcdMemberRemoved]; !removed {
			members = append(members, &pods.Items[i])
		}
	}
	return members, nil
}

// elect makes a member that runs the leader, if none of them is. The server cannot: it reports an error without a
// leader.
func (c *workload) elect(ctx context.Context, now time.Time) error {
	members, err := c.etcdMembers(ctx)
	if err != nil {
		return err
	}
	var running, leaders []*corev1.Pod
	for _, m := range members {
		if m.Annotations[cloudv1.EtcdLeaderFromAnnotationName] != "" {
			leaders = append(leaders, m)
		}
		if !c.stopped(m.Name) {
			running = append(running, m)
		}
	}
	if len(running) == 0 || slices.ContainsFunc(leaders, func(m *corev1.Pod) bool { return !c.stopped(m.Name) }) {
		return nil
	}
	lead := func(m *corev1.Pod, since string) error {
		before := m.DeepCopy()
		m.Annotations[cloudv1.EtcdLeaderFromAnnotationName] = since
		return c.objects().Patch(ctx, m, client.MergeFrom(before))
	}
	for _, m := range leaders {
		err = errors.Join(err, lead(m, ""))
	}
	if err := errors.Join(err, lead(running[0], now.Format(time.RFC3339))); err != nil {
		return fmt.Errorf("elect a leader: %w", err)
	}
	return nil
}

// clusterConfiguration is what kubeadm init uploads.
const clusterConfiguration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: %s
controlPlaneEndpoint: %s
`

// ensureKubeadm creates the objects that kubeadm init creates.
func (c *workload) ensureKubeadm(ctx context.Context, version string) error {
	labels := map[string]string{"k8s-app": "kube-proxy"}
	proxy := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceSystem, Name: "kube-proxy"}}
	proxy.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	proxy.Spec.Template.Labels = labels
	proxy.Spec.Template.Spec.Containers = []corev1.Container{{
		Name: "kube-proxy", Image: "registry.k8s.io/kube-proxy:" + version,
	}}
	admins := &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "kubeadm:cluster-admins"}}
	admins.RoleRef = rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"}
	admins.Subjects = []rbacv1.Subject{{
		APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: "kubeadm:cluster-admins",
	}}
	config := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceSystem, Name: "kubeadm-config"},
		Data: map[string]string{
			"ClusterConfiguration": fmt.Sprintf(clusterConfiguration, version, c.address),
		},
	}
	for _, o := range []client.Object{proxy, admins, config} {
		if err := c.ensure(ctx, o); err != nil {
			return err
		}
	}
	return nil
}
