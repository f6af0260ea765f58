package packagerepository_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/packagerepository"
	"github.com/machineadm/machineadm/domain/machine"
)

func repository(change func(*machine.PackageRepository)) machine.PackageRepository {
	r := machine.PackageRepository{Name: "tools", URL: "https://mirror.example/{minor}/", SigningKey: "\nKEY\n\n"}
	if change != nil {
		change(&r)
	}
	return r
}

func TestExpand(t *testing.T) {
	cases := map[string]struct {
		reason, distribution string
		value                machine.PackageRepository
		want                 string
	}{
		"apt": {
			reason: "a repository without suites", distribution: "ubuntu", value: repository(nil),
			want: `
trust: write /etc/apt/keyrings/tools.asc (0644)
| KEY
trust: write /etc/apt/sources.list.d/tools.sources (0644)
| Types: deb
| URIs: https://mirror.example/v1.36/
| Suites: /
| Signed-By: /etc/apt/keyrings/tools.asc
trust: write /etc/apt/sources.list.d/tools.list (0644)
| # tools.sources replaces this file.`,
		},
		"apt with a suite": {
			reason: "only these components are read", distribution: "debian",
			value: repository(func(r *machine.PackageRepository) {
				r.Suite, r.Components = "trixie", []string{"main", "contrib"}
			}),
			want: `
trust: write /etc/apt/keyrings/tools.asc (0644)
| KEY
trust: write /etc/apt/sources.list.d/tools.sources (0644)
| Types: deb
| URIs: https://mirror.example/v1.36/
| Suites: trixie
| Components: main contrib
| Signed-By: /etc/apt/keyrings/tools.asc
trust: write /etc/apt/sources.list.d/tools.list (0644)
| # tools.sources replaces this file.`,
		},
		"dnf": {
			reason: "packages are verified", distribution: "rocky", value: repository(nil),
			want: `
trust: write /etc/pki/rpm-gpg/RPM-GPG-KEY-tools (0644)
| KEY
trust: write /etc/yum.repos.d/tools.repo (0644)
| [tools]
| name=tools
| baseurl=https://mirror.example/v1.36/
| enabled=1
| gpgcheck=1
| gpgkey=file:///etc/pki/rpm-gpg/RPM-GPG-KEY-tools`,
		},
		"zypper": {
			reason: "zypper reads another directory, and asks about unknown keys", distribution: "sles", value: repository(nil),
			want: `
trust: write /etc/pki/rpm-gpg/RPM-GPG-KEY-tools (0644)
| KEY
trust: write /etc/zypp/repos.d/tools.repo (0644)
| [tools]
| name=tools
| baseurl=https://mirror.example/v1.36/
| enabled=1
| gpgcheck=1
| gpgkey=file:///etc/pki/rpm-gpg/RPM-GPG-KEY-tools
trust: run trust the key of tools
| rpm --import /etc/pki/rpm-gpg/RPM-GPG-KEY-tools`,
		},
		"suite of RPM packages": {
			reason: "it would have no effect", distribution: "rocky",
			value: repository(func(r *machine.PackageRepository) { r.Suite = "9/" }),
			want:  "error: doc.suite: repositories of Rocky Linux have no suites; remove suite and components",
		},
		"the section main": {
			reason: "dnf reads its own settings from it and skips the repository", distribution: "rocky",
			value: repository(func(r *machine.PackageRepository) { r.Name = "main" }),
			want:  "error: doc.name: dnf and yum read main as their own settings, and skip the repository; use another name",
		},
		"no package manager": {
			reason: "nothing would read the file", distribution: "flatcar", value: repository(nil),
			want: "error: doc: Flatcar has no package manager; add the programs to the image, or use a system extension or a " +
				"download",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			x := packagerepository.Expander{}
			actions, r := plugintest.Expand(t, x, plugintest.Target(t, tc.distribution), tc.value)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
}

// TestIndexesWithoutSignature adds repositories over http: where only the packages are signed, the machine can be
// offered old ones.
func TestIndexesWithoutSignature(t *testing.T) {
	const warning = "warning: doc.url: the key verifies the packages, but not the index: anyone between the machine and " +
		"the server can offer old packages; use https"
	for distribution, want := range map[string]string{
		"rocky": warning, "amazon-linux-2": warning, "debian": "", "sles": "",
	} {
		for _, url := range []string{"http://mirror.example/", "HTTP://mirror.example/", "https://mirror.example/"} {
			value := repository(func(r *machine.PackageRepository) { r.URL = url })
			actions, r := plugintest.Expand(t, packagerepository.Expander{}, plugintest.Target(t, distribution), value)
			expected := want
			if url == "https://mirror.example/" {
				expected = ""
			}
			if r.String() != expected || len(actions) == 0 {
				t.Errorf("%s, %s: %q, %d actions", distribution, url, r, len(actions))
			}
		}
	}
}

func TestUnknownVersion(t *testing.T) {
	for _, version := range []string{"", "v1", "v1."} {
		target := plugintest.Target(t, "debian")
		target.KubernetesVersion = version
		actions, r := plugintest.Expand(t, packagerepository.Expander{}, target, repository(nil))
		plugintest.Check(t, "the URL would not exist", "error: doc.url: the version of Kubernetes is not known; write the "+
			"minor version in place of {minor}", actions, r)
	}
}

func TestOtherKinds(t *testing.T) {
	plugintest.RefusesOtherKinds(t, packagerepository.Expander{}, plugintest.Target(t, "debian"))
}
