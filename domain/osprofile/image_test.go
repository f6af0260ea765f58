package osprofile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// TestCheckImage holds the findings for documents that conflict with the images of a system.
func TestCheckImage(t *testing.T) {
	packages := machine.KubernetesConfig{Provision: machine.ProvisionPackage}
	joins := node.NodeConfig{}
	socket := node.NodeConfig{Registration: node.Registration{CRISocket: "unix:///run/cri-dockerd.sock"}}
	for name, c := range map[string]struct {
		system string
		values []document.Value
		want   string
	}{
		"a group of the image": {"ubuntu", []document.Value{machine.User{Name: "operator"}}, "spec[0].name"},
		"a group of Red Hat":   {"rocky", []document.Value{machine.User{Name: "wheel"}}, "spec[0].name"},
		"a user of Red Hat":    {"rocky", []document.Value{machine.User{Name: "operator"}}, ""},
		"a group that is selected": {
			"debian", []document.Value{machine.User{Name: "operator", PrimaryGroup: "operator"}}, "",
		},
		"another name":         {"debian", []document.Value{machine.User{Name: "ops"}}, ""},
		"groups are not known": {"photon", []document.Value{machine.User{Name: "operator"}}, ""},
		"a package of it":      {"ubuntu", []document.Value{packages, joins}, ""},
		"no runtime":           {"rocky", []document.Value{packages, joins}, "spec[0].provision"},
		"a socket":             {"rocky", []document.Value{packages, socket}, ""},
		"not a node":           {"ubuntu", []document.Value{packages}, ""},
		"in the image":         {"ubuntu", []document.Value{machine.KubernetesConfig{}, joins}, ""},
		"in every image":       {"bottlerocket", []document.Value{packages, joins}, ""},
		"a configured runtime": {"ubuntu", []document.Value{packages, joins, machine.ContainerdConfig{}}, ""},
		"a package": {
			"rocky", []document.Value{packages, joins, machine.PackagesConfig{Install: []string{"containerd.io"}}}, "",
		},
		"another package": {
			"rocky",
			[]document.Value{packages, joins, machine.PackagesConfig{Install: []string{"curl"}}},
			"spec[0].provision",
		},
		"a download": {
			"debian", []document.Value{joins, machine.KubernetesConfig{
				Provision: machine.ProvisionDownload, Artifacts: []machine.Artifact{{Name: "kubelet"}},
			}}, "spec[1].provision",
		},
		"a download of a runtime": {
			"debian", []document.Value{joins, machine.KubernetesConfig{
				Provision: machine.ProvisionDownload, Artifacts: []machine.Artifact{{Name: "containerd"}},
			}}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			profile, _ := osprofile.Lookup(c.system)
			var docs []document.Document
			for i, v := range c.values {
				docs = append(docs, document.Document{
					Value: v, Source: document.Source{Path: report.Path("spec").Index(i)},
				})
			}
			docs = append(docs, document.Document{Value: machine.PackageRepository{Name: "kubernetes"}})
			var got []string
			for _, f := range osprofile.CheckImage(docs, osprofile.Target{Profile: profile}) {
				if f.Severity != report.Warning || f.Message == "" || f.Remedy == "" {
					t.Errorf("finding %+v", f)
				}
				got = append(got, string(f.Path))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("findings at %q, want %q", got, c.want)
			}
		})
	}
}

// TestImageGroups holds that each row of the table has a source, and that its names are sorted.
func TestImageGroups(t *testing.T) {
	for _, g := range osprofile.ImageGroups() {
		if g.Source == "" || !slices.IsSorted(g.Names) || !slices.IsSorted(g.WithUser) ||
			!slices.Contains(osprofile.Families(), g.Family) {
			t.Errorf("row %+v", g)
		}
	}
}

// TestHasGroup checks the groups that images are known to have.
func TestHasGroup(t *testing.T) {
	for group, systems := range map[string]map[string]bool{
		"docker": {"flatcar": true, "fedora-coreos": false, "photon": false},
		"sudo":   {"flatcar": true, "rhcos": true, "ubuntu": true, "rocky": false},
		"ops":    {"flatcar": false, "ubuntu": false},
	} {
		for system, want := range systems {
			if profile, _ := osprofile.Lookup(system); profile.HasGroup(group) != want {
				t.Errorf("%s has the group %s: %t, want %t", system, group, !want, want)
			}
		}
	}
}
