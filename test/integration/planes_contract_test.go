package integration_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/cluster-api/util/contract"
	"sigs.k8s.io/controller-runtime/pkg/client"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane/standin"
)

// TestControlPlaneContractDefinitions checks scope, names, labels and subresources of the installed kinds. There is one
// label of a contract: with two, the topology controller takes a random one.
func TestControlPlaneContractDefinitions(t *testing.T) {
	t.Parallel()
	g := NewWithT(t)
	_, err := simulated()
	g.Expect(err).NotTo(HaveOccurred())
	var list apiextensionsv1.CustomResourceDefinitionList
	label := client.MatchingLabels{clusterv1.ProviderNameLabel: "control-plane-machineadm"}
	g.Expect(shared().Client.List(t.Context(), &list, label)).To(Succeed())
	g.Expect(list.Items).To(HaveLen(2))
	for _, crd := range list.Items {
		g.Expect(crd.Spec.Scope).To(Equal(apiextensionsv1.NamespaceScoped))
		g.Expect(crd.Name).To(Equal(contract.CalculateCRDName(crd.Spec.Group, crd.Spec.Names.Kind)))
		g.Expect(crd.Labels).To(HaveKeyWithValue("cluster.x-k8s.io/v1beta2", controlplanev1.Version))
		g.Expect(crd.Labels).NotTo(HaveKey("cluster.x-k8s.io/v1beta1"))
		g.Expect(crd.Spec.Names.Categories).To(ContainElement("cluster-api"))
	}
}

// TestControlPlaneContractLife creates a control plane of three, and follows the contract from the first machine to
// the deletion of the cluster.
func TestControlPlaneContractLife(t *testing.T) {
	t.Parallel()
	w := newPlanes(t, "planes-life", 3)
	machines := w.complete()
	t.Run("initialized", func(*testing.T) {
		w.Eventually(func(g Gomega) {
			c := w.cluster()
			g.Expect(c.Status.Initialization.ControlPlaneInitialized).To(HaveValue(BeTrue()))
			g.Expect(conditions.IsTrue(c, clusterv1.ClusterControlPlaneAvailableCondition)).To(BeTrue(), "%+v",
				c.Status.Conditions)
		}).Should(Succeed())
	})
	t.Run("status", func(*testing.T) {
		s := w.plane().Status
		w.Expect(s.Replicas).To(HaveValue(Equal(int32(3))))
		w.Expect(s.Versions).To(Equal([]clusterv1.StatusVersion{{Version: version, Replicas: 3}}))
		w.Expect(s.Version).To(Equal(version))
		w.conditionIs("Available", metav1.ConditionTrue)
		w.conditionIs("Initialized", metav1.ConditionTrue)
		w.conditionIs("Paused", metav1.ConditionFalse)
	})
	t.Run("machines", func(*testing.T) { w.followsMachineContract(machines) })
	t.Run("kubeconfig", func(*testing.T) { w.hasKubeconfig() })
	t.Run("certificates", func(*testing.T) { w.hasCertificates() })
	t.Run("scale", func(*testing.T) { w.scales() })
	t.Run("deletion", func(*testing.T) { w.isDeleted() })
}

// followsMachineContract checks the labels, the owner and the references of Machines.
func (w *planesWorld) followsMachineContract(machines []clusterv1.Machine) {
	w.t.Helper()
	o := w.plane()
	for _, m := range machines {
		w.Expect(metav1.IsControlledBy(&m, o)).To(BeTrue())
		w.Expect(m.Labels).To(HaveKeyWithValue(clusterv1.MachineControlPlaneLabel, ""))
		w.Expect(m.Labels).To(HaveKeyWithValue(clusterv1.ClusterNameLabel, w.name))
		w.Expect(m.Labels).To(HaveKeyWithValue(clusterv1.MachineControlPlaneNameLabel, plane))
		w.Expect(m.Annotations).To(HaveKey(controlplanev1.HookAnnotation))
		w.Expect(m.Spec.ReadinessGates).NotTo(BeEmpty())
		infrastructure := standin.Object(standin.MachineKind, "", "")
		w.Expect(w.get(m.Spec.InfrastructureRef.Name, infrastructure)).To(Succeed())
		w.Expect(infrastructure.GetAnnotations()).To(HaveKeyWithValue(clusterv1.TemplateClonedFromNameAnnotation, plane))
		// The Machine controller has replaced the owner.
		w.Expect(infrastructure.GetOwnerReferences()).To(ConsistOf(HaveField("UID", m.UID)))
		config := &v1alpha1.MachineBootstrapConfig{}
		w.Expect(w.get(m.Name, config)).To(Succeed())
		w.Expect(config.OwnerReferences).To(ConsistOf(HaveField("UID", m.UID)))
	}
	w.Eventually(func(g Gomega) {
		for _, m := range w.machines() {
			g.Expect(m.Status.CertificatesExpiryDate.IsZero()).To(BeFalse(), "core copies the annotation")
			g.Expect(conditions.IsTrue(&m, clusterv1.MachineUpToDateCondition)).To(BeTrue())
			for _, gate := range m.Spec.ReadinessGates {
				g.Expect(conditions.IsTrue(&m, gate.ConditionType)).To(BeTrue(), "%s: %+v", gate.ConditionType,
					conditions.Get(&m, gate.ConditionType))
			}
		}
	}).Should(Succeed())
}

// hasKubeconfig checks the Secret, and uses it.
func (w *planesWorld) hasKubeconfig() {
	w.t.Helper()
	s := &corev1.Secret{}
	w.Expect(w.get(w.name+"-kubeconfig", s)).To(Succeed())
	w.Expect(s.Type).To(Equal(clusterv1.ClusterSecretType))
	w.Expect(s.Labels).To(HaveKeyWithValue(clusterv1.ClusterNameLabel, w.name))
	config, err := clientcmd.RESTConfigFromKubeConfig(s.Data["value"])
	w.Expect(err).NotTo(HaveOccurred())
	c, err := client.New(config, client.Options{})
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(c.List(w.t.Context(), &corev1.NodeList{})).To(Succeed())
}

// hasCertificates checks that the key pairs exist and that none is generated again.
func (w *planesWorld) hasCertificates() {
	w.t.Helper()
	for _, purpose := range []string{"ca", "etcd", "proxy", "sa"} {
		w.Expect(w.get(w.name+"-"+purpose, &corev1.Secret{})).To(Succeed())
	}
	lost := &corev1.Secret{}
	w.Expect(w.get(w.name+"-proxy", lost)).To(Succeed())
	w.Expect(w.env.Client.Delete(w.t.Context(), lost)).To(Succeed())
	w.changePlane(func(o *controlplanev1.MachineadmControlPlane) { o.Annotations = map[string]string{"look": "now"} })
	w.conditionIs("CertificatesAvailable", metav1.ConditionFalse)
	w.Expect(apierrors.IsNotFound(w.get(w.name+"-proxy", &corev1.Secret{}))).To(BeTrue())
	lost.ResourceVersion, lost.UID = "", ""
	w.create(lost)
	w.changePlane(func(o *controlplanev1.MachineadmControlPlane) { delete(o.Annotations, "look") })
	w.conditionIs("CertificatesAvailable", metav1.ConditionTrue)
}

// scales scales by the subresource, as kubectl does. The members of the machines that leave are removed first.
func (w *planesWorld) scales() {
	w.t.Helper()
	before := machineNames(w.machines())
	scale := &autoscalingv1.Scale{Spec: autoscalingv1.ScaleSpec{Replicas: 1}}
	w.Expect(w.env.Client.SubResource("scale").Update(w.t.Context(), w.plane(), client.WithSubResourceBody(scale))).
		To(Succeed())
	left := machineNames(w.complete())
	for _, name := range before {
		w.Expect(w.workloads.Removed(w.name, name)).To(Equal(name != left[0]), name)
	}
}

// isDeleted deletes the cluster. The control plane waits for the workers, and ends with its machines.
func (w *planesWorld) isDeleted() {
	w.t.Helper()
	worker, infrastructure := w.world.machine("worker", false)
	worker.Finalizers = []string{"test.machineadm.io/worker"}
	w.create(w.config("worker"), infrastructure, worker)
	w.Expect(w.env.Client.Delete(w.t.Context(), w.cluster())).To(Succeed())
	w.Expect(w.env.Client.Delete(w.t.Context(), w.plane())).To(Succeed())
	w.conditionIs("Deleting", metav1.ConditionTrue)
	w.Consistently(func(g Gomega) {
		for _, m := range w.machines() {
			g.Expect(m.DeletionTimestamp.IsZero()).To(BeTrue())
		}
	}, observed).Should(Succeed())
	w.patch(worker, func() { worker.Finalizers = nil })
	w.Eventually(func() bool {
		return apierrors.IsNotFound(w.get(plane, &controlplanev1.MachineadmControlPlane{}))
	}).Should(BeTrue(), "%+v", w.plane().Status.NextOperation)
	w.Expect(w.machines()).To(BeEmpty())
}

// TestControlPlaneContractRollout changes the version, and then the template: all machines are replaced, one after the
// other, and etcd never has fewer members than needed.
func TestControlPlaneContractRollout(t *testing.T) {
	t.Parallel()
	w := newPlanes(t, "planes-rollout", 1)
	first := w.complete()[0].Name
	w.changePlane(func(o *controlplanev1.MachineadmControlPlane) { o.Spec.Version = "v1.36.4" })
	w.Eventually(func() []string {
		var versions []string
		w.machines()
		for _, v := range w.plane().Status.Versions {
			versions = append(versions, v.Version)
		}
		return versions
	}).Should(Equal([]string{version, "v1.36.4"}), "from old to new")
	second := w.complete()[0].Name
	w.Expect(second).NotTo(Equal(first))
	w.changePlane(func(o *controlplanev1.MachineadmControlPlane) {
		// Another spelling of the same settings replaces nothing.
		o.Spec.Bootstrap.OS.Architecture = "amd64"
		o.Spec.MachineTemplate.ObjectMeta.Labels = map[string]string{"team": "a"}
		o.Spec.MachineTemplate.Spec.Deletion.NodeDrainTimeoutSeconds = ptr.To(int32(60))
	})
	w.Eventually(func(g Gomega) {
		m := w.machines()[0]
		g.Expect(m.Labels).To(HaveKeyWithValue("team", "a"))
		g.Expect(m.Spec.Deletion.NodeDrainTimeoutSeconds).To(HaveValue(Equal(int32(60))))
		infrastructure := standin.Object(standin.MachineKind, "", "")
		g.Expect(w.get(m.Name, infrastructure)).To(Succeed())
		g.Expect(infrastructure.GetLabels()).To(HaveKeyWithValue("team", "a"))
	}).Should(Succeed())
	w.changePlane(func(o *controlplanev1.MachineadmControlPlane) { o.Spec.MachineTemplate.ObjectMeta.Labels = nil })
	w.Eventually(func(g Gomega) {
		infrastructure := standin.Object(standin.MachineKind, "", "")
		g.Expect(w.get(second, infrastructure)).To(Succeed())
		g.Expect(infrastructure.GetLabels()).NotTo(HaveKey("team"))
	}).Should(Succeed())
	w.Expect(machineNames(w.complete())).To(ConsistOf(second))
}

// TestControlPlaneContractPause checks that a paused control plane is left alone.
func TestControlPlaneContractPause(t *testing.T) {
	t.Parallel()
	w := newPlanes(t, "planes-pause", 1)
	w.complete()
	w.pause(true)
	w.conditionIs("Paused", metav1.ConditionTrue)
	w.changePlane(func(o *controlplanev1.MachineadmControlPlane) { o.Spec.Replicas = ptr.To(int32(3)) })
	w.Consistently(func() int { return len(w.machines()) }, observed).Should(Equal(1))
	w.pause(false)
	w.complete()
}

// TestControlPlaneContractMachineDeletedByHand checks that a machine that a user deletes leaves etcd first, and is
// replaced.
func TestControlPlaneContractMachineDeletedByHand(t *testing.T) {
	t.Parallel()
	w := newPlanes(t, "planes-hand", 3)
	victim := w.complete()[0]
	w.Expect(w.env.Client.Delete(t.Context(), &victim)).To(Succeed())
	w.Eventually(func(g Gomega) {
		names := machineNames(w.machines())
		g.Expect(names).NotTo(ContainElement(victim.Name))
		g.Expect(names).To(HaveLen(3))
	}).Should(Succeed())
	w.Expect(w.workloads.Removed(w.name, victim.Name)).To(BeTrue())
	w.complete()
}

// TestControlPlaneContractRemediation lets a real MachineHealthCheck find a machine that is not healthy.
func TestControlPlaneContractRemediation(t *testing.T) {
	t.Parallel()
	w := newPlanes(t, "planes-mhc", 3)
	victim := w.complete()[0]
	w.create(&clusterv1.MachineHealthCheck{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "mhc"},
		Spec: clusterv1.MachineHealthCheckSpec{
			ClusterName: w.name,
			Selector:    metav1.LabelSelector{MatchLabels: map[string]string{clusterv1.MachineControlPlaneLabel: ""}},
			Checks: clusterv1.MachineHealthCheckChecks{
				UnhealthyNodeConditions: []clusterv1.UnhealthyNodeCondition{{
					Type: "KernelDeadlock", Status: corev1.ConditionTrue, TimeoutSeconds: ptr.To(int32(0)),
				}},
			},
		},
	})
	w.workloads.Silence(w.name, victim.Name)
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: victim.Status.NodeRef.Name}}
	w.Expect(w.env.Client.Get(t.Context(), client.ObjectKeyFromObject(node), node)).To(Succeed())
	before := node.DeepCopy()
	node.Status.Conditions = append(node.Status.Conditions, corev1.NodeCondition{
		Type: "KernelDeadlock", Status: corev1.ConditionTrue,
		LastTransitionTime: metav1.NewTime(time.Now().Add(-time.Hour)),
	})
	w.Expect(w.env.Client.Status().Patch(t.Context(), node, client.MergeFrom(before))).To(Succeed())
	w.Eventually(func() []string { return machineNames(w.machines()) }).ShouldNot(ContainElement(victim.Name))
	var replacement []clusterv1.Machine
	for _, m := range w.complete() {
		if m.Annotations[controlplanev1.RemediationForAnnotation] != "" {
			replacement = append(replacement, m)
		}
	}
	w.Expect(replacement).To(HaveLen(1))
	w.Expect(w.plane().Annotations).NotTo(HaveKey(controlplanev1.RemediationInProgressAnnotation))
	w.Expect(w.plane().Status.LastRemediation).To(HaveField("Machine", victim.Name))
}

// TestControlPlaneContractTerminalFailure checks that a machine that its infrastructure provider gives up is replaced
// without a MachineHealthCheck. Cluster API copies the terminal failure of the contract to the Machine.
func TestControlPlaneContractTerminalFailure(t *testing.T) {
	t.Parallel()
	w := newPlanes(t, "planes-failure", 1)
	first := w.complete()[0].Name
	w.changePlane(func(o *controlplanev1.MachineadmControlPlane) { o.Spec.Replicas = ptr.To(int32(3)) })
	var failed string
	w.Eventually(func(g Gomega) {
		var list clusterv1.MachineList
		g.Expect(w.env.Client.List(t.Context(), &list, client.InNamespace(w.name))).To(Succeed())
		names := slices.DeleteFunc(machineNames(list.Items), func(name string) bool { return name == first })
		g.Expect(names).To(HaveLen(1))
		failed = names[0]
	}).Should(Succeed())
	infrastructure := standin.Object(standin.MachineKind, w.name, failed)
	w.Eventually(func() error {
		status := map[string]any{"failureReason": "BootstrapFailed", "failureMessage": "kubeadm join: exit code 1"}
		patch, _ := json.Marshal(map[string]any{"status": status})
		return w.env.Client.Status().Patch(t.Context(), infrastructure, client.RawPatch(types.MergePatchType, patch))
	}).Should(Succeed())
	w.Eventually(func() error { return w.get(failed, &clusterv1.Machine{}) }).Should(Satisfy(apierrors.IsNotFound))
	w.Expect(machineNames(w.complete())).NotTo(ContainElement(failed))
	w.Expect(w.plane().Status.LastRemediation).To(HaveField("Machine", failed))
}

// TestControlPlaneContractMistakes checks that a mistake in the specification creates no machine, and names its field.
func TestControlPlaneContractMistakes(t *testing.T) {
	t.Parallel()
	w := newPlanes(t, "planes-mistake", 1, func(o *controlplanev1.MachineadmControlPlane) { o.Spec.Version = "latest" })
	w.Eventually(func(g Gomega) {
		c := conditions.Get(w.plane(), "SpecAccepted")
		g.Expect(c).NotTo(BeNil())
		g.Expect(c.Status).To(Equal(metav1.ConditionFalse))
		g.Expect(c.Message).To(ContainSubstring("spec.version"))
	}).Should(Succeed())
	w.Consistently(func() int { return len(w.machines()) }, observed).Should(BeZero())
	w.changePlane(func(o *controlplanev1.MachineadmControlPlane) { o.Spec.Version = version })
	w.complete()
}
