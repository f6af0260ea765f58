//go:build e2e

// Package machines_test has virtual machines join a real cluster. etcd, kube-apiserver and kube-controller-manager are
// real and were prepared by kubeadm; the core of Cluster API and this project's controller make the machines' userdata;
// the machines boot it by real cloud-init and by real Ignition in the initial ramdisk, and run real containerd, kubeadm
// and kubelet. It needs root.
package machines_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/controlplane/standin"
	"github.com/machineadm/machineadm/test/programs"
)

const (
	// host is where machines find what the test serves, and endpoint their cluster's API server.
	host     = "10.0.2.100"
	endpoint = host + ":6443"
	version  = "v1.36.3"
	// patience is how long the test waits for what controllers do, and long for what a machine does; it goes on as soon as
	// it is done.
	patience = 2 * time.Minute
	long     = 20 * time.Minute
)

// cluster is a management cluster that is also the cluster that machines join.
type cluster struct {
	*controlplane.ControlPlane
	*WithT
	// agent is the agent's program, and files the address at which machines fetch it as http://host/machineadm.
	agent, files string
}

// patient returns assertions for a test, which wait for controllers.
func patient(t *testing.T) *WithT {
	t.Helper()
	g := NewWithT(t)
	g.SetDefaultEventuallyTimeout(patience)
	g.SetDefaultEventuallyPollingInterval(200 * time.Millisecond)
	return g
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	ctrl.SetLogger(logr.Discard())
	g := patient(t)
	ctx := context.WithoutCancel(t.Context())
	control, err := controlplane.Start(ctx, controlplane.Options{Dir: t.TempDir(), Addresses: []net.IP{net.ParseIP(host)}})
	g.Expect(err).NotTo(HaveOccurred())
	c := &cluster{ControlPlane: control, WithT: g}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	c.startManagers(ctx, t)
	c.agent, err = programs.Build(ctx, "machineadm")
	g.Expect(err).NotTo(HaveOccurred())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w,
			r, c.agent)
	}))
	t.Cleanup(server.Close)
	c.files = server.Listener.Addr().String()
	c.initialize(t)
	return c
}

// startManagers starts the managers that work for the cluster; they stop with the test.
func (c *cluster) startManagers(ctx context.Context, t *testing.T) {
	t.Helper()
	for _, start := range []func() (*controlplane.Process, error){
		func() (*controlplane.Process, error) { return c.StartNodeControllers(ctx) },
		func() (*controlplane.Process, error) { return c.StartCore(ctx, controlplane.Core114()) },
		func() (*controlplane.Process, error) { return c.startProvider(ctx) },
	} {
		process, err := start()
		c.Expect(err).NotTo(HaveOccurred())
		t.Cleanup(func() {
			if err := process.Stop(); err != nil {
				t.Error(err)
			}
		})
	}
	c.Expect(c.StartStandIn(ctx)).To(Succeed())
}

func (c *cluster) startProvider(ctx context.Context) (*controlplane.Process, error) {
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
func (c *cluster) initialize(t *testing.T) {
	t.Helper()
	key := client.ObjectKey{Namespace: "default", Name: "real"}
	// Controllers reach the API server as such, and machines through their own network.
	kubeconfig, err := c.ClusterKubeconfig(key, "workload")
	c.Expect(err).NotTo(HaveOccurred())
	for _, secret := range []*corev1.Secret{c.ClusterCA(key), kubeconfig} {
		c.Expect(c.Client.Create(t.Context(), secret)).To(Succeed())
	}
	c.apply(t, "testdata/cluster.yaml")
	c.userdata(t, "first")
	first := c.machine(t, "first")
	_, err = standin.Join(t.Context(), c.Client, first)
	c.Expect(err).NotTo(HaveOccurred())
	c.Expect(c.Welcome(t.Context(), first.Name, endpoint, version)).To(Succeed())
}

// apply applies manifests, with pairs of words and what takes their places.
func (c *cluster) apply(t *testing.T, path string, words ...string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Clean(path))
	c.Expect(err).NotTo(HaveOccurred())
	objects, err := controlplane.Decode(strings.NewReader(strings.NewReplacer(words...).Replace(string(text))))
	c.Expect(err).NotTo(HaveOccurred())
	c.Expect(c.Apply(t.Context(), objects...)).To(Succeed())
}

func (c *cluster) machine(t *testing.T, name string) *clusterv1.Machine {
	t.Helper()
	m := &clusterv1.Machine{}
	c.Expect(c.Client.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: name}, m)).To(Succeed())
	return m
}

// userdata waits until the machine has its bootstrap data, and returns it as an infrastructure provider would.
func (c *cluster) userdata(t *testing.T, name string) []byte {
	t.Helper()
	m := &clusterv1.Machine{}
	c.Eventually(func(g Gomega) {
		g.Expect(c.Client.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: name}, m)).To(Succeed())
		g.Expect(m.Spec.Bootstrap.DataSecretName).NotTo(BeNil())
	}).Should(Succeed(), func() string { return c.conditions(t, name) })
	secret := &corev1.Secret{}
	c.Expect(c.Client.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: *m.Spec.Bootstrap.DataSecretName},
		secret)).To(Succeed())
	return secret.Data["value"]
}
