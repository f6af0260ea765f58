package talos_test

import (
	"strings"
	"testing"

	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

func snippet(text string, strict bool) plan.Snippet {
	return plan.Snippet{
		Snippet: delivery.Snippet{Format: delivery.FormatTalos, Text: text, Strict: strict},
		Source:  document.Source{Path: "spec.formatOptions.snippets[0]"},
	}
}

// read returns the payload as the machine reads it.
func read(t testing.TB, data []byte) config.Provider {
	t.Helper()
	provider, err := configloader.NewFromBytes(data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return provider
}

func withSnippets(p plan.Plan, snippets ...plan.Snippet) plan.Plan {
	p.Snippets = snippets
	return p
}

// patched renders the worker with the snippets.
func patched(t *testing.T, snippets ...plan.Snippet) config.Provider {
	t.Helper()
	rendering, findings := render(t, withSnippets(planOf(t, target(t, ""), worker()), snippets...))
	if findings.HasErrors() || findings.Count(report.Warning) > 0 {
		t.Fatal(findings)
	}
	return read(t, rendering.Payload.Data.Reveal())
}

func TestSnippetsAreMerged(t *testing.T) {
	strategic := "machine:\n  install:\n    disk: /dev/nvme0n1\n  sysctls:\n    a.b: \"1\"\n---\napiVersion: " +
		"v1alpha1\nkind: WatchdogTimerConfig\ndevice: /dev/watchdog0\n"
	list := `[{"op": "add", "path": "/machine/sysctls/c.d", "value": "2"}, {"op": "replace", "path": ` +
		`"/machine/install/wipe", "value": true}]`
	yaml := "- op: add\n  path: /machine/sysfs\n  value: {a.b: c}\n"
	c := patched(t, snippet(strategic, true), snippet(list, true), snippet(yaml, true), snippet(" \n", true))
	install := c.Machine().Install().Disk()
	if install != "/dev/nvme0n1" || !c.Machine().Install().Zero() {
		t.Errorf("the disk is %q", install)
	}
	if s := c.Machine().Sysctls(); s["a.b"] != "1" || s["c.d"] != "2" || c.Machine().Sysfs()["a.b"] != "c" {
		t.Errorf("parameters %v", s)
	}
	if c.Runtime().WatchdogTimer() == nil || c.NetworkHostnameConfig().Hostname() != "worker-1" {
		t.Error("a document is gone")
	}
}

func TestSnippetsDelete(t *testing.T) {
	c := patched(t, snippet("machine:\n  features:\n    kubePrism:\n      $patch: delete\n", true))
	if c.Machine().Features().KubePrism().Enabled() {
		t.Error("what was deleted is there")
	}
}

func TestSnippetMistakes(t *testing.T) {
	const at = "spec.formatOptions.snippets[0]"
	cases := map[string]struct {
		reason, text string
		strict       bool
		want         string
	}{
		"unknown keys": {
			reason: "Talos would not read the configuration; the values may be secret",
			text:   "machine:\n  nonesuch: s3cr3t\n  install:\n    other: {deep: s3cr3t}\n",
			want: "error: " + at + ": this is not a patch for Talos: it has keys that Talos does not know: " +
				"machine.install.other.deep, machine.nonesuch",
		},
		"unknown kind": {reason: "no such document", text: "apiVersion: v1alpha1\nkind: Nonesuch\n", want: "error: " + at},
		"no YAML":      {reason: "it cannot be read", text: "machine: [", want: "error: " + at},
		"no target": {
			reason: "there is nothing to replace",
			text:   `[{"op": "replace", "path": "/machine/nonesuch/x", "value": 1}]`, want: "error: " + at,
		},
		"bad value": {
			reason: "the library validates",
			text:   "machine:\n  features:\n    kubernetesTalosAPIAccess: {enabled: true}\n",
			want:   "error: " + at + ": Talos refuses the configuration",
		},
		"gone": {
			reason: "nothing would be left", text: "[{\"op\": \"remove\", \"path\": \"/machine\"}]",
			want: "error: " + at,
		},
		"joining": {
			reason: "it would not join", text: "cluster:\n  token: zzzzzz.0123456789abcdef\n",
			want: "warning: " + at + ": it changes cluster.token, which the machine needs to join its cluster; do not change it",
		},
		"strict": {
			reason: "warnings are errors", strict: true, text: "machine:\n  token: zzzzzz.0123456789abcdef\n",
			want: "error: " + at + ": it changes machine.token",
		},
		"copies": {
			reason: "nine copies make 512 of one", text: "[" +
				strings.Repeat(`{"op": "copy", "from": "/machine", "path": "/machine/sysctls/a"},`, 8) + `{"\u006fp": "copy"}]`,
			want: "error: " + at + ": more than 8 operations copy, and each can double the configuration; " +
				"use add, with the value",
		},
		"many": {
			reason: "each is named", strict: true, text: "cluster:\n  id: x\n  secret: y\n",
			want: "error: " + at + ": it changes cluster.id",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			rendering, findings := render(t, withSnippets(planOf(t, target(t, ""), worker()), snippet(tc.text, tc.strict)))
			found := findings.String()
			if !strings.Contains(found, tc.want) || strings.Contains(found, "s3cr3t") || strings.Contains(found, "zzzzzz") {
				t.Errorf("%s:\n%s\nwant %s", tc.reason, found, tc.want)
			}
			if rendering.Payload.Data.IsZero() != findings.HasErrors() {
				t.Error("a payload in spite of errors, or none without")
			}
		})
	}
}

// TestFindingsRepeatNoSnippet plants a secret in each place in which a patch can be wrong: a patch may come from a
// Secret.
func TestFindingsRepeatNoSnippet(t *testing.T) {
	const c = "canary7q9zk2xw5v"
	op := func(s string) string { return "[{" + s + "}]" }
	for name, text := range map[string]string{
		"alias": "machine: *" + c + "\n", "unclosed": "machine: [" + c + "\n", "text": c + "\n", "tag": "machine: !" + c +
			"!a b\n", "colon": "a: " + c + ": b\n",
		"type": "machine: " + c + "\n", "number": "machine: {sysctls: {a.b: [" + c + "]}}\n",
		"bool": "machine: {install: {wipe: " + c + "}}\n",
		"kind": "apiVersion: v1alpha1\nkind: " + c + "\n", "version": "apiVersion: " + c + "\nkind: WatchdogTimerConfig\n",
		"machine's type": "machine: {type: " + c + "}\n",
		"duration":       "apiVersion: v1alpha1\nkind: WatchdogTimerConfig\ndevice: /dev/watchdog0\ntimeout: " + c + "\n",
		"unknown":        "machine: {nonesuch: " + c + "}\n",
		"endpoint":       "cluster: {controlPlane: {endpoint: 'https://u:" + c + "%zz@a'}}\n",
		"scheme":         "cluster: {controlPlane: {endpoint: '" + c + "://a'}}\n",
		"authority":      "cluster: {ca: {crt: '%" + c + "', key: a}}\n",
		"interface":      "machine: {network: {interfaces: [{interface: eth0, addresses: [" + c + "]}]}}\n",
		"route": "machine: {network: {interfaces: [{interface: eth0, routes: [{network: " + c + ", gateway: " +
			c + "}]}]}}\n",
		"name server": "machine: {network: {nameservers: [" + c + "]}}\n",
		"host":        "machine: {network: {extraHostEntries: [{ip: " + c + ", aliases: [a]}]}}\n",
		"permissions": "machine: {files: [{path: /var/a, permissions: " + c + ", op: create, content: a}]}\n",
		"subnet":      "cluster: {network: {podSubnets: [" + c + "]}}\n",
		"operation":   op(`"op": "` + c + `", "path": "/machine"`),
		"path":        op(`"op": "replace", "path": "/` + c + `/x", "value": 1`), "no path": op(`"op": "` + c + `"`),
		"pointer": op(`"op": "add", "path": "` + c + `", "value": 1`),
		"value":   op(`"op": "add", "path": "/machine", "value": "` + c + `"`), "JSON": `[{"op": "` + c,
		"test": op(`"op": "test", "path": "/machine/type", "value": "` + c + `"`), "operation in YAML": "- op: *" + c + "\n",
		"image": "machine: {install: {image: 'a b " + c + "'}}\n", "label": "machine: {nodeLabels: {a.b/c: '" + c + " ?'}}\n",
		"taint":    "machine: {nodeTaints: {a: 'x:" + c + "'}}\n",
		"proxy":    "machine: {env: {http_proxy: 'u:" + c + "'}}\n",
		"disk":     "machine: {install: {diskSelector: {size: '" + c + "'}}}\n",
		"manifest": "cluster: {inlineManifests: [{name: a, contents: '{" + c + "'}]}\n",
		"feature":  "machine: {kubelet: {nodeIP: {validSubnets: [" + c + "]}}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, found := render(t, withSnippets(planOf(t, target(t, ""), worker()), snippet(text, true)))
			if len(found) == 0 || strings.Contains(found.String(), c) {
				t.Errorf("found %s", found)
			}
		})
	}
}

// A JSON patch goes through JSON and back; what it does not name stays as it is, whatever bytes it has.
func TestJSONPatchLeavesTheRestAlone(t *testing.T) {
	for _, content := range []string{
		"\n  indented\n", "\x00\xff", "machineadm-held-text-0",
		"\u2028\ufeff\r\n", " a\nb\n",
	} {
		p := planOf(t, target(t, ""), worker(), machine.File{Path: "/var/x", Content: document.Text(content)})
		p = withSnippets(p, snippet(`[{"op": "add", "path": "/machine/sysfs", "value": {"a": "b"}}]`, true))
		rendering, findings := render(t, p)
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		files, _ := read(t, rendering.Payload.Data.Reveal()).Machine().Files()
		if len(files) != 1 || files[0].Content() != content {
			t.Errorf("%q became %q", content, files[0].Content())
		}
	}
}

// A control plane machine's patch may touch all that it joins by.
func TestSnippetsOfControlPlanes(t *testing.T) {
	text := "cluster:\n  etcd: {ca: {crt: YQ==, key: YQ==}}\n  aggregatorCA: {crt: YQ==, key: YQ==}\n  serviceAccount: " +
		"{key: YQ==}\n  secretboxEncryptionSecret: YQ==\n"
	_, findings := render(t, withSnippets(planOf(t, target(t, ""), controlPlane()), snippet(text, false)))
	for _, field := range []string{
		"cluster.etcd.ca", "cluster.aggregatorCA", "cluster.serviceAccount",
		"cluster.secretboxEncryptionSecret",
	} {
		if !strings.Contains(findings.String(), "it changes "+field+",") {
			t.Errorf("%s may be changed: %s", field, findings)
		}
	}
}
