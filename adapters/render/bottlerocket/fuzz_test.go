package bottlerocket_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"github.com/machineadm/machineadm/adapters/render/bottlerocket"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

// FuzzRender puts arbitrary bytes into every place that takes text. What is not refused is read back as it was given.
func FuzzRender(f *testing.F) {
	f.Add("a.b/c", "d", []byte("kind: Pod\n"), "net.ipv4.ip_forward", "1", "http://u:p@proxy:3128", `p"\'`)
	f.Add("yes", "no", []byte("\x00\xff\r\n"), "a/b", "'''\"\"\"", "http://a/?b=c", "${x}{{y}}")
	f.Add("", "", []byte(nil), "..", "\u2028", "http://\n", "\xff")
	f.Add("a'b", "1_000", []byte("'''\n"), "-a", "~", "\t", "inf")
	f.Fuzz(func(t *testing.T, key, value string, manifest []byte, name, setting, proxy, password string) {
		n := node.NodeConfig{Role: node.RoleWorker, Discovery: &node.Discovery{
			Token:             secret.FromString(token),
			APIServerEndpoint: "a:6443",
		}}
		n.Certificates = []node.CertificateFile{{Path: "ca.crt", Content: secret.FromString(authority)}}
		n.Registration = node.Registration{
			Labels: []node.Label{{Key: key, Value: document.Text(value)}},
			Taints: []node.Taint{{Key: key, Value: value, Effect: "NoExecute"}},
		}
		n.Kubelet.Config = node.Tree{"evictionHard": map[string]any{"memory.available": setting}}
		checkReadBack(t, []document.Value{n}, "kubernetes", map[string]any{
			"node-labels": map[string]any{key: value}, "node-taints": map[string]any{key: []any{value + ":NoExecute"}},
			"eviction-hard": map[string]any{"memory.available": setting},
		})
		checkReadBack(t, []document.Value{node.StaticPod{Name: "pod", Manifest: manifest}}, "kubernetes", map[string]any{
			"static-pods": map[string]any{"pod": map[string]any{
				"enabled":  true,
				"manifest": base64.StdEncoding.EncodeToString(manifest),
			}},
		})
		checkReadBack(t, []document.Value{machine.SysctlConfig{Settings: []machine.Sysctl{{Name: name, Value: setting}}}},
			"kernel", map[string]any{
				"sysctl": map[string]any{strings.TrimPrefix(name, "-"): setting},
			})
		checkReadBack(t, []document.Value{machine.ProxyConfig{
			HTTPSProxy: secret.FromString(proxy),
			NoProxy:    []string{value},
		}}, "network", map[string]any{
			"https-proxy": proxy, "no-proxy": []any{value},
		})
		auth := &machine.RegistryAuth{Username: key, Password: secret.FromString(password)}
		checkReadBack(t, []document.Value{machine.ContainerdConfig{Registries: []machine.Registry{{
			Host: "a.example",
			Auth: auth,
		}}}}, "container-registry", nil)
	})
}

const authority = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"

// checkReadBack reads the table of that name. Where nothing in particular is wanted, it has to be TOML.
func checkReadBack(t *testing.T, docs []document.Value, table string, want map[string]any) {
	t.Helper()
	rendering, findings, err := bottlerocket.Renderer{}.Render(t.Context(), planOf(docs...))
	if err != nil {
		t.Fatal(err)
	}
	if findings.HasErrors() {
		return
	}
	var tree struct{ Settings map[string]map[string]any }
	if err := toml.Unmarshal(rendering.Payload.Data.Reveal(), &tree); err != nil {
		t.Fatalf("%v\n%s", err, rendering.Payload.Data.Reveal())
	}
	for key, value := range want {
		if diff := cmp.Diff(value, tree.Settings[table][key]); diff != "" {
			t.Errorf("%s.%s: %s", table, key, diff)
		}
	}
}

// FuzzSnippet never panics, and writes only what TOML reads back.
func FuzzSnippet(f *testing.F) {
	for _, seed := range []string{
		containers, "[settings]\na = 1", "settings = []",
		"[settings.kubernetes.node-labels]\n\"\" = \"\"", "\xff", "[settings]\nd = 1979-05-27", "[settings.host-containers]",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	hostile.Seed(func(text string) { f.Add(text, false) })
	f.Fuzz(func(t *testing.T, text string, strict bool) {
		var rendering ports.Rendering
		var findings report.Report
		var err error
		memory.Below(t, memory.Render, func() {
			rendering, findings, err = bottlerocket.Renderer{}.Render(t.Context(), withSnippet(planOf(), text, strict))
		})
		if err != nil {
			t.Fatal(err)
		}
		var tree, given map[string]any
		if findings.HasErrors() {
			return
		}
		if err := toml.Unmarshal(rendering.Payload.Data.Reveal(), &tree); err != nil {
			t.Fatalf("%v\n%s", err, rendering.Payload.Data.Reveal())
		}
		if err := toml.Unmarshal([]byte(text), &given); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(full(given), full(tree)); diff != "" {
			t.Error(diff)
		}
	})
}

// full returns the table without tables that are empty: they set nothing.
func full(table map[string]any) map[string]any {
	left := map[string]any{}
	for key, value := range table {
		if below, is := value.(map[string]any); is {
			if below = full(below); len(below) > 0 {
				left[key] = below
			}
			continue
		}
		left[key] = value
	}
	return left
}
