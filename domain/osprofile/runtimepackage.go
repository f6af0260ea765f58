package osprofile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/kubeadmnames"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// ContainerdFile is the main file of containerd's configuration on Linux.
const ContainerdFile = "/etc/containerd/config.toml"

// RuntimePackage is the package of containerd in the repositories of a release and its successors.
type RuntimePackage struct {
	Since string
	// Name is the name of the package, which contains the program containerd. It is empty if the release has none.
	Name string
	// Version is the minor version of containerd, such as 1.7. It is empty if it changes within a release.
	Version string
}

// containerdPackage returns the package of distributions whose releases get newer versions of containerd.
func containerdPackage() []RuntimePackage { return []RuntimePackage{{Name: "containerd"}} }

// runtimePackage returns the package of the target's release. Its name is empty if there is none.
func (t Target) runtimePackage() RuntimePackage {
	var p RuntimePackage
	for _, candidate := range t.Profile.RuntimePackages {
		if t.reads(candidate.Since) {
			p = candidate
		}
	}
	return p
}

// MissingRuntimePackage returns the package of containerd that the machine must install with Kubernetes unless it has
// containerd. It is empty if the packages of the configuration contain a runtime, and if nothing configures containerd.
func (t Target) MissingRuntimePackage(k machine.KubernetesConfig, docs []document.Document) string {
	_, _, configured := document.First[machine.ContainerdConfig](docs)
	if !configured || t.KnownRuntime(docs) != RuntimeContainerd || listedRuntime(k, docs) != "" {
		return ""
	}
	return t.runtimePackage().Name
}

// AddRuntime appends the configuration of a container runtime to the documents of a node that installs Kubernetes by
// packages, unless the configuration already determines the runtime. The runtime is the one whose package the
// configuration lists, or else containerd of the distribution.
func AddRuntime(docs []document.Document, t Target) []document.Document {
	k, source, _ := document.First[machine.KubernetesConfig](docs)
	if !t.lacksRuntime(k, docs) || cmp.Or(k.Provision, t.Profile.Provision) != machine.ProvisionPackage {
		return docs
	}
	source.Path = source.Path.Field("provision")
	listed := listedRuntime(k, docs)
	switch {
	case listed == RuntimeCRIO:
		return append(slices.Clip(docs), document.Document{Value: machine.CRIOConfig{}, Source: source})
	case listed == "" && t.runtimePackage().Name == "", slices.ContainsFunc(docs, writesContainerdFile):
		return docs
	default:
		c := machine.ContainerdConfig{SandboxImage: sandboxImage(docs, t)}
		return append(slices.Clip(docs), document.Document{Value: c, Source: source})
	}
}

// lacksRuntime reports whether the machine is a node that installs Kubernetes, and no field of the configuration
// determines its container runtime.
func (t Target) lacksRuntime(k machine.KubernetesConfig, docs []document.Document) bool {
	n, _, isNode := document.First[node.NodeConfig](docs)
	provision := cmp.Or(k.Provision, t.Profile.Provision)
	installs := provision == machine.ProvisionPackage || provision == machine.ProvisionDownload
	return isNode && installs && n.RuntimeEndpoint() == "" && t.KnownRuntime(docs) == ""
}

// sandboxImage returns the pause image that kubeadm of the target's version pulls, so that the machine needs no other
// one. It is empty, which means the default of containerd, if the version is not known.
func sandboxImage(docs []document.Document, t Target) string {
	v, _ := node.ParseVersion(t.KubernetesVersion)
	tag := kubeadmnames.PauseTag(v.Minor)
	if tag == "" {
		return ""
	}
	c, _, _ := document.First[node.ControlPlaneConfig](docs)
	return cmp.Or(c.ImageRepository, "registry.k8s.io") + "/pause:" + tag
}

func writesContainerdFile(d document.Document) bool {
	f, isFile := d.Value.(machine.File)
	return isFile && f.Path == ContainerdFile
}

// listedRuntime returns the runtime of the first package of the configuration that contains one.
func listedRuntime(k machine.KubernetesConfig, docs []document.Document) ContainerRuntime {
	packages := slices.Clone(k.Packages)
	for _, p := range document.Select[machine.PackagesConfig](docs) {
		packages = append(packages, p.Install...)
	}
	for _, name := range packages {
		if r := runtimeOf(name); r != "" {
			return r
		}
	}
	return ""
}

// runtimeOf returns the container runtime that a package or a file of the name contains. Docker contains containerd.
func runtimeOf(name string) ContainerRuntime {
	for _, r := range []struct {
		prefix  string
		runtime ContainerRuntime
	}{
		{"containerd", RuntimeContainerd},
		{"docker", RuntimeContainerd},
		{"moby", RuntimeContainerd},
		{"cri-o", RuntimeCRIO},
		{"crio", RuntimeCRIO},
	} {
		if strings.HasPrefix(name, r.prefix) {
			return r.runtime
		}
	}
	return ""
}

// missingRuntime returns a warning if the machine installs Kubernetes, and nothing shows that it has a container
// runtime. kubeadm would fail on such a machine. An image with Kubernetes has a runtime, too.
func (t Target) missingRuntime(docs []document.Document) report.Report {
	k, source, _ := document.First[machine.KubernetesConfig](docs)
	byPackage := cmp.Or(k.Provision, t.Profile.Provision) == machine.ProvisionPackage
	if !t.lacksRuntime(k, docs) || byPackage && t.runtimePackage().Name != "" || listedRuntime(k, docs) != "" ||
		slices.ContainsFunc(k.Artifacts, func(a machine.Artifact) bool { return runtimeOf(a.Name) != "" }) {
		return nil
	}
	at := source.Path.Field("provision")
	if byPackage {
		return report.Report{report.Warningf(at, "%s has no package of a container runtime, and its images have no runtime",
			t.name()).To("add a package such as containerd.io to spec.machine.packages.install, and its repository to " +
			"spec.machine.packages.repositories; or set spec.node.criSocket if the image has a runtime")}
	}
	return report.Report{report.Warningf(at, "nothing installs a container runtime, and images of %s without Kubernetes "+
		"have none", t.Profile.Name).To("add a package such as containerd to spec.machine.packages.install, or configure " +
		"the runtime of the image with spec.machine.containerd or crio")}
}

// runtimeLimit is the first minor version of Kubernetes 1 that needs a version of containerd.
type runtimeLimit struct {
	minor      int
	containerd string
	reason     string
}

// runtimeLimits returns the limits, the highest first.
//
// Sources: kubernetes/kubernetes CHANGELOG-1.26, kubelet only supports CRI v1; kubelet's metric
// kubelet_cri_losing_support, which names 1.37 in v1.36.3 and a later version in v1.37.
func runtimeLimits() []runtimeLimit {
	return []runtimeLimit{
		{38, "2.0", "kubelet asks the runtime for its cgroup driver"},
		{26, "1.6", "kubelet uses version v1 of CRI"},
	}
}

// oldRuntime returns a warning if the package that the machine installs is too old for its version of Kubernetes.
func (t Target) oldRuntime(docs []document.Document) report.Report {
	k, source, _ := document.First[machine.KubernetesConfig](docs)
	v, known := node.ParseVersion(t.KubernetesVersion)
	p := t.runtimePackage()
	installs := cmp.Or(k.Provision, t.Profile.Provision) == machine.ProvisionPackage &&
		t.MissingRuntimePackage(k, AddRuntime(docs, t)) != ""
	if !known || !installs || p.Version == "" {
		return nil
	}
	for _, l := range runtimeLimits() {
		if v.Minor >= l.minor && CompareReleases(p.Version, l.containerd) < 0 {
			return report.Report{report.Warningf(source.Path.Field("provision"), "%s has containerd %s, and Kubernetes %s "+
				"needs containerd %s or newer, because %s", t.name(), p.Version, v, l.containerd, l.reason).
				To("use a newer release of the operating system, or add a package such as containerd.io to " +
					"spec.machine.packages.install, and its repository to spec.machine.packages.repositories")}
		}
	}
	return nil
}
