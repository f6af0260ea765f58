package integration_test

import (
	"slices"
	"strings"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane/standin"
)

// conditionOf returns a condition of a config, or zero if there is none.
func (w *world) conditionOf(name, condition string) metav1.Condition {
	c := &v1alpha1.MachineBootstrapConfig{}
	if w.get(name, c) != nil {
		return metav1.Condition{}
	}
	return ptr.Deref(meta.FindStatusCondition(c.Status.Conditions, condition), metav1.Condition{})
}

// clusterIs waits until a condition of the cluster has the status.
func (w *world) clusterIs(condition string, want metav1.ConditionStatus) {
	w.t.Helper()
	w.Eventually(func() metav1.ConditionStatus {
		c := &clusterv1.Cluster{}
		w.Expect(w.get(w.name, c)).To(Succeed())
		return ptr.Deref(meta.FindStatusCondition(c.Status.Conditions, condition), metav1.Condition{}).Status
	}).Should(Equal(want))
}

// eventNotes returns the notes of the events with the reason about a config.
func (w *world) eventNotes(name, reason string) []string {
	var list eventsv1.EventList
	w.Expect(w.env.Client.List(w.t.Context(), &list, client.InNamespace(w.name))).To(Succeed())
	var notes []string
	for _, e := range list.Items {
		if e.Regarding.Name == name && e.Regarding.Kind == v1alpha1.ConfigKind && e.Reason == reason {
			notes = append(notes, e.Note)
		}
	}
	return notes
}

// states are manifests that validate accepts, and what becomes of them. A config that does not become ready has a
// condition with the reason, and none of the states is silent.
func states() map[string]mistake {
	return map[string]mistake{
		"config without owner": {reason: "no Machine refers to it", config: image("debian"), state: withoutOwner},
		"unknown cluster":      {reason: "the Cluster may come later", config: image("debian"), state: withoutCluster},
		"paused cluster":       {reason: "it is paused while it is moved", config: image("debian"), state: paused},
		"label of the cluster": {
			reason: "the Machine's spec.clusterName is what counts", config: image("debian"), state: labelled,
		},
		"two clusters":    {reason: "namespaces are apart", config: image("debian"), state: namesakes},
		"deleted data":    {reason: "the Secret is created again", config: image("debian"), state: deletedData},
		"changed system":  {reason: "the machine has booted another one", config: image("debian"), state: changedSystem},
		"waiting machine": {reason: "there is no control plane yet", config: image("debian"), state: waitingMachine},
	}
}

func withoutOwner(w *world, m mistake, name string) {
	config := m.object(w, name)
	w.create(config)
	w.Eventually(func() string { return w.reason(config.GetName()) }).Should(Equal("WaitingForOwner"))
	w.Expect(w.message(config.GetName())).To(ContainSubstring(
		"create one whose spec.bootstrap.configRef names " + config.GetName()))
	machine, infrastructure := w.machine(name, false)
	w.create(infrastructure, machine)
	w.Eventually(func() string { return w.reason(config.GetName()) }).Should(Equal("Ready"))
}

// withoutCluster creates a Machine of a cluster that does not exist. Cluster API sets no owner then.
func withoutCluster(w *world, m mistake, name string) {
	config := m.object(w, name)
	machine, infrastructure := w.machine(name, false)
	machine.Spec.ClusterName, machine.Labels[clusterv1.ClusterNameLabel] = "none", "none"
	w.create(config, infrastructure, machine)
	w.Eventually(func() string { return w.message(config.GetName()) }).Should(And(
		ContainSubstring("check its namespace and its spec.clusterName"), ContainSubstring("the Cluster exists")))
}

// paused creates configs while the cluster is paused, and touches the Machine afterwards, as a user does. The core
// looks at a Machine when its cluster is connected, but not when the pause ends; it would set the owner at the next
// resynchronization, after ten minutes. The test pauses a connected cluster, so that the connection does not hide that.
func paused(w *world, m mistake, _ string) {
	own := newWorld(w.t, "mistakes-paused")
	own.clusterIs(clusterv1.ClusterRemoteConnectionProbeCondition, metav1.ConditionTrue)
	own.pause(true)
	labelled, plain := m.object(own, "labelled"), m.object(own, "plain")
	labelled.SetLabels(map[string]string{clusterv1.ClusterNameLabel: own.name})
	first, infrastructure := own.machine("labelled", true)
	own.create(labelled, plain, infrastructure, first)
	own.Eventually(func() metav1.ConditionStatus {
		return own.conditionOf(labelled.GetName(), "Paused").Status
	}).Should(Equal(metav1.ConditionTrue))
	own.Eventually(func() string { return own.message(plain.GetName()) }).Should(ContainSubstring("is not paused"))
	own.Expect(own.reason(labelled.GetName())).To(BeEmpty(), "paused objects have no other condition")
	own.pause(false)
	own.clusterIs(clusterv1.PausedCondition, metav1.ConditionFalse)
	own.patch(first, func() { metav1.SetMetaDataAnnotation(&first.ObjectMeta, "example.com/touched", "") })
	own.published(labelled.GetName())
	own.Expect(own.conditionOf(labelled.GetName(), "Paused").Status).To(Equal(metav1.ConditionFalse))
}

func labelled(w *world, m mistake, name string) {
	config := m.object(w, name)
	config.SetLabels(map[string]string{clusterv1.ClusterNameLabel: "other"})
	machine, infrastructure := w.machine(name, false)
	w.create(config, infrastructure, machine)
	w.Eventually(func() string { return w.reason(config.GetName()) }).Should(Equal("Ready"))
}

// namesakes creates a cluster with the name of another one in a second namespace. Both are started by their first
// machines, with their own CAs.
func namesakes(w *world, _ mistake, _ string) {
	one, two := newWorld(w.t, "mistakes-namesakes"), newWorld(w.t, "mistakes-namesakes-too")
	first := one.boot("cp", true)
	machine, infrastructure := two.machine("cp", true)
	machine.Spec.ClusterName, machine.Labels[clusterv1.ClusterNameLabel] = one.name, one.name
	config := two.config("cp", func(c *v1alpha1.MachineBootstrapConfig) {
		c.Labels[clusterv1.ClusterNameLabel] = one.name
	})
	two.create(standin.Object(standin.ClusterKind, two.name, one.name), &clusterv1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Namespace: two.name, Name: one.name},
		Spec:       clusterv1.ClusterSpec{InfrastructureRef: standin.Reference(standin.ClusterKind, one.name)},
	}, config, infrastructure, machine)
	one.published(first)
	two.published(config.Name)
	for _, d := range []*corev1.Secret{one.data(first), two.data(config.Name)} {
		w.Expect(string(d.Data["value"])).To(ContainSubstring("InitConfiguration"))
	}
	w.Expect(two.data(one.name + "-ca").Data["tls.crt"]).NotTo(Equal(one.data(one.name + "-ca").Data["tls.crt"]))
}

// change changes the operating system of a config with published data, and waits until the controller has seen it.
func (w *world) change(name string) {
	c := w.published(name)
	w.patch(c, func() { c.Spec.OS = v1alpha1.OSSpec{Distribution: "ubuntu", Version: "24.04"} })
	w.Eventually(func() string { return w.conditionOf(name, "UpToDate").Reason }).Should(Equal("SpecChanged"))
}

func changedSystem(w *world, m mistake, name string) {
	config := m.object(w, name)
	machine, infrastructure := w.machine(name, false)
	w.create(config, infrastructure, machine)
	w.published(config.GetName())
	before := w.data(config.GetName())
	w.change(config.GetName())
	message := w.conditionOf(config.GetName(), "UpToDate").Message
	w.Expect(message).To(And(HavePrefix("spec.os: "), ContainSubstring("the published data stays")))
	w.Eventually(func() []string { return w.eventNotes(config.GetName(), "SpecChanged") }).Should(Equal([]string{message}))
	w.Expect(w.data(config.GetName()).ResourceVersion).To(Equal(before.ResourceVersion))
	w.Expect(w.reason(config.GetName())).To(Equal("Ready"))
}

func deletedData(w *world, m mistake, name string) {
	config := m.object(w, name)
	machine, infrastructure := w.machine(name, false)
	w.create(config, infrastructure, machine)
	w.change(config.GetName())
	w.Expect(w.env.Client.Delete(w.t.Context(), w.data(config.GetName()))).To(Succeed())
	w.Eventually(func() string { return w.conditionOf(config.GetName(), "UpToDate").Message }).Should(
		ContainSubstring("created again from the changed spec"))
	w.Eventually(func() bool {
		return slices.ContainsFunc(w.eventNotes(config.GetName(), "BootstrapDataRecreated"), func(note string) bool {
			return strings.Contains(note, "a machine that booted before does not have the change")
		})
	}).Should(BeTrue())
}

func waitingMachine(w *world, m mistake, _ string) {
	own := newWorld(w.t, "mistakes-waiting")
	config := m.object(own, "a")
	machine, infrastructure := own.machine("a", false)
	own.create(config, infrastructure, machine)
	own.Eventually(func() string { return own.message(config.GetName()) }).Should(Equal(
		"the control plane is not initialized"))
}
