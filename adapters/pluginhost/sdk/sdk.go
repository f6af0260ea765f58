// Package sdk serves external plugins. The main function of a plugin calls Serve with a Plugin.
package sdk

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/pluginhost"
	"github.com/machineadm/machineadm/adapters/pluginhost/internal/wire"
	pluginv1 "github.com/machineadm/machineadm/adapters/pluginhost/proto/v1"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// StatusReporter publishes the status of a bootstrap. It receives the JSON of the status file (docs/status.md).
type StatusReporter interface {
	ReportStatus(ctx context.Context, status []byte) error
}

// Plugin contains the name and the services of a plugin. At least one service must be set.
type Plugin struct {
	// Name is the name of the plugin: the file name without the prefix of its type. Version is the version of the
	// plugin.
	Name, Version string
	Expander      ports.Expander
	Source        ports.Source
	Passphrases   ports.Passphrases
	// DataKeys creates passphrases for encryption.
	DataKeys ports.DataKeys
	Reporter StatusReporter
}

// maxQuestion bounds a request, in bytes: one holds a machine configuration at most.
const maxQuestion = 64 << 20

// Serve serves the plugin until machineadm ends the connection. The program should exit when Serve returns. If a user
// starts the program by hand, it prints an explanation and fails.
func Serve(p Plugin) {
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig: pluginhost.Handshake(),
		Plugins:         goplugin.PluginSet{pluginhost.ServiceSet: server{plugin: p}},
		GRPCServer: func(o []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(o, grpc.MaxRecvMsgSize(maxQuestion))...)
		},
		Logger: hclog.NewNullLogger(),
	})
}

// server serves the services of a plugin.
type server struct {
	goplugin.NetRPCUnsupportedPlugin
	plugin Plugin
}

// GRPCServer registers the services.
func (s server) GRPCServer(_ *goplugin.GRPCBroker, r *grpc.Server) error {
	Register(r, s.plugin)
	return nil
}

// GRPCClient returns an error: it is the host's side of the connection.
func (server) GRPCClient(context.Context, *goplugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("a plugin does not call itself")
}

// Register registers the services of the plugin with a server. Tests use it to serve a plugin without a process.
func Register(r grpc.ServiceRegistrar, p Plugin) {
	s := &service{Plugin: p, Wire: wire.Wire{Codec: codec.Codec{}}}
	pluginv1.RegisterPluginServer(r, s)
	if p.Expander != nil {
		pluginv1.RegisterExpanderServer(r, s)
	}
	if p.Source != nil {
		pluginv1.RegisterSourceServer(r, s)
	}
	if p.Passphrases != nil {
		pluginv1.RegisterUnwrapperServer(r, s)
	}
	if p.DataKeys != nil {
		pluginv1.RegisterWrapperServer(r, s)
	}
	if p.Reporter != nil {
		pluginv1.RegisterReporterServer(r, s)
	}
}

// service answers requests.
type service struct {
	pluginv1.UnimplementedPluginServer
	pluginv1.UnimplementedExpanderServer
	pluginv1.UnimplementedSourceServer
	pluginv1.UnimplementedUnwrapperServer
	pluginv1.UnimplementedWrapperServer
	pluginv1.UnimplementedReporterServer
	Plugin
	wire.Wire
}

// Describe returns the description of the plugin.
func (s *service) Describe(context.Context, *pluginv1.DescribeRequest) (*pluginv1.DescribeResponse, error) {
	m := &pluginv1.DescribeResponse{Name: s.Name, Version: s.Version}
	for _, offered := range []struct {
		is   bool
		name pluginhost.Service
	}{
		{s.Plugin.Expander != nil, pluginhost.ServiceExpander},
		{s.Plugin.Source != nil, pluginhost.ServiceSource},
		{s.Passphrases != nil, pluginhost.ServiceUnwrapper},
		{s.DataKeys != nil, pluginhost.ServiceWrapper},
		{s.Plugin.Reporter != nil, pluginhost.ServiceReporter},
	} {
		if offered.is {
			m.Services = append(m.Services, string(offered.name))
		}
	}
	if s.Plugin.Expander == nil {
		return m, nil
	}
	c := s.Plugin.Expander.Describe()
	for _, k := range c.Kinds {
		m.Kinds = append(m.Kinds, string(k))
	}
	for _, k := range c.Reads {
		m.Reads = append(m.Reads, string(k))
	}
	m.Before, m.After = c.Before, c.After
	return m, nil
}

// Expand expands a document into actions.
func (s *service) Expand(ctx context.Context, r *pluginv1.ExpandRequest) (*pluginv1.ExpandResponse, error) {
	d, err := s.FromDocument(ctx, r.GetDocument())
	if err != nil {
		return nil, err
	}
	others, err := s.FromDocuments(ctx, r.GetOthers())
	if err != nil {
		return nil, err
	}
	actions, findings, err := s.Plugin.Expander.Expand(ctx, ports.Expansion{
		Document: d, Others: others,
		Target: wire.FromTarget(r.GetTarget()),
	})
	if err != nil {
		return nil, err
	}
	messages, err := s.Actions(actions)
	if err != nil {
		return nil, fmt.Errorf("expand %s: %w", d.Source, err)
	}
	return &pluginv1.ExpandResponse{Actions: messages, Findings: wire.Findings(findings)}, nil
}

// Fetch fetches machine configuration.
func (s *service) Fetch(ctx context.Context, r *pluginv1.FetchRequest) (*pluginv1.FetchResponse, error) {
	c := indirect.RemoteConfig{Provider: r.GetProvider(), URI: r.GetUri(), CABundle: r.GetCaBundle()}
	for _, h := range r.GetHeaders() {
		c.Headers = append(c.Headers, indirect.Header{Name: h.GetName(), Value: secret.FromString(h.GetValue())})
	}
	data, err := s.Plugin.Source.Fetch(ctx, c)
	return &pluginv1.FetchResponse{Data: data}, err
}

// Report publishes a status.
func (s *service) Report(ctx context.Context, r *pluginv1.ReportRequest) (*pluginv1.ReportResponse, error) {
	return &pluginv1.ReportResponse{}, s.Plugin.Reporter.ReportStatus(ctx, r.GetStatus())
}
