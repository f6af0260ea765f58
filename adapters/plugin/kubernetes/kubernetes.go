// Package kubernetes installs kubelet, kubeadm and kubectl: as part of the image, as a system extension, as packages,
// or as verified downloads.
package kubernetes

import (
	"context"
	"strings"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Expander expands KubernetesConfig.
type Expander struct{}

// New returns the expander.
func New() Expander { return Expander{} }

// Describe returns the kind KubernetesConfig. It reads the container runtimes, because kubelet starts after the
// runtime, and the packages, because they may contain the runtime.
func (Expander) Describe() ports.Capability {
	return ports.Capability{
		Name: "kubernetes", Kinds: []document.Kind{machine.KindKubernetes},
		Reads: append(expand.RuntimeKinds(), machine.KindPackages),
	}
}

// request is what the ways to provide Kubernetes look at.
type request struct {
	config machine.KubernetesConfig
	target osprofile.Target
	// others are the documents that configure or install a container runtime.
	others []document.Document
	at     report.Path
}

// Expand returns the actions that install the programs as the document, or else the profile, specifies, and that enable
// kubelet. Missing artifacts, unknown versions, and systems without support for the provision are error findings.
func (Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	c, err := expand.Value[machine.KubernetesConfig]("kubernetes", e)
	if err != nil {
		return nil, nil, err
	}
	if c.Provision == machine.ProvisionAuto {
		c.Provision = e.Target.Profile.Provision
		if r := c.CheckUnused(e.Document.Source.Path); r.HasErrors() {
			return nil, r, nil
		}
	}
	operations, r := provide(request{config: c, target: e.Target, others: e.Others, at: e.Document.Source.Path})
	if r.HasErrors() {
		return nil, r, nil
	}
	return action.Of(operations...), r, nil
}

func provide(q request) ([]action.Operation, report.Report) {
	if expand.IsWindows(q.target) && q.config.Provision == machine.ProvisionSysext {
		return nil, report.Report{report.Errorf(q.at.Field("provision"), "Windows has no system extensions").
			To("use Image or Download")}
	}
	switch q.config.Provision {
	case machine.ProvisionImage:
		return []action.Operation{kubelet(q.target)}, nil
	case machine.ProvisionPackage:
		return packages(q)
	case machine.ProvisionSysext:
		return extensions(q)
	case machine.ProvisionDownload:
		return downloads(q)
	case machine.ProvisionAuto:
	}
	return nil, report.Report{report.Errorf(q.at.Field("provision"), "machineadm has no default provision for %s",
		q.target.Profile.Name).
		To("set provision to Image, Sysext, Package or Download")}
}

// kubelet has kubelet start at each boot. On Windows it starts once kubeadm has configured it, and not before: a
// service that ends at once is an error there.
func kubelet(t osprofile.Target) action.Operation {
	if expand.IsWindows(t) {
		return action.RunCommand{
			Name: "enable kubelet", Script: "Set-Service -Name kubelet -StartupType Automatic", When: document.PhaseUnit,
		}
	}
	return expand.Enabled("kubelet.service")
}

// packages installs the packages of the machine's version, whatever their revision, or those that the document names.
// It also installs containerd where the image has none.
func packages(q request) ([]action.Operation, report.Report) {
	manager := q.target.Profile.PackageManager
	if manager == osprofile.PackageManagerNone {
		return nil, report.Report{report.Errorf(q.at.Field("provision"), "%s has no package manager", q.target.Profile.Name).
			To("use Image, Sysext or Download")}
	}
	names := q.config.Packages
	if len(names) == 0 {
		for _, name := range []string{"kubelet", "kubeadm", "kubectl"} {
			names = append(names, pinned(manager, name, strings.TrimPrefix(q.target.KubernetesVersion, "v")))
		}
	}
	install := action.InstallPackages{PackagesConfig: machine.PackagesConfig{Install: names}, Refresh: true}
	operations := []action.Operation{install}
	if name := q.target.MissingRuntimePackage(q.config, q.others); name != "" {
		operations = append(operations, action.InstallPackages{
			PackagesConfig: machine.PackagesConfig{Install: []string{name}}, Refresh: true, Unless: "containerd",
		})
	}
	return append(operations, kubelet(q.target)), nil
}

// pinned returns the package in the given version, in the manager's notation.
func pinned(manager osprofile.PackageManager, name, version string) string {
	switch {
	case version == "":
		return name
	case manager == osprofile.PackageManagerAPT:
		return name + "=" + version + "-*"
	case manager == osprofile.PackageManagerZypper:
		return name + "=" + version
	case manager == osprofile.PackageManagerDNF:
		return name + "-" + version + "-*"
	default:
		return name + "-" + version
	}
}

// url returns the artifact's URL with the version and the architecture filled in.
func url(q request, a machine.Artifact, at report.Path, architecture string) (string, report.Report) {
	if strings.Contains(a.URL, "{version}") && q.target.KubernetesVersion == "" {
		return "", report.Report{report.Errorf(at.Field("url"), "Kubernetes's version is not known").To(
			"write it in place of {version}")}
	}
	if strings.Contains(a.URL, "{arch}") && architecture == "" {
		return "", report.Report{report.Errorf(at.Field("url"), "the machine's architecture is not known").To(
			"write it in place of {arch}")}
	}
	return strings.NewReplacer("{version}", q.target.KubernetesVersion, "{arch}", architecture).Replace(a.URL), nil
}

// fetch returns the action that downloads the artifact.
func fetch(a machine.Artifact, from, to string, mode machine.Mode) action.FetchFile {
	return action.FetchFile{Path: to, URL: from, SHA256: a.SHA256, SHA512: a.SHA512, Mode: mode}
}
