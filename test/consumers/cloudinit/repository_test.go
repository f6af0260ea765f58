package cloudinit_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/packagerepository"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	dm "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/debian"
)

// TestSignedRepository boots machines that install a package from a repository on their disk, with the real apt. gpgv
// verifies signatures on bookworm, and sqv on trixie. Apt refuses the repository if another key signed its index, if
// nobody signed it, and if a package was replaced after signing. An image that has the repository with another key
// needs the same file name.
func TestSignedRepository(t *testing.T) {
	debian.Packages(t, "gpg", "dpkg-dev")
	key, other := newSigner(t), newSigner(t)
	cases := []struct {
		reason, message string
		index           func(t *testing.T, release string) string
		tamper          bool
		// list is the file of the image in which the repository has another key.
		list string
	}{
		{reason: "signed", index: key.sign},
		{reason: "signed by another key", index: other.sign, message: "InRelease"},
		{reason: "not signed", index: func(_ *testing.T, release string) string { return release }, message: "InRelease"},
		{reason: "replaced package", index: key.sign, tamper: true, message: "Hash Sum mismatch"},
		{reason: "the image's file has the same name", index: key.sign, list: "conformance"},
		{
			reason: "the image's file has another name", index: key.sign, list: "other",
			message: "Conflicting values set for option Signed-By",
		},
	}
	for _, suite := range []string{bookworm, trixie} {
		for _, tc := range cases {
			t.Run(suite+" "+tc.reason, func(t *testing.T) {
				m := newMachine(t, suite)
				m.Put(t, "/etc/apt/sources.list", "", 0o644)
				if tc.list != "" {
					m.Put(t, "/etc/apt/sources.list.d/"+tc.list+".list", "deb [signed-by=/other.asc] file:///srv/packages/ /\n", 0o644)
				}
				putRepository(t, m, tc.index, tc.tamper)
				m.boot(t, installing(t, key.public))
				installed := m.Exists("/usr/share/conformance/file")
				if tc.message == "" {
					if !installed || !m.sentinel() {
						t.Errorf("the package is installed: %t\n%s", installed, m.Log())
					}
					return
				}
				f := m.failure(t)
				if installed || m.sentinel() || f.Phase != "file" || f.ExitCode == 0 || !strings.Contains(f.Log, tc.message) {
					t.Errorf("the package is installed: %t; want a failure with %q: %+v", installed, tc.message, f)
				}
			})
		}
	}
}

// installing returns userdata that adds the repository and installs its package.
func installing(t *testing.T, key string) []byte {
	t.Helper()
	r := dm.PackageRepository{Name: "conformance", URL: "file:///srv/packages/", SigningKey: key}
	if found := r.Check(""); found.HasErrors() {
		t.Fatal(found)
	}
	d := document.Document{Value: r}
	actions, found, err := packagerepository.Expander{}.Expand(t.Context(), ports.Expansion{Document: d, Target: target()})
	if err != nil || found.HasErrors() {
		t.Fatal(err, found)
	}
	install := action.InstallPackages{PackagesConfig: dm.PackagesConfig{Install: []string{"conformance"}, Update: true}}
	return render(t, target(), append(actions, do(install))...)
}

// putRepository puts a repository without suites on the disk of the machine.
func putRepository(t *testing.T, m *machine, index func(*testing.T, string) string, tamper bool) {
	t.Helper()
	content := debPackage(t, "conformance", "1")
	putPackages(t, m, map[string]string{"conformance.deb": content}, index)
	if tamper {
		m.Put(t, "/srv/packages/conformance.deb", content+"\x00", 0o644)
	}
}

// debPackage returns a package that contains one file.
func debPackage(t *testing.T, name, version string) string {
	t.Helper()
	dir := t.TempDir()
	tree, packed := filepath.Join(dir, "tree"), filepath.Join(dir, "package.deb")
	for path, content := range map[string]string{
		"DEBIAN/control": "Package: " + name + "\nVersion: " + version + "\nArchitecture: all\n" +
			"Maintainer: a <a@a.example>\nDescription: file\n",
		"usr/share/" + name + "/file": "",
	} {
		path = filepath.Join(tree, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	debian.Output(t, "dpkg-deb", "--root-owner-group", "--build", tree, packed)
	content, err := os.ReadFile(packed)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// putPackages puts a repository with the packages on the disk of the machine.
func putPackages(t *testing.T, m *machine, packed map[string]string, index func(*testing.T, string) string) {
	t.Helper()
	for name, content := range packed {
		m.Put(t, "/srv/packages/"+name, content, 0o644)
	}
	packages := debian.Output(t, "sh", "-c", `cd "$0" && dpkg-scanpackages .`, m.Path("/srv/packages")) + "\n"
	release := fmt.Sprintf("Date: Thu, 01 Jan 2026 00:00:00 UTC\nSHA256:\n %x %d Packages\n",
		sha256.Sum256([]byte(packages)), len(packages))
	m.Put(t, "/srv/packages/Packages", packages, 0o644)
	m.Put(t, "/srv/packages/InRelease", index(t, release), 0o644)
}

// signer is a key of gpg.
type signer struct{ home, public string }

func newSigner(t *testing.T) signer {
	t.Helper()
	s := signer{home: t.TempDir()}
	if err := os.Chmod(s.home, 0o700); err != nil {
		t.Fatal(err)
	}
	s.gpg(t, "--quick-generate-key", "--passphrase", "", "conformance", "rsa2048", "sign", "never")
	s.public = s.gpg(t, "--armor", "--export")
	return s
}

func (s signer) gpg(t *testing.T, args ...string) string {
	t.Helper()
	return debian.Output(t, "gpg", append([]string{"--homedir", s.home, "--batch", "--quiet"}, args...)...)
}

// sign returns the index with its signature.
func (s signer) sign(t *testing.T, release string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "Release")
	if err := os.WriteFile(path, []byte(release), 0o600); err != nil {
		t.Fatal(err)
	}
	return s.gpg(t, "--clearsign", "--output", "-", path) + "\n"
}
