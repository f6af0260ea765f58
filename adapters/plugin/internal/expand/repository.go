package expand

import (
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// Repository returns the actions that write the file and the signing key of a package repository, before any package is
// installed. With apt, the file refers to the key, so that the key verifies no other repository. RPM accepts a package
// of any repository that one of its keys has signed. A system without a package manager, an unknown version of
// Kubernetes, and a suite of RPM packages are error findings.
func Repository(r machine.PackageRepository, t osprofile.Target, at report.Path) ([]action.Action, report.Report) {
	url, found := repositoryURL(r, t, at)
	if t.Profile.PackageManager != osprofile.PackageManagerAPT {
		found = append(found, refuseSuite(r, t, at)...)
		found = append(found, refuseMain(r, at)...)
		found = append(found, unsignedIndex(r, t, at)...)
	}
	if found.HasErrors() {
		return nil, found
	}
	if t.Profile.PackageManager == osprofile.PackageManagerAPT {
		return action.During(document.PhaseTrust, debRepository(r, url)...), found
	}
	key, file := rpmRepository(r, url, t.Profile.PackageManager)
	operations := []action.Operation{key, file}
	if t.Profile.PackageManager == osprofile.PackageManagerZypper {
		// Without a terminal, zypper refuses keys that RPM does not know.
		operations = append(operations, action.RunCommand{
			Name: "trust the key of " + r.Name, Script: "rpm --import " + key.Path, When: document.PhaseTrust,
		})
	}
	return action.During(document.PhaseTrust, operations...), found
}

func repositoryURL(r machine.PackageRepository, t osprofile.Target, at report.Path) (string, report.Report) {
	if t.Profile.PackageManager == osprofile.PackageManagerNone {
		return "", report.Report{report.Errorf(at, "%s has no package manager", t.Profile.Name).
			To("add the programs to the image, or use a system extension or a download")}
	}
	minor := Minor(t.KubernetesVersion)
	if minor == "" && strings.Contains(r.URL, machine.MinorPlaceholder) {
		return "", report.Report{report.Errorf(at.Field("url"), "the version of Kubernetes is not known").
			To("write the minor version in place of %s", machine.MinorPlaceholder)}
	}
	return strings.ReplaceAll(r.URL, machine.MinorPlaceholder, minor), nil
}

// Minor returns the minor version of a version: v1.36 for v1.36.3. It is empty if the version has no minor version.
func Minor(version string) string {
	major, rest, found := strings.Cut(version, ".")
	if minor, _, _ := strings.Cut(rest, "."); found && minor != "" {
		return major + "." + minor
	}
	return ""
}

func refuseSuite(r machine.PackageRepository, t osprofile.Target, at report.Path) report.Report {
	if r.Suite == "" {
		return nil
	}
	return report.Report{report.Errorf(at.Field("suite"), "repositories of %s have no suites", t.Profile.Name).
		To("remove suite and components")}
}

// refuseMain refuses the name of the section with the settings of the package manager (dnf: dnf/conf/read.py). Package
// managers would install from the other repositories, without an error.
func refuseMain(r machine.PackageRepository, at report.Path) report.Report {
	if r.Name != "main" {
		return nil
	}
	return report.Report{report.Errorf(at.Field("name"), "dnf and yum read main as their own settings, and skip the "+
		"repository").To("use another name")}
}

// unsignedIndex warns about an index that anyone on the network can replace. zypper verifies the index (zypper(8),
// gpgcheck); the others verify only the packages, because many repositories of RPM packages have no signed index.
func unsignedIndex(r machine.PackageRepository, t osprofile.Target, at report.Path) report.Report {
	if t.Profile.PackageManager == osprofile.PackageManagerZypper || !strings.HasPrefix(strings.ToLower(r.URL), "http:") {
		return nil
	}
	return report.Report{report.Warningf(at.Field("url"), "the key verifies the packages, but not the index: "+
		"anyone between the machine and the server can offer old packages").To("use https")}
}

// debRepository returns the files of sources.list(5) in the format deb822, which apt reads since 1.1. An image may have
// the repository in a file of the older format: the documentation of Kubernetes creates kubernetes.list. Apt fails if
// two files name different keys for one URL, so that the older file is replaced by a comment.
func debRepository(r machine.PackageRepository, url string) []action.Operation {
	const directory = "/etc/apt/sources.list.d/"
	key := File("/etc/apt/keyrings/"+r.Name+".asc", armored(r))
	suite := r.Suite
	if suite == "" {
		suite = "/"
	}
	lines := []string{"Types: deb", "URIs: " + url, "Suites: " + suite}
	if len(r.Components) > 0 {
		lines = append(lines, "Components: "+strings.Join(r.Components, " "))
	}
	lines = append(lines, "Signed-By: "+key.Path, "")
	return []action.Operation{
		key, File(directory+r.Name+".sources", strings.Join(lines, "\n")),
		File(directory+r.Name+".list", "# "+r.Name+".sources replaces this file.\n"),
	}
}

// rpmRepository returns the files of yum.conf(5), which dnf, tdnf and zypper also read.
func rpmRepository(r machine.PackageRepository, url string, m osprofile.PackageManager) (key, file action.WriteFile) {
	key = File("/etc/pki/rpm-gpg/RPM-GPG-KEY-"+r.Name, armored(r))
	directory := "/etc/yum.repos.d/"
	if m == osprofile.PackageManagerZypper {
		directory = "/etc/zypp/repos.d/"
	}
	lines := []string{
		"[" + r.Name + "]", "name=" + r.Name, "baseurl=" + url, "enabled=1", "gpgcheck=1", "gpgkey=file://" + key.Path, "",
	}
	return key, File(directory+r.Name+".repo", strings.Join(lines, "\n"))
}

func armored(r machine.PackageRepository) string { return strings.TrimSpace(r.SigningKey) + "\n" }
