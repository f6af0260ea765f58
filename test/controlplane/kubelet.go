package controlplane

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// forwardProtocol is the subprotocol of port-forwards between the API server and kubelet.
const forwardProtocol = "portforward.k8s.io"

// Kubelet serves port-forwards of the API server, as the kubelets of nodes do. It serves all nodes and runs no Pods:
// their ports are addresses on this host.
type Kubelet struct {
	server *httptest.Server

	mutex sync.Mutex
	// pods contains an address for each "pod:port".
	pods map[string]string
	// open counts the connections.
	open int
}

// StartKubelet starts the server. The caller closes it.
func StartKubelet() *Kubelet {
	k := &Kubelet{pods: map[string]string{}}
	k.server = httptest.NewUnstartedServer(k)
	k.server.StartTLS()
	return k
}

// Close closes the server and its connections.
func (k *Kubelet) Close() {
	k.server.CloseClientConnections()
	k.server.Close()
}

// Forward makes a port of a Pod in kube-system lead to an address.
func (k *Kubelet) Forward(pod string, port int, address string) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.pods[fmt.Sprintf("%s:%d", pod, port)] = address
}

// Open returns the number of connections.
func (k *Kubelet) Open() int {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return k.open
}

func (k *Kubelet) count(n int) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.open += n
}

// CreateNode creates a control plane node whose kubelet this is, with static Pods that are ready.
func (k *Kubelet) CreateNode(ctx context.Context, c client.Client, name, version string, components ...string) error {
	host, port, err := net.SplitHostPort(k.server.Listener.Addr().String())
	if err != nil {
		return err
	}
	var number int32
	if _, err := fmt.Sscan(port, &number); err != nil {
		return err
	}
	const role = "node-role.kubernetes.io/control-plane"
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{role: ""}},
		Spec:       corev1.NodeSpec{Taints: []corev1.Taint{{Key: role, Effect: corev1.TaintEffectNoSchedule}}},
	}
	if err := c.Create(ctx, node); err != nil {
		return fmt.Errorf("create node %s: %w", name, err)
	}
	node.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: host}}
	node.Status.DaemonEndpoints.KubeletEndpoint.Port = number
	node.Status.NodeInfo.KubeletVersion = version
	if err := c.Status().Update(ctx, node); err != nil {
		return fmt.Errorf("update node %s: %w", name, err)
	}
	for _, component := range components {
		if err := createPod(ctx, c, component, name); err != nil {
			return err
		}
	}
	return nil
}

// createPod creates the mirror Pod of a component.
func createPod(ctx context.Context, c client.Client, component, node string) error {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: metav1.NamespaceSystem, Name: component + "-" + node,
			Labels: map[string]string{"component": component, "tier": "control-plane"},
		},
		Spec: corev1.PodSpec{
			NodeName: node, HostNetwork: true, Containers: []corev1.Container{{Name: component, Image: "registry.example/x:v1"}},
		},
	}
	if err := c.Create(ctx, pod); err != nil {
		return fmt.Errorf("create Pod %s: %w", pod.Name, err)
	}
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	if err := c.Status().Update(ctx, pod); err != nil {
		return fmt.Errorf("update Pod %s: %w", pod.Name, err)
	}
	return nil
}

// ServeHTTP upgrades a request for a port-forward, whose path is /portForward/<namespace>/<Pod>.
func (k *Kubelet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, err := httpstream.Handshake(r, w, []string{forwardProtocol}); err != nil {
		return
	}
	pod := path.Base(r.URL.Path)
	streams := make(chan httpstream.Stream, 2)
	conn := spdy.NewResponseUpgrader().UpgradeResponse(w, r, func(s httpstream.Stream, _ <-chan struct{}) error {
		streams <- s
		return nil
	})
	if conn == nil {
		return
	}
	k.count(1)
	defer k.count(-1)
	defer func() { _ = conn.Close() }()
	for {
		select {
		case s := <-streams:
			if s.Headers().Get(corev1.StreamType) == corev1.StreamTypeData {
				go func() {
					k.forward(pod, s)
					_ = conn.Close()
				}()
			}
		case <-conn.CloseChan():
			return
		}
	}
}

// forward copies between a stream and the address of its port, until one of them ends.
func (k *Kubelet) forward(pod string, s httpstream.Stream) {
	k.mutex.Lock()
	address := k.pods[pod+":"+s.Headers().Get(corev1.PortHeader)]
	k.mutex.Unlock()
	target, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer func() { _ = target.Close() }()
	done := make(chan struct{}, 2)
	go func() {
		_, _ = io.Copy(target, s)
		done <- struct{}{}
	}()
	go func() {
		_, _ = io.Copy(s, target)
		done <- struct{}{}
	}()
	<-done
}
