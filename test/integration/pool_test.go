package integration_test

import (
	"testing"

	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane/standin"
)

// pool makes a MachinePool and its config. Its infrastructure is of no interest to us.
func (w *world) pool(name string, change ...func(*v1alpha1.MachineBootstrapConfig)) string {
	w.t.Helper()
	c := w.config(name, change...)
	w.create(c, &clusterv1.MachinePool{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: w.name, Name: c.Name,
			Labels: map[string]string{clusterv1.ClusterNameLabel: w.name},
		},
		Spec: clusterv1.MachinePoolSpec{
			ClusterName: w.name, Replicas: ptr.To[int32](2),
			Template: clusterv1.MachineTemplateSpec{Spec: clusterv1.MachineSpec{
				ClusterName: w.name, Version: version, InfrastructureRef: standin.Reference(standin.MachineKind, c.Name),
				Bootstrap: clusterv1.Bootstrap{ConfigRef: clusterv1.ContractVersionedObjectReference{
					APIGroup: v1alpha1.Group, Kind: v1alpha1.ConfigKind, Name: c.Name,
				}},
			}},
		},
	})
	return c.Name
}

func TestPoolOfMachinesGetsItsData(t *testing.T) {
	t.Parallel()
	w := common(t, "pool")
	name := w.pool("a")
	w.published(name)
	w.Expect(string(w.data(name).Data["value"])).To(ContainSubstring("JoinConfiguration"))
	w.Eventually(func() *string {
		p := &clusterv1.MachinePool{}
		w.Expect(w.get(name, p)).To(Succeed())
		return p.Spec.Template.Spec.Bootstrap.DataSecretName
	}).Should(HaveValue(Equal(name)))
}

// TestPoolGetsAnotherConfig lets a pool name another config. The pool boots with the data of that as soon as it is
// published, and the data of the previous config stays maintained for machines that boot with it.
func TestPoolGetsAnotherConfig(t *testing.T) {
	t.Parallel()
	w := common(t, "poolconfig")
	before, after := w.pool("a"), w.config("b")
	named := func() *string {
		p := &clusterv1.MachinePool{}
		w.Expect(w.get(before, p)).To(Succeed())
		return p.Spec.Template.Spec.Bootstrap.DataSecretName
	}
	w.Eventually(named).Should(HaveValue(Equal(before)))
	w.create(after)
	p := &clusterv1.MachinePool{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: before}}
	w.patch(p, func() { p.Spec.Template.Spec.Bootstrap.ConfigRef.Name = after.Name })
	w.published(after.Name)
	w.Eventually(named).Should(HaveValue(Equal(after.Name)))
	c := &v1alpha1.MachineBootstrapConfig{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: before}}
	w.patch(c, func() { c.Labels["woken"] = "yes" })
	w.Consistently(func() string { return w.reason(before) }).Should(Equal("Ready"))
}

func TestNewerWorkerWaitsForItsControlPlane(t *testing.T) {
	t.Parallel()
	w := initialized(t, "skew")
	c := w.config("a")
	m, infrastructure := w.machine("a", false)
	m.Spec.Version = "v1.37.0"
	w.create(c, infrastructure, m)
	w.Eventually(func() string { return w.reason(c.Name) }).Should(Equal("VersionSkew"))
	cp := &clusterv1.Machine{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: w.name + "-cp0"}}
	w.patch(cp, func() { cp.Spec.Version = "v1.37.0" })
	w.published(c.Name)
}
