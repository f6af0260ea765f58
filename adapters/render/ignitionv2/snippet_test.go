package ignitionv2_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/ignitionv2"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
)

func withSnippet(text string, strict bool, operations ...action.Operation) plan.Plan {
	p := ignmodeltest.Of(old(), operations...)
	p.Snippets = []plan.Snippet{{
		Snippet: delivery.Snippet{Format: delivery.FormatIgnitionV2, Text: text, Strict: strict},
		Source:  document.Source{Path: "spec.snippet"},
	}}
	return p
}

func TestSnippetFindings(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		strict       bool
		want         string
	}{
		"Good":  {reason: "no finding", text: "systemd:\n  units:\n    - name: a.service\n      enabled: true\n"},
		"Empty": {reason: "no text is no snippet", text: "\n"},
		"UnknownKey": {
			reason: "would be ignored", text: "storag: {}\n",
			want: "warning: spec.snippet (line 1, column 1): unknown key: storag",
		},
		"Strict": {
			reason: "strict makes it an error", text: "storag: {}\n", strict: true,
			want: "error: spec.snippet (line 1, column 1): unknown key: storag",
		},
		"NotYAML": {
			reason: "a value is not repeated", text: "systemd: secret\n",
			want: "error: spec.snippet (line 1, column 1): this is not a Container Linux Config: a value is of " +
				"another type than its field",
		},
		"Program": {
			reason: "kept", text: "storage:\n  files:\n    - path: /etc/machineadm/bootstrap\n      filesystem: root\n      " +
				"mode: 0600\n      contents: {inline: x}\n",
			want: "error: spec.snippet: /etc/machineadm/bootstrap is reserved for machineadm; choose another path",
		},
		"ProgramUnit": {
			reason: "kept", text: "systemd:\n  units:\n    - name: machineadm-bootstrap.service\n      mask: true\n",
			want: "error: spec.snippet: machineadm-bootstrap.service is reserved for machineadm; choose another name",
		},
		"Replace": {
			reason: "drops everything", text: "ignition:\n  config:\n    replace:\n      source: http://127.0.0.1/\n",
			want: "error: spec.snippet: ignition.config.replace drops the whole configuration; use ignition.config.append",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, findings, err := ignitionv2.New().Render(t.Context(), withSnippet(tc.text, tc.strict,
				ignmodeltest.Text("/etc/ours", "ours")))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, findings.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestFindingsRepeatNoSnippet plants a secret in each place in which a snippet can be wrong: a snippet may come from a
// Secret.
func TestFindingsRepeatNoSnippet(t *testing.T) {
	const c = "canary7q9zk2xw5v"
	file := "storage:\n  files:\n    - path: /a\n      filesystem: root\n"
	unit := "systemd:\n  units:\n    - name: a.service\n      enabled: true\n      contents: |\n        "
	for name, text := range map[string]string{
		"list": "- " + c + "\n", "alias": "systemd: *" + c + "\n", "unclosed": "systemd: [" + c + "\n",
		"type": "systemd: " + c + "\n", "colon": "a: " + c + ": b\n",
		"mode": file + "      mode: " + c + "\n", "source": file + "      contents: {remote: {url: '" + c + "://a'}}\n",
		"relative": "storage: {files: [{path: " + c + "}]}\n",
		"hash": file + "      contents: {remote: {url: 'https://a', verification: {hash: {function: " + c +
			", sum: " + c + "}}}}\n",
		"URL":     file + "      contents: {remote: {url: 'https://u:" + c + "%zz@a'}}\n",
		"section": unit + "[Service] " + c + "\n", "no file system": "storage: {files: [{path: /a, filesystem: " + c +
			"}]}\n",
		"local": file + "      contents: {local: " + c + "}\n", "etcd": "etcd: {version: " + c + "}\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, found, err := ignitionv2.New().Render(t.Context(), withSnippet(text, true))
			if err != nil {
				t.Fatal(err)
			}
			if len(found) == 0 || strings.Contains(found.String(), c) {
				t.Errorf("found %s", found)
			}
		})
	}
}

func TestSnippetIsAppended(t *testing.T) {
	text := "storage:\n  files:\n    - path: /etc/mine\n      filesystem: root\n      mode: 0600\n      contents:\n     " +
		"   inline: \"{PRIVATE_IPV4}\"\n"
	p := withSnippet(text, true, ignmodeltest.Text("/etc/ours", "ours"))
	tree := read(t, ignmodeltest.Render(t, ignitionv2.New(), p))
	if tree.Files["/etc/mine"] != "{PRIVATE_IPV4}" || tree.Files["/etc/ours"] != "ours" {
		t.Errorf("files %v", tree.Files)
	}
}

func TestVersionIsTheOne(t *testing.T) {
	target := ignmodeltest.Version(old(), "2.4.0")
	_, findings, err := ignitionv2.New().Render(t.Context(), ignmodeltest.Worker(target))
	want := `error: spec.formatOptions.version: ignition-v2 has no version "2.4.0"`
	if err != nil || !strings.HasPrefix(findings.String(), want) {
		t.Errorf("%v: %s", err, findings)
	}
}
