package osprofile

import (
	"path"
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// missingRepository returns a warning if the machine installs the packages kubelet, kubeadm and kubectl, and the
// configuration adds no repository. No distribution of the table has packages of these names in its own repositories.
// Whether an image has a repository is a fact about its operating system: a profile whose default is to install
// packages describes such images, and none of the table does.
//
// Sources: kubernetes.io, Installing kubeadm. Fedora and openSUSE name the packages kubernetes1.36-kubeadm, and Photon
// names them kubernetes-kubeadm.
func (t Target) missingRepository(docs []document.Document) report.Report {
	k, source, found := document.First[machine.KubernetesConfig](docs)
	byPackage := k.Provision == machine.ProvisionPackage && t.Profile.Provision != machine.ProvisionPackage &&
		t.Profile.PackageManager != PackageManagerNone
	if !found || !byPackage || len(k.Packages) > 0 || slices.ContainsFunc(docs, addsRepository) {
		return nil
	}
	if _, known := Lookup(t.Profile.ID); !known {
		return nil
	}
	return report.Report{report.Warningf(source.Path.Field("provision"), "the repositories of %s do not contain the "+
		"packages kubelet, kubeadm and kubectl, and the configuration adds no repository", t.Profile.Name).
		To("add one to spec.machine.packages.repositories; if the image has one, set provision: Package in the profile of " +
			"spec.os.profileFrom")}
}

// addsRepository reports whether the document is a repository of packages, or a file with one.
func addsRepository(d document.Document) bool {
	switch v := d.Value.(type) {
	case machine.PackageRepository:
		return true
	case machine.File:
		return slices.Contains([]string{".list", ".sources", ".repo"}, path.Ext(v.Path))
	default:
		return false
	}
}
