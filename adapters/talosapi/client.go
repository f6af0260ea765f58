package talosapi

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"time"

	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

const (
	// apiPort is the port of the machine API.
	apiPort = 50000
	// maxMessage limits one response of a machine in bytes.
	maxMessage = 1 << 20
	// maxAddresses limits the addresses of a machine that are tried.
	maxAddresses = 4
)

// Options configure the access to Talos machines.
type Options struct {
	Secrets ports.TalosSecrets
	Clock   ports.Clock
	// Entropy is the source of keys.
	Entropy io.Reader
	// Port is that of the machine API. Default: 50000.
	Port int
	// Timeout is the deadline of an observation and of an operation. Default: 12 seconds.
	Timeout time.Duration
}

// clusterKey returns the key of the control plane's cluster.
func clusterKey(c ports.ControlPlane) ports.Key {
	return ports.Key{Namespace: c.Namespace, Name: c.ClusterName}
}

// credentials returns the configuration for TLS with the machines of a cluster. The client certificate is new, and is
// not stored.
func (o Options) credentials(ctx context.Context, cluster ports.Key) (*tls.Config, error) {
	secrets, err := o.Secrets.Find(ctx, cluster)
	if err != nil {
		return nil, err
	}
	pair, err := node.NewTalosClient(secrets.OSCA, o.Entropy, o.Clock.Now())
	if err != nil {
		return nil, fmt.Errorf("create a client certificate: %w", err)
	}
	client, err := tls.X509KeyPair(pair.Certificate, pair.Key.Reveal())
	if err != nil {
		// The error of the library is dropped, because it may quote the key.
		return nil, errors.New("the client certificate is not valid")
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(secrets.OSCA.Certificate) {
		return nil, fmt.Errorf("the CA of the machines: %w", ports.ErrInvalidTalosSecrets)
	}
	return &tls.Config{
		Certificates: []tls.Certificate{client}, RootCAs: roots, MinVersion: tls.VersionTLS12, Time: o.Clock.Now,
	}, nil
}

// target is a machine, with a connection to each of its addresses.
type target struct {
	machine     controlplane.Machine
	connections []*grpc.ClientConn
	port        int
}

// connect returns a target for a machine. It connects with the first request.
func (o Options) connect(m controlplane.Machine, config *tls.Config) (*target, error) {
	t := &target{machine: m, port: cmp.Or(o.Port, apiPort)}
	for _, address := range m.Addresses[:min(len(m.Addresses), maxAddresses)] {
		conn, err := grpc.NewClient("passthrough:///"+net.JoinHostPort(address, strconv.Itoa(t.port)),
			grpc.WithTransportCredentials(credentials.NewTLS(config)), grpc.WithNoProxy(),
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage)))
		if err != nil {
			_ = t.Close()
			return nil, fmt.Errorf("connect to %s: %w", m.Name, err)
		}
		t.connections = append(t.connections, conn)
	}
	return t, nil
}

// Close closes the connections.
func (t *target) Close() error {
	var failures []error
	for _, conn := range t.connections {
		failures = append(failures, conn.Close())
	}
	return errors.Join(failures...)
}

// clients returns a client for each address.
func (t *target) clients() []machine.MachineServiceClient {
	clients := make([]machine.MachineServiceClient, 0, len(t.connections))
	for _, conn := range t.connections {
		clients = append(clients, machine.NewMachineServiceClient(conn))
	}
	return clients
}

// first returns the result of the first address that succeeds, or the failure of the first address. Requests that
// change the machine must not be sent this way.
func first[T any](ctx context.Context, t *target,
	request func(context.Context, machine.MachineServiceClient) (T, error),
) (T, machine.MachineServiceClient, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		index int
		value T
		err   error
	}
	results := make(chan result)
	clients := t.clients()
	for i, c := range clients {
		go func() {
			value, err := request(ctx, c)
			results <- result{i, value, err}
		}()
	}
	failures := make([]error, len(clients))
	var value T
	var client machine.MachineServiceClient
	for range clients {
		r := <-results
		failures[r.index] = r.err
		if r.err == nil && client == nil {
			value, client = r.value, clients[r.index]
			cancel()
		}
	}
	if client != nil {
		return value, client, nil
	}
	if len(failures) == 0 {
		return value, nil, fmt.Errorf("%s has no address: %w", t.machine.Name, ports.ErrUnreachable)
	}
	return value, nil, t.failure(failures[slices.IndexFunc(failures, func(err error) bool { return err != nil })])
}
