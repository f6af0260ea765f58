package portstest

import (
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// Documents returns samples of every kind of document, for a target of a renderer's own operating system. A kind
// without samples is listed under its name without a document, so that the suite detects it.
func Documents(t osprofile.Target) []Sample {
	var all []Sample
	for _, kind := range plan.Kinds() {
		samples := named(string(kind), documentsOf(kind, t)...)
		for i := range samples {
			if samples[i].With == nil {
				samples[i].With = companions(kind, t)
			}
		}
		all = append(all, samples...)
	}
	return all
}

// documentsOf returns the kind's samples: those of the operations that it plainly is, or its own.
func documentsOf(kind document.Kind, t osprofile.Target) []Sample {
	var all []Sample
	for _, s := range Actions(t) {
		if s.Document == nil || s.Document.Kind() != kind || s.Document.Check("").HasErrors() {
			continue
		}
		_, variant, _ := strings.Cut(s.Name, ", ")
		s.Name, s.Do = variant, nil
		all = append(all, s)
	}
	if len(all) > 0 {
		return all
	}
	for _, samples := range [][]Sample{ofSystem(kind, t), ofNetwork(kind), ofRuntimes(kind), ofNodes(kind, t)} {
		all = append(all, samples...)
	}
	if len(all) == 0 {
		return []Sample{{}}
	}
	return all
}

// companions returns the documents that every machine has beside this one: its node.
func companions(kind document.Kind, t osprofile.Target) []document.Value {
	switch kind {
	case node.KindNode:
		return shared(t)
	case node.KindTalosSecrets:
		return []document.Value{worker(t)}
	default:
		return Machine(t)
	}
}

// Machine returns the documents that every machine has: its node, and what it shares with the machines of its cluster.
func Machine(t osprofile.Target) []document.Value { return append(shared(t), worker(t)) }

func ofSystem(kind document.Kind, t osprofile.Target) []Sample {
	switch kind {
	case machine.KindSysctl:
		c := machine.SysctlConfig{Settings: []machine.Sysctl{{Name: "net.ipv4.conformance", Value: "4711"}}}
		return []Sample{{Document: c, Expected: []Spellings{{"net.ipv4.conformance", "net/ipv4/conformance"}, {"4711"}}}}
	case machine.KindKernelModules:
		c := machine.KernelModulesConfig{Modules: []machine.KernelModule{{
			Name:    "conformance_module",
			Options: []string{"depth=4711"},
		}}}
		return []Sample{{Document: c, Expected: literals("conformance_module", "depth=4711")}}
	case machine.KindKernelArguments:
		add := machine.KernelArguments{ShouldExist: []string{"conformance.arg=4711"}}
		remove := machine.KernelArguments{ShouldNotExist: []string{"conformance.old"}}
		return []Sample{
			{Document: add, Expected: literals("conformance.arg", "4711")},
			{Name: "removed", Document: remove, Expected: literals("conformance.old")},
		}
	case machine.KindPackageRepository:
		return repositories(t)
	case machine.KindKubernetes:
		return kubernetes()
	case machine.KindOSUpdates:
		return []Sample{
			{Name: "off", Document: machine.OSUpdatesConfig{}, Expected: updaters(t)},
			{Name: "on", Document: machine.OSUpdatesConfig{Enabled: true}},
		}
	default:
		return nil
	}
}

// updaters returns the names of the system's own updaters. Services of Windows have no suffix.
func updaters(t osprofile.Target) []Spellings {
	var all []Spellings
	for _, unit := range t.Profile.Updaters {
		all = append(all, Spellings{unit, strings.TrimSuffix(unit, ".service")})
	}
	return all
}

func repositories(t osprofile.Target) []Sample {
	r := machine.PackageRepository{
		Name: "conformance", URL: "https://conformance.example/{minor}/packages",
		SigningKey: "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEY29uZm9ybWFuY2U=\n-----END PGP PUBLIC KEY BLOCK-----\n",
	}
	all := []Sample{{Document: r, Expected: literals("https://conformance.example/v1.", "mDMEY29uZm9ybWFuY2U=")}}
	if t.Profile.PackageManager == osprofile.PackageManagerAPT {
		r.Suite, r.Components = "conformance-suite", []string{"conformance-component"}
		all = append(all, Sample{Name: "suite", Document: r, Expected: literals(r.Suite, r.Components[0])})
	}
	return all
}

func kubernetes() []Sample {
	var programs []machine.Artifact
	for _, name := range []string{"kubelet", "kubeadm", "kubectl"} {
		programs = append(programs, machine.Artifact{
			Name: name, URL: "https://conformance.example/" + name,
			SHA256: sha256Digest,
		})
	}
	extension := machine.Artifact{
		Name: "kubernetes.raw", URL: "https://conformance.example/extension.raw",
		SHA256: sha256Digest,
	}
	return []Sample{
		{Name: "image", Document: machine.KubernetesConfig{Provision: machine.ProvisionImage}},
		{
			Name: "download", Document: machine.KubernetesConfig{Provision: machine.ProvisionDownload, Artifacts: programs},
			Expected: literals(programs[0].URL, programs[1].URL, sha256Digest),
		},
		{
			Name: "sysext", Document: machine.KubernetesConfig{
				Provision: machine.ProvisionSysext,
				Artifacts: []machine.Artifact{extension},
			},
			Expected: literals(extension.URL, sha256Digest),
		},
		{
			Name: "package", Document: machine.KubernetesConfig{
				Provision: machine.ProvisionPackage,
				Packages:  []string{"conformance-kubelet"},
			},
			Expected: literals("conformance-kubelet"),
		},
	}
}

func ofNetwork(kind document.Kind) []Sample {
	switch kind {
	case machine.KindTimeSync:
		c := machine.TimeSyncConfig{Servers: []string{"time.conformance.example"}}
		return []Sample{{Document: c, Expected: literals("time.conformance.example")}}
	case machine.KindTrustedCAs:
		pem, _ := authority(1)
		c := machine.TrustedCAsConfig{CAs: []machine.TrustedCA{{Name: "conformance", PEM: pem}}}
		return []Sample{{Document: c, Expected: literals(strings.Split(string(pem), "\n")[1])}}
	case machine.KindProxy:
		c := machine.ProxyConfig{
			HTTPProxy:  secret.FromString("http://conformer:" + secretPassword + "@proxy.conformance.example:3128"),
			HTTPSProxy: secret.FromString("http://proxies.conformance.example:3128"), NoProxy: []string{"10.47.11.0/24"},
		}
		return []Sample{{Document: c, Expected: literals(secretPassword, "proxies.conformance.example:3128",
			"10.47.11.0/24")}}
	default:
		return nil
	}
}

func ofRuntimes(kind document.Kind) []Sample {
	registries := []machine.Registry{{
		Host: "docker.io", Auth: &machine.RegistryAuth{Username: "conformer", Password: secret.FromString(secretPassword)},
		Mirrors: []machine.RegistryEndpoint{{
			URL:          "https://mirror.conformance.example",
			Capabilities: []string{"pull", "resolve"},
		}},
	}}
	const pause, mirror = "pause.conformance.example/pause:4711", "mirror.conformance.example"
	switch kind {
	case machine.KindContainerd:
		return []Sample{
			{Name: "pause image", Document: machine.ContainerdConfig{SandboxImage: pause}, Expected: literals(pause)},
			{Name: "registries", Document: machine.ContainerdConfig{Registries: registries}, Expected: literals(mirror)},
		}
	case machine.KindCRIO:
		return []Sample{
			{Name: "pause image", Document: machine.CRIOConfig{PauseImage: pause}, Expected: literals(pause)},
			{Name: "registries", Document: machine.CRIOConfig{Registries: registries}, Expected: literals(mirror)},
		}
	default:
		return nil
	}
}

func ofNodes(kind document.Kind, t osprofile.Target) []Sample {
	switch kind {
	case node.KindNode:
		return []Sample{
			{Name: "worker", Document: worker(t), Expected: literals("conformance.example:6443", secretToken,
				"conformance.example/label",
				"conformance.example/taint")},
			{Name: "control plane", Document: joining(t), Expected: literals("conformance.example:6443", secretToken)},
			{Name: "init", Document: starting(t), Expected: literals("conformance.example:6443")},
		}
	case node.KindControlPlane:
		c := node.ControlPlaneConfig{APIServer: node.APIServer{CertSANs: []string{"sans.conformance.example"}}}
		return []Sample{{Document: c, With: append(shared(t), starting(t)), Expected: literals("sans.conformance.example")}}
	case node.KindStaticPod:
		p := node.StaticPod{Name: "conformance-pod", Manifest: []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: " +
			"conformance-pod\n  namespace: kube-system\n" +
			"spec:\n  containers:\n  - name: conformance\n    image: conformance.example/image:4711\n")}
		return []Sample{{Document: p, Expected: literals("conformance-pod", "conformance.example/image:4711")}}
	case node.KindVirtualIP:
		v := node.VirtualIP{Address: "192.0.2.47", Interface: "conf0"}
		return []Sample{{Document: v, With: append(shared(t), starting(t)), Expected: literals("192.0.2.47", "conf0")}}
	case node.KindTalosSecrets:
		s := talosSecrets()
		return []Sample{{Document: s, Expected: literals(s.ClusterID)}}
	default:
		return nil
	}
}

// At returns the documents of the sample, each under a path of its own; the first is the sample's.
func (s Sample) At(path report.Path) []document.Document {
	values := s.With
	if s.Document != nil {
		values = append([]document.Value{s.Document}, s.With...)
	}
	docs := make([]document.Document, len(values))
	for i, v := range values {
		docs[i] = document.Document{Value: v, Source: document.Source{Path: path.Index(i)}}
	}
	return docs
}
