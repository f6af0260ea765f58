package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/nodecli"
	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/adapters/pluginhost/sdk"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// gadgets is the plugin that the tests' program is under the name gadgetPlugin: it brings the kind Gadget.
type gadgets struct{}

const gadgetPlugin = "machineadm-document-plugin-gadgets"

func gadgetMain() { sdk.Serve(sdk.Plugin{Name: "gadgets", Version: "v7", Expander: gadgets{}}) }

func (gadgets) Describe() ports.Capability {
	return ports.Capability{Name: "gadgets", Kinds: []document.Kind{"Gadget"}}
}

func (gadgets) Expand(context.Context, ports.Expansion) ([]action.Action, report.Report, error) {
	return action.Of(action.WriteFile{File: machine.File{Path: "/etc/gadget", Content: document.Text("made\n")}}), nil, nil
}

// commandLine carries out a command line with plugins from the folder alone, and returns what it printed.
func commandLine(t *testing.T, folder, input string, args ...string) (out, errs string, code int) {
	t.Helper()
	t.Setenv("PATH", folder)
	var o, e bytes.Buffer
	code = nodecli.Run(t.Context(), nodecli.Options{
		Out: &o, Err: &e, In: strings.NewReader(input), Open: open, Plugins: pluginsOf, Version: "v1",
	}, args)
	return o.String(), e.String(), code
}

// folder returns a folder with the tests' program under the names.
func folder(t *testing.T, names ...string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range names {
		if err := os.Link(program, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func digest(t *testing.T) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	sum, err := host.File{Path: program}.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

const gadget = "apiVersion: gadgets.example/v1\nkind: Gadget\nspec: {}\n"

func TestApplyWithPlugin(t *testing.T) {
	dir, root := folder(t, gadgetPlugin), t.TempDir()
	if _, errs, code := commandLine(t, dir, gadget, "apply", "--path", "-", "--root", root); code != nodecli.ExitFailed ||
		!strings.Contains(errs, "no plugin expands documents of the kind Gadget") {
		t.Errorf("without --plugin-path: %d\n%s", code, errs)
	}
	if _, errs, code := commandLine(t, dir, gadget, "apply", "--path", "-", "--root", root,
		"--plugin-path"); code != nodecli.ExitOK {
		t.Fatalf("%d\n%s", code, errs)
	}
	if data, err := os.ReadFile(filepath.Join(root, "etc/gadget")); string(data) != "made\n" || err != nil {
		t.Errorf("wrote %q, %v", data, err)
	}
}

// TestUnknownKindsHaveALine checks that an unknown kind is reported with its line and column, as any mistake is.
func TestUnknownKindsHaveALine(t *testing.T) {
	const file = "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec: {path: /a}\n---\n"
	cases := map[string]struct{ reason, input, want string }{
		"misspelt": {
			"it might be a plugin's", file + "apiVersion: machineadm.io/v1alpha1\nkind:  Flie\nspec: {path: /a}\n",
			"documents[1].spec (line 6, column 8): no plugin expands documents of the kind Flie",
		},
		"foreign": {
			"of another group", gadget,
			"documents[0].spec (line 2, column 7): no plugin expands documents of the kind Gadget",
		},
		"elsewhere": {
			"fields may be in any order", "spec: {}\nkind: Gadget\napiVersion: gadgets.example/v1\n",
			"documents[0].spec (line 2, column 7): no plugin",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, command := range []string{"check", "apply", "diff"} {
				_, errs, code := commandLine(t, t.TempDir(), c.input, command, "--path", "-", "--root", t.TempDir())
				want := nodecli.ExitFailed
				if command == "diff" {
					want = nodecli.ExitUsage
				}
				if code != want || !strings.Contains(errs, c.want) {
					t.Errorf("%s: %d, %s: %s", command, code, errs, c.reason)
				}
			}
		})
	}
}

// mutePlugin is the tests' program under a name by which it starts and never answers.
const mutePlugin = "machineadm-document-plugin-mute"

// TestUnresponsivePlugin applies a configuration that needs a plugin which never answers: within its deadline that is a
// failure which is recorded, and nothing is changed.
func TestUnresponsivePlugin(t *testing.T) {
	dir, root := folder(t, mutePlugin), t.TempDir()
	configuration := "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec: {path: /etc/a}\n---\n" + gadget
	_, errs, code := commandLine(t, dir, configuration, "apply", "--path", "-", "--root", root, "--plugin-path")
	if code != nodecli.ExitFailed || !strings.Contains(errs, "timeout while waiting for plugin to start") {
		t.Errorf("%d\n%s", code, errs)
	}
	if record, err := os.ReadFile(filepath.Join(root, "run/cluster-api/bootstrap-failure.json")); err != nil ||
		!strings.Contains(string(record), `"phase": "start"`) {
		t.Errorf("the record: %v\n%s", err, record)
	}
	for _, path := range []string{"etc/a", "run/cluster-api/bootstrap-success.complete"} {
		if _, err := os.Stat(filepath.Join(root, path)); err == nil {
			t.Errorf("there is /%s", path)
		}
	}
}

func TestPins(t *testing.T) {
	const plain = "machineadm-document-plugin-plain"
	dir := folder(t, plain, gadgetPlugin)
	configuration := "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec: {path: /etc/a}\n"
	cases := map[string]struct {
		reason string
		pins   []string
		code   int
		want   string
	}{
		"right": {
			reason: "the plugin takes the core plugin's place", pins: []string{plain + "=" + digest(t)},
			code: nodecli.ExitDifferent, want: "write /etc/a",
		},
		"wrong": {
			pins: []string{plain + "=" + strings.Repeat("0", 64)}, code: nodecli.ExitUsage,
			want: "want the pinned 0000",
		},
		"none":     {reason: "the core plugin is used", code: nodecli.ExitDifferent, want: "write /etc/a"},
		"no digit": {pins: []string{plain + "=beef"}, code: nodecli.ExitUsage, want: "is not a pin"},
		"no name":  {pins: []string{"=" + digest(t)}, code: nodecli.ExitUsage, want: "is not a pin"},
		"twice":    {pins: []string{"a=" + digest(t), "a=" + digest(t)}, code: nodecli.ExitUsage, want: "a is pinned twice"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			args := []string{"diff", "--path", "-", "--root", t.TempDir(), "--plugin-path"}
			for _, pin := range tc.pins {
				args = append(args, "--pin", pin)
			}
			if out, errs, code := commandLine(t, dir, configuration, args...); code != tc.code ||
				!strings.Contains(out+errs, tc.want) {
				t.Errorf("code %d, want %d and %q: %s\n%s%s", code, tc.code, tc.want, tc.reason, out, errs)
			}
		})
	}
}

func TestPluginList(t *testing.T) {
	dir := folder(t, gadgetPlugin)
	if err := os.WriteFile(filepath.Join(dir, "machineadm-reporter-plugin-open"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	out, errs, code := commandLine(t, dir, "", "plugin", "list", "--plugin-path", "--pin", gadgetPlugin+"="+digest(t))
	if code != nodecli.ExitOK || errs != "" {
		t.Fatalf("%d\n%s", code, errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for i, want := range []string{"NAME VERSION KINDS PINNED FROM PROBLEM", gadgetPlugin + " - - yes " + dir + "/" +
		gadgetPlugin + " -"} {
		if got := strings.Join(strings.Fields(lines[(len(lines)-2)*i]), " "); got != want {
			t.Errorf("a line is %q, want %q", got, want)
		}
	}
	if last := lines[len(lines)-1]; !strings.Contains(last, "machineadm-reporter-plugin-open") ||
		!strings.Contains(last, "is not a program") {
		t.Errorf("the last line is %q", last)
	}
	for _, format := range []string{"json", "yaml"} {
		out, _, code := commandLine(t, dir, "", "plugin", "list", "-o", format)
		if code != nodecli.ExitOK || !strings.Contains(out, "containerd") || (format == "json") != json.Valid([]byte(out)) {
			t.Errorf("-o %s: %d\n%s", format, code, out)
		}
	}
	if _, _, code := commandLine(t, dir, "", "plugin", "list", "-o", "xml"); code != nodecli.ExitUsage {
		t.Errorf("-o xml: %d", code)
	}
}

func TestPluginVerify(t *testing.T) {
	dir := folder(t, gadgetPlugin, "machineadm-timesync-plugin-chronyd", "machineadm-timesync-plugin-gadgets")
	verify := func(args ...string) (string, string, int) {
		t.Helper()
		return commandLine(t, dir, "", append([]string{"plugin", "verify", "--plugin-path"}, args...)...)
	}
	if out, errs, code := verify(gadgetPlugin); code != nodecli.ExitOK || !strings.Contains(out, "v7") ||
		!strings.Contains(out, "Gadget") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	// Under a name that it does not know the tests' program prints junk.
	out, errs, code := verify("--all", "-o", "json")
	var list []nodecli.Plugin
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err, out)
	}
	problems := map[string]string{}
	for _, p := range list {
		problems[p.Name] = p.Problem
	}
	if code != nodecli.ExitFailed || problems["machineadm-timesync-plugin-chronyd"] != "" || problems["chronyd"] != "" ||
		!strings.Contains(problems["machineadm-timesync-plugin-gadgets"], "start the plugin") {
		t.Errorf("%d, %v\n%s", code, problems, errs)
	}
	if _, errs, code := verify("ghost"); code != nodecli.ExitFailed ||
		!strings.Contains(errs, "there is no plugin ghost") {
		t.Errorf("%d\n%s", code, errs)
	}
	if _, _, code := verify(); code != nodecli.ExitUsage {
		t.Errorf("nothing named: %d", code)
	}
}

// TestPinsNameEachType holds what the API lets be pinned to what the host looks for.
func TestPinsNameEachType(t *testing.T) {
	var types []string
	for _, kind := range host.Types() {
		types = append(types, string(kind))
	}
	if diff := cmp.Diff(types, delivery.PluginPrefixes()); diff != "" {
		t.Errorf("-host +delivery:\n%s", diff)
	}
}
