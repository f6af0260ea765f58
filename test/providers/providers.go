// Package providers contains doubles of infrastructure providers: what they do with userdata between the data Secret
// and the machine, as domain/infrastructure describes it. They are written from the documented behaviour, and parse
// with the library and the strictness of the provider, so that data that a provider refuses is an error here, too.
package providers

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"sigs.k8s.io/yaml"
)

// Delivered is what reaches a machine: userdata for its first-boot program, or files and commands that the provider
// itself writes and runs.
type Delivered struct {
	Userdata []byte
	Files    []File
	Commands []string
}

// File is a file that a provider writes.
type File struct{ Path, Owner, Permissions, Content string }

// Machine contains what a provider knows about the machine.
type Machine struct {
	Name, Zone, Address, ProviderID string
	// ControlPlane means that the machine has the label of control plane machines.
	ControlPlane bool
}

// Deliver is the double of one provider.
type Deliver func(data []byte, m Machine) (Delivered, error)

// All returns the doubles by the kinds of their machines.
func All() map[string]Deliver {
	return map[string]Deliver{
		"ByoMachine": byoHost, "CloudStackMachine": cloudStack, "DockerMachine": docker, "HarvesterMachine": harvester,
		"HetznerBareMetalMachine": hetznerBare, "IonosCloudMachine": ionosCloud, "KubevirtMachine": kubevirt,
		"LXCMachine": lxcKind, "Metal3Machine": metal3, "NutanixMachine": nutanix, "OscMachine": outscale,
		"RemoteMachine": remoteMachine, "ScalewayMachine": scaleway, "TinkerbellMachine": tinkerbell,
		"VCDMachine": cloudDirector, "VultrMachine": vultr,
	}
}

func vultr(data []byte, _ Machine) (Delivered, error) {
	const key = "runcmd:"
	at := bytes.Index(data, []byte(key)) + len(key)
	text := string(data[:at])
	for _, command := range []string{"ufw disable", "echo ready"} {
		text += "\n  - " + command
	}
	return Delivered{Userdata: append([]byte(text), data[at:]...)}, nil
}

func ionosCloud(data []byte, m Machine) (Delivered, error) {
	const commands = "\nbootcmd:\n  - echo %[1]s > /etc/hostname\n  - hostname %[1]s\n"
	return Delivered{Userdata: fmt.Appendf(data, commands, m.Name)}, nil
}

// tinkerbell stores the data in a string of its Hardware object.
func tinkerbell(data []byte, m Machine) (Delivered, error) {
	return Delivered{Userdata: bytes.ReplaceAll(asText(data), []byte("PROVIDER_ID"), []byte(m.ProviderID))}, nil
}

func nutanix(data []byte, m Machine) (Delivered, error) {
	return Delivered{Userdata: bytes.ReplaceAll(data, []byte("{{ ds.meta_data.hostname }}"), []byte(m.Name))}, nil
}

func cloudStack(data []byte, m Machine) (Delivered, error) {
	data = regexp.MustCompile(`\{\{\s*ds\.meta_data\.hostname\s*\}\}`).ReplaceAll(data, []byte(m.Name))
	data = regexp.MustCompile(`ds\.meta_data\.failuredomain`).ReplaceAll(data, []byte(m.Zone))
	return Delivered{Userdata: data}, nil
}

// scaleway sends the data as text.
func scaleway(data []byte, m Machine) (Delivered, error) {
	text, err := template.New("").Delims("[[[", "]]]").Parse(string(asText(data)))
	if err != nil {
		return Delivered{}, err
	}
	var b bytes.Buffer
	err = text.Execute(&b, struct{ NodeIP string }{m.Address})
	return Delivered{Userdata: b.Bytes()}, err
}

// harvester appends the lists of the data to its own, and replaces other keys.
func harvester(data []byte, _ Machine) (Delivered, error) {
	merged := map[string]any{
		"package_update": true, "packages": []any{"qemu-guest-agent", "iptables"},
		"runcmd":              []any{[]any{"systemctl", "enable", "--now", "qemu-guest-agent.service"}},
		"ssh_authorized_keys": []any{"ssh-ed25519 AAAA harvester"},
	}
	var theirs map[string]any
	if err := yaml.Unmarshal(data, &theirs); err != nil {
		return Delivered{}, err
	}
	lists := map[string]bool{
		"packages": true, "runcmd": true, "ssh_authorized_keys": true, "groups": true, "users": true, "write_files": true,
		"bootcmd": true,
	}
	for key, value := range theirs {
		if !lists[key] {
			merged[key] = value
			continue
		}
		items, isList := value.([]any)
		ours, _ := merged[key].([]any)
		if !isList {
			return Delivered{}, fmt.Errorf("%s is not a list", key)
		}
		merged[key] = append(ours, items...)
	}
	text, err := yaml.Marshal(merged)
	return Delivered{Userdata: append([]byte("#cloud-config\n"), text...)}, err
}

// kubevirt adds a user to cloud-config, and passes other YAML on.
func kubevirt(data []byte, _ Machine) (Delivered, error) {
	var config map[string]any
	if err := yaml.Unmarshal(data, &config); err != nil {
		return Delivered{}, err
	}
	if !bytes.HasPrefix(data, []byte("#cloud-config\n")) {
		return Delivered{Userdata: data}, nil
	}
	users, _ := config["users"].([]any)
	config["users"] = append(users, map[string]any{"name": "capk", "sudo": "ALL=(ALL) NOPASSWD:ALL"})
	text, err := yaml.Marshal(config)
	return Delivered{Userdata: append([]byte("#cloud-config\n"), text...)}, err
}

// fileOf returns a file of write_files as a parser without encodings reads it.
type fileOf struct {
	Path        string `json:"path"`
	Owner       string `json:"owner"`
	Permissions string `json:"permissions"`
	Content     string `json:"content"`
}

type filesAndCommands struct {
	WriteFiles []fileOf `json:"write_files"`
	RunCmd     []string `json:"runcmd"`
}

func (c filesAndCommands) delivered() Delivered {
	d := Delivered{Commands: c.RunCmd}
	for _, f := range c.WriteFiles {
		d.Files = append(d.Files, File(f))
	}
	return d
}

// byoHost executes the content of each file as a template, and needs a user and a group in owner.
func byoHost(data []byte, _ Machine) (Delivered, error) {
	var c filesAndCommands
	if err := yaml.Unmarshal(data, &c); err != nil {
		return Delivered{}, err
	}
	for i, f := range c.WriteFiles {
		content, err := template.New("").Parse(f.Content)
		if err != nil {
			return Delivered{}, err
		}
		var b strings.Builder
		if err := content.Execute(&b, nil); err != nil {
			return Delivered{}, err
		}
		c.WriteFiles[i].Content = b.String()
		if f.Owner != "" && strings.Count(f.Owner, ":") != 1 {
			return Delivered{}, fmt.Errorf("%s: owner %q", f.Path, f.Owner)
		}
	}
	return c.delivered(), nil
}

// remoteMachine passes commands in double quotes to ssh, and in single quotes to sudo.
func remoteMachine(data []byte, _ Machine) (Delivered, error) {
	var c filesAndCommands
	if err := yaml.Unmarshal(data, &c); err != nil {
		return Delivered{}, err
	}
	for _, command := range c.RunCmd {
		if strings.ContainsAny(command, "\"'$`\\") {
			return Delivered{}, fmt.Errorf("a shell of the Job changes the command %q", command)
		}
	}
	return c.delivered(), nil
}

// lxcKind refuses unknown keys, and changes the owner of each file.
func lxcKind(data []byte, _ Machine) (Delivered, error) {
	text, found := bytes.CutPrefix(data, []byte("#cloud-config\n"))
	if !found {
		return Delivered{}, errors.New("the header is missing")
	}
	var c filesAndCommands
	if err := yaml.UnmarshalStrict(text, &c, yaml.DisallowUnknownFields); err != nil {
		return Delivered{}, err
	}
	for _, f := range c.WriteFiles {
		if f.Owner == "" || f.Permissions == "" {
			return Delivered{}, fmt.Errorf("%s has no owner or no permissions", f.Path)
		}
	}
	return c.delivered(), nil
}
