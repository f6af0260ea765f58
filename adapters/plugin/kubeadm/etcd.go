package kubeadm

import (
	"cmp"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// checkEtcdMount finds a file system whose root is the data directory of etcd and that has the directory lost+found.
// kubeadm refuses a data directory that is not empty, when it creates a cluster and when it joins one
// (cmd/kubeadm/app/preflight/checks.go: DirAvailableCheck).
func (j *job) checkEtcdMount(others []document.Document) {
	data := etcdDataDir
	if p := j.controlPlane; p != nil && p.LocalEtcd != nil {
		data = cmp.Or(p.LocalEtcd.DataDir, data)
	}
	check := "DirAvailable-" + strings.ReplaceAll(data, "/", "-")
	if !j.node.Role.IsControlPlane() || j.controlPlane != nil && j.controlPlane.ExternalEtcd != nil || j.ignores(check) {
		return
	}
	for _, d := range others {
		if m, is := d.Value.(machine.Mount); is && m.Path == data && hasLostAndFound(m, others) {
			j.find(report.Warningf(j.at, "the file system of %s has a directory lost+found, and kubeadm refuses a data "+
				"directory of etcd that is not empty", d.Source.Path).
				To("set spec.controlPlane.localEtcd.dataDir to a directory below the mount such as %s/data, use xfs, or add "+
					"%s to spec.node.ignorePreflightErrors", data, check))
		}
	}
}

// ignores reports whether kubeadm ignores the errors of the preflight check. It does not distinguish case.
func (j *job) ignores(check string) bool {
	return slices.ContainsFunc(j.node.Registration.IgnorePreflightErrors, func(name string) bool {
		return strings.EqualFold(name, check) || strings.EqualFold(name, "all")
	})
}

// hasLostAndFound reports whether the file system of the mount is certainly of a type whose mkfs creates lost+found.
func hasLostAndFound(m machine.Mount, others []document.Document) bool {
	extended := []string{"ext2", "ext3", "ext4"}
	if slices.Contains(extended, m.Type) {
		return true
	}
	return slices.ContainsFunc(document.Select[machine.Filesystem](others), func(f machine.Filesystem) bool {
		return slices.Contains(extended, f.Format) && (f.Device == m.Source || f.Label != "" && m.Source == "LABEL="+f.Label)
	})
}
