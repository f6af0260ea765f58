package template_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/template"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/test/memory"
)

// proposed is the proposal's own example, its indentation mended and its stray dot kept.
const proposed = `#cloud-config
write_files:
- encoding: gz+b64
  content: {{ machine_config | gzipBase64 }}.
  owner: root:root
  path: /tmp/machineadm_config.yaml
  permissions: '0644'
runcmd:
- /usr/bin/machineadm --bootstrap --path /tmp/machineadm_config.yaml
`

func TestExecute(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"plain":            {"text stays as it is", "a {{machine_config}} b\n", "a C b\n"},
		"base64":           {"the proposal's function", "{{ machine_config | base64 }}", "Qw=="},
		"call":             {"the same in the language's other form", "{{ base64 machine_config }}", "Qw=="},
		"twice":            {"functions follow each other", "{{ machine_config | base64 | base64 }}", "UXc9PQ=="},
		"trimmed":          {"the language's own marks", "a {{- machine_config -}} b", "aCb"},
		"comment":          {"it is left out", "a{{/* {{ range }} */}}{{ machine_config }}", "aC"},
		"other braces":     {"Jinja's are text", "{% if %} { } {{ machine_config }}", "{% if %} { } C"},
		"lines":            {"nothing is changed", "\r\n\x00{{ machine_config }}\r\n", "\r\n\x00C\r\n"},
		"two places":       {"", "{{ machine_config }}{{ machine_config }}", "CC"},
		"parse by newline": {"", "{{ machine_config\n| base64 }}", "Qw=="},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			parsed, found := template.Parse(c.in, "spec.templateRef")
			if len(found) > 0 {
				t.Fatal(found)
			}
			got, err := parsed.Execute([]byte("C"))
			if diff := cmp.Diff(c.want, string(got)); diff != "" || err != nil {
				t.Errorf("%s: %v %s", c.reason, err, diff)
			}
		})
	}
}

// TestExecuteIsLimited places a configuration of 6 MiB as often, and through as many functions, as a template may: 470
// MB.
func TestExecuteIsLimited(t *testing.T) {
	configuration := bytes.Repeat([]byte("a"), 6<<20)
	places := map[string]string{
		"functions": "{{ machine_config | base64 | base64 | base64 | base64 | base64 | base64 | base64 | base64 }}",
		"places":    strings.Repeat("{{ machine_config }}", 8),
	}
	for name, text := range places {
		t.Run(name, func(t *testing.T) {
			parsed, found := template.Parse(text, "spec.templateRef")
			if len(found) > 0 {
				t.Fatal(found)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := parsed.Execute(configuration)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, template.ErrTooLarge) {
				t.Errorf("%v", err)
			}
			if cost := after.TotalAlloc - before.TotalAlloc; cost > 32<<20 {
				t.Errorf("it allocates %d MiB", cost>>20)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"range": {
			"a loop burns the controller", "a\n{{ range machine_config }}{{ end }}{{ machine_config }}",
			"(line 2, column 10): the template has a loop",
		},
		"break":    {"", "{{ break }}", "(line 1, column 1)"},
		"define":   {"recursion does, too", `{{ define "a" }}{{ end }}{{ machine_config }}`, "a definition"},
		"template": {"", `{{ template "a" }}{{ machine_config }}`, "a call of a definition"},
		"block":    {"", `{{ block "a" machine_config }}{{ end }}`, "a definition"},
		"if": {
			"a machine's userdata does not depend on its contents",
			"{{ if machine_config }}a{{ end }}{{ machine_config }}", "a condition",
		},
		"with":     {"", "{{ with machine_config }}{{ . }}{{ end }}", "a condition"},
		"variable": {"", "{{ $a := machine_config }}{{ $a }}", "a pipeline of something else"},
		"dot":      {"there is no data", "{{ . }}{{ machine_config }}", "a pipeline of something else"},
		"field":    {"", "{{ .Values }}{{ machine_config }}", "a pipeline of something else"},
		"literal":  {"text is written as text", `{{ "a" }}{{ machine_config }}`, "a pipeline of something else"},
		"number":   {"", `{{ 1 }}{{ machine_config }}`, "a pipeline of something else"},
		"function": {
			"there are three", "\n\n{{ printf machine_config }}",
			"(line 3, column 1): this is not a template: a function is not known",
		},
		"builtin":    {"these, too", "{{ len machine_config }}", "a function is not known"},
		"no input":   {"a function has one", "{{ base64 }}{{ machine_config }}", "a pipeline of something else"},
		"two inputs": {"", "{{ base64 machine_config machine_config }}", "a pipeline of something else"},
		"nested": {
			"a pipeline is equivalent", "{{ base64 (gzipBase64 machine_config) }}",
			"a pipeline of something else",
		},
		"later config": {"it begins a pipeline", "{{ machine_config | machine_config }}", "a pipeline of something else"},
		"lines in YAML": {
			"the configuration has several lines", "#cloud-config\nwrite_files:\n- content: {{ machine_config }}\n",
			"(line 3, column 15): the configuration has several lines and is not quoted",
		},
		"lines in a block of YAML": {
			"only the first line would be indented",
			"## template: jinja\n#cloud-config\nwrite_files:\n- content: |\n    {{ machine_config }}\n",
			"is not YAML any more; write {{ machine_config | base64 }}",
		},
		"lines in JSON": {
			"they are no string", `{"ignition": {"source": "data:,{{ machine_config }}"}}`, "is not JSON any more",
		},
		"open": {
			"", "a\nb {{ machine_config",
			"(line 2, column 1): this is not a template: a pair of braces is not closed",
		},
		"no end":  {"", "{{ if machine_config }}", "it ends too early"},
		"nowhere": {"the machine would not get it", "#cloud-config\n", "has no place for the configuration"},
		"empty":   {"", "", "has no place for the configuration"},
		"too often": {
			"each time it is compressed", strings.Repeat("{{ machine_config }}", 9),
			"places the configuration 9 times",
		},
		"too long": {
			"each function makes it larger", "{{ machine_config" + strings.Repeat(" | base64", 9) + " }}",
			"a long pipeline",
		},
		"too large": {"", strings.Repeat("a", 256<<10+1), "and may have 262144"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, found := template.Parse(c.in, "spec.templateRef")
			if !found.HasErrors() || !strings.Contains(found.String(), c.want) {
				t.Errorf("%s: found %s", c.reason, found)
			}
		})
	}
}

// TestFindingsRepeatNoTemplate plants a secret in each place in which a template can be wrong: a template may come from
// a Secret.
func TestFindingsRepeatNoTemplate(t *testing.T) {
	const c = "canary7q9zk2xw5v"
	for name, in := range map[string]string{
		"function": "{{ " + c + " }}", "text": `{{ "` + c + `" }}`, "raw text": "{{ `" + c + "` }}", "open text": `{{ "` + c,
		"field":    "{{ ." + c + " }}",
		"variable": "{{ $" + c + " }}", "declaration": "{{ $" + c + " := machine_config }}", "definition": `{{ define "` + c +
			`" }}{{ end }}`,
		"open definition": `{{ define "` + c + `" }}`, "call": `{{ template "` + c + `" }}`, "block": `{{ block "` + c +
			`" . }}{{ end }}`,
		"number": "{{ 1" + c + " }}", "character": "{{ '" + c + "' }}",
		"argument": "{{ machine_config | base64 ." + c + " }}",
		"loop":     "{{ range ." + c + " }}{{ end }}", "condition": `{{ if eq "` + c + `" machine_config }}{{ end }}`,
		"comment": "{{/* " + c,
		"word":    "{{ end " + c + " }}", "operator": "{{ machine_config + \"" + c + "\" }}",
		"nested":       `{{ (machine_config) ."` + c + `" }}`,
		"shared place": "#!/bin/sh\ncat >/tmp/" + c + " <<E\n{{ machine_config }}\nE\n", "nothing": c,
	} {
		t.Run(name, func(t *testing.T) {
			parsed, found := template.Parse(in, "spec.templateRef")
			if !found.HasErrors() {
				found = parsed.Exposed(in, "spec.templateRef")
			}
			if len(found) == 0 || strings.Contains(found.String(), c) {
				t.Errorf("found %s", found)
			}
		})
	}
}

func TestProposal(t *testing.T) {
	parsed, found := template.Parse(proposed, "spec.templateRef")
	if len(found) > 0 {
		t.Fatal(found)
	}
	config := strings.Repeat("kind: File\n", 1000)
	text, err := parsed.Execute([]byte(config))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "content: ")
	line, rest, _ := strings.Cut(rest, "\n")
	packed, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(line, "."))
	if err != nil || !strings.HasPrefix(rest, "  owner: root:root\n") {
		t.Fatalf("%v: %s", err, rest)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(z); string(got) != config || err != nil {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	again, _ := parsed.Execute([]byte(config))
	if !bytes.Equal(text, again) {
		t.Error("the same gives something else")
	}
	exposed := parsed.Exposed(proposed, "spec.templateRef")
	want := `warning: spec.templateRef (line 4, column 1): every user of the machine can read the configuration, which ` +
		`holds secrets; give its file the permissions 0600
warning: spec.templateRef (line 6, column 1): every user of the machine can put a file below /tmp before the ` +
		`configuration is there; use /etc/machineadm/machineadm_config.yaml`
	if diff := cmp.Diff(want, strings.TrimSpace(exposed.Sorted().String())); diff != "" {
		t.Error(diff)
	}
}

func TestExposed(t *testing.T) {
	entry := func(more string) string {
		return "#cloud-config\nwrite_files:\n- path: /etc/issue\n  permissions: '0644'\n  content: hello\n- path: " +
			"/etc/machineadm/c\n  encoding: b64\n  content: {{ machine_config | base64 }}\n" + more +
			"\n- path: /etc/other\n  permissions: '0644'\n"
	}
	ignition := func(more string) string {
		return `{"ignition": {"version": "3.4.0"}, "storage": {"files": [{"path": "/etc/issue", "mode": 420}, {"path": ` +
			`"/etc/machineadm/c"` + more +
			`, "contents": {"source": "data:;base64,{{ machine_config | base64 }}"}}]}}`
	}
	cases := map[string]struct {
		reason, in string
		want       []string
	}{
		"private":           {"", entry("  permissions: '0600'"), nil},
		"unquoted":          {"", entry("  permissions: 0o600"), nil},
		"open":              {"", entry("  permissions: \"0640\""), []string{"can read"}},
		"default":           {"cloud-init's is 0644", entry(""), []string{"can read"}},
		"Ignition, private": {"384 is 0600", ignition(`, "mode": 384`), nil},
		"Ignition, open":    {"420 is 0644", ignition(`, "mode": 420`), []string{"can read"}},
		"Ignition, default": {"Ignition's is 0644", ignition(``), []string{"can read"}},
		"script, private":   {"", "#!/bin/sh\numask 077\nbase64 -d >/etc/c <<E\n{{ machine_config | base64 }}\nE\n", nil},
		"script, installed": {"", "#!/bin/sh\ninstall -m 0600 /dev/null /etc/c\nbase64 -d >/etc/c <<E\n{{ " +
			"machine_config | base64 }}\nE\n", nil},
		"script, open": {
			"", "#!/bin/sh\nbase64 -d >/etc/c <<E\n{{ machine_config | base64 }}\nE\n",
			[]string{"can read"},
		},
		"script, shared": {
			"", "#!/bin/sh\numask 077\nbase64 -d > /var/tmp/c <<E\n{{ machine_config | base64 }}\nE\n",
			[]string{"below /var/tmp"},
		},
		"something like tmp": {"", entry("  permissions: '0600'") + "- path: /opt/tmp/a\n", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			parsed, found := template.Parse(c.in, "p")
			if len(found) > 0 {
				t.Fatal(found)
			}
			exposed := parsed.Exposed(c.in, "p")
			if len(exposed) != len(c.want) {
				t.Fatalf("%s: found %s", c.reason, exposed)
			}
			for i, w := range c.want {
				if !strings.Contains(exposed[i].String(), w) {
					t.Errorf("%s: found %s", c.reason, exposed)
				}
			}
		})
	}
}

// FuzzParse holds that no template makes the parser or what follows fail otherwise than by a finding.
func FuzzParse(f *testing.F) {
	f.Add(proposed)
	f.Add("{{ range machine_config }}{{ end }}")
	f.Add("#!/bin/sh\n{{ base64 machine_config }}")
	f.Add(strings.Repeat("{{1}}", 50_000))
	f.Add("{{" + strings.Repeat("1|", 120_000) + "1}}")
	f.Add("{{" + strings.Repeat("(", 120_000) + "1" + strings.Repeat(")", 120_000) + "}}")
	f.Add(strings.Repeat("{{if 1}}", 30_000))
	f.Add(strings.Repeat(`{{define "a"}}`, 10_000))
	f.Fuzz(func(t *testing.T, in string) {
		var parsed template.Template
		var found report.Report
		memory.Below(t, memory.Parse, func() { parsed, found = template.Parse(in, "p") })
		if found.HasErrors() {
			return
		}
		if _, err := parsed.Execute([]byte("C")); err != nil {
			t.Error(err)
		}
		parsed.Exposed(in, "p")
	})
}
