package specs

import (
	"strings"

	"sigs.k8s.io/cluster-api/cmd/clusterctl/client/yamlprocessor"
)

// Version is the Kubernetes version of all machines of the comparison.
const Version = "v1.36.3"

// address is that of the cluster's endpoint.
const address = "192.0.2.10"

// Substitute replaces the variables of clusterctl by their defaults, or by values that depend on their names only. A
// text that clusterctl cannot process is returned as it is.
func Substitute(text string) string {
	processor := yamlprocessor.NewSimpleProcessor()
	defaults, err := processor.GetVariableMap([]byte(text))
	if err != nil {
		return text
	}
	out, err := processor.Process([]byte(text), func(name string) (string, error) {
		if defaults[name] != nil && !strings.Contains(name, "SSH") {
			return "", nil
		}
		return variable(name), nil
	})
	if err != nil {
		return text
	}
	return string(out)
}

// variable returns the value of a variable. The first word that the name contains decides.
func variable(name string) string {
	if strings.HasPrefix(name, "COREOS_") {
		// A variable of the machine's metadata service, which is not one of clusterctl.
		return "${" + name + "}"
	}
	for _, rule := range [][2]string{
		{"KUBERNETES_VERSION", Version},
		{"_B64", "dmFsdWU="},
		{"BASE64", "dmFsdWU="},
		{"SSH", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG1hY2hpbmVhZG0tZXhhbXBsZS1rZXktMDAwMDAwMDAw user"},
		{"_DEVICE", "/dev/vdb"},
		{"FILESYSTEM", "ext4"},
		{"MOUNT_PATH", "/mnt/data"},
		{"MACHINE_COUNT", "3"},
		{"REPLICAS", "3"},
		{"EXTRA_CONFIG", ""},
		{"_PORT", "6443"},
		{"DRAIN_TIMEOUT", "300"},
		{"INTERFACE", "eth0"},
		{"CIDR", "10.10.0.0/16"},
		{"VIP_EXTERNAL", "203.0.113.10"},
		{"_IP", address},
		{"ADDRESS", address},
		{"HOST", address},
		{"VIP", address},
		{"VERSION", "v1.2.3"},
	} {
		if strings.Contains(name, rule[0]) {
			return rule[1]
		}
	}
	return strings.ToLower(strings.ReplaceAll(name, "_", "-"))
}
