package integration_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	. "github.com/onsi/gomega"
	clientconfig "github.com/siderolabs/talos/pkg/machinery/client/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/config/generate/secrets"
	"github.com/siderolabs/talos/pkg/machinery/config/validation"
	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
)

const startedCondition = "ControlPlaneStarted"

// on puts a machine, all else being equal, onto an operating system.
func on(distribution string) func(*v1alpha1.MachineBootstrapConfig) {
	return func(c *v1alpha1.MachineBootstrapConfig) { c.Spec.OS = v1alpha1.OSSpec{Distribution: distribution} }
}

// cloud is a machine of a cloud, as Talos's validation asks for it.
type cloud struct{}

func (cloud) String() string        { return "cloud" }
func (cloud) RequiresInstall() bool { return false }
func (cloud) InContainer() bool     { return false }

// talosBundle reads the data of a machine as Talos does, and returns the secrets that it holds.
func (w *world) talosBundle(name string) *secrets.Bundle {
	w.t.Helper()
	config, err := configloader.NewFromBytes(w.data(name).Data["value"])
	w.Expect(err).NotTo(HaveOccurred())
	warnings, err := config.Validate(cloud{}, validation.WithLocal(), validation.WithStrict())
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(warnings).To(BeEmpty())
	return secrets.NewBundleFromConfig(nil, config)
}

// started returns the condition about the cluster's start.
func (w *world) started(name string) *metav1.Condition {
	c := &v1alpha1.MachineBootstrapConfig{}
	if w.get(name, c) != nil {
		return nil
	}
	return conditions.Get(c, startedCondition)
}

// talosCluster makes a cluster of Talos machines and returns the two of its control plane, the first one first.
func (w *world) talosCluster() (first, second string) {
	w.t.Helper()
	names := []string{w.boot("cp0", true, on("talos")), w.boot("cp1", true, on("talos"))}
	first = w.first(names)
	second = names[1-slices.Index(names, first)]
	w.published(first)
	return first, second
}

// TestTalosMachinesShareOneBundle renders two control plane machines, one before the controller was restarted and one
// after, and workers.
func TestTalosMachinesShareOneBundle(t *testing.T) {
	t.Parallel()
	start := manage(t)
	start()
	w := newWorld(t, "talos")
	first, second := w.talosCluster()
	w.Eventually(func() string { return w.reason(second) }).Should(Equal("WaitingForFirstMachine"))
	w.hasToBeStarted(first)
	w.addressReaches(first)
	w.ownedByCluster(w.name + "-talos")
	w.ownedByCluster(w.name + "-talosconfig")
	before := w.data(w.name + "-talos")

	w.Expect(w.env.provider.Stop()).To(Succeed())
	start()
	w.join(first)
	w.published(second)
	w.workers("md", 2, on("talos"))
	machines := w.machinesOf("md", 2)

	w.Expect(w.data(w.name+"-talos").Data).To(Equal(before.Data), "it is made once")
	w.isSilentAbout(before)
	want, got := w.talosBundle(first), w.talosBundle(second)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("two control plane machines hold different secrets")
	}
	for _, m := range machines {
		worker := w.talosBundle(m.Name)
		w.Expect(worker.Certs.OS.Crt).To(Equal(want.Certs.OS.Crt))
		w.Expect(worker.Certs.OS.Key).To(BeEmpty(), "a worker signs nothing")
		w.Expect(worker.Cluster).To(Equal(want.Cluster))
		w.Expect(worker.TrustdInfo).To(Equal(want.TrustdInfo))
		w.Expect(worker.Secrets.BootstrapToken).To(Equal(want.Secrets.BootstrapToken))
	}
	for _, name := range []string{first, second} {
		w.Eventually(func() metav1.ConditionStatus { return w.started(name).Status }).Should(Equal(metav1.ConditionTrue))
	}
}

// isSilentAbout looks for the secrets of a bundle wherever the manager speaks.
func (w *world) isSilentAbout(s *corev1.Secret) {
	w.t.Helper()
	held, err := convert.DecodeTalosBundle(w.t.Context(), s.Data["bundle"])
	w.Expect(err).NotTo(HaveOccurred())
	lines := strings.Split(string(held.OSCA.Key.Reveal()), "\n")
	secret := []string{lines[1], string(held.SecretboxKey.Reveal()), string(held.ClusterSecret.Reveal())}
	for _, token := range []string{string(held.TrustdToken.Reveal()), string(held.BootstrapToken.Reveal())} {
		_, half, _ := strings.Cut(token, ".")
		secret = append(secret, half)
	}
	for place, text := range w.spoken() {
		for i, s := range secret {
			if strings.Contains(text, s) {
				w.t.Errorf("%s shows the secret %d", place, i)
			}
		}
	}
}

// hasToBeStarted compares the instructions in the condition with the objects of the cluster.
func (w *world) hasToBeStarted(name string) {
	w.t.Helper()
	var is *metav1.Condition
	w.Eventually(func() *metav1.Condition { is = w.started(name); return is }).ShouldNot(BeNil())
	w.Expect(is.Status).To(Equal(metav1.ConditionFalse))
	w.Expect(is.Message).To(And(ContainSubstring("talosctl --talosconfig talosconfig"),
		ContainSubstring(w.name+"-talosconfig")))
	w.Eventually(func() []string { return w.events(name) }).Should(ContainElement(ContainSubstring(
		"bootstrap; the file talosconfig")))
	text := w.data(w.name + "-talosconfig").Data["talosconfig"]
	c, err := clientconfig.FromBytes(text)
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(c.Contexts).To(HaveKey(w.name))
	w.Expect(c.Contexts[w.name].Crt).NotTo(BeEmpty())
}

// addressReaches sets the address of the machine, and waits until the condition and the client configuration have it.
func (w *world) addressReaches(name string) {
	w.t.Helper()
	const address = "192.0.2.77"
	m := &clusterv1.Machine{}
	w.Expect(w.get(name, m)).To(Succeed())
	addressed := m.DeepCopy()
	addressed.Status.Addresses = clusterv1.MachineAddresses{{Type: clusterv1.MachineInternalIP, Address: address}}
	w.Expect(w.env.Client.Status().Patch(w.t.Context(), addressed, client.MergeFrom(m))).To(Succeed())
	w.Eventually(func() string {
		return w.started(name).Message
	}).Should(ContainSubstring("--nodes " + address + " bootstrap"))
	c, err := clientconfig.FromBytes(w.data(w.name + "-talosconfig").Data["talosconfig"])
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(c.Contexts[w.name].Endpoints).To(ConsistOf(address))
}

// events returns the notes of an object's events.
func (w *world) events(name string) []string {
	var list eventsv1.EventList
	w.Expect(w.env.Client.List(w.t.Context(), &list, client.InNamespace(w.name))).To(Succeed())
	var notes []string
	for _, e := range list.Items {
		if e.Regarding.Name == name {
			notes = append(notes, e.Note)
		}
	}
	return notes
}

func (w *world) ownedByCluster(name string) {
	w.t.Helper()
	s := w.data(name)
	w.Expect(s.Type).To(Equal(clusterv1.ClusterSecretType))
	w.Expect(s.Labels).To(HaveKeyWithValue(clusterv1.ClusterNameLabel, w.name))
	w.Expect(s.OwnerReferences).To(HaveLen(1))
	w.Expect(s.OwnerReferences[0].Kind).To(Equal("Cluster"))
}

// TestEachSystemIsInTheClusterThatItCanJoin has MachineDeployments that differ in spec.os alone in a cluster of each
// flavor.
func TestEachSystemIsInTheClusterThatItCanJoin(t *testing.T) {
	t.Parallel()
	kubeadm := newWorld(t, "flavor-kubeadm")
	cp := kubeadm.boot("cp0", true)
	talos := newWorld(t, "flavor-talos")
	first, _ := talos.talosCluster()
	kubeadm.published(cp)
	kubeadm.join(cp)
	talos.join(first)
	clusters := map[node.ControlPlaneType]*world{node.ControlPlaneKubeadm: kubeadm, node.ControlPlaneTalos: talos}
	systems := oneOfEach(osprofile.Builtin(), osprofile.Profile.ControlPlaneType)
	for _, w := range clusters {
		for _, p := range systems {
			w.workers(p.ID, 1, on(p.ID))
		}
	}
	for flavor, w := range clusters {
		for _, p := range systems {
			if p.ControlPlaneType() == flavor {
				w.machinesOf(p.ID, 1)
			} else {
				w.refuses(p, flavor)
			}
		}
	}
}

// refuses holds the condition of a machine that cannot join to what a person needs.
func (w *world) refuses(p osprofile.Profile, flavor node.ControlPlaneType) {
	w.t.Helper()
	w.Eventually(func(g Gomega) {
		var list v1alpha1.MachineBootstrapConfigList
		g.Expect(w.env.Client.List(w.t.Context(), &list, client.InNamespace(w.name))).To(Succeed())
		i := slices.IndexFunc(list.Items, func(c v1alpha1.MachineBootstrapConfig) bool {
			return strings.HasPrefix(c.Name, w.name+"-"+p.ID+"-") && c.Spec.OS.Distribution == p.ID
		})
		g.Expect(i).To(BeNumerically(">=", 0))
		ready := conditions.Get(&list.Items[i], clusterv1.ReadyCondition)
		g.Expect(ready).NotTo(BeNil())
		g.Expect(ready.Reason).To(Equal("InvalidSpec"))
		for _, part := range []string{
			"spec.os: " + p.Name + " cannot join this cluster", "the type " + string(flavor),
			"choose", "control-plane-type",
		} {
			g.Expect(ready.Message).To(ContainSubstring(part))
		}
		g.Expect(list.Items[i].Status.FailureReason).To(BeNil())
	}).Should(Succeed(), p.ID)
}

func TestAnnotationResolvesMixedControlPlaneTypes(t *testing.T) {
	t.Parallel()
	w := initialized(t, "flavor-annotation")
	w.create(&corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: w.name + "-talos"},
		Data:       map[string][]byte{"bundle": []byte("none")},
	})
	name := w.boot("a", false, on("talos"))
	w.Eventually(func() string { return w.reason(name) }).Should(Equal("InvalidSpec"))
	c := &clusterv1.Cluster{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: w.name}}
	set := func(value string) {
		w.patch(c, func() { c.Annotations = map[string]string{"bootstrap.machineadm.io/control-plane-type": value} })
	}
	set("Tallos")
	w.Eventually(func() string { return w.reason(name) }).Should(Equal("InvalidControlPlaneType"))
	set("Talos")
	w.Eventually(func() string { return w.reason(name) }).Should(Equal("BadTalosSecrets"))
	s := w.data(w.name + "-talos")
	w.patch(s, func() { s.Data["bundle"] = w.anotherBundle() })
	w.published(name)
}

// anotherBundle returns what talosctl gen secrets writes.
func (w *world) anotherBundle() []byte {
	w.t.Helper()
	theirs, err := secrets.NewBundle(secrets.NewClock(), nil)
	w.Expect(err).NotTo(HaveOccurred())
	var text bytes.Buffer
	w.Expect(yaml.NewEncoder(&text).Encode(theirs)).To(Succeed())
	return text.Bytes()
}

func TestForeignTalosSecretsAreLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "talos-foreign")
	owner := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "owner"}}
	w.create(owner)
	foreign := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Namespace: w.name, Name: w.name + "-talos",
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(owner,
			corev1.SchemeGroupVersion.WithKind("ConfigMap"))},
	}}
	w.create(foreign)
	name := w.boot("a", true, on("talos"))
	w.Eventually(func() string { return w.reason(name) }).Should(Equal("SecretNotOwned"))
	w.Expect(w.data(foreign.Name).ResourceVersion).To(Equal(foreign.ResourceVersion))
	w.Expect(w.env.Client.Delete(t.Context(), foreign)).To(Succeed())
	w.published(name)
	w.ownedByCluster(foreign.Name)
}
