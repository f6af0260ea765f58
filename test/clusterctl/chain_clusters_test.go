package clusterctl_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nightly"
)

// The namespaces of the clusters: those that are moved, one of hosts, and one of the kubeadm providers.
const (
	movedNamespace  = "moved-clusters"
	hostsNamespace  = "hosts"
	besideNamespace = "beside"
)

// controlPlaneMachines is the number of control plane machines of the cluster with two operating systems. Each further
// one takes a minute, in which little is computed.
func controlPlaneMachines() int { return nightly.Or(3, 1) }

// movedClusters are the clusters that are moved, with the number of their machines: one of a template with two
// operating systems, and one of the ClusterClass.
func movedClusters() map[string]int {
	return map[string]int{"demo": controlPlaneMachines() + 2, "prod": 2}
}

// packagesKey is the key of the repository that the machines of hosts use, as docs/guides/ssh-hosts.md creates it.
const packagesKey = `
---
apiVersion: v1
kind: ConfigMap
metadata: {name: kubernetes-packages, namespace: ` + hostsNamespace + `}
data:
  Release.key: |
    -----BEGIN PGP PUBLIC KEY BLOCK-----

    mDMEY29uZm9ybWFuY2U=
    -----END PGP PUBLIC KEY BLOCK-----
`

// kubeadmCluster is a cluster of the kubeadm providers.
const kubeadmCluster = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: demo}
spec:
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: demo}
  infrastructureRef: {apiGroup: infrastructure.standin.machineadm.io, kind: StandInCluster, name: demo}
---
apiVersion: infrastructure.standin.machineadm.io/v1beta2
kind: StandInCluster
metadata: {name: demo}
---
apiVersion: infrastructure.standin.machineadm.io/v1beta2
kind: StandInMachineTemplate
metadata: {name: demo}
spec: {template: {spec: {}}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: demo}
spec:
  replicas: 1
  version: v1.36.3
  machineTemplate:
    spec:
      infrastructureRef: {apiGroup: infrastructure.standin.machineadm.io, kind: StandInMachineTemplate, name: demo}
  kubeadmConfigSpec:
    clusterConfiguration: {encryptionAlgorithm: ECDSA-P256}
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata: {name: demo}
spec: {template: {spec: {preKubeadmCommands: ["true"]}}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: demo}
spec:
  clusterName: demo
  replicas: 1
  template:
    spec:
      clusterName: demo
      version: v1.36.3
      bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfigTemplate, name: demo}}
      infrastructureRef: {apiGroup: infrastructure.standin.machineadm.io, kind: StandInMachineTemplate, name: demo}
`

// createClusters creates the clusters.
func (s *site) createClusters() {
	s.t.Helper()
	for _, namespace := range []string{movedNamespace, hostsNamespace, besideNamespace} {
		s.Expect(s.EnsureNamespace(s.t.Context(), namespace)).To(Succeed())
	}
	beside := decode(s.t, []byte(kubeadmCluster))
	for _, o := range beside {
		o.SetNamespace(besideNamespace)
	}
	hosts, stderr, err := s.output(s.t, []string{"CONTROL_PLANE_ENDPOINT_HOST=192.0.2.1"}, "generate", "cluster", "demo",
		"--infrastructure", "machineadm-hosts", "--target-namespace", hostsNamespace, "--kubernetes-version", "v1.36.3",
		"--worker-machine-count", "1", "--kubeconfig", s.kubeconfig)
	s.Expect(err).NotTo(HaveOccurred(), stderr)
	hosts = append(hosts, packagesKey...)
	validates(s.t, s.machineadmctl, hosts)
	objects := slices.Concat(beside, decode(s.t, hosts),
		decode(s.t, s.generated(movedNamespace, "prod", "topology", 1, 1)),
		decode(s.t, s.generated(movedNamespace, "demo", "mixed", controlPlaneMachines(), 2)))
	s.Expect(s.Apply(s.t.Context(), objects...)).To(Succeed())
}

// state is what must not change when clusters are moved and providers are upgraded.
type state struct {
	// payloads are the descriptions of published data by the names of configs, and secrets the contents of all Secrets.
	payloads, secrets map[string]string
	// tokens are the names of the bootstrap tokens in the workload clusters, by the names of the clusters.
	tokens map[string][]string
}

// complete waits until each machine of the moved clusters is a node, and returns their state. The first machine on a
// host has its data, and the cluster of the kubeadm providers has its nodes.
func (s *site) complete() (found state) {
	s.t.Helper()
	for name, machines := range movedClusters() {
		s.awaitNodes(movedNamespace, name, machines)
		plane := &controlplanev1.MachineadmControlPlane{}
		s.Eventually(func(g Gomega) {
			g.Expect(s.Client.Get(s.t.Context(), s.planeOf(g, name), plane)).To(Succeed())
			g.Expect(plane.Status.NextOperation.Reason).To(Equal("UpToDate"), "%+v", plane.Status.NextOperation)
		}).Should(Succeed())
	}
	s.awaitNodes(besideNamespace, "demo", 2)
	s.Eventually(func(g Gomega) {
		var list v1alpha1.MachineBootstrapConfigList
		g.Expect(s.Client.List(s.t.Context(), &list, client.InNamespace(hostsNamespace))).To(Succeed())
		g.Expect(list.Items).To(ContainElement(HaveField("Status.Ready", true)))
	}).Should(Succeed())
	s.events = s.configEvents()
	return s.state(s.WithT)
}

// planeOf returns the name of the control plane of a moved cluster.
func (s *site) planeOf(g Gomega, cluster string) client.ObjectKey {
	found := &clusterv1.Cluster{}
	key := client.ObjectKey{Namespace: movedNamespace, Name: cluster}
	g.Expect(s.Client.Get(s.t.Context(), key, found)).To(Succeed())
	return client.ObjectKey{Namespace: movedNamespace, Name: found.Spec.ControlPlaneRef.Name}
}

// awaitNodes waits until a cluster is available and has the number of machines, each with a node.
func (s *site) awaitNodes(namespace, cluster string, machines int) {
	s.t.Helper()
	s.Eventually(func(g Gomega) {
		var list clusterv1.MachineList
		g.Expect(s.Client.List(s.t.Context(), &list, client.InNamespace(namespace),
			client.MatchingLabels{clusterv1.ClusterNameLabel: cluster})).To(Succeed())
		g.Expect(list.Items).To(HaveLen(machines))
		for _, m := range list.Items {
			g.Expect(m.Status.NodeRef.Name).NotTo(BeEmpty(), "%s: %v", m.Name, m.Status.Conditions)
		}
		found := &clusterv1.Cluster{}
		g.Expect(s.Client.Get(s.t.Context(), client.ObjectKey{Namespace: namespace, Name: cluster}, found)).To(Succeed())
		g.Expect(conditions.IsTrue(found, clusterv1.ClusterAvailableCondition)).To(BeTrue(), "%v", found.Status.Conditions)
	}).Should(Succeed())
}

// state returns the state of the moved clusters.
func (s *site) state(g Gomega) state {
	found := state{payloads: map[string]string{}, secrets: map[string]string{}, tokens: map[string][]string{}}
	var configs v1alpha1.MachineBootstrapConfigList
	g.Expect(s.Client.List(s.t.Context(), &configs, client.InNamespace(movedNamespace))).To(Succeed())
	for _, c := range configs.Items {
		g.Expect(c.Status.Ready).To(BeTrue(), c.Name)
		g.Expect(c.Status.Payload).NotTo(BeNil(), c.Name)
		found.payloads[c.Name] = fmt.Sprintf("%+v", *c.Status.Payload)
	}
	var secrets corev1.SecretList
	g.Expect(s.Client.List(s.t.Context(), &secrets, client.InNamespace(movedNamespace))).To(Succeed())
	for _, secret := range secrets.Items {
		var all []string
		for _, key := range slices.Sorted(maps.Keys(secret.Data)) {
			all = append(all, key+"="+string(secret.Data[key]))
		}
		found.secrets[secret.Name] = strings.Join(all, "\n")
		if cluster, is := strings.CutSuffix(secret.Name, "-kubeconfig"); is {
			found.tokens[cluster] = s.tokens(g, secret.Data["value"])
		}
	}
	g.Expect(found.tokens).To(HaveLen(len(movedClusters())))
	return found
}

// tokens returns the names of the bootstrap tokens of a workload cluster.
func (s *site) tokens(g Gomega, kubeconfig []byte) (names []string) {
	config, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	g.Expect(err).NotTo(HaveOccurred())
	config.QPS = -1
	workload, err := client.New(config, client.Options{})
	g.Expect(err).NotTo(HaveOccurred())
	var list corev1.SecretList
	g.Expect(workload.List(s.t.Context(), &list, client.InNamespace("kube-system"))).To(Succeed())
	for _, secret := range list.Items {
		if strings.HasPrefix(secret.Name, "bootstrap-token-") {
			names = append(names, secret.Name)
		}
	}
	slices.Sort(names)
	return names
}

// leftAlone waits until the managers have observed all moved clusters, and checks that they have changed nothing and
// published nothing.
func (s *site) leftAlone(before state) {
	s.t.Helper()
	for name, machines := range movedClusters() {
		s.awaitNodes(movedNamespace, name, machines)
	}
	s.Eventually(func(g Gomega) {
		now := s.state(g)
		g.Expect(now.payloads).To(Equal(before.payloads))
		for cluster, tokens := range now.tokens {
			for _, token := range tokens {
				g.Expect(before.tokens[cluster]).To(ContainElement(token))
			}
		}
		for name := range before.secrets {
			g.Expect(now.secrets[name] == before.secrets[name]).To(BeTrue(), "the Secret %s has changed", name)
		}
		g.Expect(now.secrets).To(HaveLen(len(before.secrets)))
	}).Should(Succeed())
	s.Expect(s.configEvents()).To(Equal(s.events), "events about bootstrap configs")
}

// configEvents counts the events about bootstrap configs in the namespace of the moved clusters.
func (s *site) configEvents() (count int) {
	s.t.Helper()
	var list eventsv1.EventList
	s.Expect(s.Client.List(s.t.Context(), &list, client.InNamespace(movedNamespace))).To(Succeed())
	for _, e := range list.Items {
		if e.Regarding.Kind == v1alpha1.ConfigKind {
			count++
		}
	}
	return count
}

// describes lets clusterctl describe the clusters. The conditions of a machine that has just become a node follow soon.
func (s *site) describes() {
	s.t.Helper()
	for name := range movedClusters() {
		s.Eventually(func(g Gomega) {
			described := s.clusterctl("describe", "cluster", name, "--namespace", movedNamespace, "--show-conditions", "all")
			for _, want := range []string{"MachineadmControlPlane " + movedNamespace + "/" + name, "EtcdClusterHealthy"} {
				g.Expect(described).To(ContainSubstring(want))
			}
			g.Expect(described).NotTo(ContainSubstring("Unknown"))
		}).Should(Succeed())
	}
}

// moves moves the clusters to the other management cluster, which publishes nothing.
func (s *site) moves(to *site) {
	s.t.Helper()
	to.events = to.configEvents()
	templates := s.templates()
	s.clusterctl("move", "--to-kubeconfig", to.kubeconfig, "--namespace", movedNamespace)
	s.Expect(to.templates()).To(Equal(templates), "templates of infrastructure machines")
	var list clusterv1.ClusterList
	s.Expect(s.Client.List(s.t.Context(), &list, client.InNamespace(movedNamespace))).To(Succeed())
	s.Expect(list.Items).To(BeEmpty())
}

// templates returns the names of the templates of infrastructure machines in the namespace of the moved clusters.
func (s *site) templates() (names []string) {
	s.t.Helper()
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(schema.GroupVersionKind{
		Group: "infrastructure.standin.machineadm.io", Version: "v1beta2", Kind: "StandInMachineTemplateList",
	})
	s.Expect(s.Client.List(s.t.Context(), list, client.InNamespace(movedNamespace))).To(Succeed())
	s.Expect(list.Items).NotTo(BeEmpty())
	for _, o := range list.Items {
		names = append(names, o.Name)
	}
	return names
}

// leavesKubeadmAlone checks that the managers of machineadm have written nothing to the objects of the kubeadm
// providers and of their cluster, which is still available.
func (s *site) leavesKubeadmAlone() {
	s.t.Helper()
	var secrets corev1.SecretList
	s.Expect(s.Client.List(s.t.Context(), &secrets, client.InNamespace(besideNamespace))).To(Succeed())
	s.Expect(len(secrets.Items)).To(BeNumerically(">=", 7), "four authorities, a kubeconfig, the data of two machines")
	s.awaitNodes(besideNamespace, "demo", 2)
	requests, _, err := s.Requests(0)
	s.Expect(err).NotTo(HaveOccurred())
	ours := []string{controlplane.ProviderUser, controlplane.PlanesUser, controlplane.HostsUser}
	writes := []string{"create", "update", "patch", "delete", "deletecollection"}
	observed := map[string]bool{}
	for _, r := range requests {
		if !slices.Contains(ours, r.User) {
			continue
		}
		observed[r.User] = true
		ofKubeadm := r.Namespace == besideNamespace || strings.HasPrefix(r.Resource, "kubeadm")
		s.Expect(ofKubeadm && slices.Contains(writes, r.Verb)).To(BeFalse(), "%+v", r)
	}
	s.Expect(observed).To(HaveLen(len(ours)), "each manager has sent requests")
}
