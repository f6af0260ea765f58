package vm_test

import (
	"os"
	"path/filepath"
	"testing"
)

const cloudConfig = `datasource_list: [NoCloud, None]
network: {config: disabled}
locale: C.UTF-8
ssh_genkeytypes: [ed25519]
`

// seed gives the machine its userdata as an infrastructure provider does, on a disk.
func (m *machine) seed(t *testing.T, userdata []byte) {
	t.Helper()
	dir := filepath.Join(m.state, "seed")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"user-data": userdata, "meta-data": []byte("instance-id: i-test-1\nlocal-hostname: node-1\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	output(t, "genisoimage", "-quiet", "-o", filepath.Join(m.state, "seed.iso"), "-V", "cidata", "-J", "-r",
		filepath.Join(dir, "user-data"), filepath.Join(dir, "meta-data"))
}

func TestCloudInitMakesFileSystems(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "cloud-init.target")
	m.put(t, "/etc/cloud/cloud.cfg.d/99-test.cfg", cloudConfig, 0o644)
	m.put(t, "/etc/machine-id", "0123456789abcdef0123456789abcdef\n", 0o444)
	m.seed(t, golden(t, "storage", "cloud-init/ubuntu-24.04.yaml"))
	m.boot(t)
	m.holdsStorage(t)
}
