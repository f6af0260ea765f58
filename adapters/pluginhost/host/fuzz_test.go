package host_test

import (
	"context"
	"net"
	"strings"
	"testing"
	"unicode"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	pluginv1 "github.com/machineadm/machineadm/adapters/pluginhost/proto/v1"
	"github.com/machineadm/machineadm/app/planner"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// raw hands the bytes of messages through.
type raw struct{}

func (raw) Name() string { return "proto" }

func (raw) Marshal(v any) (mem.BufferSlice, error) {
	data, _ := v.([]byte)
	return mem.BufferSlice{mem.SliceBuffer(data)}, nil
}

func (raw) Unmarshal(mem.BufferSlice, any) error { return nil }

// answering returns a connection to a plugin that answers every request with the bytes that the pointer leads to.
func answering(f *testing.F, answer *[]byte) *grpc.ClientConn {
	f.Helper()
	listener := bufconn.Listen(1 << 20)
	server := grpc.NewServer(grpc.ForceServerCodecV2(raw{}),
		grpc.UnknownServiceHandler(func(_ any, s grpc.ServerStream) error {
			var request []byte
			if err := s.RecvMsg(&request); err != nil {
				return err
			}
			return s.SendMsg(*answer)
		}))
	go func() { _ = server.Serve(listener) }()
	f.Cleanup(server.Stop)
	conn, err := grpc.NewClient("passthrough:///x", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = conn.Close() })
	return conn
}

// FuzzAnswers makes a plugin answer each request of the protocol with any bytes. The host reports an error, or returns
// a value that can be shown and planned with.
func FuzzAnswers(f *testing.F) {
	for _, m := range []proto.Message{
		&pluginv1.DescribeResponse{
			Name: "x", Version: "v1", Services: []string{"expander"}, Kinds: []string{"Widget"},
			Reads: []string{"File"}, Before: []string{"plain"},
		},
		&pluginv1.DescribeResponse{Name: "x", Version: "v1\x1b[31m\n", Kinds: []string{"Widget", "Widget", "", "wid get"}},
		&pluginv1.ExpandResponse{Findings: []*pluginv1.Finding{{Path: "a", Message: "b"}}, Actions: []*pluginv1.Action{{}}},
		&pluginv1.FetchResponse{Data: []byte("---\n")}, &pluginv1.PassphraseResponse{Passphrase: []byte("x")},
	} {
		data, err := proto.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"name":"x","kinds":["Widget"]}`))
	var answer []byte
	conn := answering(f, &answer)
	f.Fuzz(func(t *testing.T, data []byte) {
		answer = data
		p := host.Connected("x", conn, codec.Codec{}, host.DefaultDeadlines())
		if p.Describe(t.Context()) == nil {
			believed(t, p)
		}
		_, findings, err := p.Expander().Expand(t.Context(), widget("{colour: red}"))
		for _, finding := range findings {
			if err == nil && (finding.Severity < report.Info || finding.Severity > report.Error) {
				t.Errorf("a finding of the severity %d", finding.Severity)
			}
		}
		_, _ = p.Fetch(t.Context(), indirect.RemoteConfig{Provider: "x", URI: "x://a"})
		_, _ = p.Passphrase(t.Context(), indirect.PassphraseRef{Provider: "x", URI: "x"})
		_, _, _ = p.NewPassphrase(t.Context(), indirect.KeyName{Provider: "x"}, "default/m/1")
		_ = p.Report(t.Context(), status.Status{})
	})
}

func believed(t *testing.T, p *host.Plugin) {
	t.Helper()
	c := p.Expander().Describe()
	if c.Name != "x" || strings.ContainsFunc(p.Version, unicode.IsControl) {
		t.Errorf("it is %q of the version %q", c.Name, p.Version)
	}
	if _, err := planner.New([]ports.Expander{p.Expander()}); err != nil {
		t.Errorf("what was believed cannot be planned with: %v", err)
	}
}
