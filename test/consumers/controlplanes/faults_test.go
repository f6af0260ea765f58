//go:build linux && e2e

package controlplanes_test

import (
	"slices"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/test/planes"
)

// TestFaultsOfThree causes the faults of one of three machines, which are replaced.
func TestFaultsOfThree(t *testing.T) {
	o := observe(t, planes.New(t).Create(planes.Options{Name: "three", Change: replicas(3)}))
	o.watchHealth()
	o.step("etcd of one of three stopped", func() { o.lose(o.stopEtcd, o.leader()) })
	o.step("kubelet of one of three stopped", func() { o.lose(o.stopKubelet, o.Machines()[0]) })
	o.step("node of one of three stopped", func() { o.lose(o.powerOff, o.leader()) })
	o.step("healthy machine marked", func() { o.lose(o.mark, o.Machines()[0]) })
	o.step("Machine deleted by hand", func() { o.lose(o.remove, o.leader()) })
}

// TestFaultsOfFive causes the faults of two of five machines at once.
func TestFaultsOfFive(t *testing.T) {
	o := observe(t, planes.New(t).Create(planes.Options{Name: "five", Change: replicas(5)}))
	o.watchHealth()
	o.step("nodes of two of five stopped", func() { o.lose(o.powerOff, o.Machines()[:2]...) })
	o.step("one of five stopped, another one deleted", func() {
		machines := o.Machines()
		o.powerOff(&machines[0])
		o.lose(o.remove, machines[1])
		o.gone(machines[0])
	})
}

// TestFaultsOfOne marks and deletes the only machine.
func TestFaultsOfOne(t *testing.T) {
	o := observe(t, planes.New(t).Create(planes.Options{Name: "one"}))
	o.watchHealth()
	o.step("only machine marked", func() { o.lose(o.mark, o.Machines()...) })
	o.step("only Machine deleted by hand", func() { o.lose(o.remove, o.Machines()...) })
}

func replicas(number int32) func(*controlplanev1.MachineadmControlPlane) {
	return func(p *controlplanev1.MachineadmControlPlane) { p.Spec.Replicas = ptr.To(number) }
}

// watchHealth creates a MachineHealthCheck: machines are replaced whose Node or whose member does not respond.
func (o *observed) watchHealth() {
	o.t.Helper()
	const timeout = 30
	check := &clusterv1.MachineHealthCheck{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: o.Name},
		Spec: clusterv1.MachineHealthCheckSpec{
			ClusterName: o.Name,
			Selector: metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
				{Key: clusterv1.MachineControlPlaneLabel, Operator: metav1.LabelSelectorOpExists},
			}},
			Checks: clusterv1.MachineHealthCheckChecks{
				NodeStartupTimeoutSeconds: ptr.To(int32(planes.Patience / time.Second)),
			},
		},
	}
	for _, status := range []corev1.ConditionStatus{corev1.ConditionFalse, corev1.ConditionUnknown} {
		check.Spec.Checks.UnhealthyNodeConditions = append(check.Spec.Checks.UnhealthyNodeConditions,
			clusterv1.UnhealthyNodeCondition{
				Type: corev1.NodeReady, Status: status, TimeoutSeconds: ptr.To[int32](timeout),
			})
	}
	check.Spec.Checks.UnhealthyMachineConditions = []clusterv1.UnhealthyMachineCondition{{
		Type: "EtcdMemberHealthy", Status: metav1.ConditionFalse, TimeoutSeconds: ptr.To[int32](timeout),
	}}
	o.Expect(o.Client.Create(o.t.Context(), check)).To(Succeed())
}

// lose causes a fault of machines, and waits until they are gone.
func (o *observed) lose(fault func(*clusterv1.Machine), machines ...clusterv1.Machine) {
	o.t.Helper()
	for i := range machines {
		fault(&machines[i])
	}
	o.gone(machines...)
}

// gone waits until Machines are gone.
func (o *observed) gone(machines ...clusterv1.Machine) {
	o.t.Helper()
	o.Eventually(func() bool {
		return slices.ContainsFunc(o.Machines(), func(m clusterv1.Machine) bool {
			return slices.ContainsFunc(machines, func(old clusterv1.Machine) bool { return old.UID == m.UID })
		})
	}).Should(BeFalse(), o.Describe)
}

// leader returns the machine whose member leads.
func (o *observed) leader() clusterv1.Machine {
	o.t.Helper()
	machines := o.Machines()
	name := o.quorum.Leader()
	i := slices.IndexFunc(machines, func(m clusterv1.Machine) bool { return m.Name == name })
	o.Expect(i).NotTo(BeNumerically("<", 0), "the leader %q", name)
	return machines[i]
}

func (o *observed) stopEtcd(m *clusterv1.Machine) {
	o.t.Helper()
	o.quorum.Stopped(m)
	// Without its manifest, kubelet does not start it again.
	o.Must(m, "mv /etc/kubernetes/manifests/etcd.yaml /root && kill -STOP $(pidof etcd)")
}

func (o *observed) stopKubelet(m *clusterv1.Machine) {
	o.t.Helper()
	o.Must(m, "kill -STOP $(pidof kubelet)")
}

func (o *observed) powerOff(m *clusterv1.Machine) {
	o.t.Helper()
	o.quorum.Stopped(m)
	o.PowerOff(m)
}

// mark marks a machine as a MachineHealthCheck does, and as a user can.
func (o *observed) mark(m *clusterv1.Machine) {
	o.t.Helper()
	before := m.DeepCopy()
	m.Annotations = map[string]string{clusterv1.RemediateMachineAnnotation: ""}
	o.Expect(o.Client.Patch(o.t.Context(), m, client.MergeFrom(before))).To(Succeed())
}

func (o *observed) remove(m *clusterv1.Machine) {
	o.t.Helper()
	o.Expect(o.Client.Delete(o.t.Context(), m)).To(Succeed())
}
