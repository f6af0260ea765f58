package worstcase_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/memory"
)

// hostileObject is an object that is small for what a program may make of it.
type hostileObject struct {
	reason, distribution string
	// spec is the spec as JSON without the operating system, and text what its references lead to.
	spec, text string
}

const (
	snippetOfConfigMap = `"formatOptions":{"snippets":[{"textFrom":{"configMap":{"name":"a","key":"b"}}}]}`
	snippetOfSecret    = `"formatOptions":{"snippets":[{"textFrom":{"secret":{"name":"a","key":"b"}}}]}`
)

func kubeletConfig(text string) string { return `"node":{"kubelet":{"config":` + text + `}}` }

func nested(levels int, text string) string {
	return strings.Repeat(`{"a":`, levels) + text + strings.Repeat("}", levels)
}

func numbered(n int, line string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(line, "#", strconv.Itoa(i)))
	}
	return b.String()
}

func hostileObjects() map[string]hostileObject {
	long := strings.Repeat("x", 500_000)
	copies := strings.Repeat(`,{"op":"copy","from":"/machine/sysctls","path":"/machine/sysctls/a"}`, 8)
	return map[string]hostileObject{
		"aliases": {
			"the writer repeats the text of each alias", "ubuntu",
			snippetOfConfigMap, "timezone: &a " + long + "\nruncmd:\n" + strings.Repeat("- *a\n", 50_000),
		},
		"aliases in Butane": {
			"so does Ignition", "flatcar", snippetOfConfigMap,
			"variant: flatcar\nversion: 1.1.0\nstorage:\n  files:\n  - path: /a\n    contents: {inline: &a " + long + "}\n" +
				numbered(5000, "  - {path: /a#, contents: {inline: *a}}\n"),
		},
		"tags": {
			"the parser repeats the prefix of a tag", "flatcar", snippetOfConfigMap,
			"%TAG !e! tag:" + long + "\n---\nvariant: flatcar\na:\n" + strings.Repeat("- !e!a b\n", 50_000),
		},
		"lines": {
			"the writer indents each of them", "ubuntu", snippetOfConfigMap,
			"x: &a |\n" + strings.Repeat(" a\n", 300_000) + "y: " +
				strings.Repeat("[", 90) + strings.Repeat("*a,", 10) + strings.Repeat("]", 90),
		},
		"unknown keys": {
			"the path of each begins with the long one", "talos", snippetOfConfigMap,
			"machine:\n  ? " + long + "\n  :\n" +
				numbered(30, "    a#:\n"+strings.ReplaceAll(numbered(900, "      b#: 1\n"), "#", "")),
		},
		"copies": {
			"each doubles the configuration", "talos", snippetOfConfigMap,
			`[{"op":"add","path":"/machine/sysctls","value":{"a.b":"` + long + long + `"}}` + copies + "]",
		},
		"findings of a Secret": {
			"the words of the Secret are left out of each", "ubuntu", snippetOfSecret,
			"runcmd:\n" + strings.Repeat("- 12:30\n", 20_000),
		},
		"deep settings": {
			"the agent's YAML indents each level",
			"ubuntu",
			`"delivery":{"mode":"Agent"},` + kubeletConfig(nested(9000, "1")),
			"",
		},
		"deep settings of Talos": {"so does Talos' own", "talos", kubeletConfig(nested(9000, "1")), ""},
		"lines of settings": {
			"the agent's YAML indents each line", "ubuntu",
			`"delivery":{"mode":"Agent"},` + kubeletConfig(nested(99, `"`+strings.Repeat(`a\n`, 400_000)+`"`)), "",
		},
		"dotted keys": {
			"each part is a table", "ubuntu", `"machine":{"containerd":{"rawTOML":"a` + strings.Repeat(".a", 9000) + `=1"}}`, "",
		},
	}
}

// TestHostileObjects takes objects that multiply what they hold through the controller.
func TestHostileObjects(t *testing.T) {
	p := newPipeline(t)
	for name, o := range hostileObjects() {
		t.Run(name, func(t *testing.T) {
			spec := `{"os":{"distribution":"` + o.distribution + `"},` + o.spec + `}`
			if !json.Valid([]byte(spec)) || len(spec) > 1_400_000 || len(o.text) > 1<<20 {
				t.Fatalf("the API server takes no such object: %d bytes, %d of the text", len(spec), len(o.text))
			}
			var r result
			memory.Below(t, memory.Render, func() { r = p.run(v1alpha1.ConfigKind, []byte(spec), "", contents(o.text)) })
			if r.outcome != "InvalidSpec" {
				t.Errorf("%s: %s", o.reason, r.outcome)
			}
		})
	}
}
