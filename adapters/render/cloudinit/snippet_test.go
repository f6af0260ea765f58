package cloudinit_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

func snippets(texts ...string) []plan.Snippet {
	var all []plan.Snippet
	for i, text := range texts {
		all = append(all, plan.Snippet{
			Snippet: delivery.Snippet{Format: delivery.FormatCloudInit, Text: text},
			Source:  document.Source{Path: report.Path("snippets").Index(i)},
		})
	}
	return all
}

func withSnippets(p plan.Plan, texts ...string) plan.Plan {
	p.Snippets = snippets(texts...)
	return p
}

func TestSnippetIsMerged(t *testing.T) {
	p := withSnippets(planOf(
		file("/etc/a", "a"),
		action.Action{Do: action.EnsureUser{User: machine.User{Name: "a"}}},
		action.Action{Do: action.EnsureGroup{Group: machine.Group{Name: "g"}}},
	), `#cloud-config
# a comment
bootcmd: [ [echo, "a b"] ]
packages:
- jq # why
x-base: &base {shell: /bin/sh}
users:
- default
- <<: *base
  name: 'yes'
  uid: 0o17
groups: [ { h: [a, b] } ]
`, `
runcmd:
  - echo it's
  - "*"
write_files:
  - path: /etc/b
    content: |2
        lead
    permissions: 0644
timezone: no
locale: null
`)
	rendering := string(renderWarned(t, p))
	var got map[string]any
	if err := yaml.Unmarshal([]byte(rendering), &got); err != nil {
		t.Fatalf("%v\n%s", err, rendering)
	}
	tail := func(key string) any {
		list, _ := got[key].([]any)
		if len(list) < 2 {
			t.Fatalf("%s has %d items", key, len(list))
		}
		return list[1]
	}
	want := map[string]any{
		"bootcmd": []any{"echo", "a b"}, "users": "default", "groups": map[string]any{"h": []any{"a", "b"}},
		"runcmd":      "echo it's",
		"write_files": map[string]any{"path": "/etc/b", "content": "  lead\n", "permissions": 420},
	}
	for key, item := range want {
		if diff := cmp.Diff(item, tail(key)); diff != "" {
			t.Errorf("%s: %s\n%s", key, diff, rendering)
		}
	}
	if diff := cmp.Diff([]any{"jq"}, got["packages"]); diff != "" {
		t.Error(diff)
	}
	// Scalars that a YAML 1.1 parser would convert stay as the user wrote them.
	for _, line := range []string{
		"timezone: no\n", "locale: null\n", "  name: 'yes'\n", "  uid: 0o17\n",
		"permissions: 0644\n",
	} {
		if !strings.Contains(rendering, line) {
			t.Errorf("%q is not as it was written:\n%s", line, rendering)
		}
	}
}

func TestSnippetFindings(t *testing.T) {
	at := func(line, column int, f report.Finding) report.Report {
		f.Line, f.Column = line, column
		return report.Report{f}
	}
	const p = report.Path("snippets[0]")
	cases := map[string]struct {
		reason, text string
		strict       bool
		want         report.Report
	}{
		"Empty":    {reason: "nothing to add", text: ""},
		"Comments": {reason: "nothing to add", text: "#cloud-config\n# nothing\n"},
		"Syntax": {
			reason: "YAML reports the position", text: "packages:\n- a\n b: c\n",
			want: at(3, 1, report.Errorf(p, "this is not YAML: a colon is where no key is allowed; look "+
				"at the indentation, and "+
				"quote texts with a colon")),
		},
		"NotAMapping": {
			reason: "cloud-init drops it", text: "- a\n",
			want: at(1, 1, report.Errorf(p, "the snippet is not a mapping of cloud-config keys")),
		},
		"SecondDocument": {
			reason: "cloud-init reads one", text: "a: b\n---\nc: d\n",
			want: at(2, 1, report.Errorf(p, "the snippet has a second document; cloud-init reads one")),
		},
		"Jinja": {
			reason: "the header applies to the whole document", text: "## template: jinja\n#cloud-config\npackages: []\n",
			want: at(1, 1, report.Errorf(p, "a template header would turn the whole document into a template").
				To("write the values, or use facts of the machine in files")),
		},
		"Script": {
			reason: "another format", text: "#!/bin/sh\necho\n",
			want: at(1, 1, report.Errorf(p, "its first line starts a format other than cloud-config").To(
				"write keys of #cloud-config")),
		},
		"MIME": {
			reason: "another format", text: "Content-Type: multipart/mixed\n",
			want: at(1, 1, report.Errorf(p, "its first line starts a format other than cloud-config").
				To("write keys of #cloud-config")),
		},
		"TwiceAtTop": {
			reason: "cloud-init would take the last", text: "packages: [a]\nntp: {}\npackages: [b]\n",
			want: at(3, 1, report.Errorf(p, "the key is already in line 1").To("remove one of them")),
		},
		"TwiceBelow": {
			reason: "cloud-init would take the last", text: "ntp:\n  enabled: true\n  enabled: false\n",
			want: at(3, 3, report.Errorf(p, "the key is already in line 2").To("remove one of them")),
		},
		"Unknown": {
			reason: "cloud-init ignores it", text: "pakages: [a]\n",
			want: at(1, 1, report.Warningf(p, "cloud-init does not know the key pakages")),
		},
		"UnknownStrict": {
			reason: "strict makes it an error", text: "pakages: [a]\n", strict: true,
			want: at(1, 1, report.Errorf(p, "cloud-init does not know the key pakages")),
		},
		"Modules": {
			reason: "without its modules nothing runs", text: "cloud_final_modules: []\n",
			want: at(1, 1, report.Errorf(p, "cloud_final_modules selects what cloud-init runs and can prevent "+
				"the bootstrap")),
		},
		"ListIsAScalar": {
			reason: "it would replace the bootstrap", text: "runcmd: reboot\n",
			want: at(1, 9, report.Errorf(p, "runcmd must be a list, because it is merged")),
		},
		"KeyIsANumber": {
			reason: "no key of cloud-config", text: "1: a\n",
			want: at(1, 1, report.Errorf(p, "a key of cloud-config is a word")),
		},
		"KeyIsAMapping": {
			reason: "PyYAML cannot hash it", text: "ntp:\n  {}: a\n",
			want: at(2, 3, report.Errorf(p, "cloud-init does not read keys that are lists or mappings")),
		},
		"Tag": {
			reason: "PyYAML knows few", text: "ntp: !x {}\n",
			want: at(1, 6, report.Errorf(p, "cloud-init may not support this tag")),
		},
		"Merge": {
			reason: "PyYAML fails", text: "ntp: {<<: a}\n",
			want: at(1, 11, report.Errorf(p, "only mappings can be merged")),
		},
		"Date": {
			reason: "PyYAML fails", text: "locale: 2001-99-99\n",
			want: at(1, 9, report.Errorf(p, "quote this value: cloud-init reads it as another type")),
		},
		"Base60": {
			reason: "a time of day is 45045 to PyYAML", text: "locale: 12:30:45\n",
			want: at(1, 9, report.Errorf(p, "quote this value: cloud-init reads it as another type")),
		},
		"DefaultKey": {
			reason: "PyYAML fails", text: "locale: =\n",
			want: at(1, 9, report.Errorf(p, "quote this value: cloud-init reads it as another type")),
		},
		"SameUser": {
			reason: "cloud-init would take the last alone", text: "users:\n- name: admin\n  shell: /bin/sh\n",
			want: at(2, 9, report.Errorf(p, "the user admin is also one of the machine's").To("keep one of them")),
		},
		"Bomb": {
			reason: "aliases that multiply", text: "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n" +
				"c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n" +
				"e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\npackages: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n",
			want: at(1, 1, report.Errorf(p, "this and what was read before it has more than 100000 YAML or JSON nodes").
				To("write less; aliases are counted after expansion")),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			pl := withSnippets(worker(), tc.text)
			pl.Snippets[0].Strict = tc.strict
			if diff := cmp.Diff(tc.want, findingsOf(t, pl)); diff != "" {
				t.Errorf("%s: %s", tc.reason, diff)
			}
		})
	}
}

// TestFindingsRepeatNoSnippet puts a secret at each position at which a snippet can be invalid. Findings must not
// contain it, because a snippet may come from a Secret.
func TestFindingsRepeatNoSnippet(t *testing.T) {
	const c = "canary7q9zk2xw5v"
	for name, text := range map[string]string{
		"alias": "password: *" + c + "\n", "anchor of itself": "a: &" + c + " [*" + c + "]\n", "tag": "a: !" + c + "\n",
		"handle":  "a: !" + c + "!b c\n",
		"percent": "a: %" + c + "\n", "colon": "a: " + c + ": b\n", "quote": "a: \"" + c + "\n", "list": "write_files: [" +
			c + "\n", "text": c + "\n",
		"script": "#!/bin/" + c + "\n", "include": "#include https://host.example/?signature=" + c + "\n",
		"header": "Content-Type: " + c + "\n",
		"binary": "a: !!binary '" + c + "%'\n", "merge": "a: {<<: " + c + "}\n", "no list": "runcmd: " + c + "\n",
		"document": "a: b\n---\n" + c + "\n",
		"date":     "a: 2001-99-99 " + c + "\n", "key": "a: {[" + c + "]: b}\n", "no UTF-8": "a: " + c + "\xff\n",
		"template": "## template: " + c + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			found := findingsOf(t, withSnippets(worker(), text))
			if len(found) == 0 || strings.Contains(found.String(), c) {
				t.Errorf("found %s", found)
			}
		})
	}
}

// TestSnippetReadsTheSame compares how PyYAML, which cloud-init uses, parses the snippet alone and in the document.
func TestSnippetReadsTheSame(t *testing.T) {
	text := `ntp:
  words: [yes, no, on, off, y, ~, null, "null", 'yes', 0o17, 017, 08, 1_000, 1e3, 1.5, .inf, 2001-01-01, 0x1f, "=", ` +
		`"<<"]
  folded: >
    a
    b

      c
  kept: |+
    a

  stripped: |-
    a
  lead: |2
      a
  quoted: "a\tb\n\x00\u2028\ufeff \
    c"
  single: 'it''s

    so'
  plain: several
    lines
  binary: !!binary |
    AAECAw==
  string: !!str 12
  empty:
  merged: {<<: {a: 1}, b: 2}
  1: number
  unicode: [é, 日本, 🙂, "\u00a0"]
`
	const script = `import sys,yaml
a,b=(yaml.safe_load(x) for x in sys.stdin.buffer.read().decode().split("\x00"))
sys.exit(0 if repr(a["ntp"])==repr(b["ntp"]) else "%r\n%r"%(a["ntp"],b["ntp"]))`
	if out, err := exec.Command("../../../hack/packages.sh", "python3-yaml").CombinedOutput(); err != nil {
		t.Fatalf("packages.sh: %v\n%s", err, out)
	}
	cmd := exec.Command("/usr/bin/python3", "-c", script)
	cmd.Stdin = strings.NewReader(text + "\x00" + string(renderWarned(t, withSnippets(worker(), text))))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestSnippetsDoNotClash(t *testing.T) {
	want := report.Errorf("snippets[1]", "the key timezone is in two snippets; the first is at snippets[0]")
	want.Line, want.Column = 2, 1
	got := findingsOf(t, withSnippets(worker(), "timezone: UTC\n", "ntp: {}\ntimezone: Europe/Zurich\n"))
	if diff := cmp.Diff(report.Report{want}, got); diff != "" {
		t.Error(diff)
	}
}

// FuzzSnippet reads arbitrary text. The reader either refuses it or the resulting document can be parsed.
func FuzzSnippet(f *testing.F) {
	for _, text := range []string{
		"packages: [a]\n", "users:\n- default\n", "a: &a [*a]\n", "? [a]\n: b\n", "runcmd: [[a, b], c]\n", "!!binary x: y\n",
		"a: !x {b: c}\n", "ntp: |\n  a\n\n\n", "\"a\\nb\": c\n", "<<: {a: b}\n", "a: b # c\n# d\n",
		"write_files:\n- {path: /x, content: !!binary aGk=}\n",
	} {
		f.Add(text)
	}
	hostile.Seed(func(text string) { f.Add(text) })
	f.Fuzz(func(t *testing.T, text string) {
		refused := false
		memory.Below(t, memory.Render, func() { refused = findingsOf(t, withSnippets(worker(), text)).HasErrors() })
		if refused {
			return
		}
		var got map[string]any
		rendering := renderWarned(t, withSnippets(worker(), text))
		if err := yaml.Unmarshal(rendering, &got); err != nil {
			t.Fatalf("%v\n%s", err, rendering)
		}
		if files, ok := got["write_files"].([]any); !ok || len(files) < 5 {
			t.Errorf("the files are gone:\n%s", rendering)
		}
	})
}
