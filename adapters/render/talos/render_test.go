package talos_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"os"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/render/talos"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// authority returns a certificate authority of the seed, always the same.
func authority(seed byte) node.KeyPair {
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
	template := x509.Certificate{
		SerialNumber: big.NewInt(int64(seed)), Subject: pkix.Name{CommonName: "test"}, IsCA: true,
		BasicConstraintsValid: true,
		NotBefore:             time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2120, 1, 1, 0, 0,
			0, 0, time.UTC),
	}
	raw, _ := x509.CreateCertificate(nil, &template, &template, private.Public(), private)
	der, _ := x509.MarshalPKCS8PrivateKey(private)
	return node.KeyPair{
		Certificate: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}),
		Key:         secret.New(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	}
}

func secrets() node.TalosSecrets {
	return node.TalosSecrets{
		OSCA:           authority(9),
		TrustdToken:    secret.FromString("trustd.trustdtrustdtrus"),
		BootstrapToken: secret.FromString("bootst.bootstrapbootstr"),
		ClusterID:      base64.URLEncoding.EncodeToString([]byte("the-id-of-the-cluster-32-bytes!!")),
		ClusterSecret:  secret.FromString(base64.StdEncoding.EncodeToString([]byte("the-secret-of-the-cluster-32-b!!"))),
		SecretboxKey:   secret.FromString(base64.StdEncoding.EncodeToString([]byte("the-secretbox-key-of-32-bytes!!!"))),
	}
}

func worker(changes ...func(*node.NodeConfig)) node.NodeConfig {
	n := node.NodeConfig{
		Role: node.RoleWorker, KubernetesVersion: "v1.32.4",
		Cluster: node.Cluster{Name: "demo", Endpoint: "demo.example:6443"},
		Discovery: &node.Discovery{
			APIServerEndpoint: "demo.example:6443", Token: secret.FromString("abcdef.0123456789abcdef"),
			CACertHashes: []string{"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
		},
		Registration: node.Registration{Name: document.Text("worker-1")},
		Certificates: []node.CertificateFile{{Path: "ca.crt", Content: secret.New(authority(1).Certificate)}},
	}
	for _, change := range changes {
		change(&n)
	}
	return n
}

func controlPlane(changes ...func(*node.NodeConfig)) node.NodeConfig {
	n := worker()
	n.Role, n.Discovery, n.Certificates = node.RoleInit, nil, nil
	n.Registration.Name = document.Text("control-plane-1")
	for i, p := range node.ControlPlanePurposes(false) {
		n.Certificates = append(n.Certificates, authority(byte(i+1)).CertificateFiles(p)...)
	}
	for _, change := range changes {
		change(&n)
	}
	return n
}

// target is a Talos machine of the release.
func target(t testing.TB, release string) osprofile.Target {
	t.Helper()
	profile, known := osprofile.Lookup("talos")
	if !known {
		t.Fatal("no profile talos")
	}
	return osprofile.Target{
		Profile: profile, Release: release, Architecture: "amd64", KubernetesVersion: "v1.32.4",
	}
}

// planOf plans values as the use case does: each at its position, with the secrets of the cluster.
func planOf(t testing.TB, to osprofile.Target, values ...document.Value) plan.Plan {
	t.Helper()
	docs := make([]document.Document, 0, len(values)+1)
	for i, v := range append(values, secrets()) {
		docs = append(docs, document.Document{Value: v, Source: document.Source{Path: report.Path("documents").Index(i)}})
	}
	ordered, findings := plan.Order(docs)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	expansions := make([]plan.Expansion, len(ordered))
	for i, d := range ordered {
		expansions[i].Native = talos.New().Native(d, to)
	}
	return plan.New(to, ordered, expansions)
}

func render(t testing.TB, p plan.Plan) (ports.Rendering, report.Report) {
	t.Helper()
	rendering, findings, err := talos.New().Render(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return rendering, findings
}

func planStep(document int, a action.Action) plan.Step {
	return plan.Step{Phase: a.In(), Document: document, Do: a.Do}
}

func osMode(f machine.File) os.FileMode { return os.FileMode(f.EffectiveMode()) }
