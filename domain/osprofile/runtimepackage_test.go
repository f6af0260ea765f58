package osprofile_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// TestAddRuntime holds which runtime a node with packages gets, and which package contains it.
func TestAddRuntime(t *testing.T) {
	packages := machine.KubernetesConfig{Provision: machine.ProvisionPackage}
	list := func(names ...string) machine.PackagesConfig { return machine.PackagesConfig{Install: names} }
	socket := func(s string) node.NodeConfig { return node.NodeConfig{Registration: node.Registration{CRISocket: s}} }
	joins := node.NodeConfig{}
	for name, c := range map[string]struct {
		reason, system string
		values         []document.Value
		kind           document.Kind
		pkg            string
	}{
		"nothing shows a runtime": {
			"the distribution has a package", "debian",
			[]document.Value{packages, joins},
			machine.KindContainerd, "containerd",
		},
		"another name": {
			"Azure Linux numbers it", "azurelinux", []document.Value{packages, joins}, machine.KindContainerd, "containerd2",
		},
		"a configured containerd": {
			"the image may have no containerd", "debian",
			[]document.Value{packages, joins, machine.ContainerdConfig{}},
			"", "containerd",
		},
		"the image": {
			"it has a runtime", "debian", []document.Value{machine.KubernetesConfig{}, joins}, "", "",
		},
		"not a node": {"it runs no containers", "debian", []document.Value{packages}, "", ""},
		"no package": {"Red Hat has none", "rocky", []document.Value{packages, joins}, "", ""},
		"a package of another repository": {
			"it needs the configuration", "rocky",
			[]document.Value{packages, joins, list("jq", "containerd.io")},
			machine.KindContainerd, "",
		},
		"instead of the distribution's": {
			"both packages conflict", "debian",
			[]document.Value{packages, joins, list("containerd.io")},
			machine.KindContainerd, "",
		},
		"among those of Kubernetes": {
			"the packages are in the other list", "debian", []document.Value{joins, machine.KubernetesConfig{
				Provision: machine.ProvisionPackage, Packages: []string{"kubelet", "cri-o"},
			}}, machine.KindCRIO, "",
		},
		"a configured CRI-O": {
			"one runtime is enough", "debian", []document.Value{packages, joins, machine.CRIOConfig{}}, "", "",
		},
		"the socket of a runtime": {
			"the image has it", "debian", []document.Value{packages, socket("unix:///run/cri-dockerd.sock")}, "", "",
		},
		"the socket of containerd": {
			"the image has it", "debian", []document.Value{packages, socket("/run/containerd/containerd.sock")}, "", "",
		},
		"the user's file": {
			"two configurations are one too many", "debian",
			[]document.Value{packages, joins, machine.File{Path: osprofile.ContainerdFile}},
			"", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			docs, k := documents(c.values)
			target := osprofile.Target{KubernetesVersion: "v1.36.3"}
			target.Profile, _ = osprofile.Lookup(c.system)
			all := osprofile.AddRuntime(docs, target)
			var kind document.Kind
			for _, d := range all[len(docs):] {
				kind = d.Kind()
				if !strings.HasSuffix(string(d.Source.Path), ".provision") {
					t.Errorf("the document is from %s", d.Source.Path)
				}
			}
			if kind != c.kind || len(osprofile.AddRuntime(all, target)) != len(all) {
				t.Errorf("%s: added %q, and then others: %v", c.reason, kind, all)
			}
			if pkg := target.MissingRuntimePackage(k, all); pkg != c.pkg {
				t.Errorf("%s: package %q, want %q", c.reason, pkg, c.pkg)
			}
		})
	}
}

func documents(values []document.Value) (docs []document.Document, k machine.KubernetesConfig) {
	for i, v := range values {
		docs = append(docs, document.Document{Value: v, Source: document.Source{Path: report.Path("spec").Index(i)}})
	}
	k, _, _ = document.First[machine.KubernetesConfig](docs)
	return docs, k
}

// TestSandboxImage holds that the machine pulls one pause image, that of kubeadm.
func TestSandboxImage(t *testing.T) {
	packages := machine.KubernetesConfig{Provision: machine.ProvisionPackage}
	own := node.ControlPlaneConfig{ImageRepository: "mirror.example/k8s"}
	for name, c := range map[string]struct {
		version string
		values  []document.Value
		want    string
	}{
		"by version":       {"v1.33.1", nil, "registry.k8s.io/pause:3.10"},
		"of a mirror":      {"v1.36.3", []document.Value{own}, "mirror.example/k8s/pause:3.10.2"},
		"a newer version":  {"v1.99.0", nil, ""},
		"an older version": {"v1.20.0", nil, ""},
		"no version":       {"", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			docs, _ := documents(append([]document.Value{packages, node.NodeConfig{}}, c.values...))
			profile, _ := osprofile.Lookup("ubuntu")
			all := osprofile.AddRuntime(docs, osprofile.Target{Profile: profile, KubernetesVersion: c.version})
			added, _, found := document.First[machine.ContainerdConfig](all)
			if !found || added.SandboxImage != c.want {
				t.Errorf("added %t with the image %q, want %q", found, added.SandboxImage, c.want)
			}
		})
	}
}

// TestOldRuntime holds which packages are too old for a version of Kubernetes.
func TestOldRuntime(t *testing.T) {
	packages := machine.KubernetesConfig{Provision: machine.ProvisionPackage}
	repository := machine.PackageRepository{Name: "kubernetes"}
	other := machine.PackagesConfig{Install: []string{"containerd.io"}}
	for name, c := range map[string]struct {
		release, version string
		values           []document.Value
		want             string
	}{
		"new enough":      {"12", "v1.37.0", nil, ""},
		"too old":         {"12", "v1.38.0", nil, "has containerd 1.6, and Kubernetes v1.38.0 needs containerd 2.0"},
		"much too old":    {"11", "v1.26.0", nil, "has containerd 1.4, and Kubernetes v1.26.0 needs containerd 1.6"},
		"another package": {"12", "v1.38.0", []document.Value{other}, ""},
		"no version":      {"12", "", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			docs, _ := documents(append([]document.Value{packages, node.NodeConfig{}, repository}, c.values...))
			profile, _ := osprofile.Lookup("debian")
			found := osprofile.CheckImage(docs, osprofile.Target{
				Profile: profile, Release: c.release, KubernetesVersion: c.version,
			})
			if got := found.String(); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
			for _, f := range found {
				if f.Path != "spec[0].provision" || f.Remedy == "" || f.Severity != report.Warning {
					t.Errorf("finding %+v", f)
				}
			}
		})
	}
}
