package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/render/cloudinit"
	"github.com/machineadm/machineadm/adapters/render/shell"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/golden"
	"github.com/machineadm/machineadm/test/providers"
	"github.com/machineadm/machineadm/test/scenarios"
)

// TestProvidersDeliverCloudConfig passes the cloud-config of every scenario through the doubles of the providers that
// edit it or read it themselves, and compares what reaches the machine.
func TestProvidersDeliverCloudConfig(t *testing.T) {
	folders, err := os.ReadDir(dir)
	if err != nil || len(folders) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	delivered := map[string]int{}
	booted := golden.Open(t, "../../test/consumers/goldens/testdata/providers")
	for _, folder := range folders {
		variants := scenarios.Variants(t, folder.Name(), []ports.Renderer{cloudinit.Renderer{}})
		for i, v := range variants[:min(1, len(variants))] {
			for kind, deliver := range providers.All() {
				code, data, findings := runScenario(t, v.Manifests, v.Args("render", "--infrastructure", kind)...)
				if code != 0 {
					refusedByDialect(t, kind, folder.Name(), string(findings))
					continue
				}
				m := providers.Machine{
					Name: "machine-1", Zone: "zone-1", Address: "192.0.2.7", ProviderID: "example://1",
					ControlPlane: strings.HasPrefix(folder.Name(), "control-plane") || i > 0,
				}
				got, err := deliver(data, m)
				if err != nil {
					t.Errorf("%s, %s: the provider refuses the data: %v\n%s", kind, folder.Name(), err, data)
					continue
				}
				delivered[kind]++
				if folder.Name() == "customised" && got.Userdata != nil && slices.Contains(bootedKinds(), kind) {
					booted.Compare(t, kind+".yaml", got.Userdata)
				}
				compareDelivered(t, kind+", "+folder.Name(), infrastructure.CloudConfigOf(kind).Minimal, data, got)
			}
		}
	}
	for kind := range providers.All() {
		if delivered[kind] < len(folders)/2 {
			t.Errorf("%s: only %d of %d scenarios were delivered", kind, delivered[kind], len(folders))
		}
	}
}

// bootedKinds are the kinds whose userdata test/consumers/goldens boots with real cloud-init.
func bootedKinds() []string {
	return []string{"HarvesterMachine", "IonosCloudMachine", "VCDMachine", "VultrMachine"}
}

// refusedByDialect accepts the findings about what a dialect cannot deliver, and fails for others.
func refusedByDialect(t *testing.T, kind, scenario, findings string) {
	t.Helper()
	unsupported := slices.Contains([]string{
		"windows-domain", "windows-agent", "worker-talos-old", "control-plane-1-35",
	}, scenario)
	dialect := infrastructure.CloudConfigOf(kind)
	facts := dialect.WithoutCloudInit && strings.Contains(findings, "is not known in this format")
	snippet := strings.Contains(findings, "the machine's infrastructure provider")
	if !unsupported && !facts && !snippet {
		t.Errorf("%s, %s: refused: %s", kind, scenario, findings)
	}
}

// cloudKeys contains the keys of cloud-config that the renderer writes.
type cloudKeys struct {
	Bootcmd    []any            `json:"bootcmd"`
	WriteFiles []providers.File `json:"write_files"`
	Groups     []any            `json:"groups"`
	Users      []any            `json:"users"`
	Runcmd     []any            `json:"runcmd"`
}

func parse(t *testing.T, text []byte) cloudKeys {
	t.Helper()
	var d cloudKeys
	if err := yaml.Unmarshal(text, &d); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return d
}

// compareDelivered checks that all entries of the data reach the machine, in their order.
func compareDelivered(t *testing.T, name string, minimal bool, data []byte, got providers.Delivered) {
	t.Helper()
	want := parse(t, data)
	if got.Userdata == nil {
		commands := make([]any, 0, len(got.Commands))
		for _, c := range got.Commands {
			commands = append(commands, c)
		}
		contains(t, name+": files", want.WriteFiles, got.Files)
		contains(t, name+": commands", want.Runcmd, commands)
	} else {
		if err := yaml.UnmarshalStrict(got.Userdata, &map[string]any{}); err != nil {
			t.Errorf("%s: a key is repeated, or this is not YAML: %v", name, err)
			return
		}
		is := parse(t, got.Userdata)
		contains(t, name+": bootcmd", want.Bootcmd, is.Bootcmd)
		contains(t, name+": files", want.WriteFiles, is.WriteFiles)
		contains(t, name+": groups", want.Groups, is.Groups)
		contains(t, name+": users", want.Users, is.Users)
		if !strings.HasPrefix(name, "VCDMachine") {
			contains(t, name+": commands", want.Runcmd, is.Runcmd)
		} else if !bytes.Contains(got.Userdata, []byte(want.Runcmd[0].(string))) {
			t.Errorf("%s: the provider's script does not contain the command", name)
		}
	}
	if minimal && !bytes.HasPrefix(unpacked(t, want.WriteFiles), []byte("#!/bin/sh\n")) {
		t.Errorf("%s: the last file is not the bootstrap program", name)
	}
}

// contains checks that one list contains the items of another in their order.
func contains[T any](t *testing.T, name string, items, list []T) {
	t.Helper()
	rest := list
	for _, item := range items {
		i := slices.IndexFunc(rest, func(other T) bool { return cmp.Equal(item, other) })
		if i < 0 {
			t.Errorf("%s: %v does not reach the machine", name, item)
			return
		}
		rest = rest[i+1:]
	}
}

// unpacked returns the bootstrap program of the minimal dialect.
func unpacked(t *testing.T, files []providers.File) []byte {
	t.Helper()
	packed, err := base64.StdEncoding.DecodeString(files[len(files)-1].Content)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	program, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// TestMinimalProgramIsThatOfTheShellFormat compares the program with that of the golden of the format shell, which is
// run on a machine.
func TestMinimalProgramIsThatOfTheShellFormat(t *testing.T) {
	compared := 0
	for _, g := range scenarios.Of(t, "shell") {
		if g.System != "debian-12" {
			continue
		}
		var manifests []byte
		for _, v := range scenarios.Variants(t, g.Scenario, []ports.Renderer{shell.Renderer{}}) {
			if v.System == g.System {
				manifests = v.Manifests
			}
		}
		code, out, errs := runScenario(t, manifests, "render", "-f", "-", "--format", "cloud-init", "--infrastructure",
			"RemoteMachine")
		if code != 0 {
			refusedByDialect(t, "RemoteMachine", g.Scenario, string(errs))
			continue
		}
		program := string(unpacked(t, parse(t, out).WriteFiles))
		if strings.Contains(program, "\n_fact() (") {
			continue // The formats may take facts from other places.
		}
		compared++
		if !strings.Contains(string(g.Data), program) && !strings.Contains(string(g.Data), wrapped(program)) {
			t.Errorf("%s: the program differs from that of the format shell", g.Scenario)
		}
	}
	if compared < 5 {
		t.Errorf("only %d programs were compared", compared)
	}
}

// wrapped returns the text in base64, in the lines of base64(1), as the format shell writes programs that are not
// ASCII.
func wrapped(text string) string {
	encoded := base64.StdEncoding.EncodeToString([]byte(text))
	var lines strings.Builder
	for len(encoded) > 76 {
		lines.WriteString(encoded[:76] + "\n")
		encoded = encoded[76:]
	}
	return lines.String() + encoded
}
