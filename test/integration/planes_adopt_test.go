package integration_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	capisecret "sigs.k8s.io/cluster-api/util/secret"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/controlplane/standin"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/programs"
)

// guideBlocks matches the commands of docs/guides/adopt.md, and those for a KubeadmControlPlane.
var guideBlocks = regexp.MustCompile("(?s)```sh( kubeadm)?\n(.*?)```")

// adopts follows the guide, with a control plane of the number of machines.
func (w *planesWorld) adopts(replicas int32, fromKubeadm bool) {
	w.t.Helper()
	page, err := os.ReadFile(filepath.Join(programs.Root(), "docs/guides/adopt.md"))
	w.Expect(err).NotTo(HaveOccurred())
	text := strings.NewReplacer("cluster prod", "cluster "+w.name, "cluster-name=prod", "cluster-name="+w.name, "prod",
		plane, "-n default", "-n "+w.name).Replace(string(page))
	script := ""
	for _, block := range guideBlocks.FindAllStringSubmatch(text, -1) {
		if block[1] == "" || fromKubeadm {
			script += block[2]
		}
	}
	// The last command waits for the machines, which this test starts.
	script, last, found := strings.Cut(script, "kubectl wait macp "+plane+" --for=condition=MachinesUpToDate")
	w.Expect(found).To(BeTrue())
	o := &controlplanev1.MachineadmControlPlane{
		TypeMeta: metav1.TypeMeta{APIVersion: controlplanev1.GroupVersion().String(), Kind: controlplanev1.Kind},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: w.name, Name: plane, Annotations: map[string]string{clusterv1.PausedAnnotation: ""},
		},
		Spec: w.planeSpec(replicas),
	}
	manifest, err := yaml.Marshal(o)
	w.Expect(err).NotTo(HaveOccurred())
	dir := w.t.TempDir()
	w.Expect(os.WriteFile(filepath.Join(dir, "control-plane.yaml"), manifest, 0o600)).To(Succeed())
	before := machineNames(w.machines())
	shown := w.shell(dir, script)
	for _, name := range before {
		w.Expect(shown).To(ContainSubstring(name), "the plan contains all machines")
	}
	w.complete()
	w.shell(dir, "kubectl wait macp "+plane+" --for=condition=MachinesUpToDate"+last)
}

// shell executes commands as a user of the namespace, and returns what they print.
func (w *planesWorld) shell(dir, script string) string {
	w.t.Helper()
	kubeconfig := filepath.Join(dir, "kubeconfig")
	w.Expect(w.env.WriteKubeconfig(kubeconfig)).To(Succeed())
	kubectl, err := controlplane.Tool(w.t.Context(), "kubectl")
	w.Expect(err).NotTo(HaveOccurred())
	machineadmctl, err := programs.Build(w.t.Context(), "machineadmctl")
	w.Expect(err).NotTo(HaveOccurred())
	prefix := kubectl + " config set-context --current --namespace=" + w.name + "\n"
	if out, err := exec.CommandContext(w.t.Context(), "sh", "-c", "KUBECONFIG="+kubeconfig+" "+prefix).
		CombinedOutput(); err != nil {
		w.t.Fatalf("%v\n%s", err, out)
	}
	c := exec.CommandContext(w.t.Context(), "bash", "-euxo", "pipefail", "-c", script)
	c.Dir = dir
	c.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig,
		"PATH="+filepath.Dir(kubectl)+":"+filepath.Dir(machineadmctl)+":"+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	w.t.Logf("%s", out)
	w.Expect(err).NotTo(HaveOccurred(), "%s", out)
	return string(out)
}

// standAlone creates a cluster without a control plane object.
func standAlone(t *testing.T, name string) *planesWorld {
	t.Helper()
	workloads, err := simulated()
	if err != nil {
		t.Fatal(err)
	}
	w := &planesWorld{world: newWorld(t, name), workloads: workloads}
	w.create(w.machineTemplate())
	return w
}

// uids returns the UIDs of the control plane Machines by name.
func (w *planesWorld) uids() map[string]string {
	found := map[string]string{}
	for _, m := range w.machines() {
		found[m.Name] = string(m.UID)
	}
	return found
}

// worker creates a worker, and returns a function that checks that it was not touched.
func (w *planesWorld) worker() func() {
	w.t.Helper()
	name := w.boot("worker", false)
	m := &clusterv1.Machine{}
	w.Expect(w.get(name, m)).To(Succeed())
	return func() {
		after := &clusterv1.Machine{}
		w.Expect(w.get(name, after)).To(Succeed())
		w.Expect(after.UID).To(Equal(m.UID))
		w.Expect(after.Spec.Bootstrap.ConfigRef).To(Equal(m.Spec.Bootstrap.ConfigRef))
		w.Expect(after.DeletionTimestamp).To(BeNil())
	}
}

// TestControlPlaneContractAdoption follows the guide for stand-alone Machines: they become those of the control plane,
// and none is replaced.
func TestControlPlaneContractAdoption(t *testing.T) {
	t.Parallel()
	w := standAlone(t, "planes-adopt")
	same := func(c *v1alpha1.MachineBootstrapConfig) { c.Spec = w.planeSpec(3).Bootstrap }
	for i, name := range []string{"cp0", "cp1", "cp2"} {
		machine := w.boot(name, true, same)
		w.published(machine)
		w.join(machine)
		if i == 0 {
			w.Eventually(func() bool {
				return conditions.IsTrue(w.cluster(), clusterv1.ClusterControlPlaneInitializedCondition)
			}).Should(BeTrue())
		}
	}
	before, untouched := w.uids(), w.worker()
	w.adopts(3, false)
	w.Expect(w.uids()).To(Equal(before))
	for _, m := range w.machines() {
		w.Expect(metav1.IsControlledBy(&m, w.plane())).To(BeTrue())
		w.Expect(m.Annotations).To(HaveKey(controlplanev1.HookAnnotation))
		w.Expect(w.workloads.Removed(w.name, m.Name)).To(BeFalse())
	}
	untouched()
}

// The objects of a KubeadmControlPlane.
const (
	kubeadmGroup = "controlplane.cluster.x-k8s.io/v1beta2"
	kubeadmHook  = clusterv1.PreTerminateDeleteHookAnnotationPrefix + "/kcp-cleanup"
)

// kubeadmPlane creates a KubeadmControlPlane with its finalizer, and makes it that of the cluster.
func (w *planesWorld) kubeadmPlane(replicas int) metav1.OwnerReference {
	w.t.Helper()
	o := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": kubeadmGroup, "kind": "KubeadmControlPlane",
		"metadata": map[string]any{
			"name": plane, "namespace": w.name, "finalizers": []any{"kubeadm.controlplane.cluster.x-k8s.io"},
		},
		"spec": map[string]any{
			"replicas": int64(replicas), "version": version, "kubeadmConfigSpec": map[string]any{"format": "cloud-config"},
			"machineTemplate": map[string]any{"spec": map[string]any{"infrastructureRef": map[string]any{
				"apiGroup": standin.Reference(standin.MachineKind, "").APIGroup, "kind": standin.MachineKind + "Template",
				"name": plane,
			}}},
		},
	}}
	w.create(o)
	before := o.DeepCopy()
	o.Object["status"] = map[string]any{"initialization": map[string]any{"controlPlaneInitialized": true}}
	w.Expect(w.env.Client.Status().Patch(w.t.Context(), o, client.MergeFrom(before))).To(Succeed())
	c := w.cluster()
	w.patch(c, func() {
		c.Spec.ControlPlaneRef = clusterv1.ContractVersionedObjectReference{
			APIGroup: "controlplane.cluster.x-k8s.io", Kind: "KubeadmControlPlane", Name: plane,
		}
	})
	w.Eventually(func() *bool { return w.cluster().Status.Initialization.ControlPlaneInitialized }).
		Should(HaveValue(BeTrue()))
	return *metav1.NewControllerRef(o, o.GroupVersionKind())
}

// kubeadmMachine creates a Machine as KubeadmControlPlane does.
func (w *planesWorld) kubeadmMachine(name string, owner metav1.OwnerReference) {
	w.t.Helper()
	m, infrastructure := w.world.machine(name, true)
	m.OwnerReferences = []metav1.OwnerReference{owner}
	m.Annotations = map[string]string{kubeadmHook: ""}
	m.Spec.ReadinessGates = []clusterv1.MachineReadinessGate{
		{ConditionType: "APIServerPodHealthy"}, {ConditionType: "NodeKubeadmLabelsAndTaintsSet"},
	}
	m.Spec.Bootstrap = clusterv1.Bootstrap{
		ConfigRef: clusterv1.ContractVersionedObjectReference{
			APIGroup: "bootstrap.cluster.x-k8s.io", Kind: "KubeadmConfig", Name: m.Name,
		},
		DataSecretName: ptr.To(m.Name),
	}
	infrastructure.SetAnnotations(map[string]string{
		clusterv1.TemplateClonedFromNameAnnotation: plane,
		clusterv1.TemplateClonedFromGroupKindAnnotation: standin.MachineKind + "Template." +
			m.Spec.InfrastructureRef.APIGroup,
	})
	config := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "bootstrap.cluster.x-k8s.io/v1beta2", "kind": "KubeadmConfig",
		"metadata": map[string]any{"name": m.Name, "namespace": w.name},
		"spec":     map[string]any{"format": "cloud-config"},
	}}
	data := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: m.Name}}
	data.StringData = map[string]string{"value": "#cloud-config\n"}
	w.create(data, config, infrastructure, m)
}

// TestControlPlaneContractAdoptionFromKubeadm follows the guide for a KubeadmControlPlane with the real definitions and
// the real garbage collector. Its machines are replaced one after the other, and its keys stay. There are three in a
// nightly run, and one otherwise.
func TestControlPlaneContractAdoptionFromKubeadm(t *testing.T) {
	t.Parallel()
	w := standAlone(t, "planes-kubeadm")
	w.Expect(w.env.InstallKubeadmKinds(t.Context())).To(Succeed())
	names := nightly.Or([]string{"cp0", "cp1", "cp2"}, []string{"cp0"})
	owner := w.kubeadmPlane(len(names))
	certificates := capisecret.NewCertificatesForInitialControlPlane(nil)
	w.Expect(certificates.Generate()).To(Succeed())
	keys := map[string]map[string][]byte{}
	for _, c := range certificates {
		if c.Purpose == capisecret.ClusterCA {
			continue
		}
		s := c.AsSecret(client.ObjectKey{Namespace: w.name, Name: w.name}, owner)
		w.create(s)
		keys[s.Name] = s.Data
	}
	for _, name := range names {
		w.kubeadmMachine(name, owner)
	}
	w.Eventually(func(g Gomega) {
		for _, m := range w.machines() {
			g.Expect(m.Status.NodeRef.Name).NotTo(BeEmpty())
		}
	}).Should(Succeed())
	before, untouched := w.uids(), w.worker()
	w.Expect(before).To(HaveLen(len(names)))
	w.adopts(int32(len(before)), true)
	for name := range before {
		w.Expect(w.uids()).NotTo(HaveKey(name))
		w.Expect(w.workloads.Removed(w.name, name)).To(BeTrue(), "%s left etcd first", name)
	}
	for name, data := range keys {
		s := &corev1.Secret{}
		w.Expect(w.get(name, s)).To(Succeed())
		w.Expect(s.Data).To(Equal(data), name)
		w.Expect(s.OwnerReferences).To(BeEmpty(), name)
	}
	untouched()
}
