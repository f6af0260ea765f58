//go:build linux

package nodes_test

import (
	"context"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/controlplane/standin"
	"github.com/machineadm/machineadm/test/programs"
)

// management is a management cluster: a real API server with the real core manager, and this project's with an
// endpoint.
type management struct {
	*WithT
	*controlplane.ControlPlane

	endpoint *controlplane.MachineEndpoint
}

func manage(t *testing.T) management {
	t.Helper()
	g := NewWithT(t)
	g.SetDefaultEventuallyTimeout(patience)
	ctrl.SetLogger(logr.Discard())
	ctx := context.WithoutCancel(t.Context())
	c, err := controlplane.Start(ctx, controlplane.Options{Dir: t.TempDir()})
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() { NewWithT(t).Expect(c.Stop()).To(Succeed()) })
	ends := func(p *controlplane.Process, err error) {
		g.Expect(err).NotTo(HaveOccurred())
		t.Cleanup(func() { NewWithT(t).Expect(p.Stop()).To(Succeed()) })
	}
	ends(c.StartControllerManager(ctx))
	ends(c.StartCore(ctx, controlplane.Core114()))
	g.Expect(c.StartStandIn(ctx)).To(Succeed())
	g.Expect(c.InstallProvider(ctx)).To(Succeed())
	program, err := programs.Build(ctx, "machineadm-controller")
	g.Expect(err).NotTo(HaveOccurred())
	endpoint, err := controlplane.NewMachineEndpoint(t.TempDir())
	g.Expect(err).NotTo(HaveOccurred())
	provider, err := c.StartProvider(ctx, program, endpoint.Flags...)
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() { NewWithT(t).Expect(provider.Stop()).To(Succeed()) })
	return management{g, c, endpoint}
}

func key(name string) client.ObjectKey { return client.ObjectKey{Namespace: "default", Name: name} }

// fleet makes a cluster whose first machine is there, and a deployment of one worker that reports.
func (m management) fleet(t *testing.T, spec map[string]any) {
	t.Helper()
	text, err := os.ReadFile("testdata/fleet.yaml")
	m.Expect(err).NotTo(HaveOccurred())
	objects, err := controlplane.Decode(strings.NewReader(string(text)))
	m.Expect(err).NotTo(HaveOccurred())
	for _, o := range objects {
		if o.GetKind() == v1alpha1.TemplateKind {
			m.Expect(unstructured.SetNestedMap(o.Object, spec, "spec", "template", "spec")).To(Succeed())
		}
	}
	m.Expect(m.Client.Create(t.Context(), m.ClusterCA(key("demo")))).To(Succeed())
	m.Expect(m.Apply(t.Context(), objects...)).To(Succeed())
	first := &clusterv1.Machine{}
	m.Eventually(func(g Gomega) {
		g.Expect(m.Client.Get(t.Context(), key("first"), first)).To(Succeed())
		g.Expect(first.Spec.Bootstrap.DataSecretName).NotTo(BeNil())
	}).Should(Succeed())
	_, err = standin.Join(t.Context(), m.Client, first)
	m.Expect(err).NotTo(HaveOccurred())
}

// worker waits until the deployment has a machine with data, other than the one of that name, and returns it.
func (m management) worker(t *testing.T, other string) *clusterv1.Machine {
	t.Helper()
	var list clusterv1.MachineList
	m.Eventually(func(g Gomega) {
		g.Expect(m.Client.List(t.Context(), &list, client.InNamespace("default"), client.MatchingLabels{"fleet": "workers"})).
			To(Succeed())
		g.Expect(list.Items).To(HaveLen(1))
		g.Expect(list.Items[0].Name).NotTo(Equal(other))
		g.Expect(list.Items[0].Spec.Bootstrap.DataSecretName).NotTo(BeNil())
	}).Should(Succeed())
	return &list.Items[0]
}

// reporting is the specification of the tests' machines, that report.
func reporting(t *testing.T, name string) map[string]any {
	t.Helper()
	text, err := os.ReadFile("testdata/machine.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, config, _ := strings.Cut(strings.ReplaceAll(strings.ReplaceAll(string(text), "NAME", name), "NUMBER",
		"11"), "\n---\n")
	spec, ok := parsed(t, config)["spec"].(map[string]any)
	if !ok {
		t.Fatal("there is no specification")
	}
	spec["reporting"] = map[string]any{}
	return spec
}

// reaches has an address of this machine's loopback answer on that of the machine.
func (m *machine) reaches(t *testing.T, address string) {
	t.Helper()
	var l net.Listener
	err := inside(m.path("ns/net"), func() (err error) {
		l, err = net.Listen("tcp", address)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			go relay(from, address)
		}
	}()
}

func relay(from net.Conn, address string) {
	defer func() { _ = from.Close() }()
	to, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer func() { _ = to.Close() }()
	go func() { _, _ = io.Copy(to, from) }()
	_, _ = io.Copy(from, to)
}

// TestAFailedJoinIsReportedAndRemedied follows a failure from the machine on which kubeadm fails to the machine that
// takes its place.
func TestAFailedJoinIsReportedAndRemedied(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := manage(t)
	c.fleet(t, reporting(t, "report"))
	failing := c.worker(t, "")
	data := &corev1.Secret{}
	c.Expect(c.Client.Get(t.Context(), key(*failing.Spec.Bootstrap.DataSecretName), data)).To(Succeed())
	m := w.start(t, "report", string(data.Data["value"]))
	m.reaches(t, strings.TrimPrefix(c.endpoint.URL, "https://"))
	m.must(t, "rm /usr/bin/kubelet")
	if err := m.boot(t); err == nil {
		t.Fatal("a machine without kubelet joined")
	}
	const cause = "[ERROR KubeletVersion]: couldn't get kubelet version"
	m.failed(t, record{Phase: "join", Action: "run kubeadm join", ExitCode: 1, Cause: cause})
	c.Eventually(func(g Gomega) {
		config, owner := &v1alpha1.MachineBootstrapConfig{}, &clusterv1.Machine{}
		g.Expect(c.Client.Get(t.Context(), key(failing.Spec.Bootstrap.ConfigRef.Name), config)).To(Succeed())
		g.Expect(conditions.GetReason(config, "BootstrapSucceeded")).To(Equal("JoinFailed"), "%+v", config.Status)
		g.Expect(conditions.GetMessage(config, "BootstrapSucceeded")).To(ContainSubstring(cause))
		g.Expect(conditions.IsTrue(config, "DataSecretAvailable")).To(BeTrue())
		g.Expect(c.Client.Get(t.Context(), key(failing.Name), owner)).To(Succeed())
		condition := conditions.Get(owner, clusterv1.MachineBootstrapConfigReadyCondition)
		g.Expect(condition).NotTo(BeNil())
		g.Expect(condition.Status).To(Equal(metav1.ConditionFalse))
		g.Expect(condition.Message).To(ContainSubstring(cause))
	}).Should(Succeed(), m.logs)
	c.Expect(c.Client.Create(t.Context(), controlplane.HealthCheck("default", "demo"))).To(Succeed())
	c.Eventually(func() bool {
		return apierrors.IsNotFound(c.Client.Get(t.Context(), key(failing.Name), &clusterv1.Machine{}))
	}).Should(BeTrue())
	c.worker(t, failing.Name)
}
