package cli

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/osprofile"
)

// kubernetesComment describes how Kubernetes gets onto machines with the system.
func kubernetesComment(p osprofile.Profile) string {
	lines := []string{"The image contains kubelet, kubeadm and a container runtime."}
	switch {
	case p.Shell == osprofile.ShellNone:
		lines = []string{"The operating system contains Kubernetes."}
	case p.PackageManager != osprofile.PackageManagerNone:
		lines = append(lines, "With provision: Package, machines install packages at their first boot.")
	case slices.Contains([]osprofile.Family{osprofile.FamilyFlatcar, osprofile.FamilyCoreOS}, p.Family):
		lines = append(lines, "With provision: Sysext and artifacts, machines fetch Kubernetes at their first boot.")
	}
	return strings.Join(lines, "\n")
}

// moreFields are fields of spec.machine that most users set next.
func moreFields(p osprofile.Profile) string {
	switch p.Family {
	case osprofile.FamilyTalos:
		return "sysctls: {vm.max_map_count: \"262144\"}"
	case osprofile.FamilyBottlerocket:
		return "sysctls: {vm.max_map_count: \"262144\"}\ntimeSync: {servers: [time.example.com]}"
	case osprofile.FamilyWindows:
		return "files:\n- path: C:\\example\\settings.txt\n  content: text"
	case osprofile.FamilyFlatcar, osprofile.FamilyCoreOS, osprofile.FamilyDebian, osprofile.FamilyRHEL,
		osprofile.FamilySUSE, osprofile.FamilyPhoton:
	}
	return `users:
- name: admin
  sudo: ALL=(ALL) NOPASSWD:ALL
  sshAuthorizedKeys: [ssh-ed25519 AAAA… you@example.com]
files:
- path: /etc/example/settings
  content: text
sysctls: {vm.max_map_count: "262144"}
timeSync: {servers: [time.example.com]}
preCommands: [echo before joining]
postCommands: [echo after joining]`
}

// nodeFields are fields of the spec for the node.
func nodeFields(p osprofile.Profile) string {
	text := "node:\n  labels: {example.com/pool: general}\n  taints: [{key: example.com/dedicated, effect: NoSchedule}]"
	if p.Shell == osprofile.ShellNone {
		return text
	}
	return text + "\nreporting: {}"
}
