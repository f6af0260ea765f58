package sdk_test

import (
	"context"
	"fmt"
	"net"

	"go.yaml.in/yaml/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	pluginv1 "github.com/machineadm/machineadm/adapters/pluginhost/proto/v1"
	"github.com/machineadm/machineadm/adapters/pluginhost/sdk"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// banner expands documents of the kind Banner: the message of a machine to users who log in.
type banner struct{}

// Describe claims the kind.
func (banner) Describe() ports.Capability {
	return ports.Capability{Name: "banner", Kinds: []document.Kind{"Banner"}}
}

// Expand writes the banner's file. A kind of one's own comes as it was written.
func (banner) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	written, ok := e.Document.Value.(document.Opaque)
	if !ok {
		return nil, nil, fmt.Errorf("a %s is no Banner", e.Document.Kind())
	}
	var b struct {
		Spec struct {
			Text string `yaml:"text"`
		} `yaml:"spec"`
	}
	if err := yaml.Unmarshal(written.Body, &b); err != nil {
		return nil, nil, err
	}
	if b.Spec.Text == "" {
		return nil, report.Report{report.Errorf(e.Document.Source.Path.Field("text"), "is required")}, nil
	}
	motd := machine.File{Path: "/etc/motd", Content: document.Text(b.Spec.Text + "\n")}
	return action.Of(action.WriteFile{File: motd}), nil, nil
}

// The main function of a plugin. Its file is machineadm-document-plugin-banner.
func ExampleServe() {
	sdk.Serve(sdk.Plugin{Name: "banner", Version: "v1.0.0", Expander: banner{}})
}

// A test of a plugin needs no process: it asks as machineadm does.
func ExampleRegister() {
	listener, server := bufconn.Listen(1<<20), grpc.NewServer()
	sdk.Register(server, sdk.Plugin{Name: "banner", Version: "v1.0.0", Expander: banner{}})
	go func() { _ = server.Serve(listener) }()
	defer server.Stop()
	connection, err := grpc.NewClient("passthrough:banner", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(context.Context, string) (net.Conn, error) { return listener.Dial() }))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = connection.Close() }()

	for _, spec := range []string{"{text: Welcome}", "{}"} {
		answer, err := pluginv1.NewExpanderClient(connection).Expand(context.Background(), &pluginv1.ExpandRequest{
			Document: &pluginv1.Document{
				Text: []byte("apiVersion: example.org/v1\nkind: Banner\nspec: " + spec + "\n"),
				Path: "documents[0].spec",
			},
			Target: &pluginv1.Target{Distribution: "ubuntu", Architecture: "amd64"},
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, a := range answer.GetActions() {
			fmt.Print(string(a.GetDocument().GetText()))
		}
		for _, f := range answer.GetFindings() {
			fmt.Println(f.GetPath(), f.GetMessage())
		}
	}
	// Output:
	// ---
	// apiVersion: machineadm.io/v1alpha1
	// kind: File
	// spec:
	//     path: /etc/motd
	//     content: |
	//         Welcome
	// documents[0].spec.text is required
}
