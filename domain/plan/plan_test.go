package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

func at(path report.Path, v document.Value) document.Document {
	return document.Document{Value: v, Source: document.Source{Path: path}}
}

func paths(docs []document.Document) []report.Path {
	var out []report.Path
	for _, d := range docs {
		out = append(out, d.Source.Path)
	}
	return out
}

func summaries(steps []plan.Step) []string {
	var out []string
	for _, s := range steps {
		out = append(out, s.Phase.String()+": "+s.Do.Summary())
	}
	return out
}

// expand makes of each document the operations that its kind plainly is.
func expand(docs []document.Document) []plan.Expansion {
	var out []plan.Expansion
	for _, d := range docs {
		var ops []action.Operation
		switch v := d.Value.(type) {
		case machine.File:
			ops = append(ops, action.WriteFile{File: v})
		case machine.User:
			ops = append(ops, action.EnsureUser{User: v})
		case machine.Mount:
			ops = append(ops, action.MountFilesystem{Mount: v})
		case machine.Filesystem:
			ops = append(ops, action.MakeFilesystem{Filesystem: v})
		case machine.Command:
			ops = append(ops, action.RunCommand{Name: v.Script, Script: v.Script, When: v.Phase})
		}
		out = append(out, plan.Expansion{Actions: action.Of(ops...)})
	}
	return out
}

// The case that breaks renderers which write what they are given in the order of its kinds: the file must come after
// the mount, or it disappears below it, and after the user, or it has no owner.
func TestFileOnAMountOwnedByANewUser(t *testing.T) {
	given := []document.Document{
		at("command", machine.Command{Phase: document.PhasePre, Script: "ls /data/f"}),
		at("file", machine.File{Path: "/data/f", Owner: machine.Owner{User: "app"}}),
		at("user", machine.User{Name: "app"}),
		at("mount", machine.Mount{Source: "LABEL=data", Path: "/data"}),
	}
	docs, findings := plan.Order(given)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	p := plan.New(osprofile.Target{}, docs, expand(docs))
	want := []string{
		"disk: mount LABEL=data on /data", "user: ensure user app", "file: write /data/f",
		"pre: run ls /data/f",
	}
	if diff := cmp.Diff(want, summaries(p.Steps)); diff != "" {
		t.Error(diff)
	}
	sources := []report.Path{"mount", "user", "file", "command"}
	for i, s := range p.Sourced() {
		if s.Source.Path != sources[i] || p.Source(s.Step) != s.Source {
			t.Errorf("step %d comes from %s, want %s", i, s.Source.Path, sources[i])
		}
	}
}

func TestOrderIsPhaseThenPosition(t *testing.T) {
	docs := []document.Document{
		at("post", machine.Command{Phase: document.PhasePost, Script: "a"}),
		at("node", node.NodeConfig{}),
		at("pre", machine.Command{Phase: document.PhasePre, Script: "a"}),
		at("boot", machine.Command{Phase: document.PhaseBoot, Script: "a"}),
		at("unit", machine.Unit{}),
		at("file 1", machine.File{}),
		at("opaque", document.Opaque{Type: "Other"}),
		at("static pod", node.StaticPod{}),
		at("file 2", machine.File{}),
		at("user", machine.User{}),
		at("group", machine.Group{}),
		at("proxy", machine.ProxyConfig{}),
		at("swap", machine.Swap{}),
		at("disk", machine.Disk{}),
	}
	ordered, findings := plan.Order(docs)
	want := []report.Path{
		"swap", "disk", "proxy", "user", "group", "file 1", "opaque", "static pod", "file 2", "unit", "boot", "pre",
		"node", "post",
	}
	if diff := cmp.Diff(want, paths(ordered)); diff != "" || len(findings) > 0 {
		t.Errorf("%v\n%s", findings, diff)
	}
	if docs[0].Source.Path != "post" {
		t.Error("the list that was given has changed")
	}
}

func TestOrderFindsSecondSingletons(t *testing.T) {
	docs := []document.Document{
		at("spec.machine.proxy", machine.ProxyConfig{}),
		at("spec.machine.files[0]", machine.File{}),
		at("spec.machine.files[1]", machine.File{}),
		{Value: machine.ProxyConfig{}, Source: document.Source{Object: "ProxyConfig/ns/shared", Path: "spec"}},
		{Value: machine.ProxyConfig{}, Source: document.Source{Path: "spec.third"}},
		at("spec.node", node.NodeConfig{}),
		at("spec.other", document.Opaque{Type: "Other"}),
		at("spec.another", document.Opaque{Type: "Other"}),
	}
	_, findings := plan.Order(docs)
	want := report.Report{
		report.Errorf("spec", "another ProxyConfig is at spec.machine.proxy, and a machine has at most one").
			To("keep one of them"),
		report.Errorf("spec.third", "another ProxyConfig is at spec.machine.proxy, and a machine has at most one").
			To("keep one of them"),
	}
	if diff := cmp.Diff(want, findings); diff != "" {
		t.Error(diff)
	}
}

// TestPhaseOfEachKind checks that every kind has a row in the table: one without a row would silently be in the phase
// of files.
func TestPhaseOfEachKind(t *testing.T) {
	cases := map[document.Phase][]document.Value{
		document.PhaseDisk:  {machine.Disk{}, machine.Filesystem{}, machine.Mount{}, machine.Swap{}},
		document.PhaseTrust: {machine.TrustedCAsConfig{}, machine.ProxyConfig{}},
		document.PhaseUser:  {machine.Group{}, machine.User{}},
		document.PhaseFile: {
			machine.File{},
			machine.PackagesConfig{},
			machine.KubernetesConfig{},
			machine.SysctlConfig{},
			machine.KernelModulesConfig{},
			machine.TimeSyncConfig{},
			machine.ContainerdConfig{},
			machine.CRIOConfig{},
			node.StaticPod{},
			document.Opaque{Type: "x"},
		},
		document.PhaseUnit: {machine.Unit{}, machine.OSUpdatesConfig{}},
		document.PhaseBoot: {machine.Command{Phase: document.PhaseBoot}},
		document.PhasePre:  {machine.Command{Phase: document.PhasePre}},
		document.PhaseJoin: {node.ControlPlaneConfig{}, node.NodeConfig{}, node.TalosSecrets{}},
		document.PhasePost: {machine.Command{Phase: document.PhasePost}},
	}
	for phase, values := range cases {
		for _, v := range values {
			if got := plan.PhaseOf(at("", v)); got != phase {
				t.Errorf("%s is in phase %s, want %s", v.Kind(), got, phase)
			}
		}
	}
}

// One document may act in several phases: its actions move, and those of one phase keep the order of their documents.
func TestNewOrdersStepsByPhase(t *testing.T) {
	docs := []document.Document{at("a", machine.File{}), at("b", node.NodeConfig{}), at("c", machine.Unit{})}
	file := func(path string) action.Operation { return action.WriteFile{File: machine.File{Path: path}} }
	expansions := []plan.Expansion{
		{Actions: append(action.Of(file("/1"), file("/2")), action.During(document.PhasePost, file("/late"))...)},
		{Actions: append(action.During(document.PhaseJoin, action.RunCommand{Name: "join", When: document.PhasePre}),
			action.Of(file("/3"))...)},
		{Native: true},
	}
	p := plan.New(osprofile.Target{Release: "1"}, docs, expansions)
	want := []string{"file: write /1", "file: write /2", "file: write /3", "join: run join", "post: write /late"}
	if diff := cmp.Diff(want, summaries(p.Steps)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]bool{false, false, true}, p.Native); diff != "" || p.Target.Release != "1" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"join: run join", "post: write /late"},
		summaries(p.In(document.PhaseJoin, document.PhasePost))); diff != "" {
		t.Error(diff)
	}
	var written []string
	for _, op := range plan.Operations[action.WriteFile](p) {
		written = append(written, op.Path)
	}
	if diff := cmp.Diff([]string{"/1", "/2", "/3", "/late"}, written); diff != "" {
		t.Error(diff)
	}
}
