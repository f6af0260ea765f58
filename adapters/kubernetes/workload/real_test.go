//go:build linux && !unit

package workload_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/cluster-api/util/certs"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/workload"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	domain "github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/port"
)

// timeout is that of observations and operations. Real members on a busy machine need more than the default.
const timeout = time.Minute

// components are the static Pods of a control plane node.
func components() []string {
	return []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd"}
}

// server is the real API server of all tests, which is the workload cluster of a Cluster.
var server *controlplane.ControlPlane

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	dir, err := os.MkdirTemp("", "workload")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if server, err = controlplane.Start(ctx, controlplane.Options{Dir: dir}); err != nil {
		panic(err)
	}
	code := m.Run()
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// connections is a ClusterCache with one cluster.
type connections struct {
	client client.Client
	config *rest.Config
}

func (c connections) GetReader(context.Context, client.ObjectKey) (client.Reader, error) {
	return c.client, nil
}

func (c connections) GetUncachedClient(context.Context, client.ObjectKey) (client.Client, error) {
	return c.client, nil
}

func (c connections) GetRESTConfig(context.Context, client.ObjectKey) (*rest.Config, error) {
	return rest.CopyConfig(c.config), nil
}

// reachable returns connections to the API server.
func reachable() connections { return connections{client: server.Client, config: server.Config} }

// unreachable returns connections to an address at which nothing listens.
func unreachable(t *testing.T) connections {
	t.Helper()
	address, err := port.Reserve()
	if err != nil {
		t.Fatal(err)
	}
	config := rest.CopyConfig(server.Config)
	config.Host = "https://" + address
	c, err := client.New(config, client.Options{Scheme: controlplane.Scheme(), Mapper: server.Client.RESTMapper()})
	if err != nil {
		t.Fatal(err)
	}
	return connections{client: c, config: config}
}

// kubelet returns the kubelet of the nodes, with their static Pods. They are deleted after the test.
func kubelet(t *testing.T, nodes ...string) *controlplane.Kubelet {
	t.Helper()
	k := controlplane.StartKubelet()
	t.Cleanup(k.Close)
	for _, name := range nodes {
		if err := k.CreateNode(t.Context(), server.Client, name, "v1.35.1", components()...); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { deleteNode(t, name) })
	}
	return k
}

func deleteNode(t *testing.T, name string) {
	t.Helper()
	objects := []client.Object{&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}}
	for _, component := range components() {
		objects = append(objects, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: metav1.NamespaceSystem, Name: component + "-" + name,
		}})
	}
	remove(t, objects...)
}

func remove(t *testing.T, objects ...client.Object) {
	t.Helper()
	for _, o := range objects {
		err := server.Client.Delete(context.WithoutCancel(t.Context()), o, client.GracePeriodSeconds(0))
		if client.IgnoreNotFound(err) != nil {
			t.Errorf("delete %T %s: %v", o, o.GetName(), err)
		}
	}
}

// plane returns a control plane with machines whose nodes have their names.
func plane(nodes ...string) ports.ControlPlane {
	c := ports.ControlPlane{Key: ports.Key{Namespace: "default", Name: "cp"}, ClusterName: "c1"}
	c.Desired.Type = node.ControlPlaneKubeadm
	c.Desired.Template.Version = "v1.36.3"
	c.Network = node.Cluster{Name: "c1", Endpoint: "192.0.2.10:6443"}
	c.Addons = ports.Addons{KubeProxy: true, CoreDNS: true}
	c.Config.CoreDNS.ImageTag = "v1.13.1"
	for _, name := range nodes {
		c.Observed.Machines = append(c.Observed.Machines, domain.Machine{Name: "machine-" + name, NodeName: name})
	}
	// A machine that is not a node yet has no member.
	c.Observed.Machines = append(c.Observed.Machines, domain.Machine{Name: "booting"})
	return c
}

func TestClusterConforms(t *testing.T) {
	portstest.WorkloadCluster(t, func(t *testing.T) portstest.WorkloadClusterStore {
		k := kubelet(t, "n1")
		k.Forward("kube-apiserver-n1", 6443, server.Address())
		objects := initialized(t)
		t.Cleanup(func() { remove(t, objects...) })
		options := workload.ClusterOptions{
			Clusters: &switched{reachable()}, Clock: memory.NewClock(time.Now()),
			Configuration: kubeadm.ClusterConfiguration, Timeout: timeout,
		}
		return portstest.WorkloadClusterStore{
			Workload: workload.NewCluster(options), ControlPlane: func() ports.ControlPlane { return plane("n1") },
			Expiry: servingExpiry(t),
			Stop: func(t *testing.T) {
				t.Helper()
				options.Clusters.(*switched).connections = unreachable(t)
			},
		}
	})
}

// switched are connections that a test changes.
type switched struct{ connections }

// servingExpiry returns the expiry of the API server's certificate.
func servingExpiry(t *testing.T) time.Time {
	t.Helper()
	pem, err := os.ReadFile(server.Dir + "/pki/apiserver.crt")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := certs.DecodeCertPEM(pem)
	if err != nil {
		t.Fatal(err)
	}
	return certificate.NotAfter
}

// initialized creates what kubeadm init of 1.35 leaves in the cluster.
func initialized(t *testing.T) []client.Object {
	t.Helper()
	text, findings := kubeadm.ClusterConfiguration("v1.35.1", plane().Network, node.ControlPlaneConfig{})
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	meta := func(name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: metav1.NamespaceSystem, Name: name}
	}
	proxy := &appsv1.DaemonSet{ObjectMeta: meta("kube-proxy"), Spec: appsv1.DaemonSetSpec{
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"k8s-app": "kube-proxy"}},
		Template: pod("kube-proxy", "registry.k8s.io/kube-proxy:v1.35.1"),
	}}
	dns := &appsv1.Deployment{ObjectMeta: meta("coredns"), Spec: appsv1.DeploymentSpec{
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"k8s-app": "coredns"}},
		Template: pod("coredns", "registry.k8s.io/coredns/coredns:v1.12.1"),
	}}
	dns.Spec.Template.Spec.Volumes = []corev1.Volume{{Name: "config-volume", VolumeSource: corev1.VolumeSource{
		ConfigMap: &corev1.ConfigMapVolumeSource{
			LocalObjectReference: corev1.LocalObjectReference{Name: "coredns"},
			Items:                []corev1.KeyToPath{{Key: "Corefile", Path: "Corefile"}},
		},
	}}}
	objects := []client.Object{
		&corev1.ConfigMap{ObjectMeta: meta("kubeadm-config"), Data: map[string]string{"ClusterConfiguration": string(text)}},
		proxy, dns,
		&corev1.ConfigMap{ObjectMeta: meta("coredns"), Data: map[string]string{"Corefile": corefile, "custom": "kept"}},
	}
	for _, o := range objects {
		if err := server.Client.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	return objects
}

// corefile is that of kubeadm.
const corefile = `.:53 {
    errors
    health {
       lameduck 5s
    }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 30
    }
    prometheus :9153
    forward . /etc/resolv.conf {
       max_concurrent 1000
    }
    cache 30
    loop
    reload
    loadbalance
}
`

func pod(name, image string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"k8s-app": name}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: name, Image: image}}},
	}
}

// TestSilentServer verifies that an API server which accepts connections and never answers costs no more than the
// deadline, and that its connections end.
func TestSilentServer(t *testing.T) {
	closed := make(chan struct{})
	address := silent(t, closed)
	config := rest.CopyConfig(server.Config)
	config.Host = "https://" + address
	members := workload.NewMembers(workload.MembersOptions{
		Clusters: connections{config: config}, Certificates: &memory.Certificates{Assume: true},
		Clock: memory.NewClock(time.Now()), Timeout: time.Second,
	})
	got, err := members.Observe(t.Context(), plane("n1"))
	if err != nil || got.Known || got.Problem == "" {
		t.Errorf("observed %+v, error %v", got, err)
	}
	<-closed
}

// TestEndlessServer verifies that the response of an API server cannot fill the memory of the controller.
func TestEndlessServer(t *testing.T) {
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, err := io.WriteString(w, `{"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"`)
		for err == nil {
			_, err = io.WriteString(w, strings.Repeat("1", 1<<16))
		}
	}))
	t.Cleanup(endless.Close)
	cluster := workload.NewCluster(workload.ClusterOptions{
		Clusters: connections{client: server.Client, config: &rest.Config{Host: endless.URL}},
		Clock:    memory.NewClock(time.Now()), Timeout: timeout,
	})
	_, err := cluster.Observe(t.Context(), plane("n1"))
	if err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("error %v", err)
	}
}

// silent listens, reads and never answers. It closes the channel when a client has closed its connection.
func silent(t *testing.T, closed chan struct{}) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		for buffer := make([]byte, 1<<10); err == nil; {
			_, err = conn.Read(buffer)
		}
		close(closed)
	}()
	return listener.Addr().String()
}
