package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	cloudv1 "sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/cloud/api/v1alpha1"
	inmemory "sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/runtime"
	"sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/server/api"
	"sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/server/etcd"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// workloads serves all workload clusters. Each cluster has one address, as if a load balancer were in front of its API
// servers, and each etcd member another one, so that a member can fail alone.
type workloads struct {
	store     inmemory.Manager
	api, etcd http.Handler

	mutex    sync.Mutex
	clusters map[string]*workload
	// groups are the resource groups by port: the handlers find the cluster of a request by it.
	groups map[string]string
}

// workload is a workload cluster. Its resource group in the store has its name.
type workload struct {
	*workloads
	group, address string

	mutex       sync.Mutex
	certificate *tls.Certificate
	// servers are the names of the machines with an API server, and members the etcd members by their Pods.
	servers map[string]bool
	members map[string]*member
}

// member is an etcd member.
type member struct {
	address string
	server  *http.Server
	stopped bool
}

func serve(store inmemory.Manager) *workloads {
	w := &workloads{store: store, clusters: map[string]*workload{}, groups: map[string]string{}}
	w.api = api.NewAPIServerHandler(store, logr.Discard(), w.groupOf)
	w.etcd = etcd.NewEtcdServerHandler(store, logr.Discard(), w.groupOf)
	return w
}

// groupOf returns the resource group of an address.
func (w *workloads) groupOf(address string) (string, error) {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", err
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	group, found := w.groups[port]
	if !found {
		return "", fmt.Errorf("no workload cluster has the port %s", port)
	}
	return group, nil
}

// cluster returns a workload cluster, and reserves its address with the first call.
func (w *workloads) cluster(group string) (*workload, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if found := w.clusters[group]; found != nil {
		return found, nil
	}
	c := &workload{workloads: w, group: group, servers: map[string]bool{}, members: map[string]*member{}}
	_, address, err := w.listen(group, &http.Server{
		Handler: http.HandlerFunc(c.serveAPI), TLSConfig: &tls.Config{GetCertificate: c.getCertificate},
	})
	if err != nil {
		return nil, err
	}
	c.address = address
	w.store.AddResourceGroup(group)
	w.clusters[group] = c
	return c, nil
}

// listen starts a server on a free port. The caller holds the mutex.
func (w *workloads) listen(group string, s *http.Server) (*http.Server, string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", fmt.Errorf("listen: %w", err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return nil, "", err
	}
	w.groups[port] = group
	s.TLSConfig.MinVersion, s.ReadHeaderTimeout = tls.VersionTLS12, time.Minute
	go func() { _ = s.ServeTLS(l, "", "") }()
	return s, l.Addr().String(), nil
}

// getCertificate refuses connections until the first API server runs.
func (c *workload) getCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.certificate == nil || len(c.servers) == 0 {
		return nil, errors.New("no API server runs")
	}
	return c.certificate, nil
}

// serveAPI serves the API. A port-forward to the Pod of a member ends at the member.
func (c *workload) serveAPI(w http.ResponseWriter, r *http.Request) {
	c.mutex.Lock()
	running, m := len(c.servers) > 0, c.members[forwarded(r.URL.Path)]
	c.mutex.Unlock()
	if !running {
		http.Error(w, "no API server runs", http.StatusServiceUnavailable)
		return
	}
	if m != nil {
		// The handler connects to the host of the request.
		r.Host = m.address
	}
	c.api.ServeHTTP(w, r)
}

// forwarded returns the name of the Pod to whose port a request connects, or an empty string.
func forwarded(path string) string {
	pod, found := strings.CutPrefix(path, "/api/v1/namespaces/"+metav1.NamespaceSystem+"/pods/")
	pod, isForward := strings.CutSuffix(pod, "/portforward")
	if !found || !isForward {
		return ""
	}
	return pod
}

// addMember starts the member of a Pod.
func (c *workload) addMember(pod string, certificate *tls.Certificate) error {
	c.workloads.mutex.Lock()
	defer c.workloads.mutex.Unlock()
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.serveMember(w, r, pod) })
	server, address, err := c.listen(c.group, &http.Server{
		Handler: handler, TLSConfig: &tls.Config{Certificates: []tls.Certificate{*certificate}},
	})
	if err != nil {
		return err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.members[pod] = &member{address: address, server: server}
	return nil
}

// serveMember serves etcd. A member that was removed does not answer.
func (c *workload) serveMember(w http.ResponseWriter, r *http.Request, pod string) {
	found := &corev1.Pod{}
	err := c.objects().Get(r.Context(), client.ObjectKey{Namespace: metav1.NamespaceSystem, Name: pod}, found)
	if _, removed := found.Annotations[cloudv1.EtcdMemberRemoved]; err != nil || removed {
		http.Error(w, "the member was removed", http.StatusServiceUnavailable)
		return
	}
	// The handler removes this prefix, and then compares with the name of the Pod, which has the prefix, too.
	r.Host = "etcd-" + pod
	c.workloads.etcd.ServeHTTP(w, r)
}

// removeMember stops the member of a Pod.
func (c *workload) removeMember(pod string) {
	c.mutex.Lock()
	m := c.members[pod]
	delete(c.members, pod)
	c.mutex.Unlock()
	if m != nil {
		_ = m.server.Close()
	}
}

// stopMember stops the member of a Pod, which stays a member.
func (c *workload) stopMember(pod string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if m := c.members[pod]; m != nil {
		m.stopped = true
		_ = m.server.Close()
	}
}

// stopped reports whether the member of a Pod was stopped.
func (c *workload) stopped(pod string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.members[pod] != nil && c.members[pod].stopped
}

// setServer starts or stops the API server of a machine.
func (c *workload) setServer(machine string, running bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if running {
		c.servers[machine] = true
	} else {
		delete(c.servers, machine)
	}
}

// has reports whether the member of a Pod runs.
func (c *workload) has(pod string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.members[pod] != nil
}

// setCertificate sets the certificate of the API servers, if there is none.
func (c *workload) setCertificate(create func() (*tls.Certificate, error)) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.certificate != nil {
		return nil
	}
	certificate, err := create()
	c.certificate = certificate
	return err
}

// objects returns the objects of the cluster.
func (c *workload) objects() inmemory.Client { return c.store.GetResourceGroup(c.group).GetClient() }

// ensure creates an object, unless it exists.
func (c *workload) ensure(ctx context.Context, o client.Object) error {
	if err := c.objects().Create(ctx, o); client.IgnoreAlreadyExists(err) != nil {
		return fmt.Errorf("create %s: %w", o.GetName(), err)
	}
	return nil
}
