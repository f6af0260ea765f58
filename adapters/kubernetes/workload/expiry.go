package workload

import (
	"context"
	"crypto/tls"
	"fmt"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// apiServerPort is the port of an API server without the argument --secure-port.
const apiServerPort = 6443

// CertificateExpiry connects to the API server of the machine and returns the expiry of its serving certificate. It
// does not verify the certificate, which may have expired.
func (w *Cluster) CertificateExpiry(ctx context.Context, c ports.ControlPlane, m controlplane.Machine,
) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, w.options.Timeout)
	defer cancel()
	api, err := w.dial(ctx, client.ObjectKey(clusterKey(c)))
	if err != nil {
		return time.Time{}, err
	}
	config, err := w.options.Clusters.GetRESTConfig(ctx, client.ObjectKey(clusterKey(c)))
	if err != nil {
		return time.Time{}, connectionError(err)
	}
	name := string(controlplane.ComponentAPIServer) + "-" + m.NodeName
	pod := &corev1.Pod{}
	if err := api.Get(ctx, client.ObjectKey{Namespace: metav1.NamespaceSystem, Name: name}, pod); err != nil {
		return time.Time{}, apiError("get Pod "+name, err)
	}
	conn, err := dialPod(ctx, config, name, securePort(pod), maxBytes)
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: %w", ports.ErrUnreachable, err)
	}
	defer func() { _ = conn.Close() }()
	//nolint:gosec // only the expiry is read, and nothing is sent
	client := tls.Client(conn, &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12})
	if err := client.HandshakeContext(ctx); err != nil {
		return time.Time{}, fmt.Errorf("connect to Pod %s: %w: %w", name, ports.ErrUnreachable, err)
	}
	// The first certificate is that of the server (RFC 8446, section 4.4.2).
	return client.ConnectionState().PeerCertificates[0].NotAfter, nil
}

// securePort returns the port of the API server.
func securePort(pod *corev1.Pod) int {
	for _, container := range pod.Spec.Containers {
		for _, word := range append(container.Command, container.Args...) {
			text, found := strings.CutPrefix(word, "--secure-port=")
			if port, err := strconv.ParseUint(text, 10, 16); found && err == nil && port > 0 {
				return int(port)
			}
		}
	}
	return apiServerPort
}
