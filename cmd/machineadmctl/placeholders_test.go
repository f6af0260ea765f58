package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/vincent-petithory/dataurl"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/cli"
	"github.com/machineadm/machineadm/adapters/envelope"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/test/providers"
)

// placeholderManifest is a machine with a placeholder in an argument of kubelet and in a long file, which would be
// compressed without it.
const placeholderManifest = `apiVersion: bootstrap.machineadm.io/v1alpha1
kind: MachineBootstrapConfig
metadata: {name: m}
spec:
  os: {distribution: %s}
  node:
    kubelet:
      extraArgs: [{name: provider-id, value: "%s"}]
  machine:
    kubernetes: {provision: Image}
    files:
    - path: /etc/long
      content: |
        the machine is %s
        %s
`

// TestPlaceholdersReachTheMachine passes userdata through the providers that replace text in it. What machines read
// must contain the values.
func TestPlaceholdersReachTheMachine(t *testing.T) {
	m := providers.Machine{Name: "machine-1", Zone: "zone-1", Address: "192.0.2.7", ProviderID: "tinkerbell://a/b"}
	for kind, c := range map[string]struct{ argument, id, text, want string }{
		"TinkerbellMachine": {"PROVIDER_ID", m.ProviderID, "PROVIDER_ID", m.ProviderID},
		"CloudStackMachine": {"ds.meta_data.failuredomain", m.Zone, "{{ ds.meta_data.hostname }}", m.Name},
		"NutanixMachine":    {"id", "id", "{{ ds.meta_data.hostname }}", m.Name},
		"ScalewayMachine":   {"[[[.NodeIP]]]", m.Address, "[[[ .NodeIP ]]]", m.Address},
	} {
		for _, system := range []string{"ubuntu", "flatcar", "flatcar, version: 3033.2.4"} {
			manifest := fmt.Sprintf(placeholderManifest, system, c.argument, c.text, strings.Repeat("text ", 2000))
			code, out, errs := runScenario(t, []byte(manifest), "render", "-f", "-", "--infrastructure", kind,
				"--kubernetes-version", "v1.36.3")
			if code != 0 {
				t.Errorf("%s, %s: %s", kind, system, errs)
				continue
			}
			got, err := providers.All()[kind](out, m)
			if err != nil {
				t.Errorf("%s, %s: %v", kind, system, err)
				continue
			}
			if content := fileAt(t, got.Userdata, "/etc/long"); !strings.HasPrefix(content, "the machine is "+c.want+"\n") {
				t.Errorf("%s, %s: the file begins with %.60q, want %q", kind, system, content, c.want)
			}
			if c.id == c.argument {
				continue // There is no placeholder in kubeadm's configuration.
			}
			config := fileAt(t, got.Userdata, "/etc/machineadm/kubeadm.yaml")
			if !strings.Contains(config, "provider-id") || !strings.Contains(config, c.id) {
				t.Errorf("%s, %s: kubeadm's configuration does not contain %q:\n%s", kind, system, c.id, config)
			}
		}
	}
}

// fileAt returns the content of a file of cloud-config or Ignition that is not compressed. cloud-init writes private
// files below another directory first.
func fileAt(t *testing.T, userdata []byte, path string) string {
	t.Helper()
	var ignition struct {
		Storage struct {
			Files []struct {
				Path     string
				Contents struct{ Source, Compression string }
			}
		}
	}
	if json.Unmarshal(userdata, &ignition) != nil {
		var c cloudKeys
		if err := yaml.Unmarshal(userdata, &c); err != nil {
			t.Fatal(err)
		}
		for _, f := range c.WriteFiles {
			if strings.HasSuffix(f.Path, path) {
				return f.Content
			}
		}
		return ""
	}
	for _, f := range ignition.Storage.Files {
		if f.Path == path {
			u, err := dataurl.DecodeString(f.Contents.Source)
			if err != nil || f.Contents.Compression != "" {
				t.Fatalf("%s: %v, compression %q", path, err, f.Contents.Compression)
			}
			return string(u.Data)
		}
	}
	return ""
}

// renderWrapped returns the findings of a program that adds envelopes.
func renderWrapped(t *testing.T, manifest string, args ...string) string {
	t.Helper()
	service, err := render.New(formats.Builtin(), plugins.Builtin(), render.WithWrapper(envelope.Wrapper{}))
	if err != nil {
		t.Fatal(err)
	}
	var findings strings.Builder
	options := cli.Options{Render: service, In: strings.NewReader(manifest), Out: io.Discard, Err: &findings}
	cli.Run(t.Context(), options, args)
	return findings.String()
}

// TestTextThatProvidersChangeIsReported renders userdata whose text the provider would not find, or would execute.
func TestTextThatProvidersChangeIsReported(t *testing.T) {
	for name, c := range map[string]struct{ kind, text, compression, want string }{
		"hidden": {
			"CloudStackMachine", "{{ ds.meta_data.hostname }}", "Gzip",
			`replaces "{{ ds.meta_data.hostname }}" in the userdata of a CloudStackMachine`,
		},
		"not hidden":     {"CloudStackMachine", "{{ ds.meta_data.hostname }}", "None", ""},
		"template":       {"ScalewayMachine", "[[[ .Other ]]]", "None", `contains "[[[", after which`},
		"no template":    {"ScalewayMachine", "[[ -f /a ]]", "None", ""},
		"other provider": {"OpenStackMachine", "[[[ .Other ]]]", "None", ""},
	} {
		manifest := fmt.Sprintf(placeholderManifest+"  delivery: {compression: %s}\n", "ubuntu", "id", c.text, "x",
			c.compression)
		errs := renderWrapped(t, manifest, "render", "-f", "-", "--infrastructure", c.kind, "--kubernetes-version", "v1.36.3")
		found := strings.Contains(errs, "error:")
		if found != (c.want != "") || !strings.Contains(errs, c.want) {
			t.Errorf("%s: %s, want %q", name, errs, c.want)
		}
	}
}
