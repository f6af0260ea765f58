package ignition_test

import (
	"strings"
	"testing"

	"github.com/coreos/ignition/v2/config/v3_6"
	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
)

// withSnippet returns the plan of a Flatcar that reads specification 3.4, with a snippet.
func withSnippet(text string, strict bool, operations ...action.Operation) plan.Plan {
	p := ignmodeltest.Of(ignmodeltest.Target("flatcar", ""), operations...)
	p.Snippets = []plan.Snippet{{
		Snippet: delivery.Snippet{Format: delivery.FormatButane, Text: text, Strict: strict},
		Source:  document.Source{Path: "spec.snippet"},
	}}
	return p
}

const head = "variant: flatcar\nversion: 1.1.0\n"

func TestSnippetFindings(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		strict       bool
		want         []string
	}{
		"Good": {reason: "no finding", text: head + "storage:\n  directories:\n    - path: /opt/mine\n " +
			"     mode: 0755\n"},
		"Empty": {reason: "no text is no snippet", text: " \n"},
		"NoHead": {reason: "a variant is needed", text: "storage: {}\n", want: []string{
			"error: spec.snippet: this is not Butane: its variant is missing; start it with variant and version, and correct " +
				"the reported errors",
		}},
		"UnknownKey": {reason: "a misspelt key would be ignored", text: head + "storage:\n  filez: []\n", want: []string{
			"warning: spec.snippet (line 4, column 3): storage.filez: unused key filez",
		}},
		"UnknownKeyStrict": {
			reason: "strict makes it an error", text: head + "storage:\n  filez: []\n", strict: true,
			want: []string{
				"error: spec.snippet (line 4, column 3): storage.filez: unused key filez",
			},
		},
		"BadPath": {
			reason: "an error is one at any time", text: head + "storage:\n  files:\n    - path: relative\n",
			want: []string{
				"error: spec.snippet (line 5, column 13): storage.files.0.path: path not absolute",
			},
		},
		"NotYAML": {reason: "the line is found in the message", text: head + "storage: [\n", want: []string{
			"error: spec.snippet (line 3, column 1): this is not Butane: a value is missing; start it with variant and " +
				"version, and correct the reported errors",
		}},
		"LocalFile": {
			reason: "the controller's files are out of reach",
			text:   head + "storage:\n  files:\n    - path: /a\n      contents:\n        local: etc/passwd\n", want: []string{
				"error: spec.snippet (line 7, column 16): storage.files.0.contents.local: local file paths are relative to a " +
					"files directory that must be specified with -d/--files-dir",
			},
		},
		"OtherVariant": {reason: "written for another system", text: "variant: fcos\nversion: 1.5.0\n", want: []string{
			"warning: spec.snippet: the variant is fcos, and Flatcar has flatcar; write variant: flatcar",
		}},
		"TooNew": {reason: "the machine does not read it", text: "variant: fcos\nversion: 1.6.0\n", want: []string{
			"warning: spec.snippet: the variant is fcos, and Flatcar has flatcar; write variant: flatcar",
			"error: spec.snippet: it translates to Ignition 3.5.0, and the machine reads 3.4.0; use an older " +
				"version of Butane's variant",
		}},
		"Experimental": {
			reason: "may change at any time", text: "variant: flatcar\nversion: 1.2.0-experimental\n",
			want: []string{
				"error: spec.snippet: it translates to an experimental Ignition specification; use a stable " +
					"version of Butane's variant",
			},
		},
		"Program": {
			reason: "the program is not the user's",
			text:   head + "storage:\n  files:\n    - path: /etc/machineadm/bootstrap\n", want: []string{
				"error: spec.snippet: /etc/machineadm/bootstrap is reserved for machineadm; choose another path",
			},
		},
		"LinkAbove": {
			reason: "a link would lead the program away",
			text:   head + "storage:\n  links:\n    - path: /etc/machineadm\n      target: /tmp\n", want: []string{
				"error: spec.snippet: /etc/machineadm is reserved for machineadm; choose another path",
			},
		},
		"ProgramUnit": {reason: "nor is its unit", text: head + "systemd:\n  units:\n    - name: " +
			"machineadm-bootstrap.service\n      mask: true\n", want: []string{
			"error: spec.snippet: machineadm-bootstrap.service is reserved for machineadm; choose another name",
		}},
		"Replace": {reason: "would drop everything", text: head + "ignition:\n  config:\n    replace:\n      source: " +
			"http://127.0.0.1/\n", want: []string{
			"error: spec.snippet: ignition.config.replace drops the whole configuration; use ignition.config.merge",
		}},
		"Overrides": {
			reason: "the snippet wins, with a warning",
			text:   head + "storage:\n  files:\n    - path: /etc/ours\n      mode: 0600\n", want: []string{
				"warning: spec.snippet: it changes /etc/ours, which the configuration has too",
			},
		},
		"WrongTogether": {
			reason: "each is right alone",
			text:   head + "storage:\n  links:\n    - path: /etc/dir\n      target: /opt\n", want: []string{
				"error: spec.snippet: storage.files.1: file path includes link in config",
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := withSnippet(tc.text, tc.strict, ignmodeltest.Text("/etc/ours", "ours"),
				ignmodeltest.Text("/etc/dir/file", "x"))
			_, findings, err := ignition.New().Render(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range findings {
				got = append(got, f.String())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestFindingsRepeatNoSnippet plants a secret in each place in which a snippet can be wrong: a snippet may come from a
// Secret.
func TestFindingsRepeatNoSnippet(t *testing.T) {
	const c = "canary7q9zk2xw5v"
	file := head + "storage:\n  files:\n    - path: /a\n"
	unit := func(text string) string {
		return head + "systemd:\n  units:\n    - name: a.service\n      enabled: true\n      contents: |\n        " + text +
			"\n"
	}
	for name, text := range map[string]string{
		"variant": "variant: " + c + "\nversion: 1.1.0\n", "version": "variant: flatcar\nversion: " + c + "\n",
		"no head": c + ": " + c + "\n", "list": "- " + c + "\n",
		"alias": head + "a: *" + c + "\n", "unclosed": head + "storage: [" + c + "\n", "tag": head + "storage: !" + c +
			"!x y\n", "type": head + "storage: " + c + "\n",
		"mode": file + "      mode: " + c + "\n", "octal": file + "      mode: 0o9" + c + "\n",
		"source":      file + "      contents: {source: '" + c + "://a'}\n",
		"data":        file + "      contents: {source: 'data:;base64,%" + c + "'}\n",
		"hash":        file + "      contents: {source: 'https://a', verification: {hash: " + c + "}}\n",
		"compression": file + "      contents: {source: 'https://a', compression: " + c + "}\n",
		"header":      file + "      contents: {source: 'https://a', http_headers: [{name: '', value: " + c + "}]}\n",
		"relative":    head + "storage: {files: [{path: " + c + "}]}\n", "unit": unit(c), "section": unit("[Service] " + c),
		"continued": unit("[Unit]\n        Description=a\\\\\n        [" + c),
		"URL":       file + "      contents: {source: 'https://u:" + c + "%zz@a'}\n",
		"proxy":     head + "ignition: {proxy: {http_proxy: 'u:" + c + "'}}\n",
		"merge":     head + "ignition: {config: {merge: [{source: '" + c + "'}]}}\n",
		"authority": head + "ignition: {security: {tls: {certificate_authorities: [{source: '" + c + "'}]}}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, found, err := ignition.New().Render(t.Context(), withSnippet(text, true))
			if err != nil {
				t.Fatal(err)
			}
			if len(found) == 0 || strings.Contains(found.String(), c) {
				t.Errorf("found %s", found)
			}
		})
	}
}

func TestSnippetIsMerged(t *testing.T) {
	text := head + "storage:\n  files:\n    - path: /etc/ours\n      mode: 0600\n    - path: " +
		"/etc/theirs\nkernel_arguments:\n  should_exist: [quiet]\n"
	p := withSnippet(text, false, ignmodeltest.Text("/etc/ours", "ours"))
	c, _, err := v3_6.ParseCompatibleVersion(ignmodeltest.Render(t, ignition.New(), p))
	if err != nil {
		t.Fatal(err)
	}
	if got := *c.Storage.Files[0].Mode; got != 0o600 || *c.Storage.Files[0].Contents.Source != "data:,ours" {
		t.Errorf("our file has mode %o and contents %q", got, *c.Storage.Files[0].Contents.Source)
	}
	if got := c.Storage.Files[len(c.Storage.Files)-1].Path; got != "/etc/theirs" ||
		c.KernelArguments.ShouldExist[0] != "quiet" {
		t.Errorf("their part is missing: %q", got)
	}
}
