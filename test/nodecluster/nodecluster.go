// Package nodecluster provides a cluster for the nodes of tests. etcd, kube-apiserver and kube-controller-manager are
// real and were prepared by kubeadm; the core of Cluster API and this project's controller create the userdata of
// machines. The cluster is its own management cluster. It needs root.
package nodecluster

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/controlplane/standin"
	"github.com/machineadm/machineadm/test/programs"
)

// Version is the version of Kubernetes.
const Version = "v1.36.3"

// How long tests wait for controllers, and for machines. They continue as soon as the result is there.
const (
	controllerPatience = 10 * time.Minute
	MachinePatience    = 20 * time.Minute
)

// Cluster is a management cluster that is also the cluster that machines join.
type Cluster struct {
	*controlplane.ControlPlane
	*gomega.WithT
	// Agent is the path of the agent's program.
	Agent string
	// Files is a directory with the files that machines can fetch, and Server the address of their server on this host.
	Files, Server string
}

// Endpoint is the address at which machines reach the API server. A Port of 0 is the API server's own.
type Endpoint struct {
	Host string
	Port int
}

// Patient returns assertions for a test, which wait for controllers.
func Patient(t *testing.T) *gomega.WithT {
	t.Helper()
	g := gomega.NewWithT(t)
	g.SetDefaultEventuallyTimeout(controllerPatience)
	g.SetDefaultEventuallyPollingInterval(500 * time.Millisecond)
	return g
}

// New starts a cluster, which stops with the test.
func New(t *testing.T, e Endpoint) *Cluster {
	t.Helper()
	ctrl.SetLogger(logr.Discard())
	g := Patient(t)
	ctx := context.WithoutCancel(t.Context())
	control, err := controlplane.Start(ctx, controlplane.Options{
		Dir:       t.TempDir(),
		Addresses: []net.IP{net.ParseIP(e.Host)},
	})
	g.Expect(err).NotTo(gomega.HaveOccurred())
	c := &Cluster{ControlPlane: control, WithT: g, Files: t.TempDir()}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	c.startManagers(ctx, t)
	c.Agent, err = programs.Build(ctx, "machineadm")
	g.Expect(err).NotTo(gomega.HaveOccurred())
	server := httptest.NewServer(http.FileServer(http.Dir(c.Files)))
	t.Cleanup(server.Close)
	c.Server = server.Listener.Addr().String()
	if e.Port == 0 {
		_, port := c.Endpoint()
		e.Port = int(port)
	}
	c.initialize(t, e)
	return c
}

// For returns the cluster with assertions for another test.
func (c *Cluster) For(t *testing.T) *Cluster {
	t.Helper()
	other := *c
	other.WithT = Patient(t)
	return &other
}

// startManagers starts the managers that work for the cluster; they stop with the test.
func (c *Cluster) startManagers(ctx context.Context, t *testing.T) {
	t.Helper()
	for _, start := range []func() (*controlplane.Process, error){
		func() (*controlplane.Process, error) { return c.StartNodeControllers(ctx) },
		func() (*controlplane.Process, error) { return c.StartCore(ctx, controlplane.Core114()) },
		func() (*controlplane.Process, error) { return c.startProvider(ctx) },
	} {
		process, err := start()
		c.Expect(err).NotTo(gomega.HaveOccurred())
		t.Cleanup(func() {
			if err := process.Stop(); err != nil {
				t.Error(err)
			}
		})
	}
	c.Expect(c.StartStandIn(ctx)).To(gomega.Succeed())
}

func (c *Cluster) startProvider(ctx context.Context) (*controlplane.Process, error) {
	program, err := programs.Build(ctx, "machineadm-controller")
	if err != nil {
		return nil, err
	}
	if err := c.InstallProvider(ctx); err != nil {
		return nil, err
	}
	provider, err := c.StartProvider(ctx, program)
	if err != nil {
		return nil, err
	}
	return provider.Process, nil
}

// initialize makes the cluster, plays its first machine, and has kubeadm prepare it for those that join.
func (c *Cluster) initialize(t *testing.T, e Endpoint) {
	t.Helper()
	key := client.ObjectKey{Namespace: "default", Name: "real"}
	// Controllers reach the API server as such, and machines through their own network.
	kubeconfig, err := c.ClusterKubeconfig(key, "workload")
	c.Expect(err).NotTo(gomega.HaveOccurred())
	for _, secret := range []*corev1.Secret{c.ClusterCA(key), kubeconfig} {
		c.Expect(c.Client.Create(t.Context(), secret)).To(gomega.Succeed())
	}
	c.apply(t, clusterManifests, "ENDPOINT_HOST", e.Host, "ENDPOINT_PORT", strconv.Itoa(e.Port))
	c.userdata(t, "first")
	first := c.machine(t, "first")
	_, err = standin.Join(t.Context(), c.Client, first)
	c.Expect(err).NotTo(gomega.HaveOccurred())
	c.Expect(c.Welcome(t.Context(), first.Name, net.JoinHostPort(e.Host, strconv.Itoa(e.Port)), Version)).
		To(gomega.Succeed())
}

//go:embed testdata/cluster.yaml
var clusterManifests string

//go:embed testdata/worker.yaml
var workerManifests string

// Worker is a machine that joins. Its fields are in YAML.
type Worker struct {
	Name string
	// OS is spec.os, Delivery is spec.delivery and Kubernetes is spec.machine.kubernetes of the MachineBootstrapConfig.
	OS, Delivery, Kubernetes string
	// PostCommand is a command that runs after the join; empty for none.
	PostCommand string
}

// Data creates the machine, waits until it has its bootstrap data, and returns the data as an infrastructure provider
// gets it.
func (c *Cluster) Data(t *testing.T, w Worker) []byte {
	t.Helper()
	command, err := json.Marshal(cmp.Or(w.PostCommand, "true"))
	c.Expect(err).NotTo(gomega.HaveOccurred())
	c.apply(t, workerManifests, "NAME", w.Name, "OPERATING_SYSTEM", w.OS, "DELIVERY", w.Delivery,
		"KUBERNETES", w.Kubernetes,
		"POST_COMMAND", string(command))
	return c.userdata(t, w.Name)
}

// apply applies manifests, with pairs of words and their replacements.
func (c *Cluster) apply(t *testing.T, manifests string, words ...string) {
	t.Helper()
	objects, err := controlplane.Decode(strings.NewReader(strings.NewReplacer(words...).Replace(manifests)))
	c.Expect(err).NotTo(gomega.HaveOccurred())
	c.Expect(c.Apply(t.Context(), objects...)).To(gomega.Succeed())
}

func (c *Cluster) machine(t *testing.T, name string) *clusterv1.Machine {
	t.Helper()
	m := &clusterv1.Machine{}
	c.Expect(c.Client.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: name}, m)).To(gomega.Succeed())
	return m
}

// userdata waits until the machine has its bootstrap data, and returns it as an infrastructure provider would.
func (c *Cluster) userdata(t *testing.T, name string) []byte {
	t.Helper()
	m := &clusterv1.Machine{}
	c.Eventually(func(g gomega.Gomega) {
		g.Expect(c.Client.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: name}, m)).To(gomega.Succeed())
		g.Expect(m.Spec.Bootstrap.DataSecretName).NotTo(gomega.BeNil())
	}).Should(gomega.Succeed(), func() string { return c.conditions(t, name) })
	secret := &corev1.Secret{}
	c.Expect(c.Client.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: *m.Spec.Bootstrap.DataSecretName},
		secret)).To(gomega.Succeed())
	return secret.Data["value"]
}
