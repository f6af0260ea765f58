package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// relativeFiles returns a config on one line with n files, none of which has an absolute path.
func relativeFiles(n int) string {
	return "{apiVersion: bootstrap.machineadm.io/v1alpha1, kind: MachineBootstrapConfig, metadata: {name: m}, " +
		"spec: {os: {distribution: debian}, machine: {files: [" + strings.Repeat("{path: é},", n) + "]}}}\n"
}

// TestFindingsAreLimited validates a small manifest with many mistakes on one long line.
func TestFindingsAreLimited(t *testing.T) {
	manifest := relativeFiles(3000)
	for _, args := range [][]string{{}, {"-o", "json"}, {"-o", "yaml"}} {
		var out, errs strings.Builder
		if code := run(append([]string{"validate", "--kubernetes-version", "v1.36.3", "-f", "-"}, args...),
			strings.NewReader(manifest), &out, &errs); code != 1 {
			t.Fatalf("%v: exit code %d\n%.500s", args, code, errs.String())
		}
		printed := out.String() + errs.String()
		if len(printed) > 1<<18 || !strings.Contains(printed, " more findings are omitted") {
			t.Errorf("%v: %d bytes for %d\n%s", args, len(printed), len(manifest), printed[max(0, len(printed)-300):])
		}
		for line := range strings.Lines(printed) {
			if len(line) > 400 {
				t.Errorf("%v: a line of %d bytes", args, len(line))
				break
			}
		}
	}
}

// TestHostileManifests reads manifests that are YAML, and that made the command panic or need all memory.
func TestHostileManifests(t *testing.T) {
	const config = "apiVersion: bootstrap.machineadm.io/v1alpha1\nkind: MachineBootstrapConfig\nmetadata: {name: m}\n" +
		"spec:\n  os: {distribution: debian}\n"
	const list = "apiVersion: v1\nkind: List\n"
	const item = "{apiVersion: bootstrap.machineadm.io/v1alpha1, kind: MachineBootstrapConfig, metadata: {name: m}, " +
		"spec: {os: {distribution: debian}}}"
	keys := func(n int, value string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString("  k" + strconv.Itoa(i) + ": " + value + "\n")
		}
		return b.String()
	}
	cases := map[string]struct{ reason, manifest, want string }{
		"capital": {"the name of the field has another case", list + "Items: [" + item + "]", "1 machine"},
		"alias":   {"the items are elsewhere", list + "a: &a [" + item + "]\nitems: *a", "1 machine"},
		"merge":   {"the field is merged", list + "<<: {items: [" + item + "]}", "1 machine"},
		"lines": {
			"a carriage return ends a line of YAML", strings.ReplaceAll(config+"  x: 1\n", "\n", "\r"), "spec.x: unknown",
		},
		"aliases": {
			"a text is repeated", list + "a: &a " + strings.Repeat("x", 1<<18) + "\nb:\n" + keys(999, "*a"),
			"stdin:1: it has more than 128 MiB when its aliases are expanded; use fewer aliases",
		},
		"tags": {
			"the prefix of a tag is repeated", "%TAG ! tag:example.com:" + strings.Repeat("x", 1<<10) + "\n" + config,
			"stdin:1: a %TAG directive is not supported",
		},
		"keys": {
			"a field is searched in all keys", config + keys(10_000, "1"),
			"stdin:5: a mapping has 10001 keys, and 10000 is the limit",
		},
		"ConfigMap": {
			"a ConfigMap can have many keys", config + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n" +
				keys(10_000, "v"), "1 machine: 0 errors",
		},
		"duplicate": {
			"the message names a line of the file", config + "---\n" + config + "kind: List\n",
			"stdin:12: the key is already in line 8",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var out, errs strings.Builder
			run([]string{"validate", "--kubernetes-version", "v1.36.3", "-f", "-"}, strings.NewReader(tc.manifest), &out, &errs)
			if printed := out.String() + errs.String(); !strings.Contains(printed, tc.want) {
				t.Errorf("%s: %.2000s", tc.reason, printed)
			}
		})
	}
}

// TestNamesDoNotControlTerminals prints names and texts of manifests that contain escape sequences and other characters
// that a terminal interprets.
func TestNamesDoNotControlTerminals(t *testing.T) {
	const hostile = `\e]0;x\a\e[31m\x9b2J\u202e\rname`
	const manifests = "apiVersion: bootstrap.machineadm.io/v1alpha1\nkind: MachineBootstrapConfig\n" +
		"metadata: {name: \"" + hostile + "\", namespace: \"" + hostile + "\"}\n" +
		"spec: {os: {distribution: debian}, machine: {files: [{path: /a, content: \"" + hostile + "\"}]}}\n" +
		"status: {conditions: [{type: Ready, status: \"False\", reason: \"" + hostile + "\",\n" +
		"  message: \"" + hostile + "\"}]}\n"
	before := filepath.Join(t.TempDir(), "before.yaml")
	if err := os.WriteFile(before, []byte(strings.ReplaceAll(manifests, "/a", "/b")), 0o600); err != nil {
		t.Fatal(err)
	}
	const version = "--kubernetes-version=v1.36.3"
	cases := map[string]struct {
		reason string
		args   []string
		stdin  string
	}{
		"validate": {
			"a finding quotes a key and its line",
			[]string{"validate", version},
			manifests + "\"x" + hostile + "\": 1 # \u202e\n",
		},
		"error":   {"an error quotes the name", []string{"render", version}, manifests + "---\n" + manifests},
		"diff":    {"the name and the content are printed", []string{"diff", version, "--from", before}, manifests},
		"summary": {"the name and the condition are printed", []string{"status"}, manifests},
		"details": {
			"the name and the condition are printed",
			[]string{"status", "\x1b]0;x\a\x1b[31m\u009b2J\u202e\rname"},
			manifests,
		},
		"details as JSON": {
			"the name and the condition are printed", []string{"status", "-o", "json"}, manifests,
		},
		"details as YAML": {
			"the name and the condition are printed", []string{"status", "-o", "yaml"}, manifests,
		},
		"findings as JSON": {
			"a finding quotes a key", []string{"validate", version, "-o", "json"}, manifests + "\"x" + hostile + "\": 1\n",
		},
		"explain": {
			"the path of the file is printed",
			[]string{"explain", version},
			strings.ReplaceAll(manifests, "path: /a", "permissions: \"0644\", path: \"/a"+hostile+"\""),
		},
		"explain as YAML": {
			"the path of the file is printed",
			[]string{"explain", version, "-o", "yaml"},
			strings.ReplaceAll(manifests, "path: /a", "permissions: \"0644\", path: \"/a"+hostile+"\""),
		},
		"pretty": {"the content is printed", []string{"render", version, "--pretty"}, manifests},
		"as a Secret": {
			"the name is printed", []string{"render", version, "-o", "yaml"}, manifests,
		},
		"plan": {
			"names and versions are printed",
			[]string{"plan"},
			"apiVersion: controlplane.machineadm.io/v1alpha1\nkind: MachineadmControlPlane\n" +
				"metadata: {name: \"" + hostile + "\", namespace: \"" + hostile + "\",\n" +
				"  labels: {cluster.x-k8s.io/cluster-name: \"" + hostile + "\"}}\n" +
				"spec: {replicas: 1, version: \"" + hostile + "\", infrastructureTemplate: {apiGroup: a, kind: K, name: n},\n" +
				"  bootstrap: {os: {distribution: debian}}}\n",
		},
		"inspect": {
			"the key is printed",
			[]string{"inspect"},
			"apiVersion: machineadm.io/v1alpha1\nkind: EncryptedConfig\nspec: {provider: \"" + hostile + "\",\n" +
				"  passphraseURI: \"kms://ZW5jcnlwdGVk@key" + hostile + "\", ciphertext: AAAAAAAAAAAAAAAAAAAAAAAA, salt: AAAA,\n" +
				"  iv: AAAA, cipherAlgorithm: aes-256-gcm, digestAlgorithm: sha-512, iterations: 1,\n" +
				"  keyDerivationAlgorithm: pbkdf2}\n",
		},
		"move": {
			"the name of the Secret is printed",
			[]string{"check-move"},
			strings.ReplaceAll(manifests, "content: \""+hostile+"\"", "contentFrom: {secret: {key: a, name: \""+hostile+"\"}}"),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var out, errs strings.Builder
			run(append(tc.args, "-f", "-"), strings.NewReader(tc.stdin), &out, &errs)
			printed := out.String() + errs.String()
			if !strings.Contains(printed, "name") {
				t.Errorf("%s, but not here: %q", tc.reason, printed)
			}
			for _, r := range printed {
				if !unicode.IsGraphic(r) && r != '\n' && r != '\t' {
					t.Errorf("%s: %q in %q", tc.reason, r, printed)
					break
				}
			}
		})
	}
}

// TestErrorsAreOneLine prints an error with a name that contains the line of a command, which the programs that run
// continuous integration execute.
func TestErrorsAreOneLine(t *testing.T) {
	const manifests = "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Machine\n" +
		"metadata: {name: \"a\\n::stop-commands::x\"}\nspec: {clusterName: 5}\n"
	var out, errs strings.Builder
	code := run([]string{"status", "-f", "-"}, strings.NewReader(manifests), &out, &errs)
	if want := "machineadmctl: stdin:1: Machine/default/a ::stop-commands::x: spec.clusterName has a value of the wrong " +
		"type\n"; code != 1 || errs.String() != want {
		t.Errorf("code %d, %q, want %q", code, errs.String(), want)
	}
}
