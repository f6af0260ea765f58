package delegate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/delegate"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// paths is a codec that writes the paths of documents, one per line.
type paths struct{ fail error }

func (p paths) Encode(docs []document.Document) ([]byte, error) {
	var b bytes.Buffer
	for _, d := range docs {
		fmt.Fprintln(&b, d.Source.Path)
	}
	return b.Bytes(), p.fail
}

func (paths) Decode(context.Context, []byte) ([]document.Document, report.Report) { return nil, nil }

// given returns a plan with documents for the format and for the agent. All documents except the disk have a step.
func given(more ...document.Value) plan.Plan {
	key := []string{"ssh-ed25519 AAAA me"}
	p := plan.Plan{Target: osprofile.Target{
		Profile: osprofile.Profile{BinDir: "/opt/bin"}, Architecture: "arm64",
	}}
	add := func(path report.Path, v document.Value, do ...action.Action) {
		p = p.With(document.Document{Value: v, Source: document.Source{Path: path}}, do)
	}
	add("disk", machine.Disk{})
	add("mount", machine.Mount{Path: "/data"}, action.Of(action.MountFilesystem{Mount: machine.Mount{
		Source: "/dev/b",
		Path:   "/data",
	}})...)
	add("proxy", machine.ProxyConfig{}, action.Action{
		Phase: document.PhaseTrust,
		Do:    action.WriteFile{File: machine.File{Path: "/proxy"}},
	},
		action.Action{Do: action.EnsureUnit{Unit: machine.Unit{Name: "containerd.service"}}})
	for _, name := range []string{"admin", "app"} {
		group := machine.Group{Name: name + "s"}
		add(report.Path("group "+name), group, action.Of(action.EnsureGroup{Group: group})...)
	}
	admin := machine.User{Name: "admin", Groups: []string{"admins"}, SSHAuthorizedKeys: key}
	app := machine.User{Name: "app", Groups: []string{"apps"}}
	add("user admin", admin, action.Of(action.EnsureUser{User: admin})...)
	add("user app", app, action.Of(action.EnsureUser{User: app})...)
	add("file", machine.File{Path: "/f"}, action.Of(action.WriteFile{File: machine.File{Path: "/f"}})...)
	for _, v := range more {
		add(report.Path(v.Kind()), v)
	}
	add("node", node.NodeConfig{}, action.Of(action.RunCommand{Name: "kubeadm join", When: document.PhaseJoin})...)
	return p
}

func byAgent(a delivery.Agent) delivery.Options {
	return delivery.Options{Mode: delivery.ModeAgent, Agent: a}
}

func stepsOf(p plan.Plan) []string {
	var out []string
	for _, s := range p.Steps {
		out = append(out, s.Phase.String()+" "+string(p.Source(s).Path)+": "+s.Do.Summary())
	}
	return out
}

func TestPlan(t *testing.T) {
	native := []string{
		"disk mount: mount /dev/b on /data", "user group admin: ensure group admins",
		"user user admin: ensure user admin",
	}
	early := []string{native[0], "trust proxy: write /proxy", native[1], native[2]}
	rest := "proxy\ngroup app\nuser app\nfile\n"
	cases := map[string]struct {
		reason string
		plan   plan.Plan
		agent  delivery.Agent
		want   []string
		file   string
	}{
		"image": {
			reason: "the agent is there, and sets up the proxy itself", plan: given(),
			want: append(native[:3:3], "file spec.delivery: write /etc/machineadm/machineadm_config.yaml",
				"join spec.delivery: run machineadm apply"),
			file: rest + "node\n",
		},
		"fetch": {
			reason: "the proxy is there before the agent is fetched, and the agent restarts what reads it",
			plan:   given(),
			agent: delivery.Agent{Fetch: &delivery.AgentFetch{
				URL: "https://mirror/{version}/{arch}", Version: "v1",
				SHA256: "0",
			}},
			want: append(early[:4:4], "file spec.delivery: fetch /opt/bin/machineadm from https://mirror/v1/arm64",
				"file spec.delivery: write /etc/machineadm/machineadm_config.yaml", "join spec.delivery: run machineadm apply"),
			file: rest + "node\n",
		},
		"remote": {
			reason: "what the agent fetches needs the proxy before it is planned",
			plan:   given(indirect.RemoteConfig{}),
			want: append(early[:4:4], "file spec.delivery: write /etc/machineadm/machineadm_config.yaml",
				"join spec.delivery: run machineadm apply"),
			file: rest + "RemoteConfig\nnode\n",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			smaller, moved, err := delegate.Encoder{Codec: paths{}}.Plan(t.Context(), c.plan, byAgent(c.agent), "spec.delivery")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, stepsOf(smaller)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
			file := fileOf(smaller)
			text, _ := file.Content.Static()
			if diff := cmp.Diff(c.file, string(text)); diff != "" || file.Mode != 0o600 || !file.Secret {
				t.Errorf("%s: %v %s", c.reason, file.Mode, diff)
			}
			if len(moved.Documents) != strings.Count(c.file, "\n") {
				t.Errorf("%s: %d documents moved", c.reason, len(moved.Documents))
			}
		})
	}
}

func fileOf(p plan.Plan) machine.File {
	for _, w := range plan.Operations[action.WriteFile](p) {
		if w.Path == delivery.ConfigurationPath || w.Path == delivery.WindowsConfigurationPath {
			return w.File
		}
	}
	return machine.File{}
}

// TestGroupOfUser checks that a group with the name of a user with keys is created before the user: otherwise
// useradd(8) creates it with another number.
func TestGroupOfUser(t *testing.T) {
	gid := 2000
	group := machine.Group{Name: "ops", GID: &gid}
	user := machine.User{Name: "ops", SSHAuthorizedKeys: []string{"ssh-ed25519 AAAA me"}}
	p := plan.Plan{}.With(document.Document{Value: group}, action.Of(action.EnsureGroup{Group: group})).
		With(document.Document{Value: user}, action.Of(action.EnsureUser{User: user}))
	stays, moves := delegate.Split(p, byAgent(delivery.Agent{}))
	if len(stays.Documents) != 2 || len(moves.Documents) != 0 {
		t.Errorf("%d documents stay and %d move, want 2 and 0", len(stays.Documents), len(moves.Documents))
	}
}

// TestSwap checks that the format enables swap on a temporary disk before cloud-init formats it, and that the agent,
// which permits only swap of its configuration, has it too.
func TestSwap(t *testing.T) {
	for name, c := range map[string]struct {
		swap  machine.Swap
		stays int
	}{
		"temporary disk": {machine.Swap{Device: "/dev/disk/cloud/azure_resource-part1"}, 1},
		"device":         {machine.Swap{Device: "/dev/b"}, 0},
		"label":          {machine.Swap{Device: "LABEL=b"}, 0},
		"file":           {machine.Swap{Path: "/swap", SizeMiB: 1}, 0},
	} {
		p := plan.Plan{}.With(document.Document{Value: c.swap}, action.Of(action.EnableSwap{Swap: c.swap}))
		stays, moves := delegate.Split(p, byAgent(delivery.Agent{}))
		if len(stays.Documents) != c.stays || len(moves.Documents) != 1 {
			t.Errorf("%s: %d documents stay and %d move", name, len(stays.Documents), len(moves.Documents))
		}
	}
}

// TestFacts verifies in which cases the facts must be collected before the agent starts.
func TestFacts(t *testing.T) {
	fact := func(path string) action.WriteFile {
		return action.WriteFile{File: machine.File{Path: path, Content: document.Join(document.Text("is "),
			document.FromFact(document.FactZone))}}
	}
	cases := map[string]struct {
		reason string
		more   document.Value
		do     []action.Action
		want   bool
	}{
		"static": {reason: "nothing asks for them", more: machine.File{}, do: action.Of(write("/x")), want: false},
		"file":   {reason: "", more: fact("/x").File, do: action.Of(fact("/x")), want: true},
		"expanded": {
			reason: "an expander put the fact in", more: node.StaticPod{},
			do: action.Of(write("/x"), fact("/y")), want: true,
		},
		"unknown":   {reason: "a plugin on the machine may ask", more: document.Opaque{Type: "example.com/v1/X"}, want: true},
		"elsewhere": {reason: "its content is not known yet", more: indirect.RemoteConfig{}, want: true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := given().With(document.Document{Value: c.more}, c.do)
			smaller, _, err := delegate.Encoder{Codec: paths{}}.Plan(t.Context(), p, byAgent(delivery.Agent{}), "spec.delivery")
			if err != nil || smaller.Facts != c.want {
				t.Errorf("%v, %v: %s", smaller.Facts, err, c.reason)
			}
		})
	}
}

func write(path string) action.WriteFile { return action.WriteFile{File: machine.File{Path: path}} }

func TestCommandQuotesTheAgent(t *testing.T) {
	smaller, _, err := delegate.Encoder{Codec: paths{}}.Plan(t.Context(),
		given(), byAgent(delivery.Agent{Path: "/opt/my bin/machineadm"}), "spec.delivery")
	commands := plan.Operations[action.RunCommand](smaller)
	want := "'/opt/my bin/machineadm' apply"
	if err != nil || len(commands) != 1 || commands[0].Script != want {
		t.Errorf("%v %+v", err, commands)
	}
}

func TestNothingToDelegateIsUnchanged(t *testing.T) {
	p := given().Only(func(i int) bool { return i < 2 })
	smaller, moved, err := delegate.Encoder{Codec: paths{}}.Plan(t.Context(), p, byAgent(delivery.Agent{}),
		"spec.delivery")
	if diff := cmp.Diff(stepsOf(p), stepsOf(smaller)); err != nil || diff != "" || len(moved.Documents) != 0 {
		t.Error(err, diff)
	}
}

func TestWhatCannotBeSerialisedFails(t *testing.T) {
	broken := errors.New("broken")
	encoder := delegate.Encoder{Codec: paths{fail: broken}}
	if _, _, err := encoder.Plan(t.Context(), given(), byAgent(delivery.Agent{}),
		"spec.delivery"); !errors.Is(err, broken) {
		t.Error(err)
	}
}

func TestCheck(t *testing.T) {
	fetch := func(url, version, digest string) delivery.Agent {
		return delivery.Agent{Fetch: &delivery.AgentFetch{URL: url, Version: version, SHA256: digest}}
	}
	digest := strings.Repeat("0", 64)
	posix := osprofile.Profile{Name: "Some Linux", Shell: osprofile.ShellPOSIX, BinDir: "/opt/bin"}
	windows := osprofile.Profile{Name: "Windows", Shell: osprofile.ShellPowerShell}
	cases := map[string]struct {
		reason  string
		profile osprofile.Profile
		agent   delivery.Agent
		want    string
	}{
		"image":   {"an image may have it", posix, delivery.Agent{}, ""},
		"fetched": {"a mirror may have it", posix, fetch("https://mirror/{version}/{arch}", "v1", digest), ""},
		"no program": {
			"a system of its own",
			osprofile.Profile{Name: "Talos Linux", Shell: osprofile.ShellNone},
			delivery.Agent{},
			"error: d.mode: Talos Linux runs only the programs of its image, so that no agent can run; use Native",
		},
		"windows": {"an image may have it", windows, delivery.Agent{}, ""},
		"windows, fetched": {
			"it has a directory that only administrators can write to", windows, fetch("https://a", "", digest), "",
		},
		"windows, path": {"it may be elsewhere", windows, delivery.Agent{Path: `C:\it's $(x)\a.EXE`}, ""},
		"windows, another system's path": {
			"a path is the system's", windows,
			delivery.Agent{Path: "/usr/bin/machineadm"},
			`error: d.agent.path: "/usr/bin/machineadm" is not a path of Windows; write a path such as ` +
				`C:\Program Files\machineadm\machineadm.exe`,
		},
		"windows, no program": {
			"Windows would open it with another program", windows,
			delivery.Agent{Path: `C:\k\machineadm`},
			`error: d.agent.path: "C:\\k\\machineadm" is not the name of a program of Windows; end it with .exe`,
		},
		"windows, device": {
			"Windows would open the device", windows,
			delivery.Agent{Path: `C:\k\con.exe`},
			`error: d.agent.path: "con.exe" is a device's name on Windows`,
		},
		"path of windows": {
			"a path is the system's", posix,
			delivery.Agent{Path: `C:\k\machineadm.exe`},
			`error: d.agent.path: "C:\\k\\machineadm.exe" is a path of Windows; write a path such as /usr/bin/machineadm`,
		},
		"relative": {
			"a program has a place", posix,
			delivery.Agent{Path: "bin/machineadm"},
			`error: d.agent.path: "bin/machineadm" is not absolute; begin it with a slash`,
		},
		"no place": {
			"a system that starts nothing new",
			osprofile.Profile{Name: "Fixed", Shell: osprofile.ShellPOSIX},
			fetch("https://a", "", digest), "error: d.agent.fetch: Fixed runs only the programs of its image; add the agent " +
				"to the image, or set path to a directory whose programs can be run",
		},
		"no version": {
			"a URL is complete", posix, fetch("https://a/{version}", "", digest),
			"error: d.agent.fetch.version: the URL contains {version}, and version is not set; set version, " +
				"or replace {version} in the URL",
		},
		"unverified": {
			"nothing unverified runs", posix, fetch("https://a", "", ""),
			"error: d.agent.fetch: the artifact has no digest; set sha256 or sha512",
		},
		"bad digest": {
			"a digest has 64 digits", posix, fetch("https://a", "", "abc"),
			"error: d.agent.fetch.sha256: this is not a digest of 64 lower-case hexadecimal digits",
		},
		"credentials": {
			"a URL is seen", posix, fetch("https://canary7q9zk2xw5v@a", "", digest),
			"error: d.agent.fetch.url: the URL contains credentials, which users of the machine could read; " +
				"serve the files without " +
				"them; a digest or a key verifies them",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			target := osprofile.Target{Profile: c.profile, Architecture: "amd64"}
			if diff := cmp.Diff(c.want, delegate.Check(target, c.agent, "d").String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestCheckNeedsTheArchitectureThatTheURLAsksFor(t *testing.T) {
	agent := delivery.Agent{Fetch: &delivery.AgentFetch{URL: "https://a/{arch}", SHA256: strings.Repeat("0", 64)}}
	target := osprofile.Target{Profile: osprofile.Profile{BinDir: "/opt/bin"}}
	if found := delegate.Check(target, agent, "d"); !strings.Contains(found.String(),
		"d.agent.fetch.url: the URL contains {arch}, and the machine's architecture is not known") {
		t.Error(found)
	}
}
