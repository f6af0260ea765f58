//go:build linux

package linux_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/osprofile"
)

// TestDetect detects systems that share an ID of os-release(5).
func TestDetect(t *testing.T) {
	for name, c := range map[string]struct{ reason, release, want string }{
		"Fedora":        {"", "ID=fedora\nVERSION_ID=43\nVARIANT_ID=cloud\n", "fedora"},
		"Fedora CoreOS": {"its ID is Fedora's", "ID=fedora\nVERSION_ID=43\nVARIANT_ID=coreos\n", "fedora-coreos"},
		"RHEL":          {"", "ID=\"rhel\"\nVERSION_ID=\"9.6\"\n", "rhel"},
		"RHEL CoreOS 4.18": {
			"it has its own ID", "ID=\"rhcos\"\nID_LIKE=\"rhel fedora\"\nVERSION_ID=\"4.18\"\nVARIANT_ID=coreos\n", "rhcos",
		},
		"RHEL CoreOS 4.19": {
			"its ID is RHEL's", "ID=\"rhel\"\nID_LIKE=\"fedora\"\nVERSION_ID=\"9.6\"\nVARIANT_ID=coreos\n", "rhcos",
		},
		"derivative": {"it has the programs of its ancestor", "ID=garden\nID_LIKE=debian\n", "debian"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "/etc/os-release", c.release, "")
			got, err := open(t, dir).Detect(t.Context(), osprofile.Target{})
			if err != nil || got.Profile.ID != c.want {
				t.Errorf("%s: got %q, want %q, error %v", c.reason, got.Profile.ID, c.want, err)
			}
		})
	}
}
