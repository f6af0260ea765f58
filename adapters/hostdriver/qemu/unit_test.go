//go:build linux

package qemu_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vincent-petithory/dataurl"

	"github.com/machineadm/machineadm/adapters/hostdriver/qemu"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// TestReports checks that what an earlier, longer report left on the disk is not read.
func TestReports(t *testing.T) {
	for text, want := range map[string]string{
		"phase Running\nend\n":                         "phase Running\nend\n",
		"phase Running\nend\nhostname bm9kZQ==\nend\n": "phase Running\nend\n",
		"end\nend\n":              "end\n",
		"phase Running\n\x00\x00": "phase Running\n\x00\x00",
		"phase Running\nweekend\nend\n\x00\x00\x00\x00x": "phase Running\nweekend\nend\n",
	} {
		if got := qemu.Report(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSeedOfAnotherFormat(t *testing.T) {
	for _, c := range []struct {
		seed   string
		format ports.HostFormat
		name   string
	}{
		{"", ports.HostFormatCloudConfig, "seed.iso"},
		{"ConfigDrive", ports.HostFormatCloudConfig, "seed.iso"},
		{"FirmwareConfig", ports.HostFormatCloudConfig, ""},
		{"", ports.HostFormatIgnition, "config.ign"},
		{"ConfigDrive", ports.HostFormatIgnition, "seed.iso"},
		{"NoCloud", ports.HostFormatIgnition, ""},
		{"", ports.HostFormatShell, ""},
	} {
		name, _, err := qemu.Seed(c.seed, ports.HostBoot{Format: c.format, Data: secret.FromString(`{}`)})
		if name != c.name || (err != nil) != (c.name == "") || err != nil && !hasFault(err, host.FaultFormat) {
			t.Errorf("%s in %q: %q, %v", c.format, c.seed, name, err)
		}
	}
}

func hasFault(err error, f host.Fault) bool {
	var failed *ports.HostError
	return errors.As(err, &failed) && failed.Fault == f
}

// TestIgnitionContainsTheUsersConfiguration checks that the user's configuration is unchanged, and that it is merged by
// the means of its version.
func TestIgnitionContainsTheUsersConfiguration(t *testing.T) {
	for version, want := range map[string]string{"3.4.0": "merge", "3.0.0": "merge", "2.3.0": "append"} {
		user := `{"ignition":{"version":"` + version + `"},"storage":{"files":[]}}`
		_, content, err := qemu.Seed("", ports.HostBoot{
			Format: ports.HostFormatIgnition, Data: secret.FromString(user), Hostname: "node-1",
		})
		if err != nil {
			t.Fatal(err)
		}
		var parent struct {
			Ignition struct {
				Version string
				Config  map[string][]struct{ Source string }
			}
			Storage struct {
				Files []struct{ Path, Filesystem string }
			}
		}
		if err := json.Unmarshal(content, &parent); err != nil {
			t.Fatal(err)
		}
		sources := parent.Ignition.Config[want]
		if len(sources) != 1 || parent.Ignition.Version[0] != version[0] {
			t.Fatalf("%s: %s", version, content)
		}
		decoded, err := dataurl.DecodeString(sources[0].Source)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(user, string(decoded.Data)); diff != "" {
			t.Error(diff)
		}
		if f := parent.Storage.Files; len(f) != 2 || f[0].Path != "/etc/hostname" ||
			(f[0].Filesystem != "") != (version[0] == '2') {
			t.Errorf("%s: the files are %+v", version, f)
		}
	}
}

func TestInvalidIgnitionIsNotShown(t *testing.T) {
	_, _, err := qemu.Seed("", ports.HostBoot{Format: ports.HostFormatIgnition, Data: secret.FromString("canary")})
	if !hasFault(err, host.FaultData) || strings.Contains(err.Error(), "canary") {
		t.Error(err)
	}
}

// qcow2 returns the header of an image.
func qcow2(version uint32, backing, features uint64) string {
	header := make([]byte, 104)
	copy(header, "QFI\xfb")
	binary.BigEndian.PutUint32(header[4:], version)
	binary.BigEndian.PutUint64(header[8:], backing)
	binary.BigEndian.PutUint64(header[24:], 2<<30)
	binary.BigEndian.PutUint64(header[72:], features)
	return string(header)
}

// TestImages claims machines with images that are invalid, and with one that is replaced.
func TestImages(t *testing.T) {
	directory := t.TempDir()
	d := qemu.New(qemu.Config{Directory: directory})
	write := func(name, content string) string {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(content))
		return hex.EncodeToString(sum[:])
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(directory, "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"directory", "machines/default/m"} {
		if err := os.MkdirAll(filepath.Join(directory, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("machines/default/m/raw", strings.Repeat("x", 100))
	sum := write("raw", strings.Repeat("x", 100))
	for name, c := range map[string]struct {
		settings ports.HostMachineSettings
		want     string
	}{
		"valid":           {ports.HostMachineSettings{Image: "raw", ImageSHA256: sum}, ""},
		"another digest":  {ports.HostMachineSettings{Image: "raw", ImageSHA256: sum[1:] + "0"}, "sha256 mismatch"},
		"missing":         {ports.HostMachineSettings{Image: "none", ImageSHA256: sum}, "no such file"},
		"a directory":     {ports.HostMachineSettings{Image: "directory", ImageSHA256: sum}, "not a file"},
		"another machine": {ports.HostMachineSettings{Image: "machines/default/m/raw", ImageSHA256: sum}, "not an image"},
		"outside":         {ports.HostMachineSettings{Image: "link", ImageSHA256: sum}, "escapes"},
		"valid qcow2":     {ports.HostMachineSettings{Image: "a", ImageSHA256: write("a", qcow2(3, 0, 0))}, ""},
		"with backing file": {
			ports.HostMachineSettings{Image: "b", ImageSHA256: write("b", qcow2(3, 104, 0))},
			"another file",
		},
		"with data file": {ports.HostMachineSettings{Image: "c", ImageSHA256: write("c", qcow2(3, 0, 4))}, "another file"},
		"a smaller disk": {
			ports.HostMachineSettings{Image: "d", ImageSHA256: write("d", qcow2(2, 0, 4)+"large"), DiskGiB: 1}, "a larger disk",
		},
	} {
		err := d.Claim(t.Context(), ports.HostTarget{
			Namespace: "default", Name: "m", Machine: &c.settings,
		}, "0b4e1c1e-0000-4000-8000-000000000001")
		if c.want == "" && err != nil ||
			c.want != "" && (!hasFault(err, host.FaultImage) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	write("raw", "y")
	target := ports.HostTarget{
		Namespace: "default", Name: "n",
		Machine: &ports.HostMachineSettings{Image: "raw", ImageSHA256: sum},
	}
	if _, err := d.Probe(t.Context(), target); !hasFault(err, host.FaultImage) {
		t.Errorf("a replaced image: %v", err)
	}
}
