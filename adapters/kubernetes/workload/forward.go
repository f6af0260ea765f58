package workload

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/cluster-api/controlplane/kubeadm/pkg/proxy"
)

// maxBytes limits what is read from one connection, and maxSnapshot what is read from one for a snapshot. Etcd
// recommends a database of at most 8 GiB.
const (
	maxBytes    = 4 << 20
	maxSnapshot = 17 << 30
)

var errTooLong = errors.New("the response is too long")

// dialPod connects to a port of a Pod in kube-system, through the API server and kubelet. The connection closes at the
// deadline of the context, and fails after a number of bytes was read.
func dialPod(ctx context.Context, config *rest.Config, pod string, port, limit int) (net.Conn, error) {
	bound := rest.CopyConfig(config)
	// The dialers of client-go use a context of their own, so that a silent API server would hold the connection for ever.
	bound.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) { return next.RoundTrip(r.WithContext(ctx)) })
	})
	dialer, err := proxy.NewDialer(proxy.Proxy{
		Kind: "pods", Namespace: metav1.NamespaceSystem, KubeConfig: bound, Port: port,
	})
	if err != nil {
		return nil, fmt.Errorf("forward port %d of Pod %s: %w", port, pod, err)
	}
	type result struct {
		conn net.Conn
		err  error
	}
	dialed := make(chan result, 1)
	go func() {
		conn, err := dialer.DialContextWithAddr(ctx, pod)
		dialed <- result{conn, err}
	}()
	select {
	case r := <-dialed:
		if r.err != nil {
			return nil, fmt.Errorf("forward port %d of Pod %s: %w", port, pod, r.err)
		}
		return &limitedConn{Conn: r.conn, left: limit}, nil
	case <-ctx.Done():
		// An upgraded connection that does not confirm its stream is given up by client-go after 30 seconds.
		go func() {
			if r := <-dialed; r.err == nil {
				_ = r.conn.Close()
			}
		}()
		return nil, fmt.Errorf("forward port %d of Pod %s: %w", port, pod, ctx.Err())
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// limitedConn is a connection that fails after a number of bytes was read.
type limitedConn struct {
	net.Conn
	left int
}

// Read reads at most the remaining bytes.
func (c *limitedConn) Read(b []byte) (int, error) {
	if c.left <= 0 {
		return 0, errTooLong
	}
	n, err := c.Conn.Read(b[:min(len(b), c.left)])
	c.left -= n
	return n, err
}
