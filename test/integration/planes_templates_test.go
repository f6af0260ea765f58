package integration_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	. "github.com/onsi/gomega"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/controlplane/standin"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/programs"
)

// templateVariables are what a user of the templates sets.
func templateVariables() []string {
	return []string{
		"INFRASTRUCTURE_API_GROUP=" + standin.Group, "INFRASTRUCTURE_API_VERSION=" + standin.Version,
		"INFRASTRUCTURE_CLUSTER_KIND=" + standin.ClusterKind, "INFRASTRUCTURE_MACHINE_KIND=" + standin.MachineKind,
		"KUBERNETES_SYSEXT_URL=https://mirror.example/kubernetes-{version}-{arch}.raw",
		"KUBERNETES_SYSEXT_SHA256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"SSH_AUTHORIZED_KEY=ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG1hY2hpbmVhZG0tZXhhbXBsZS1rZXktMDAwMDAwMDAw operator",
		"FEDORA_COREOS_VERSION=42.20250705.3.0",
	}
}

// newTemplateWorld returns a namespace with the CA of a cluster that has the same name.
func newTemplateWorld(t *testing.T, name string) *planesWorld {
	t.Helper()
	workloads, err := simulated()
	if err != nil {
		t.Fatal(err)
	}
	w := &planesWorld{
		world: &world{WithT: patient(t), env: shared(), t: t, name: name, prefix: name}, workloads: workloads,
	}
	w.Expect(w.env.EnsureNamespace(t.Context(), name)).To(Succeed())
	w.create(w.env.ClusterCA(client.ObjectKey{Namespace: name, Name: name}))
	t.Cleanup(w.rest)
	return w
}

// applyTemplate lets the real clusterctl generate the objects of a file of config/clusterctl, and applies them.
func (w *planesWorld) applyTemplate(file string) {
	w.t.Helper()
	w.Expect(w.env.Apply(w.t.Context(), w.generate(file)...)).To(Succeed())
}

// generate lets the real clusterctl generate the objects of a file of config/clusterctl.
func (w *planesWorld) generate(file string) []*unstructured.Unstructured {
	w.t.Helper()
	clusterctl, err := controlplane.Tool(w.t.Context(), "clusterctl")
	w.Expect(err).NotTo(HaveOccurred())
	cmd := exec.CommandContext(w.t.Context(), clusterctl, "generate", "cluster", w.name,
		"--from", filepath.Join(programs.Root(), "config/clusterctl", file), "--target-namespace", w.name,
		"--kubernetes-version", version, "--control-plane-machine-count", "1", "--worker-machine-count", "1")
	cmd.Env = append(os.Environ(), "CLUSTERCTL_DISABLE_VERSIONCHECK=true", "GOPROXY=off", "HOME="+w.t.TempDir())
	cmd.Env = append(cmd.Env, templateVariables()...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	w.Expect(err).NotTo(HaveOccurred(), stderr.String())
	objects, err := controlplane.Decode(bytes.NewReader(out))
	w.Expect(err).NotTo(HaveOccurred())
	return objects
}

// workersHaveData waits until each worker has its bootstrap data, and returns the operating systems of their configs.
func (w *planesWorld) workersHaveData() []string {
	w.t.Helper()
	var systems []string
	w.Eventually(func(g Gomega) {
		var list clusterv1.MachineList
		g.Expect(w.env.Client.List(w.t.Context(), &list, client.InNamespace(w.name))).To(Succeed())
		systems = nil
		for _, m := range list.Items {
			if _, controlPlane := m.Labels[clusterv1.MachineControlPlaneLabel]; controlPlane {
				continue
			}
			config := &v1alpha1.MachineBootstrapConfig{}
			g.Expect(w.get(m.Spec.Bootstrap.ConfigRef.Name, config)).To(Succeed())
			g.Expect(m.Spec.Bootstrap.DataSecretName).NotTo(BeNil(), "%+v", config.Status.Conditions)
			systems = append(systems, config.Spec.OS.Distribution)
		}
		g.Expect(systems).To(HaveLen(1))
	}).Should(Succeed())
	return systems
}

// TestTemplates follows the clusters of the templates until all of their machines have bootstrap data, and those of the
// control plane are nodes.
func TestTemplates(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ controlPlane, workers string }{
		"flatcar":       {controlPlane: "flatcar", workers: "flatcar"},
		"fedora-coreos": {controlPlane: "fedora-coreos", workers: "fedora-coreos"},
		"ubuntu":        {controlPlane: "ubuntu", workers: "ubuntu"},
		"debian":        {controlPlane: "debian", workers: "debian"},
		"talos":         {controlPlane: "talos", workers: "talos"},
		"mixed":         {controlPlane: "flatcar", workers: "ubuntu"},
	}
	for name, c := range nightly.Cases(t, cases, "talos") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTemplateWorld(t, "template-"+name)
			w.applyTemplate("cluster-template-" + name + ".yaml")
			w.complete()
			w.Expect(w.plane().Spec.Bootstrap.OS.Distribution).To(Equal(c.controlPlane))
			w.Expect(w.workersHaveData()).To(ConsistOf(c.workers))
		})
	}
}

// TestClusterClass follows a cluster of the ClusterClass, with a value of each variable.
func TestClusterClass(t *testing.T) {
	t.Parallel()
	w := newTemplateWorld(t, "template-class")
	w.applyTemplate("clusterclass-machineadm.yaml")
	cluster := &clusterv1.Cluster{}
	topology := w.generate("cluster-template-topology.yaml")
	w.Expect(topology).To(HaveLen(1))
	w.Expect(runtime.DefaultUnstructuredConverter.FromUnstructured(topology[0].Object, cluster)).To(Succeed())
	w.setVariables(cluster, map[string]string{
		"certSANs": `["demo.example"]`, "imageRepository": `"mirror.example/k8s"`, "timeServers": `["ntp.example"]`,
		"proxy": `{"httpProxy": "http://proxy.example:3128", "noProxy": [".example"]}`, "maxSurge": `0`,
		"certificatesExpiryDays": `90`, "sshUser": `"operator"`,
	})
	// A MachineDeployment overrides a variable.
	cluster.Spec.Topology.Workers.MachineDeployments[0].Variables.Overrides = []clusterv1.ClusterVariable{
		variable("os", `{"distribution": "ubuntu"}`), variable("kubernetes", `{"provision": "Image"}`),
	}
	w.create(cluster)
	w.complete()
	w.Expect(w.workersHaveData()).To(ConsistOf("ubuntu"))
	w.hasVariables()
	w.patch(cluster, func() {
		w.setVariables(cluster, map[string]string{"virtualIP": `{"address": "10.0.0.100", "interface": "eth0"}`})
	})
	w.Eventually(func() *v1alpha1.VirtualIPSpec { return w.plane().Spec.Bootstrap.ControlPlane.VirtualIP }).
		Should(HaveValue(Equal(v1alpha1.VirtualIPSpec{Address: "10.0.0.100", Interface: "eth0"})))
}

// hasVariables checks that the control plane has the values of the variables.
func (w *planesWorld) hasVariables() {
	w.t.Helper()
	spec := w.plane().Spec
	w.Expect(spec.Rollout.MaxSurge).To(HaveValue(BeEquivalentTo(0)))
	w.Expect(spec.Rollout.Before.CertificatesExpiryDays).To(HaveValue(BeEquivalentTo(90)))
	w.Expect(spec.Bootstrap.OS).To(Equal(v1alpha1.OSSpec{
		Distribution: "flatcar", Version: "4230.2.0", Architecture: "amd64",
	}))
	w.Expect(spec.Bootstrap.Node.NameParts).To(HaveLen(1))
	w.Expect(spec.Bootstrap.ControlPlane.APIServer.CertSANs).To(ConsistOf("demo.example"))
	w.Expect(spec.Bootstrap.ControlPlane.ImageRepository).To(Equal("mirror.example/k8s"))
	machine := spec.Bootstrap.Machine
	w.Expect(machine.Kubernetes.Provision).To(Equal("Sysext"))
	w.Expect(machine.TimeSync.Servers).To(ConsistOf("ntp.example"))
	w.Expect(machine.Proxy.HTTPProxy).To(Equal("http://proxy.example:3128"))
	w.Expect(machine.Users).To(HaveLen(1))
	w.Expect(machine.Users[0].Name).To(Equal("operator"))
	w.Expect(machine.Users[0].SSHAuthorizedKeys).To(HaveLen(1))
}

func variable(name, value string) clusterv1.ClusterVariable {
	return clusterv1.ClusterVariable{Name: name, Value: apiextensionsv1.JSON{Raw: []byte(value)}}
}

// setVariables sets variables of the topology.
func (w *planesWorld) setVariables(c *clusterv1.Cluster, values map[string]string) {
	w.t.Helper()
	for name, value := range values {
		w.Expect(json.Valid([]byte(value))).To(BeTrue(), value)
		c.Spec.Topology.Variables = slices.DeleteFunc(c.Spec.Topology.Variables, func(v clusterv1.ClusterVariable) bool {
			return v.Name == name
		})
		c.Spec.Topology.Variables = append(c.Spec.Topology.Variables, variable(name, value))
	}
}
