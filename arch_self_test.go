package machineadm_test

import (
	"slices"
	"strings"
	"testing"
)

// rule is a small table with one row of each shape.
func rule() []layer {
	return []layer{
		{folder: ".", adr: "1"},
		{folder: "domain", bars: []string{"os"}, adr: "1"},
		{folder: "ports", imports: []string{"domain"}, adr: "1"},
		{folder: "adapters/render/internal", imports: []string{"domain"}, adr: "1"},
		{
			folder: "adapters/render/*", imports: []string{"domain", "ports", "adapters/render/internal"},
			modules: []string{"example.org/yaml"}, mustNotLink: []string{"k8s.io/"}, adr: "1",
		},
		{folder: "cmd", imports: []string{"domain", "ports", "adapters"}, modules: []string{"*"}, adr: "1"},
	}
}

func own(folder string, imports ...string) pkg {
	p := pkg{ImportPath: module, Imports: imports, Deps: imports, Module: &struct{ Path string }{module}}
	if folder != "." {
		p.ImportPath += "/" + folder
	}
	return p
}

func foreign(importPath, from string) pkg {
	return pkg{ImportPath: importPath, Module: &struct{ Path string }{from}}
}

// world is what a planted package may import.
func world() []pkg {
	return []pkg{
		{ImportPath: "os", Standard: true},
		{ImportPath: "fmt", Standard: true},
		foreign("example.org/yaml/v3", "example.org/yaml"),
		foreign("example.org/toml", "example.org/toml"),
		foreign("k8s.io/api/core/v1", "k8s.io/api"),
		own("domain/report"),
		own("domain/report/reporttest"),
		own("ports"),
		own("adapters/render/internal/script"),
		own("adapters/render/cloudinit"),
	}
}

func TestRuleFindsPlantedViolations(t *testing.T) {
	cases := map[string]struct {
		reason  string
		planted pkg
		want    string // part of the only complaint; "" is none
	}{
		"domain on itself": {planted: own("domain/plan", module+"/domain/report", "fmt")},
		"domain on os":     {reason: "no I/O", planted: own("domain/plan", "os"), want: "domain/plan imports os"},
		"domain on ports":  {planted: own("domain/plan", module+"/ports"), want: "the layer imports only itself"},
		"domain on a module": {
			planted: own("domain/plan", "example.org/toml"),
			want:    "does not use the module example.org/toml",
		},
		"ports on domain": {planted: own("ports/portstest", module+"/domain/report", module+"/ports")},
		"renderer as it is": {planted: own("adapters/render/x", module+"/adapters/render/internal/script",
			"example.org/yaml/v3")},
		"renderer on renderer": {
			planted: own("adapters/render/x", module+"/adapters/render/cloudinit"),
			want:    "imports only itself, domain",
		},
		"renderer on its own":  {planted: own("adapters/render/cloudinit/sub", module+"/adapters/render/cloudinit")},
		"renderer on a module": {planted: own("adapters/render/x", "example.org/toml"), want: "does not use the module"},
		"internal on a renderer": {
			planted: own("adapters/render/internal/x", module+"/adapters/render/cloudinit"),
			want:    "adapters/render/internal/x imports",
		},
		"main on anything":      {planted: own("cmd/x", module+"/adapters/render/cloudinit", "example.org/toml", "os")},
		"helper of tests on os": {reason: "it reads goldens", planted: own("domain/plan/plantest", "os")},
		"helper on a helper":    {planted: own("domain/plan/plantest", module+"/domain/report/reporttest")},
		"product on a helper": {
			planted: own("domain/plan", module+"/domain/report/reporttest"), want: "it is only for tests",
		},
		"root on domain": {
			reason: "the front page has no code", planted: own(".", module+"/domain/report"),
			want: ". imports",
		},
		"no row":                 {planted: own("util"), want: "util has no row"},
		"folder of a row's name": {reason: "a prefix is no folder", planted: own("portsmouth"), want: "has no row"},
		"folder above the rooms": {reason: "a room needs a name", planted: own("adapters/render"), want: "has no row"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := violations(rule(), append(world(), tc.planted))
			if (tc.want == "" && len(got) > 0) || (tc.want != "" && (len(got) != 1 || !strings.Contains(got[0], tc.want))) {
				t.Errorf("%s: got %q, want one with %q", tc.reason, got, tc.want)
			}
		})
	}
}

// An import of a library that in turn links what is barred must be found, too.
func TestRuleFindsWhatIsLinkedThroughOthers(t *testing.T) {
	planted := own("adapters/render/x", "example.org/yaml/v3")
	planted.Deps = []string{"example.org/yaml/v3", "k8s.io/api/core/v1"}
	got := violations(rule(), append(world(), planted))
	if len(got) != 1 || !strings.Contains(got[0], "links k8s.io/api/core/v1") {
		t.Errorf("got %q", got)
	}
}

func TestRuleFindsDeadRows(t *testing.T) {
	alive := map[string]bool{}
	markAlive(rule(), world(), alive)
	var dead []string
	for _, l := range rule() {
		if !alive[l.folder] {
			dead = append(dead, l.folder)
		}
	}
	if !slices.Equal(dead, []string{".", "cmd"}) {
		t.Errorf("dead rows: %q", dead)
	}
}
