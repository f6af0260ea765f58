package osprofile_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// TestMissingRepository holds which machines find no packages of Kubernetes: those without a repository for them.
func TestMissingRepository(t *testing.T) {
	packages := machine.KubernetesConfig{Provision: machine.ProvisionPackage}
	const ubuntu = "warning: spec[0].provision: the repositories of Ubuntu do not contain the packages kubelet, kubeadm " +
		"and kubectl, and the configuration adds no repository; add one to spec.machine.packages.repositories; if the " +
		"image has one, set provision: Package in the profile of spec.os.profileFrom"
	images := osprofile.Profile{ID: "ubuntu", PackageManager: osprofile.PackageManagerAPT}
	images.Provision = machine.ProvisionPackage
	for name, c := range map[string]struct {
		system string
		values []document.Value
		want   string
	}{
		"none":            {"ubuntu", []document.Value{packages}, ubuntu},
		"another file":    {"ubuntu", []document.Value{packages, machine.File{Path: "/etc/motd"}}, ubuntu},
		"a repository":    {"ubuntu", []document.Value{packages, machine.PackageRepository{Name: "a"}}, ""},
		"a file with one": {"ubuntu", []document.Value{packages, machine.File{Path: "/etc/apt/sources.list.d/a.list"}}, ""},
		"packages by name": {"ubuntu", []document.Value{machine.KubernetesConfig{
			Provision: machine.ProvisionPackage, Packages: []string{"kubelet"},
		}}, ""},
		"the image has it":  {"ubuntu", []document.Value{machine.KubernetesConfig{}}, ""},
		"no Kubernetes":     {"ubuntu", nil, ""},
		"another system":    {"", []document.Value{packages}, ""},
		"the profile":       {"images", []document.Value{packages}, ""},
		"no package system": {"flatcar", []document.Value{packages}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			docs, _ := documents(append(c.values, machine.CRIOConfig{}))
			profile, _ := osprofile.Lookup(c.system)
			switch c.system {
			case "":
				profile = osprofile.Profile{Name: "Ours", PackageManager: osprofile.PackageManagerAPT}
			case "images":
				profile = images
			}
			got := osprofile.CheckImage(docs, osprofile.Target{Profile: profile}).String()
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
