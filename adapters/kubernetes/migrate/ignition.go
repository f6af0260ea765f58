package migrate

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/habits"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// ignition converts a Container Linux Config, which is a snippet of the format ignition-v2. Drop-ins of
// kubeadm.service have no effect here.
func (s *specs) ignition(in field) {
	config := in.get("additionalConfig")
	if !config.exists() {
		in.get("strict").take()
		return
	}
	remaining := s.withoutKubeadm(config)
	config.take()
	if remaining == nil {
		in.get("strict").take()
		return
	}
	snippet := put(mapping(), "format", text(string(delivery.FormatIgnitionV2)))
	put(snippet, "text", remaining)
	move(in.get("strict"), snippet, "strict")
	extend(s.out, "formatOptions.snippets", snippet)
}

// withoutKubeadm returns the text without kubeadm.service, or nil if nothing else is in it.
func (s *specs) withoutKubeadm(config field) *node {
	documents, err := structured.YAML(context.Background(), []byte(config.text()))
	if err != nil || len(documents) != 1 || len(documents[0].Content) != 1 {
		if strings.TrimSpace(config.text()) == "" {
			return nil
		}
		config.add(config, Decision, "the text is not YAML; check the snippet")
		return config.node
	}
	root := documents[0].Content[0]
	units := find(root, "systemd.units")
	if units == nil {
		return config.node
	}
	before := len(units.Content)
	units.Content = slices.DeleteFunc(units.Content, func(unit *node) bool { return s.kubeadmUnit(config, unit) })
	switch {
	case len(units.Content) == before:
		return config.node
	case len(units.Content) == 0:
		remove(lookup(root, "systemd"), "units")
		if len(lookup(root, "systemd").Content) == 0 {
			remove(root, "systemd")
		}
	}
	if len(root.Content) == 0 {
		return nil
	}
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(documents[0]); err != nil {
		return config.node
	}
	return text(out.String())
}

// remove deletes a field of a mapping.
func remove(m *node, name string) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			m.Content = slices.Delete(m.Content, i, i+2)
			return
		}
	}
}

// kubeadmUnit reports whether the unit is kubeadm.service, and collects the units that it requires.
func (s *specs) kubeadmUnit(config field, unit *node) bool {
	name := lookup(unit, "name")
	if name == nil || name.Value != habits.KubeadmUnit {
		return false
	}
	config.add(config, Changed, unitOfKubeadm)
	dropins := lookup(unit, "dropins")
	if dropins == nil {
		return true
	}
	for _, dropin := range dropins.Content {
		if contents := lookup(dropin, "contents"); contents != nil {
			s.dropIn(config, contents.Value)
		}
	}
	return true
}

// dropIn converts the settings in a drop-in of kubeadm.service.
func (s *specs) dropIn(config field, contents string) {
	for line := range strings.Lines(contents) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		switch {
		case !ok || strings.HasPrefix(name, "#"):
		case name == "Requires" || name == "Wants":
			for unit := range strings.FieldsSeq(value) {
				if !slices.Contains(s.started, unit) {
					s.started = append(s.started, unit)
					config.add(config, Changed, "a command starts %s, which kubeadm.service required", unit)
				}
			}
		case name == "After" || name == "Before" || name == "EnvironmentFile":
			// The commands run after the network and the container runtime, and facts replace the variables.
		case name == "StandardOutput" || name == "StandardError":
			config.add(config, Note, "the output of the bootstrap is in the journal; %s was removed", name)
		default:
			config.add(config, Decision, "%s of kubeadm.service was removed; write a command if it is needed", name)
		}
	}
}

// format sets the format that the kubeadm provider renders, if it is not the default of the operating system. Without
// one, the provider renders cloud-config.
func (s *specs) format(in field) {
	profile, _ := osprofile.Lookup(s.os.Distribution)
	want := delivery.FormatCloudInit
	if _, windows := profile.Supports(delivery.FormatCloudbaseInit); windows {
		want = delivery.FormatCloudbaseInit
	}
	switch in.text() {
	case "ignition":
		want = delivery.FormatIgnitionV2
	case "", "cloud-config":
	default:
		in.report(Decision, "the format %q is not known; the output has the default of the operating system", in.text())
		return
	}
	in.take()
	if profile.DefaultFormat() == want {
		return
	}
	if _, supported := profile.Supports(want); !supported {
		in.add(in, Note, "the format is %s, the default of %s", profile.DefaultFormat(), profile.Name)
		return
	}
	set(s.out, "format", text(string(want)))
	in.add(in, Changed, "%s is what the kubeadm provider renders; remove it for %s, the default of %s", want,
		profile.DefaultFormat(), profile.Name)
}
