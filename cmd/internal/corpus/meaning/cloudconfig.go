package meaning

import (
	"encoding/base64"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

// cloudConfig is the part of cloud-init's configuration that the kubeadm provider renders.
type cloudConfig struct {
	WriteFiles []struct {
		Path, Owner, Permissions, Content, Encoding string
		Append                                      bool
	} `json:"write_files"`
	BootCommands []string         `json:"bootcmd"`
	Commands     []string         `json:"runcmd"`
	Users        []map[string]any `json:"users"`
	NTP          *struct {
		Enabled *bool
		Servers []string
	} `json:"ntp"`
	DiskSetup map[string]any   `json:"disk_setup"`
	Files     []map[string]any `json:"fs_setup"`
	Mounts    [][]any          `json:"mounts"`
}

// CloudConfig returns the meaning of a cloud-config of the kubeadm provider.
func CloudConfig(data []byte) (Machine, error) {
	m := New()
	text := string(data)
	if strings.HasPrefix(text, "## template: jinja") {
		text = ResolveJinja(text)
	}
	var c cloudConfig
	if err := yaml.Unmarshal([]byte(text), &c); err != nil {
		return m, fmt.Errorf("the kubeadm provider's output is not YAML: %w", err)
	}
	for _, f := range c.WriteFiles {
		content, err := decode(f.Content, f.Encoding)
		if err != nil {
			return m, fmt.Errorf("%s: %w", f.Path, err)
		}
		switch {
		case f.Path == "/run/kubeadm/kubeadm.yaml" || f.Path == "/run/kubeadm/kubeadm-join-config.yaml":
			if err := m.AddKubeadm(content); err != nil {
				return m, err
			}
		case f.Path != "/run/cluster-api/placeholder":
			m.AddFile(File{Path: f.Path, Content: content, Mode: f.Permissions, Owner: f.Owner, Append: f.Append})
		}
	}
	m.Commands[Boot] = c.BootCommands
	m.addCommands(c.Commands)
	m.addUsers(c.Users)
	m.addStorage(c)
	return m, nil
}

// decode returns the content of a file of write_files. gzip remains compressed: both sides contain the same bytes.
func decode(content, encoding string) (string, error) {
	switch encoding {
	case "", "text/plain":
		return content, nil
	default:
		out, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(content), ""))
		return string(out), err
	}
}

// addCommands splits the commands at that of kubeadm.
func (m Machine) addCommands(commands []string) {
	phase := Pre
	for _, c := range commands {
		if strings.HasPrefix(c, "kubeadm ") && strings.HasSuffix(c, "bootstrap-success.complete") {
			if _, rest, found := strings.Cut(c, "--v "); found {
				m.set("kubeadm.verbosity", strings.Fields(rest)[0])
			}
			phase = Post
			continue
		}
		m.Commands[phase] = append(m.Commands[phase], c)
	}
}

// userFields returns the fields of cloud-init's users, and their names here.
func userFields() map[string]string {
	return map[string]string{
		"gecos": "gecos", "homedir": "homeDir", "shell": "shell", "passwd": "passwordHash", "primary_group": "primaryGroup",
		"inactive": "inactive", "lock_passwd": "locked", "sudo": "sudo",
	}
}

func (m Machine) addUsers(users []map[string]any) {
	for _, u := range users {
		place := fmt.Sprintf("users[%v]", u["name"])
		for field, name := range userFields() {
			// A password is locked unless lock_passwd is false.
			if value, found := u[field]; found && (value == false) == (field == "lock_passwd") {
				m.set(place+"."+name, fmt.Sprint(value))
			}
		}
		groups, _ := u["groups"].(string)
		m.AddGroups(place, strings.Split(groups, ","))
		keys, _ := u["ssh_authorized_keys"].([]any)
		for i, key := range keys {
			m.set(fmt.Sprintf("%s.sshAuthorizedKeys[%d]", place, i), strings.TrimSpace(fmt.Sprint(orEmpty(key))))
		}
	}
}

// AddGroups adds the groups of a user.
func (m Machine) AddGroups(user string, groups []string) {
	for _, g := range groups {
		if g = strings.TrimSpace(g); g != "" {
			m.Values[user+".groups["+g+"]"] = "true"
		}
	}
}

func (m Machine) addStorage(c cloudConfig) {
	if c.NTP != nil {
		for _, s := range c.NTP.Servers {
			m.Values["ntp.servers["+s+"]"] = "true"
		}
	}
	for device, setup := range c.DiskSetup {
		fields, _ := setup.(map[string]any)
		place := "disks[" + Device(device) + "]"
		m.addFields(place, fields, map[string]string{"table_type": "tableType", "overwrite": "wipe"})
		if fields["layout"] == true {
			m.Values[place+".partitions[0]"] = "{}"
		} else {
			m.AddTree(place+".layout", fields["layout"])
		}
	}
	for _, f := range c.Files {
		place := "filesystems[" + Partition(fmt.Sprint(f["device"]), fmt.Sprint(orEmpty(f["partition"]))) + "]"
		m.addFields(place, f, map[string]string{
			"filesystem": "format", "label": "label", "overwrite": "wipe", "extra_opts": "options",
			"replace_fs": "replaceFS",
		})
	}
	for _, mount := range c.Mounts {
		// The default of the options in cc_mounts, without the order after cloud-init's own units.
		fields := []string{3: "defaults,nofail", 5: ""}
		for i, field := range mount {
			if text := fmt.Sprint(orEmpty(field)); i < len(fields) && text != "" {
				fields[i] = text
			}
		}
		m.AddMount(fields)
	}
}

func orEmpty(v any) any {
	if v == nil {
		return ""
	}
	return v
}
