package bottlerocket_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/machineadm/machineadm/adapters/render/bottlerocket"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

const token = "abcdef.0123456789abcdef"

// certificate returns a certificate in PEM.
func certificate(t testing.TB) []byte {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotAfter: time.Unix(1<<32, 0),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, public, private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// worker returns a worker's node, changed by what the case is about.
func worker(t testing.TB, changes ...func(*node.NodeConfig)) node.NodeConfig {
	t.Helper()
	n := node.NodeConfig{
		Role: node.RoleWorker, KubernetesVersion: "v1.36.3", Cluster: node.Cluster{
			Name:     "demo",
			Endpoint: "demo.example:6443",
		},
		Discovery:    &node.Discovery{Token: secret.FromString(token)},
		Certificates: []node.CertificateFile{{Path: "ca.crt", Content: secret.New(certificate(t))}},
	}
	for _, change := range changes {
		change(&n)
	}
	return n
}

// planOf returns a plan; the path of each document is the name of its kind.
func planOf(values ...document.Value) plan.Plan {
	profile, _ := osprofile.Lookup("bottlerocket")
	target := osprofile.Target{Profile: profile, Architecture: "amd64", KubernetesVersion: "v1.36.3"}
	docs := make([]document.Document, len(values))
	expansions := make([]plan.Expansion, len(values))
	for i, v := range values {
		docs[i] = document.Document{Value: v, Source: document.Source{Path: report.Path(v.Kind())}}
		expansions[i].Native = bottlerocket.Renderer{}.Native(docs[i], target)
	}
	return plan.New(target, docs, expansions)
}

// withSnippet adds a snippet to the plan.
func withSnippet(p plan.Plan, text string, strict bool) plan.Plan {
	p.Snippets = append(p.Snippets, plan.Snippet{
		Snippet: delivery.Snippet{Format: delivery.FormatBottlerocket, Text: text, Strict: strict},
		Source:  document.Source{Path: report.Path("snippets").Index(len(p.Snippets))},
	})
	return p
}

// read renders the plan and returns the table settings.
func read(t *testing.T, p plan.Plan) map[string]any {
	t.Helper()
	rendering, findings, err := bottlerocket.Renderer{}.Render(t.Context(), p)
	if err != nil || findings.HasErrors() {
		t.Fatalf("%v\n%s", err, findings)
	}
	var tree struct{ Settings map[string]any }
	if err := toml.Unmarshal(rendering.Payload.Data.Reveal(), &tree); err != nil {
		t.Fatal(err)
	}
	return tree.Settings
}

// errorsOf renders a plan that is refused and returns the errors, one a line.
func errorsOf(t *testing.T, p plan.Plan) []string {
	t.Helper()
	rendering, findings, err := bottlerocket.Renderer{}.Render(t.Context(), p)
	if err != nil || !rendering.Payload.Data.IsZero() && findings.HasErrors() {
		t.Fatalf("%v, a payload in spite of errors: %v", err, !rendering.Payload.Data.IsZero())
	}
	var lines []string
	for _, f := range findings {
		if f.Severity != report.Info {
			lines = append(lines, f.String())
		}
	}
	return lines
}
