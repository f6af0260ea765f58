package cloudinit_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/packagerepository"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	dm "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nightly"
)

// TestSignedRepository boots machines that install a package from a repository on their disk, with the real apt. gpgv
// verifies signatures on bookworm, and sqv on trixie. Apt refuses the repository if another key signed its index, if
// nobody signed it, and if a package was replaced after signing. An image that has the repository with another key
// needs the same file name.
func TestSignedRepository(t *testing.T) {
	debian.Packages(t, "gpg", "dpkg-dev")
	key, other := debian.NewSigner(t), debian.NewSigner(t)
	cases := []struct {
		reason, message string
		index           func(t testing.TB, release string) string
		tamper          bool
		// list is the file of the image in which the repository has another key.
		list string
		// suites are those of a run that is not nightly.
		suites []string
	}{
		{reason: "signed", index: key.Sign, suites: []string{bookworm}},
		{reason: "signed by another key", index: other.Sign, message: "InRelease", suites: []string{bookworm, trixie}},
		{reason: "not signed", index: func(_ testing.TB, release string) string { return release }, message: "InRelease"},
		{reason: "replaced package", index: key.Sign, tamper: true, message: "Hash Sum mismatch", suites: []string{bookworm}},
		{reason: "the image's file has the same name", index: key.Sign, list: "conformance", suites: []string{trixie}},
		{
			reason: "the image's file has another name", index: key.Sign, list: "other",
			message: "Conflicting values set for option Signed-By", suites: []string{bookworm},
		},
	}
	// Each program verifies a good and a bad signature: the good one on trixie is that with the file of the image. The
	// other cases are about apt.
	for _, tc := range cases {
		for _, suite := range nightly.Or([]string{bookworm, trixie}, tc.suites) {
			t.Run(suite+" "+tc.reason, func(t *testing.T) {
				m := newMachine(t, suite)
				m.Put(t, "/etc/apt/sources.list", "", 0o644)
				if tc.list != "" {
					m.Put(t, "/etc/apt/sources.list.d/"+tc.list+".list", "deb [signed-by=/other.asc] file:///srv/packages/ /\n", 0o644)
				}
				putRepository(t, m, tc.index, tc.tamper)
				m.boot(t, installing(t, key.Public))
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
func putRepository(t *testing.T, m *machine, index func(testing.TB, string) string, tamper bool) {
	t.Helper()
	content := debPackage(t, "conformance", "1")
	putPackages(t, m, map[string]string{"conformance.deb": content}, index)
	if tamper {
		m.Put(t, "/srv/packages/conformance.deb", content+"\x00", 0o644)
	}
}

// putPackages puts a repository with the packages on the disk of the machine.
func putPackages(t *testing.T, m *machine, packed map[string]string, sign func(testing.TB, string) string) {
	t.Helper()
	for name, content := range debian.IndexPackages(t, packed, sign) {
		m.Put(t, "/srv/packages/"+name, content, 0o644)
	}
}

// debPackage returns a package that contains one file.
func debPackage(t *testing.T, name, version string) string {
	t.Helper()
	return debian.BuildPackage(t, name, version, map[string]string{"usr/share/" + name + "/file": ""})
}
