package osprofile

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// Groups are groups in every image of a family of distributions. No user of the image has the name of one of them.
type Groups struct {
	Family Family
	Names  []string
	// Source is the reference for the names.
	Source string
}

// ImageGroups returns the groups of images by family. The groups of other families are not known.
func ImageGroups() []Groups {
	return []Groups{
		{
			FamilyDebian,
			[]string{
				"adm", "audio", "cdrom", "dialout", "dip", "disk", "fax", "floppy", "kmem", "nogroup", "operator", "plugdev",
				"sasl", "shadow", "src", "staff", "sudo", "tape", "tty", "users", "utmp", "video", "voice",
			},
			"package base-passwd 3.6.1: group.master and passwd.master",
		},
		{
			FamilyRHEL,
			[]string{
				"audio", "cdrom", "dialout", "disk", "floppy", "kmem", "lock", "man", "mem", "sys", "tape", "tty", "users",
				"video", "wheel",
			},
			"package setup: /etc/group and /etc/passwd",
		},
	}
}

// CheckImage returns findings for documents that conflict with the images of the target: users whose name is a group
// of the image, and nodes for which nothing installs a container runtime.
func CheckImage(docs []document.Document, t Target) report.Report {
	var r report.Report
	for _, d := range docs {
		if u, isUser := d.Value.(machine.User); isUser {
			r = append(r, t.groupOfImage(u, d.Source.Path)...)
		}
	}
	return append(r, t.missingRuntime(docs)...)
}

// groupOfImage returns a warning if useradd(8) would refuse the user, because it creates a group of the same name.
func (t Target) groupOfImage(u machine.User, at report.Path) report.Report {
	for _, g := range ImageGroups() {
		if u.PrimaryGroup == "" && g.Family == t.Profile.Family && slices.Contains(g.Names, u.Name) {
			return report.Report{report.Warningf(at.Field("name"), "%s has a group %s, so that useradd refuses a user of this "+
				"name", t.Profile.Name, u.Name).To("use another name, or set primaryGroup to %s", u.Name)}
		}
	}
	return nil
}

// missingRuntime returns a warning if the machine installs Kubernetes, and nothing shows that it has a container
// runtime. kubeadm would fail on such a machine. An image with Kubernetes has a runtime, too.
func (t Target) missingRuntime(docs []document.Document) report.Report {
	k, source, _ := document.First[machine.KubernetesConfig](docs)
	_, _, isNode := document.First[node.NodeConfig](docs)
	packages := slices.Clone(k.Packages)
	for _, p := range document.Select[machine.PackagesConfig](docs) {
		packages = append(packages, p.Install...)
	}
	installs := k.Provision == machine.ProvisionPackage || k.Provision == machine.ProvisionDownload
	if !isNode || !installs || t.KnownRuntime(docs) != "" || slices.ContainsFunc(packages, isRuntime) ||
		slices.ContainsFunc(k.Artifacts, func(a machine.Artifact) bool { return isRuntime(a.Name) }) {
		return nil
	}
	return report.Report{report.Warningf(source.Path.Field("provision"), "nothing installs a container runtime, and "+
		"images "+
		"of %s without Kubernetes have none", t.Profile.Name).
		To("add a package such as containerd to spec.machine.packages, or configure the runtime of the image with " +
			"spec.machine.containerd or crio")}
}

// isRuntime reports whether a package or a file has the name of a container runtime.
func isRuntime(name string) bool {
	return slices.ContainsFunc([]string{"containerd", "cri-o", "crio", "docker"}, func(runtime string) bool {
		return strings.HasPrefix(name, runtime)
	})
}
