package main

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

// system is an operating system that scenarios are rendered for.
type system struct {
	// name is part of the names of goldens.
	name string
	// os is the value of spec.os, on one line.
	os      string
	formats []delivery.Format
}

// systems returns the systems and their formats: each format has at least one system, and more if the outputs differ,
// as for the versions of Ignition's specification.
func systems() []system {
	return []system{
		{
			name: "ubuntu-24.04", os: `{distribution: ubuntu, version: "24.04"}`,
			formats: []delivery.Format{delivery.FormatCloudInit},
		},
		{name: "rhel-9", os: `{distribution: rhel, version: "9"}`, formats: []delivery.Format{delivery.FormatCloudInit}},
		{name: "debian-12", os: `{distribution: debian, version: "12"}`, formats: []delivery.Format{"shell"}},
		{
			name: "flatcar-4230.2.0", os: `{distribution: flatcar, version: 4230.2.0}`,
			formats: []delivery.Format{delivery.FormatIgnition, delivery.FormatButane},
		},
		{
			name: "flatcar-3374.2.5", os: `{distribution: flatcar, version: 3374.2.5}`,
			formats: []delivery.Format{delivery.FormatIgnition},
		},
		{
			name: "flatcar-3033.2.4", os: `{distribution: flatcar, version: 3033.2.4}`,
			formats: []delivery.Format{delivery.FormatIgnitionV2},
		},
		{name: "fedora-coreos", os: `{distribution: fedora-coreos}`, formats: []delivery.Format{
			delivery.FormatIgnition,
			delivery.FormatButane,
		}},
		{
			name: "talos-1.13.0", os: `{distribution: talos, version: 1.13.0}`,
			formats: []delivery.Format{delivery.FormatTalos},
		},
		{
			name: "bottlerocket-1.50.0", os: `{distribution: bottlerocket, version: 1.50.0}`,
			formats: []delivery.Format{delivery.FormatBottlerocket},
		},
		{
			name: "windows-server-2022", os: `{distribution: windows-server-2022}`,
			formats: []delivery.Format{delivery.FormatUnattend, delivery.FormatCloudbaseInit},
		},
		{
			name: "windows-server-2025", os: `{distribution: windows-server-2025}`,
			formats: []delivery.Format{delivery.FormatCloudbaseInit},
		},
	}
}

// variant is the machine of a scenario for one system, in one format.
type variant struct {
	format    delivery.Format
	system    string
	manifests []byte
}

func (v variant) String() string { return fmt.Sprintf("%s on %s", v.format, v.system) }

// args returns the arguments of a command that reads the manifests.
func (v variant) args(command string, more ...string) []string {
	return append([]string{command, "-f", "-", "--format", string(v.format)}, more...)
}

// osLine matches the line that selects the operating system.
var osLine = regexp.MustCompile(`(?m)^  os: (\{distribution: ([a-z0-9-]+)(?:, version: "?([0-9.]+)"?)?\})$`)

// variants returns the variants of a scenario, in the order of the formats. A scenario for a system that is not in the
// table is rendered for that system only.
func variants(t *testing.T, scenario string, renderers []ports.Renderer) []variant {
	t.Helper()
	manifests, err := os.ReadFile(filepath.Join(scenario, "manifests.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	own := osLine.FindAllSubmatch(manifests, -1)
	if len(own) != 1 {
		t.Fatalf("%d lines match %s, want 1", len(own), osLine)
	}
	table := systems()
	if !slices.ContainsFunc(table, func(s system) bool { return s.os == string(own[0][1]) }) {
		name := strings.TrimSuffix(fmt.Sprintf("%s-%s", own[0][2], own[0][3]), "-")
		table = []system{{name: name, os: string(own[0][1])}}
	}
	var all []variant
	for _, r := range renderers {
		for _, s := range shown(t, table, r) {
			all = append(all, variant{format: r.Format(), system: s.name, manifests: swapped(t, scenario, manifests, s)})
		}
	}
	return all
}

// shown returns the systems of the table for a format: those that list it, or the first one that the format supports.
func shown(t *testing.T, table []system, r ports.Renderer) []system {
	t.Helper()
	var named []system
	for _, s := range table {
		if slices.Contains(s.formats, r.Format()) {
			named = append(named, s)
		}
	}
	if len(named) > 0 {
		return named
	}
	for _, s := range table {
		m := osLine.FindStringSubmatch("  os: " + s.os)
		profile, known := osprofile.Lookup(m[2])
		if known && !ports.Supports(r, osprofile.Target{Profile: profile, Release: m[3]}, "").HasErrors() {
			return []system{s}
		}
	}
	return nil
}

// swapped returns the manifests for another operating system, with the overlays of the scenario.
func swapped(t *testing.T, scenario string, manifests []byte, s system) []byte {
	t.Helper()
	manifests = osLine.ReplaceAllLiteral(manifests, []byte("  os: "+s.os))
	for _, overlay := range overlays(t, scenario) {
		if s.needs(overlay) {
			manifests = overlaid(t, manifests, filepath.Join(scenario, "os", overlay))
		}
	}
	return manifests
}

// overlays returns the names of the files that a scenario merges for systems.
func overlays(t *testing.T, scenario string) []string {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(scenario, "os"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

// needs reports whether the overlay is for the system, or for all of its releases.
func (s system) needs(overlay string) bool {
	name := strings.TrimSuffix(overlay, ".yaml")
	return s.name == name || strings.HasPrefix(s.name, name+"-")
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
