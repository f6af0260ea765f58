package controlplane

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/machineadm/machineadm/test/thread"
)

// Options set where the control plane's files are and what it records.
type Options struct {
	// Dir holds certificates, logs and data; it must exist and outlive the control plane.
	Dir string
	// Audit records each request, with its user and verb, in AuditLog.
	Audit bool
	// Addresses are further IP addresses at which machines reach the API server.
	Addresses []net.IP
}

// ControlPlane is a running etcd and kube-apiserver.
type ControlPlane struct {
	// Config is the administrator's.
	Config *rest.Config
	// Client is the administrator's, for any kind.
	Client client.Client
	// Dir is the folder of the options.
	Dir string
	// AuditLog is the audit log's path, or empty without Audit.
	AuditLog string

	env *envtest.Environment
	pki *pki
	// stopServers ends kube-apiserver and etcd, once, and stopped is closed when they have ended.
	stopServers func() error
	stopped     chan struct{}
	// stops end what runs in this process against the API server, which waits for its clients when it stops.
	stops []func()
	// ended is closed when the servers are no longer to be asked anything.
	ended <-chan struct{}
}

// Start starts etcd and kube-apiserver and waits until they serve. They end by Stop, with the context, or with the
// process.
func Start(ctx context.Context, o Options) (*ControlPlane, error) {
	etcd, err := guardedTool(ctx, o.Dir, "etcd")
	if err != nil {
		return nil, err
	}
	apiserver, err := guardedTool(ctx, o.Dir, "kube-apiserver")
	if err != nil {
		return nil, err
	}
	certs := filepath.Join(o.Dir, "pki")
	if err := os.MkdirAll(certs, 0o700); err != nil {
		return nil, fmt.Errorf("start control plane: %w", err)
	}
	authority, err := newPKI(certs, o.Addresses)
	if err != nil {
		return nil, fmt.Errorf("start control plane: %w", err)
	}
	c := &ControlPlane{
		Dir: o.Dir, pki: authority, env: environment(etcd, apiserver, certs, authority), ended: ctx.Done(),
		stopped: make(chan struct{}),
	}
	if err := c.configure(o); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(o.Dir, "kube-apiserver.log"))
	if err != nil {
		return nil, fmt.Errorf("start control plane: %w", err)
	}
	c.env.ControlPlane.APIServer.Out, c.env.ControlPlane.APIServer.Err = log, log
	// Whichever comes first, the end of the context or Stop, ends the servers; the other finds it done.
	c.stopServers = sync.OnceValue(func() error {
		defer close(c.stopped)
		return c.env.Stop()
	})
	if err := c.serve(); err != nil {
		return nil, errors.Join(err, c.stopServers())
	}
	context.AfterFunc(ctx, func() { _ = c.stopServers() })
	return c, nil
}

// serve starts the servers and makes the administrator's client.
func (c *ControlPlane) serve() (err error) {
	err = thread.Start(c.stopped, func() error {
		c.Config, err = c.env.Start()
		return err
	})
	if err != nil {
		return fmt.Errorf("start control plane: %w", err)
	}
	// Tests are few clients: no rate limit.
	c.Config.QPS, c.Config.Burst = -1, -1
	if c.Client, err = client.New(c.Config, client.Options{Scheme: Scheme()}); err != nil {
		return fmt.Errorf("connect to control plane: %w", err)
	}
	return nil
}

// startTimeout is how long etcd and kube-apiserver may each take to start on a busy machine.
const startTimeout = 10 * time.Minute

func environment(etcd, apiserver, certs string, authority *pki) *envtest.Environment {
	env := &envtest.Environment{ControlPlaneStartTimeout: startTimeout, ControlPlaneStopTimeout: stopTimeout}
	env.ControlPlane.Etcd = &envtest.Etcd{Path: etcd}
	env.ControlPlane.Etcd.Configure().Append("unsafe-no-fsync", "true")
	server := &envtest.APIServer{Path: apiserver, CertDir: certs}
	server.CA = authority.ca()
	server.Authn = authority
	env.ControlPlane.APIServer = server
	return env
}

// maxAuditLog is the size in MiB at which kube-apiserver renames the audit log and begins a new one. No run reaches it:
// the log is read by offsets. The default is 100 MiB, which some thousand machines exceed.
const maxAuditLog = 1 << 20

// configure sets what a cluster for kubeadm has and envtest has not: bootstrap tokens, and the whole audit log.
func (c *ControlPlane) configure(o Options) error {
	args := c.env.ControlPlane.APIServer.Configure()
	args.Set("enable-bootstrap-token-auth", "true")
	args.Set("authorization-mode", "Node,RBAC")
	args.Append("enable-admission-plugins", "NodeRestriction")
	if !o.Audit {
		return nil
	}
	policy := filepath.Join(o.Dir, "audit-policy.yaml")
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
		return fmt.Errorf("write audit policy: %w", err)
	}
	c.AuditLog = filepath.Join(o.Dir, "audit.log")
	args.Set("audit-policy-file", policy)
	args.Set("audit-log-path", c.AuditLog)
	args.Set("audit-log-mode", "blocking")
	args.Set("audit-log-maxsize", strconv.Itoa(maxAuditLog))
	return nil
}

// Endpoint returns the API server's host and port.
func (c *ControlPlane) Endpoint() (host string, port int32) {
	address := c.env.ControlPlane.APIServer.SecureServing.ListenAddr
	n, _ := strconv.ParseInt(address.Port, 10, 32)
	return address.Address, int32(n)
}

// Address returns the API server's host:port.
func (c *ControlPlane) Address() string {
	host, port := c.Endpoint()
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}

// Stop stops what the package runs in this process, kube-apiserver and etcd. Processes are their starter's to stop
// before. It is an error if Search finds a secret in their output.
func (c *ControlPlane) Stop() error {
	for _, stop := range c.stops {
		stop()
	}
	return errors.Join(c.lastSearch(), c.stopAll())
}

// lastSearch searches what can still be asked. Servers that the context has ended cannot.
func (c *ControlPlane) lastSearch() error {
	select {
	case <-c.ended:
		return ErrNotSearched
	default:
	}
	ctx, cancel := context.WithTimeout(context.Background(), searchTimeout)
	defer cancel()
	return c.Search(ctx)
}

func (c *ControlPlane) stopAll() error {
	if err := c.stopServers(); err != nil {
		return fmt.Errorf("stop control plane: %w", err)
	}
	return nil
}
