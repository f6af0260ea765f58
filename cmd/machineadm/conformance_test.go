package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/nightly"
)

// agentName is the name under which the tests' program is the agent.
const agentName = "machineadm"

// TestMain is the program's main if the tests' program starts under the name of the agent or of a plugin.
func TestMain(m *testing.M) {
	_, is := served(os.Args[0])
	switch name := filepath.Base(os.Args[0]); {
	case is, name == agentName:
		os.Exit(run())
	case name == gadgetPlugin:
		gadgetMain()
	case name == mutePlugin:
		time.Sleep(time.Hour)
	case strings.HasPrefix(name, "machineadm-"):
		fmt.Println("this is no plugin")
	default:
		os.Exit(m.Run())
	}
}

// external returns the core plugin as a program of its own, which runs until the test ends.
func external(t *testing.T, c ports.Capability) *host.Plugin {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), string(typeOf(c))+c.Name)
	if err := os.Link(program, path); err != nil {
		t.Fatal(err)
	}
	h := runner(os.Stderr)
	if h.Sockets, err = os.MkdirTemp("", "s"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(h.Sockets) })
	p, err := h.Start(t.Context(), host.File{Type: typeOf(c), Name: c.Name, Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// TestProposalsCorePlugins serves the core plugins under the names of their files in the proposal, and expects that
// each configures its daemon.
func TestProposalsCorePlugins(t *testing.T) {
	cases := map[string]struct {
		program string
		value   document.Value
	}{
		"containerd": {"machineadm-container-runtime-plugin-containerd", machine.ContainerdConfig{}},
		"timesyncd": {
			"machineadm-timesync-plugin-systemd",
			machine.TimeSyncConfig{Daemon: machine.TimeDaemonTimesyncd, Servers: []string{"192.0.2.1"}},
		},
		"ntpd": {
			"machineadm-timesync-plugin-ntpd",
			machine.TimeSyncConfig{Daemon: machine.TimeDaemonNTPD, Servers: []string{"192.0.2.1"}},
		},
		"chronyd": {
			"machineadm-timesync-plugin-chronyd",
			machine.TimeSyncConfig{Daemon: machine.TimeDaemonChronyd, Servers: []string{"192.0.2.1"}},
		},
	}
	profile, _ := osprofile.Lookup("debian")
	target := osprofile.Target{Profile: profile}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p, is := served("/usr/libexec/machineadm/" + tc.program)
			if !is {
				t.Fatalf("%s is not a core plugin", tc.program)
			}
			d := document.Document{Value: tc.value, Source: document.Source{Path: "documents[0]"}}
			selector, limited := p.Expander.(ports.Selector)
			if !slices.Contains(p.Expander.Describe().Kinds, d.Kind()) || limited && !selector.Matches(d, target) {
				t.Errorf("%s does not expand %+v", tc.program, tc.value)
			}
		})
	}
}

// TestCorePluginsAsPrograms runs the conformance suite of expanders on every core plugin as a separate program, and
// compares its results with those in the process. `make test` uses one operating system of each family.
func TestCorePluginsAsPrograms(t *testing.T) {
	for _, inside := range plugins.Builtin() {
		c := inside.Describe()
		t.Run(c.Name, func(t *testing.T) {
			outside := external(t, c).Expander()
			if diff := cmp.Diff(c, outside.Describe(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("it describes itself otherwise (-inside +outside):\n%s", diff)
			}
			requested := 0
			for _, e := range questions(c, nightly.Or(osprofile.Builtin(), families())) {
				requested++
				compare(t, inside, outside, e)
			}
			if requested == 0 {
				t.Error("there is no document to ask about")
			}
		})
	}
}

// TestNoStaticPodsOfItsOwn expects that only the documents that ask for a static pod write a manifest for kubelet: the
// bootstrap does not depend on static pods.
func TestNoStaticPodsOfItsOwn(t *testing.T) {
	expanded := 0
	for _, x := range plugins.Builtin() {
		for _, e := range questions(x.Describe(), osprofile.Builtin()) {
			if kind := e.Document.Kind(); kind == node.KindStaticPod || kind == node.KindVirtualIP {
				continue
			}
			actions, _, err := x.Expand(t.Context(), e)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range actions {
				expanded++
				if f, is := a.Do.(action.WriteFile); is && strings.Contains(filepath.ToSlash(f.Path), "/kubernetes/manifests") {
					t.Errorf("%s writes %s on %s", e.Document.Kind(), f.Path, e.Target.Profile.ID)
				}
			}
		}
	}
	if expanded == 0 {
		t.Error("nothing was expanded")
	}
}

// families returns the first profile of each family of operating systems.
func families() []osprofile.Profile {
	var first []osprofile.Profile
	for _, p := range osprofile.Builtin() {
		if !slices.ContainsFunc(first, func(f osprofile.Profile) bool { return f.Family == p.Family }) {
			first = append(first, p)
		}
	}
	return first
}

// questions are the samples of the expander's kinds on each operating system, with the documents that the expander
// reads.
func questions(c ports.Capability, systems []osprofile.Profile) []ports.Expansion {
	var all []ports.Expansion
	for _, profile := range systems {
		target := osprofile.Target{
			Profile: profile, Architecture: "amd64", KubernetesVersion: "v1.36.3",
			ContainerdVersion: 3, Platform: "aws",
		}
		for _, s := range portstest.Documents(target) {
			if s.Document == nil || !slices.Contains(c.Kinds, s.Document.Kind()) {
				continue
			}
			docs := s.At("documents")
			e := ports.Expansion{Document: docs[0], Target: target}
			for _, d := range docs {
				if slices.Contains(c.Reads, d.Kind()) {
					e.Others = append(e.Others, d)
				}
			}
			all = append(all, e)
		}
	}
	return all
}

type answer struct {
	Actions  []action.Action
	Findings report.Report
}

func compare(t *testing.T, inside, outside ports.Expander, e ports.Expansion) {
	t.Helper()
	var want, got answer
	want.Actions, want.Findings = portstest.Expander(t, inside, e)
	got.Actions, got.Findings = portstest.Expander(t, outside, e)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s on %s is another thing as a program (-inside +outside):\n%s", e.Document.Kind(),
			e.Target.Profile.ID, diff)
	}
}

// TestUnsupportedDocumentsDoNotCrash holds that a program answers a document that is not its own as the plugin does in
// the process.
func TestUnsupportedDocumentsDoNotCrash(t *testing.T) {
	for _, inside := range plugins.Builtin() {
		c := inside.Describe()
		t.Run(c.Name, func(t *testing.T) {
			stranger := document.Opaque{Type: "Stranger", Body: []byte("kind: Stranger\napiVersion: example/v1\n")}
			e := ports.Expansion{Document: document.Document{Value: stranger, Source: document.Source{Path: "documents[0]"}}}
			actions, findings, err := inside.Expand(context.Background(), e)
			a, f, outside := external(t, c).Expander().Expand(context.Background(), e)
			if diff := cmp.Diff(answer{actions, findings}, answer{a, f}, cmpopts.EquateEmpty()); diff != "" ||
				(err == nil) != (outside == nil) {
				t.Errorf("inside: %v, outside: %v (-inside +outside):\n%s", err, outside, diff)
			}
		})
	}
}
