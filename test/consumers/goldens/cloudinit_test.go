package goldens_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/scenarios"
)

const cloudConfig = `datasource_list: [NoCloud, None]
network: {config: disabled}
locale: C.UTF-8
growpart: {mode: "off"}
resize_rootfs: false
ssh_genkeytypes: [ed25519]
ssh_deletekeys: false
`

// newCloud returns a machine that cloud-init will find the userdata on.
func newCloud(t *testing.T, suite string, userdata []byte, stubs ...string) *machine {
	t.Helper()
	m := newMachine(t, suite, stubs...)
	m.Put(t, "/etc/cloud/cloud.cfg.d/99-test.cfg", cloudConfig, 0o644)
	m.Put(t, "/var/lib/cloud/seed/nocloud/meta-data",
		"instance-id: i-test-1\nlocal-hostname: node-1\nlocal_ipv4: 192.0.2.7\n", 0o644)
	m.Put(t, "/var/lib/cloud/seed/nocloud/user-data", string(userdata), 0o600)
	return m
}

// written is an entry of write_files.
type written struct {
	Path, Content, Encoding string
	Append                  bool
}

func (w written) bytes(t *testing.T) []byte {
	t.Helper()
	if w.Encoding == "" {
		return []byte(w.Content)
	}
	b, err := base64.StdEncoding.DecodeString(w.Content)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(w.Encoding, "gz") {
		return gunzip(t, b)
	}
	return b
}

func gunzip(t *testing.T, b []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if b, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return b
}

// withoutDisks returns the golden as a root without disks can take it: it waits for none, and the programs that change
// them are not the real ones. test/consumers/vm makes them.
func withoutDisks(golden []byte) []byte {
	return bytes.ReplaceAll(golden, []byte(`[ -b "$1" ]`), []byte("true"))
}

// programs are what the goldens start and the root lacks, or what cannot work in a root that is not booted.
func programs() []string {
	return []string{
		"systemctl", "apt-get", "dnf", "chronyd", "update-ca-certificates", "update-ca-trust", "swapoff", "restorecon",
		"systemd-sysext", "wipefs", "sfdisk", "mkfs.ext4", "mkfs.xfs", "mountpoint", "udevadm",
	}
}

func TestCloudInitReadsGoldens(t *testing.T) {
	suites := []string{"bookworm", "trixie"}
	for i, golden := range nightly.Sample(scenarios.Sample(t, "cloud-init"), 4) {
		for _, suite := range nightly.Or(suites, suites[i%2:][:1]) {
			t.Run(golden.Name()+"/"+suite, func(t *testing.T) {
				m := newCloud(t, suite, withoutDisks(golden.Data), programs()...)
				m.Run(t, "../cloudinit/boot.sh", "cloud-init schema --config-file /var/lib/cloud/seed/nocloud/user-data")
				m.Run(t, "../cloudinit/boot.sh")
				if !m.Exists(sentinel) || !m.joined(t) {
					t.Fatalf("no sentinel, or kubeadm did not run once\n%s", m.Log())
				}
				m.validated(t)
				m.holdsWritten(t, golden.Data)
				m.showsNoSecret(t, canary.SecretsIn(string(golden.Data))...)
			})
		}
	}
}

// holdsWritten compares files with those of write_files. Those of machineadm itself are removed after success.
func (m *machine) holdsWritten(t *testing.T, golden []byte) {
	t.Helper()
	var config struct {
		WriteFiles []written `json:"write_files"`
	}
	if err := yaml.Unmarshal(golden, &config); err != nil || len(config.WriteFiles) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, w := range config.WriteFiles {
		path := strings.TrimPrefix(w.Path, "/root/.machineadm")
		if w.Append || strings.HasPrefix(path, "/etc/machineadm/") || strings.HasPrefix(path, "/run/") {
			continue
		}
		if got := m.Read(t, path); got != string(w.bytes(t)) {
			t.Errorf("%q has %.80q", path, got)
		}
	}
}
