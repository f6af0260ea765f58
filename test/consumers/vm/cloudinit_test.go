//go:build e2e

package vm_test

import "testing"

const cloudConfig = `datasource_list: [NoCloud, None]
network: {config: disabled}
locale: C.UTF-8
ssh_genkeytypes: [ed25519]
`

func TestCloudInitCreatesFileSystems(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "cloud-init.target")
	m.Put(t, "/etc/cloud/cloud.cfg.d/99-test.cfg", cloudConfig, 0o644)
	m.Put(t, "/etc/machine-id", "0123456789abcdef0123456789abcdef\n", 0o444)
	m.Seed(t, golden(t, "storage", "cloud-init/ubuntu-24.04.yaml"), "instance-id: i-test-1\nlocal-hostname: node-1\n")
	m.Boot(t)
	holdsStorage(t, m)
}
