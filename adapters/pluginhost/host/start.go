package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/machineadm/machineadm/adapters/pluginhost"
	"github.com/machineadm/machineadm/adapters/pluginhost/internal/wire"
	pluginv1 "github.com/machineadm/machineadm/adapters/pluginhost/proto/v1"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// Deadlines are the timeouts of calls to a plugin, so that a plugin that hangs fails the bootstrap instead of blocking
// the boot.
type Deadlines struct {
	Start, Describe, Expand, Fetch, Report time.Duration
}

// DefaultDeadlines returns the default timeouts. They are long, because the network of a machine may come up late.
func DefaultDeadlines() Deadlines {
	return Deadlines{
		Start: 20 * time.Second, Describe: 10 * time.Second, Expand: 30 * time.Second, Fetch: 5 * time.Minute,
		Report: 10 * time.Second,
	}
}

// maxAnswer bounds an answer, in bytes, so that no plugin fills the machine's memory.
const maxAnswer = 64 << 20

// Host starts plugins.
type Host struct {
	Codec     ports.Codec
	Deadlines Deadlines
	// Sockets is the directory for the sockets of plugins. It is created with mode 0700.
	Sockets string
	// KeyEnvironment are the variables, as NAME=VALUE, that encryption plugins receive besides those of all plugins.
	KeyEnvironment []string
	// Log receives the output of plugins, concurrently; nil discards it.
	Log io.Writer
	// Encode encodes a status for reporter plugins as docs/status.md specifies. If it is nil, they receive no status.
	Encode func(status.Status) ([]byte, error)
}

// Plugin is a running plugin.
type Plugin struct {
	File
	// Version is the version of the plugin.
	Version   string
	client    *goplugin.Client
	process   *exec.Cmd
	conn      *grpc.ClientConn
	wire      wire.Wire
	deadlines Deadlines
	encode    func(status.Status) ([]byte, error)
	services  []string
	can       ports.Capability
}

// Start starts the plugin and reads its description. It fails if the plugin does not start in time, uses another
// protocol version, or has a name that differs from its file name.
func (h Host) Start(ctx context.Context, f File) (*Plugin, error) {
	if err := errors.Join(f.verify(), h.socketFolder()); err != nil {
		return nil, fmt.Errorf("start the plugin %s: %w", f.Path, err)
	}
	config := h.config(f)
	p := &Plugin{
		File: f, client: goplugin.NewClient(config), process: config.Cmd, wire: wire.Wire{Codec: h.Codec},
		deadlines: h.Deadlines,
		encode:    h.Encode,
	}
	if err := p.connect(ctx); err != nil {
		p.Close()
		return nil, fmt.Errorf("start the plugin %s: %w", f.Path, err)
	}
	return p, nil
}

// socketFolder creates the directory of the sockets, which only root may enter, also if it existed. Everyone may enter
// its parent, which also contains the status.
func (h Host) socketFolder() error {
	parent := filepath.Dir(h.Sockets)
	if _, err := os.Stat(parent); errors.Is(err, fs.ErrNotExist) {
		// The umask may remove permissions.
		if err := errors.Join(os.MkdirAll(parent, 0o755), os.Chmod(parent, 0o755)); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(h.Sockets, 0o700); err != nil {
		return err
	}
	return os.Chmod(h.Sockets, 0o700)
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
		GRPCDialOptions:  []grpc.DialOption{grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxAnswer))},
		Logger:           hclog.New(&hclog.LoggerOptions{Name: f.Name, Output: h.log(), Level: hclog.Warn}),
		Stderr:           h.log(),
		SyncStdout:       h.log(),
		SyncStderr:       h.log(),
	}
	c.Cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", goplugin.EnvUnixSocketDir + "=" + h.Sockets}
	if f.Type == TypeEncryption {
		c.Cmd.Env = append(c.Cmd.Env, h.KeyEnvironment...)
	}
	setProcessGroup(c.Cmd)
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

// GRPCServer returns an error: it is the plugin's side of the connection.
func (connection) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error {
	return errors.New("this is the host")
}

// GRPCClient returns the connection.
func (connection) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, c *grpc.ClientConn) (any, error) {
	return c, nil
}

func (p *Plugin) connect(ctx context.Context) error {
	if _, err := p.client.Start(); err != nil {
		return fmt.Errorf("it does not start as a machineadm plugin: %s", oneLine(err))
	}
	protocol, err := p.dialAddress()
	if err != nil {
		return fmt.Errorf("reach it: %s", oneLine(err))
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

// dialAddress connects to the address that a plugin printed, which may be wrong.
func (p *Plugin) dialAddress() (goplugin.ClientProtocol, error) {
	type reached struct {
		goplugin.ClientProtocol
		error
	}
	done := make(chan reached, 1)
	go func() {
		c, err := p.client.Client()
		done <- reached{c, err}
	}()
	select {
	case r := <-done:
		return r.ClientProtocol, r.error
	case <-time.After(p.deadlines.Start):
		return nil, fmt.Errorf("there is no answer within %s", p.deadlines.Start)
	}
}

func (p *Plugin) describe(ctx context.Context) error {
	var d *pluginv1.DescribeResponse
	err := within(ctx, p.deadlines.Describe, func(ctx context.Context) (err error) {
		d, err = pluginv1.NewPluginClient(p.conn).Describe(ctx, &pluginv1.DescribeRequest{})
		return err
	})
	if err != nil {
		return fmt.Errorf("read its description: %w", err)
	}
	return p.validate(d)
}

// Services returns the services of the plugin's description.
func (p *Plugin) Services() []string { return slices.Clone(p.services) }

// Serves reports whether the plugin's description contains the service.
func (p *Plugin) Serves(s pluginhost.Service) bool { return slices.Contains(p.services, string(s)) }
