package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
)

func TestResolve(t *testing.T) {
	remote := func(uri string) document.Value { return indirect.RemoteConfig{Provider: "test", URI: uri} }
	file := func(path string) document.Value { return machine.File{Path: path} }
	chain := codec{}
	for i := range 12 {
		chain[fmt.Sprintf("deep-%d", i)] = []document.Value{remote(fmt.Sprintf("deep-%d", i+1))}
	}
	cases := map[string]struct {
		reason         string
		configurations codec
		start          string
		files          []string
		finding        string
	}{
		"in place": {
			reason:         "the fetched documents replace their reference",
			configurations: codec{"c": {file("/a"), remote("r"), file("/z")}, "r": {file("/m")}}, start: "c",
			files: []string{"/a", "/m", "/z"},
		},
		"cycle": {reason: "two that fetch each other never end", configurations: codec{
			"c": {remote("r")},
			"r": {remote("s")}, "s": {remote("r")},
		}, start: "c", finding: "RemoteConfig r refers to itself"},
		"deep": {
			reason: "each may lead to the next, but not for ever", configurations: chain, start: "deep-0",
			finding: "more than 8 references",
		},
		"nested flaw": {
			reason: "the reader learns in which configuration it is", configurations: codec{"c": {remote("r")}},
			start: "c", finding: "in RemoteConfig r: no such configuration",
		},
		"incomplete": {
			reason:         "a reference is checked before it is followed",
			configurations: codec{"c": {indirect.RemoteConfig{Provider: "test"}}}, start: "c",
			finding: "documents[0].uri: is required",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := newWorld(c.configurations).service(t).Plan(t.Context(), agent.Request{Data: []byte(c.start)})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(p.Findings.String(), c.finding) || c.finding == "" && len(p.Findings) > 0 {
				t.Errorf("%s: findings %s", c.reason, p.Findings)
			}
			var files []string
			for _, s := range p.Steps {
				files = append(files, strings.TrimPrefix(s.Do.Summary(), "write "))
			}
			if diff := cmp.Diff(c.files, files); diff != "" {
				t.Errorf("%s: %s", c.reason, diff)
			}
		})
	}
}

func TestDiffShowsWhatApplyWouldChange(t *testing.T) {
	w := newWorld(codec{"c": full()})
	w.host.Files["/etc/motd"] = memory.HostFile{Content: []byte("on node-1"), Mode: 0o644}
	differences, _, err := w.service(t).Diff(t.Context(), agent.Request{
		Data: []byte("c"),
		Skip: []document.Phase{document.PhasePost},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range differences {
		got = append(got, d.Do.Summary())
	}
	want := []string{
		"ensure user ada", "append to /etc/log", "append to /etc/log", "enable unit app.service",
		"run before", "run join",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(w.host.Ran) > 0 || len(w.host.Files) != 1 || len(w.published) > 0 {
		t.Error("something was changed")
	}
}

func TestFilesThatTheJoinRemovesAreNoDifference(t *testing.T) {
	joined := node.StaticPod{Name: "a", Manifest: []byte("{}")}
	w := newWorld(codec{"c": {joined, machine.File{Path: "/etc/secret", Secret: true, Content: document.Text("s")}}})
	request := agent.Request{Data: []byte("c")}
	if _, _, err := w.service(t).Apply(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	clear(w.host.Files)
	differences, _, err := w.service(t).Diff(t.Context(), request)
	if err != nil || len(differences) != 1 || differences[0].Do.Summary() != "write /etc/secret" {
		t.Errorf("%v, %+v", err, differences)
	}
}

// TestCompletedPackages compares packages with the machine after they were installed, and after one was removed. A
// refresh and an upgrade always differ on the machine of the test.
func TestCompletedPackages(t *testing.T) {
	for name, c := range map[string]struct {
		reason string
		config machine.PackagesConfig
	}{
		"packages": {"a removed package is missing", machine.PackagesConfig{Install: []string{"jq"}}},
		"refresh":  {"the refresh is complete", machine.PackagesConfig{Install: []string{"jq"}, Update: true}},
		"upgrade":  {"the upgrade is complete", machine.PackagesConfig{Install: []string{"jq"}, Upgrade: true}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(codec{"c": {c.config}})
			request := agent.Request{Data: []byte("c")}
			if _, _, err := w.service(t).Apply(t.Context(), request); err != nil {
				t.Fatal(err)
			}
			for _, want := range []int{0, 1} {
				differences, _, err := w.service(t).Diff(t.Context(), request)
				if err != nil || len(differences) != want {
					t.Errorf("%s: %v, %+v", c.reason, err, differences)
				}
				clear(w.host.Things)
			}
		})
	}
}

func TestTheVersionOfKubernetesIsAHint(t *testing.T) {
	w := newWorld(codec{"c": {node.NodeConfig{KubernetesVersion: "v1.36.3"}}})
	prepared, err := w.service(t).Plan(t.Context(), agent.Request{Data: []byte("c")})
	if err != nil || prepared.Target.KubernetesVersion != "v1.36.3" {
		t.Errorf("%v, %q", err, prepared.Target.KubernetesVersion)
	}
}
