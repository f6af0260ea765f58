// Package gitops_test evaluates the health checks of docs/guides/gitops.md.
package gitops_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
)

// object is a case: an object, and what the health checks return. An empty state means neither current nor failed.
type object struct {
	reason, yaml, argo, flux string
}

const (
	config = "{kind: MachineBootstrapConfig, metadata: {generation: 2}, status: {observedGeneration: 2, conditions: "
	plane  = "{kind: MachineadmControlPlane, metadata: {generation: 2}, status: {observedGeneration: 2, conditions: "
)

func objects() map[string]object {
	return map[string]object{
		"published": {
			yaml: config + "[{type: Ready, status: 'True', reason: Ready, message: ''}]}}", argo: "Healthy", flux: "current",
		},
		"waits": {
			yaml: config + "[{type: Ready, status: 'False', reason: WaitingForControlPlane, message: m}]}}", argo: "Progressing",
		},
		"mistake": {
			yaml: config + "[{type: Ready, status: 'False', reason: InvalidSpec, message: m}]}}", argo: "Degraded",
			flux: "failed",
		},
		"failed bootstrap": {
			reason: "the machine has to be replaced", argo: "Degraded",
			yaml: config + "[{type: Ready, status: 'False', reason: JoinFailed, message: m}]}}",
		},
		"paused": {
			reason: "a paused object is not checked", argo: "Suspended", flux: "current",
			yaml: config + "[{type: Ready, status: 'True', reason: Ready, message: ''}, " +
				"{type: Paused, status: 'True', reason: Paused, message: m}]}}",
		},
		"available": {
			reason: "a control plane has no condition Ready", argo: "Healthy", flux: "current",
			yaml: plane + "[{type: Available, status: 'True', reason: Available, message: ''}]}}",
		},
		"quorum lost": {
			yaml: plane + "[{type: Available, status: 'False', reason: QuorumLost, message: m}]}}", argo: "Degraded",
		},
		"refused": {
			yaml: plane + "[{type: Available, status: 'Unknown', reason: MembersUnknown, message: m}, " +
				"{type: SpecAccepted, status: 'False', reason: InvalidSpec, message: m}]}}",
			argo: "Degraded", flux: "failed",
		},
		"refused while available": {
			reason: "the running machines stay, and the new spec is not applied", argo: "Degraded", flux: "failed",
			yaml: plane + "[{type: Available, status: 'True', reason: Available, message: ''}, " +
				"{type: SpecAccepted, status: 'False', reason: InvalidSpec, message: m}]}}",
		},
		"changed": {
			reason: "the status is of the spec before", argo: "Progressing", flux: "current",
			yaml: strings.Replace(config, "generation: 2}", "generation: 3}", 1) +
				"[{type: Ready, status: 'True', reason: Ready, message: ''}]}}",
		},
	}
}

// block returns the text of the block of code that begins with the line.
func block(t *testing.T, first string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(programs.Root(), "docs/guides/gitops.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```" + regexp.QuoteMeta(first) + "\n(.*?)```").FindSubmatch(page)
	if found == nil {
		t.Fatalf("the page has no block %q", first)
	}
	return string(found[1])
}

// parse returns an object.
func parse(t *testing.T, text string) map[string]any {
	t.Helper()
	var o map[string]any
	if err := yaml.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// table returns a value as a literal of Lua.
func table(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var fields []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fields = append(fields, name+" = "+table(v[name]))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, table(item))
		}
		return "{" + strings.Join(items, ", ") + "}"
	case string:
		return fmt.Sprintf("%q", v)
	default:
		return fmt.Sprint(v)
	}
}

// TestArgoHealth runs the health check for Argo CD with a real Lua.
func TestArgoHealth(t *testing.T) {
	debian.Packages(t, "lua5.4")
	script := block(t, "lua health.lua")
	all := objects()
	all["new"] = object{yaml: "{kind: HostMachine, metadata: {generation: 1}}", argo: "Progressing"}
	for name, o := range all {
		program := "obj = " + table(parse(t, o.yaml)) + "\nlocal function check()\n" + script + "end\nprint(check().status)\n"
		if got := debian.Output(t, "lua5.4", "-e", program); got != o.argo {
			t.Errorf("%s (%s): %s, want %s", name, o.reason, got, o.argo)
		}
	}
}

// TestFluxHealth evaluates the expressions for Flux, which passes the fields of the object as variables.
func TestFluxHealth(t *testing.T) {
	var checks struct {
		HealthCheckExprs []struct{ Kind, Current, Failed string }
	}
	if err := yaml.Unmarshal([]byte(block(t, "yaml flux.yaml")), &checks); err != nil {
		t.Fatal(err)
	}
	env, err := cel.NewEnv(cel.Variable("status", cel.DynType), cel.Variable("metadata", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	evaluate := func(expression string, o map[string]any) bool {
		t.Helper()
		ast, issues := env.Compile(expression)
		if issues.Err() != nil {
			t.Fatal(issues.Err())
		}
		program, err := env.Program(ast)
		if err != nil {
			t.Fatal(err)
		}
		result, _, err := program.Eval(o)
		if err != nil {
			t.Fatal(err)
		}
		return result.Value() == true
	}
	for name, c := range objects() {
		o, got := parse(t, c.yaml), ""
		for _, check := range checks.HealthCheckExprs {
			switch {
			case check.Kind != o["kind"]:
			case evaluate(check.Failed, o):
				got = "failed"
			case evaluate(check.Current, o):
				got = "current"
			}
		}
		if got != c.flux {
			t.Errorf("%s (%s): %q, want %q", name, c.reason, got, c.flux)
		}
	}
}
