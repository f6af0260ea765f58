package convert_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
)

// TestDiscovery converts settings that users set in place of the controller, and bytes of a ConfigMap in gzip.
func TestDiscovery(t *testing.T) {
	packed, err := base64.StdEncoding.DecodeString(gzipped("packed"))
	if err != nil {
		t.Fatal(err)
	}
	there := store{
		"Secret/token/k": "abcdef.0123456789abcdef\n", "Secret/s/k": "from secret\n", "ConfigMap/packed/k": string(packed),
	}
	for name, c := range map[string]struct {
		reason, spec string
		want         document.Value
	}{
		"gzip": {
			reason: "data is bytes, and needs no base64",
			spec:   `machine: {files: [{path: /a, encoding: gzip, contentFrom: {configMap: {name: packed, key: k}}}]}`,
			want:   machine.File{Path: "/a", Content: document.Text("packed")},
		},
		"token": {
			reason: "it loses its final line break",
			spec: `node: {patchesDirectory: /etc/p, discovery: {tokenFrom: {secret: {name: s, key: k}}, ` +
				`caCertPath: /etc/ca.crt, unsafeSkipCAVerification: true}}`,
			want: node.NodeConfig{PatchesDirectory: "/etc/p", Discovery: &node.Discovery{
				Token: secret.FromString("from secret"), CACertPath: "/etc/ca.crt", UnsafeSkipCAVerification: true,
			}},
		},
		"tokens of the first machine": {
			reason: "the optional one is missing",
			spec: `controlPlane: {bootstrapTokens: [{tokenFrom: {secret: {name: none, key: k, optional: true}}}, {tokenFrom: ` +
				`{secret: {name: token, key: k}}, description: a, ttlSeconds: 0, usages: [authentication], groups: ` +
				`["system:bootstrappers:a"]}]}`,
			want: node.ControlPlaneConfig{BootstrapTokens: []node.InitToken{{
				Token: secret.FromString("abcdef.0123456789abcdef"), Description: "a", TTLSeconds: new(int),
				Usages: []string{"authentication"}, Groups: []string{"system:bootstrappers:a"},
			}}},
		},
		"kubeconfig": {
			reason: "it is a file of the machine",
			spec:   `node: {discovery: {kubeconfigPath: /etc/d.conf, tlsBootstrapTokenFrom: {secret: {name: s, key: k}}}}`,
			want: node.NodeConfig{Discovery: &node.Discovery{
				KubeconfigPath: "/etc/d.conf", TLSBootstrapToken: secret.FromString("from secret"),
			}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := convert.Config(t.Context(), config(t, c.spec), convert.Names{}, there)
			if err != nil || r.Findings.HasErrors() || len(r.Documents) != 1 {
				t.Fatalf("%s: %v, findings %v, %d documents", c.reason, err, r.Findings, len(r.Documents))
			}
			same := cmp.Comparer(func(a, b secret.Value) bool { return bytes.Equal(a.Reveal(), b.Reveal()) })
			if diff := cmp.Diff(c.want, r.Documents[0].Value, same); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

// TestPathOfInitToken checks that a finding names the element that the user wrote, if an optional token before it is
// missing.
func TestPathOfInitToken(t *testing.T) {
	c := config(t, `controlPlane: {bootstrapTokens: [{tokenFrom: {secret: {name: none, key: k, optional: true}}},
	  {tokenFrom: {secret: {name: s, key: k}}, groups: [a]}]}`)
	r, err := convert.Config(t.Context(), c, convert.Names{}, store{"Secret/s/k": "canary"})
	if err != nil || len(r.Documents) != 1 {
		t.Fatalf("%v, %d documents", err, len(r.Documents))
	}
	d := r.Documents[0]
	got := r.Fields.In(d.Value.Check(d.Source.Path)).String()
	for _, want := range []string{"bootstrapTokens[1].tokenFrom: this", "bootstrapTokens[1].groups[0]: "} {
		if !strings.Contains(got, want) {
			t.Errorf("no finding %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "canary") {
		t.Errorf("a finding repeats the token:\n%s", got)
	}
}
