package host

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/machineadm/machineadm/adapters/pluginhost"
	"github.com/machineadm/machineadm/adapters/pluginhost/internal/wire"
	pluginv1 "github.com/machineadm/machineadm/adapters/pluginhost/proto/v1"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/ports"
)

// Deadlines bound how long a plugin may take, so that one that hangs ends in a failure and not in a hung boot.
type Deadlines struct {
	Start, Describe, Expand, Fetch, Report time.Duration
}

// DefaultDeadlines are generous: fetching may wait for a network that comes up late.
func DefaultDeadlines() Deadlines {
	return Deadlines{
		Start: 20 * time.Second, Describe: 10 * time.Second, Expand: 30 * time.Second, Fetch: 5 * time.Minute, Report: 10 * time.Second,
	}
}

// Host starts plugins.
type Host struct {
	Codec     ports.Codec
	Deadlines Deadlines
	// Sockets is a folder for the plugins' sockets; it is made with the mode 0700.
	Sockets string
	// Log takes what plugins print; nil drops it.
	Log io.Writer
}

// Plugin is a plugin that runs.
type Plugin struct {
	File
	// Version is the plugin's own.
	Version   string
	client    *goplugin.Client
	conn      *grpc.ClientConn
	wire      wire.Wire
	deadlines Deadlines
	services  []string
	can       ports.Capability
}

// Start starts the plugin and asks what it is. The error says what is wrong with a plugin that does not start in time, speaks
// another version, or tells of another name than its file has.
func (h Host) Start(ctx context.Context, f File) (*Plugin, error) {
	if err := os.MkdirAll(h.Sockets, 0o700); err != nil {
		return nil, err
	}
	client := goplugin.NewClient(h.config(f))
	p := &Plugin{File: f, client: client, wire: wire.Wire{Codec: h.Codec}, deadlines: h.Deadlines}
	if err := p.connect(ctx); err != nil {
		client.Kill()
		return nil, fmt.Errorf("start the plugin %s: %w", f.Path, err)
	}
	return p, nil
}

func (h Host) config(f File) *goplugin.ClientConfig {
	c := &goplugin.ClientConfig{
		HandshakeConfig:  pluginhost.Handshake(),
		Plugins:          goplugin.PluginSet{pluginhost.ServiceSet: connection{}},
		Cmd:              exec.Command(f.Path),
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		AutoMTLS:         true,
		SkipHostEnv:      true,
		StartTimeout:     h.Deadlines.Start,
		UnixSocketConfig: &goplugin.UnixSocketConfig{TempDir: h.Sockets},
		Logger:           hclog.New(&hclog.LoggerOptions{Name: f.Name, Output: h.log(), Level: hclog.Warn}),
		Stderr:           h.log(),
	}
	c.Cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"}
	if digest, err := hex.DecodeString(f.SHA256); err == nil && f.Pinned() {
		c.SecureConfig = &goplugin.SecureConfig{Checksum: digest, Hash: sha256.New()}
	}
	return c
}

func (h Host) log() io.Writer {
	if h.Log == nil {
		return io.Discard
	}
	return h.Log
}

// connection hands out the connection.
type connection struct {
	goplugin.NetRPCUnsupportedPlugin
}

// GRPCServer is the plugin's side, which this is not.
func (connection) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error {
	return errors.New("this is the host")
}

// GRPCClient returns the connection.
func (connection) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, c *grpc.ClientConn) (any, error) {
	return c, nil
}

func (p *Plugin) connect(ctx context.Context) error {
	protocol, err := p.client.Client()
	if err != nil {
		return err
	}
	raw, err := protocol.Dispense(pluginhost.ServiceSet)
	if err != nil {
		return err
	}
	conn, ok := raw.(*grpc.ClientConn)
	if !ok {
		return fmt.Errorf("it speaks %T", raw)
	}
	p.conn = conn
	return p.describe(ctx)
}

func (p *Plugin) describe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, p.deadlines.Describe)
	defer cancel()
	d, err := pluginv1.NewPluginClient(p.conn).Describe(ctx, &pluginv1.DescribeRequest{})
	if err != nil {
		return fmt.Errorf("ask what it is: %w", err)
	}
	if d.GetName() != p.Name {
		return fmt.Errorf("it says that it is %q; its file says %q", d.GetName(), p.Name)
	}
	p.Version, p.services = d.GetVersion(), d.GetServices()
	p.can = ports.Capability{Name: d.GetName(), Before: d.GetBefore(), After: d.GetAfter()}
	for _, k := range d.GetKinds() {
		p.can.Kinds = append(p.can.Kinds, document.Kind(k))
	}
	for _, k := range d.GetReads() {
		p.can.Reads = append(p.can.Reads, document.Kind(k))
	}
	return nil
}

// Serves reports whether the plugin says that it serves the service.
func (p *Plugin) Serves(s pluginhost.Service) bool { return slices.Contains(p.services, string(s)) }

// Close ends the plugin's process.
func (p *Plugin) Close() { p.client.Kill() }
