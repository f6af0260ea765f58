package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
)

// System is an operating system that scenarios are rendered for.
type System struct {
	// Name is part of the names of goldens.
	Name string
	// OS is the value of spec.os, on one line.
	OS      string
	Formats []delivery.Format
}

// Systems returns the systems and their formats: each format has at least one system, and more if the outputs differ,
// as for the versions of Ignition's specification.
func Systems() []System {
	return []System{
		{
			Name: "ubuntu-24.04", OS: `{distribution: ubuntu, version: "24.04"}`,
			Formats: []delivery.Format{delivery.FormatCloudInit},
		},
		{Name: "rhel-9", OS: `{distribution: rhel, version: "9"}`, Formats: []delivery.Format{delivery.FormatCloudInit}},
		{Name: "debian-12", OS: `{distribution: debian, version: "12"}`, Formats: []delivery.Format{"shell"}},
		{
			Name: "flatcar-4230.2.0", OS: `{distribution: flatcar, version: 4230.2.0}`,
			Formats: []delivery.Format{delivery.FormatIgnition, delivery.FormatButane},
		},
		{
			Name: "flatcar-3374.2.5", OS: `{distribution: flatcar, version: 3374.2.5}`,
			Formats: []delivery.Format{delivery.FormatIgnition},
		},
		{
			Name: "flatcar-3033.2.4", OS: `{distribution: flatcar, version: 3033.2.4}`,
			Formats: []delivery.Format{delivery.FormatIgnitionV2},
		},
		{Name: "fedora-coreos", OS: `{distribution: fedora-coreos}`, Formats: []delivery.Format{
			delivery.FormatIgnition,
			delivery.FormatButane,
		}},
		{
			Name: "talos-1.13.0", OS: `{distribution: talos, version: 1.13.0}`,
			Formats: []delivery.Format{delivery.FormatTalos},
		},
		{
			Name: "bottlerocket-1.50.0", OS: `{distribution: bottlerocket, version: 1.50.0}`,
			Formats: []delivery.Format{delivery.FormatBottlerocket},
		},
		{
			Name: "windows-server-2022", OS: `{distribution: windows-server-2022}`,
			Formats: []delivery.Format{delivery.FormatUnattend, delivery.FormatCloudbaseInit},
		},
		{
			Name: "windows-server-2025", OS: `{distribution: windows-server-2025}`,
			Formats: []delivery.Format{delivery.FormatCloudbaseInit},
		},
	}
}

// Variant is the machine of a scenario for one system, in one format.
type Variant struct {
	Format delivery.Format
	// System is the name of the system.
	System    string
	Manifests []byte
}

// String returns the format and the system.
func (v Variant) String() string { return fmt.Sprintf("%s on %s", v.Format, v.System) }

// Args returns the arguments of a command of machineadmctl that reads the manifests from its input.
func (v Variant) Args(command string, more ...string) []string {
	return append([]string{command, "-f", "-", "--format", string(v.Format)}, more...)
}

// osLine matches the line that selects the operating system.
var osLine = regexp.MustCompile(`(?m)^  os: (\{distribution: ([a-z0-9-]+)(?:, version: "?([0-9.]+)"?)?\})$`)

// Variants returns the variants of a scenario, in the order of the formats. A scenario for a system that is not in the
// table is rendered for that system only.
func Variants(t *testing.T, scenario string, renderers []ports.Renderer) []Variant {
	t.Helper()
	manifests, err := os.ReadFile(filepath.Join(Root(t), scenario, "manifests.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	own := osLine.FindAllSubmatch(manifests, -1)
	if len(own) != 1 {
		t.Fatalf("%d lines match %s, want 1", len(own), osLine)
	}
	table := Systems()
	if !slices.ContainsFunc(table, func(s System) bool { return s.OS == string(own[0][1]) }) {
		name := strings.TrimSuffix(fmt.Sprintf("%s-%s", own[0][2], own[0][3]), "-")
		table = []System{{Name: name, OS: string(own[0][1])}}
	}
	var all []Variant
	for _, r := range renderers {
		for _, s := range shown(t, table, r) {
			all = append(all, Variant{Format: r.Format(), System: s.Name, Manifests: swapped(t, scenario, manifests, s)})
		}
	}
	return all
}

// shown returns the systems of the table for a format: those that list it, or the first one that the format supports.
func shown(t *testing.T, table []System, r ports.Renderer) []System {
	t.Helper()
	var named []System
	for _, s := range table {
		if slices.Contains(s.Formats, r.Format()) {
			named = append(named, s)
		}
	}
	if len(named) > 0 {
		return named
	}
	for _, s := range table {
		m := osLine.FindStringSubmatch("  os: " + s.OS)
		profile, known := osprofile.Lookup(m[2])
		if known && !ports.Supports(r, osprofile.Target{Profile: profile, Release: m[3]}, "").HasErrors() {
			return []System{s}
		}
	}
	return nil
}

// infrastructureRef matches the reference of a Machine to an infrastructure provider that does not exist. It would add
// a finding, and select the dialect of cloud-config for unknown providers.
var infrastructureRef = regexp.MustCompile(
	`(?m)^( *)infrastructureRef:\n( +apiGroup: infrastructure\.example\n +kind: Example.*\n +name: .*\n)`)

// swapped returns the manifests for another operating system, with the overlays of the scenario. They contain no
// infrastructure.
func swapped(t *testing.T, scenario string, manifests []byte, s System) []byte {
	t.Helper()
	manifests = infrastructureRef.ReplaceAllLiteral(manifests, nil)
	manifests = osLine.ReplaceAllLiteral(manifests, []byte("  os: "+s.OS))
	for _, overlay := range Overlays(t, scenario) {
		if s.Needs(overlay) {
			manifests = overlaid(t, manifests, filepath.Join(Root(t), scenario, "os", overlay))
		}
	}
	return manifests
}

// Overlays returns the names of the files that a scenario merges for systems.
func Overlays(t *testing.T, scenario string) []string {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(Root(t), scenario, "os"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

// Needs reports whether the overlay is for the system, or for all of its releases.
func (s System) Needs(overlay string) bool {
	name := strings.TrimSuffix(overlay, ".yaml")
	return s.Name == name || strings.HasPrefix(s.Name, name+"-")
}

// overlaid merges a file into the config among the manifests, as a JSON merge patch (RFC 7386).
func overlaid(t *testing.T, manifests []byte, file string) []byte {
	t.Helper()
	overlay, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	documents := bytes.Split(manifests, []byte("\n---\n"))
	for i, d := range documents {
		if !bytes.Contains(d, []byte("\nkind: MachineBootstrapConfig\n")) {
			continue
		}
		if documents[i], err = yaml.Marshal(merged(parsed(t, d), parsed(t, overlay))); err != nil {
			t.Fatal(err)
		}
	}
	return bytes.Join(documents, []byte("\n---\n"))
}

func parsed(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func merged(target, patch any) any {
	p, isObject := patch.(map[string]any)
	if !isObject {
		return patch
	}
	into, _ := target.(map[string]any)
	if into == nil {
		into = map[string]any{}
	}
	for key, value := range p {
		if value == nil {
			delete(into, key)
			continue
		}
		into[key] = merged(into[key], value)
	}
	return into
}
