package providers

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// directorConfig is the provider's part of the cloud-config: a script with the commands of the data, and commands that
// reboot the machine unless a file of kubeadm exists.
const directorConfig = `users:
- name: root
  lock_passwd: false
write_files:
- path: /root/%[1]s.sh
  owner: root
  content: |
    #!/usr/bin/env bash
    set -eEx
    {
      %[2]s
    } 2> /root/kubeadm.err
    [[ -f /run/cluster-api/bootstrap-success.complete ]]
runcmd:
- cloud-init clean
- '[ ! -f /root/%[1]s.sh ] && sudo reboot'
- '[ ! -f %[3]s ] && sudo reboot'
- bash /root/%[1]s.sh
timezone: UTC
disable_root: false
preserve_hostname: false
hostname: "%[4]s"
final_message: "The system is ready"
`

// directorKeys are the keys that the provider writes.
func directorKeys() []string {
	return []string{
		"write_files", "runcmd", "users", "timezone", "disable_root", "preserve_hostname", "hostname", "final_message",
	}
}

// cloudDirector inserts the commands into a script, each on a line with four blanks, and appends the lists of the data.
func cloudDirector(data []byte, m Machine) (Delivered, error) {
	var theirs map[string]any
	if err := yaml.Unmarshal(data, &theirs); err != nil {
		return Delivered{}, err
	}
	commands, err := indented(theirs["runcmd"])
	if err != nil {
		return Delivered{}, err
	}
	script, marker := "node", "/run/kubeadm/kubeadm-join-config.yaml"
	if m.ControlPlane && !strings.Contains(string(data), "kubeadm join") {
		script, marker = "control_plane", "/run/kubeadm/kubeadm.yaml"
	}
	var ours map[string]any
	if err := yaml.Unmarshal(fmt.Appendf(nil, directorConfig, script, commands, marker, m.Name), &ours); err != nil {
		return Delivered{}, fmt.Errorf("the script with the commands: %w", err)
	}
	return directorMerge(ours, theirs)
}

func indented(list any) (string, error) {
	items, isList := list.([]any)
	if !isList {
		return "", fmt.Errorf("runcmd is a %T", list)
	}
	var lines []string
	for _, item := range items {
		line, isText := item.(string)
		if !isText {
			return "", fmt.Errorf("the command %v is not a string", item)
		}
		lines = append(lines, "    "+line)
	}
	return strings.TrimSpace(strings.Join(lines, "\n")), nil
}

func directorMerge(ours, theirs map[string]any) (Delivered, error) {
	out := []byte("#cloud-config\n")
	for _, key := range directorKeys() {
		value, found := ours[key]
		if more, both := theirs[key]; both && key != "runcmd" {
			first, isList := value.([]any)
			second, areLists := more.([]any)
			if !isList || !areLists {
				return Delivered{}, fmt.Errorf("%s is in both documents and not a list", key)
			}
			value = slices.Concat(first, second)
		}
		if !found {
			continue
		}
		text, err := yaml.Marshal(map[string]any{key: value})
		if err != nil {
			return Delivered{}, err
		}
		out = append(out, text...)
	}
	return Delivered{Userdata: out}, nil
}
