package goldens_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/nightly"
)

// TestCloudInitBootsWhatProvidersDeliver boots machines with the userdata of the scenario "customised" that doubles of
// the providers have edited. A test of machineadmctl writes it.
func TestCloudInitBootsWhatProvidersDeliver(t *testing.T) {
	files, err := filepath.Glob("testdata/providers/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no userdata: %v", err)
	}
	for i, file := range nightly.Sample(files, 2) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			userdata, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			stubs := append(programs(), "reboot", "sudo", "ufw")
			m := newCloud(t, []string{"bookworm", "trixie"}[i%2], withoutDisks(userdata), stubs...)
			m.Run(t, "../cloudinit/boot.sh")
			if !m.Exists(sentinel) || !m.joined(t) {
				t.Fatalf("no sentinel, or kubeadm did not run once\n%s", m.Log())
			}
			m.validated(t)
			if calls := m.Read(t, "/var/log/calls"); strings.Contains("\n"+calls, "\nreboot") {
				t.Errorf("the machine rebooted:\n%s", calls)
			}
		})
	}
}
