package osprofile

import (
	"slices"
	"sync"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// Groups are groups in every image of a family of distributions.
type Groups struct {
	Family Family
	// Names are groups whose name no user of the image has. WithUser are groups with a user of the same name.
	Names, WithUser []string
	// Source is the reference for the names.
	Source string
}

// ImageGroups returns the groups of images by family. The groups of other families are not known.
func ImageGroups() []Groups { return slices.Clone(imageGroups()) }

var imageGroups = sync.OnceValue(func() []Groups { //nolint:gochecknoglobals // it never varies
	return []Groups{
		{
			FamilyCoreOS,
			[]string{
				"audio", "cdrom", "dialout", "disk", "floppy", "kmem", "lock", "mem", "sudo", "sys", "systemd-journal", "tape",
				"tty", "users", "video", "wheel",
			},
			[]string{"adm", "daemon", "mail", "nobody", "root"},
			"coreos/fedora-coreos-config: manifests/group and manifests/passwd, 2026-11",
		},
		{
			FamilyDebian,
			[]string{
				"adm", "audio", "cdrom", "dialout", "dip", "disk", "fax", "floppy", "kmem", "nogroup", "operator", "plugdev",
				"sasl", "shadow", "src", "staff", "sudo", "tape", "tty", "users", "utmp", "video", "voice",
			},
			[]string{"daemon", "mail", "root"},
			"package base-passwd 3.6.1: group.master and passwd.master",
		},
		{
			FamilyFlatcar,
			[]string{
				"audio", "cdrom", "dialout", "disk", "floppy", "kmem", "lock", "mem", "sudo", "sys", "systemd-journal", "tape",
				"tty", "users", "utmp", "video", "wheel",
			},
			[]string{"adm", "core", "daemon", "docker", "etcd", "man", "nobody", "root"},
			"flatcar/baselayout: baselayout/group and baselayout/passwd, 2026-11",
		},
		{
			FamilyRHEL,
			[]string{
				"audio", "cdrom", "dialout", "disk", "floppy", "kmem", "lock", "man", "mem", "sys", "tape", "tty", "users",
				"video", "wheel",
			},
			[]string{"adm", "daemon", "mail", "nobody", "root"},
			"package setup: /etc/group and /etc/passwd",
		},
	}
})

// HasGroup reports whether every image of the distribution has the group. It is false if that is not known.
func (p Profile) HasGroup(name string) bool {
	return slices.ContainsFunc(imageGroups(), func(g Groups) bool {
		return g.Family == p.Family && (slices.Contains(g.Names, name) || slices.Contains(g.WithUser, name))
	})
}

// CheckImage returns findings for documents that conflict with the images or the packages of the target: users whose
// name is a group of the image, nodes whose container runtime is missing or too old, and packages of Kubernetes without
// a repository.
func CheckImage(docs []document.Document, t Target) report.Report {
	var r report.Report
	for _, d := range docs {
		if u, isUser := d.Value.(machine.User); isUser {
			r = append(r, t.groupOfImage(u, d.Source.Path)...)
		}
	}
	return slices.Concat(r, t.missingRuntime(docs), t.oldRuntime(docs), t.missingRepository(docs))
}

// groupOfImage returns a warning if useradd(8) would refuse the user, because it creates a group of the same name.
func (t Target) groupOfImage(u machine.User, at report.Path) report.Report {
	for _, g := range imageGroups() {
		if u.PrimaryGroup == "" && g.Family == t.Profile.Family && slices.Contains(g.Names, u.Name) {
			return report.Report{report.Warningf(at.Field("name"), "%s has a group %s, so that useradd refuses a user of this "+
				"name", t.Profile.Name, u.Name).To("use another name, or set primaryGroup to %s", u.Name)}
		}
	}
	return nil
}
