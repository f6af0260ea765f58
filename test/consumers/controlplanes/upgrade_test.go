//go:build linux && e2e

package controlplanes_test

import (
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/test/nodeimage"
	"github.com/machineadm/machineadm/test/planes"
)

// TestUpgrade upgrades three machines and a worker by one minor version.
func TestUpgrade(t *testing.T) {
	old, current := nodeimage.Previous(), nodeimage.Current()
	w := planes.New(t, old, current)
	o := observe(t, w.Create(planes.Options{Name: "upgrade", Release: old, Change: replicas(3)}))
	o.changeWorkers(func(s *clusterv1.MachineDeploymentSpec) { s.Replicas = ptr.To[int32](1) })
	o.versions(old.Version, 4)
	template := o.AddTemplate(current)
	o.step("upgrade of 3", func() {
		o.Change(func(s *controlplanev1.MachineadmControlPlaneSpec) {
			s.Version, s.MachineTemplate.Spec.InfrastructureRef.Name = current.Version, template
		})
	})
	o.step("upgrade of a worker", func() {
		o.changeWorkers(func(s *clusterv1.MachineDeploymentSpec) {
			s.Template.Spec.Version, s.Template.Spec.InfrastructureRef.Name = current.Version, template
		})
		o.versions(current.Version, 4)
	})
	o.configured(current.Version)
}

// changeWorkers changes the MachineDeployment of the workers.
func (o *observed) changeWorkers(change func(*clusterv1.MachineDeploymentSpec)) {
	o.t.Helper()
	o.Eventually(func() error {
		d := &clusterv1.MachineDeployment{}
		key := client.ObjectKey{Namespace: "default", Name: o.Name + "-workers"}
		if err := o.Client.Get(o.t.Context(), key, d); err != nil {
			return err
		}
		before := d.DeepCopy()
		change(&d.Spec)
		return o.Client.Patch(o.t.Context(), d, client.MergeFrom(before))
	}).Should(Succeed())
}

// versions waits until the cluster has a number of nodes, all of which are ready and have the version.
func (o *observed) versions(version string, number int) {
	o.t.Helper()
	workload := o.Workload()
	o.Eventually(func(g Gomega) {
		var nodes corev1.NodeList
		g.Expect(workload.List(o.t.Context(), &nodes)).To(Succeed())
		g.Expect(nodes.Items).To(HaveLen(number))
		for i := range nodes.Items {
			n := &nodes.Items[i]
			g.Expect(n.Status.NodeInfo.KubeletVersion).To(Equal(version), n.Name)
			g.Expect(n.Status.Conditions).To(ContainElement(And(HaveField("Type", corev1.NodeReady),
				HaveField("Status", corev1.ConditionTrue))), n.Name)
		}
	}).Should(Succeed(), o.Describe)
}

// configured checks the version of the configuration with which further machines join, and that of the API servers.
func (o *observed) configured(version string) {
	o.t.Helper()
	workload, config := o.Workload(), &corev1.ConfigMap{}
	key := client.ObjectKey{Namespace: "kube-system", Name: "kubeadm-config"}
	o.Expect(workload.Get(o.t.Context(), key, config)).To(Succeed())
	o.Expect(config.Data["ClusterConfiguration"]).To(ContainSubstring("kubernetesVersion: " + version))
	// The Pods of a removed node are deleted a minute later.
	o.Eventually(func(g Gomega) {
		var pods corev1.PodList
		g.Expect(workload.List(o.t.Context(), &pods, client.InNamespace("kube-system"),
			client.MatchingLabels{"component": "kube-apiserver"})).To(Succeed())
		var images []string
		for i := range pods.Items {
			images = append(images, pods.Items[i].Spec.Containers[0].Image)
		}
		g.Expect(images).To(And(HaveLen(3), HaveEach(HaveSuffix(":"+version))))
	}).Should(Succeed())
}
