package kubernetes_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/kubernetes"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
)

func artifact(name string) machine.Artifact {
	return machine.Artifact{Name: name, URL: "https://mirror.example/{version}/" + name + "-{arch}", SHA256: "abc"}
}

func TestExpand(t *testing.T) {
	cases := map[string]struct {
		reason, distribution string
		config               machine.KubernetesConfig
		want                 string
	}{
		"in the image": {
			reason: "Ubuntu's profile sets it", distribution: "ubuntu",
			want: "unit: enable unit kubelet.service",
		},
		"packages of apt": {
			reason: "the machine's version in any revision", distribution: "ubuntu",
			config: machine.KubernetesConfig{Provision: machine.ProvisionPackage},
			want: `
file: install 3 packages (refresh if missing)
| kubelet=1.36.3-*
| kubeadm=1.36.3-*
| kubectl=1.36.3-*
unit: enable unit kubelet.service`,
		},
		"packages of dnf": {
			reason: "dnf's notation", distribution: "rocky",
			config: machine.KubernetesConfig{Provision: machine.ProvisionPackage},
			want: `
file: install 3 packages (refresh if missing)
| kubelet-1.36.3-*
| kubeadm-1.36.3-*
| kubectl-1.36.3-*
unit: enable unit kubelet.service`,
		},
		"own packages": {
			reason: "the names as they are", distribution: "debian",
			config: machine.KubernetesConfig{Provision: machine.ProvisionPackage, Packages: []string{"k8s-node"}},
			want: `
file: install 1 packages (refresh if missing)
| k8s-node
unit: enable unit kubelet.service`,
		},
		"Flatcar's extension": {
			reason: "systemd's spelling of the architecture; the units are upheld", distribution: "flatcar",
			config: machine.KubernetesConfig{Artifacts: []machine.Artifact{artifact("kubernetes.raw")}},
			want: `
file: fetch /opt/extensions/kubernetes/kubernetes-v1.36.3-x86-64.raw from ` +
				`https://mirror.example/v1.36.3/kubernetes.raw-x86-64 (0644)
| sha256 abc
| sha512 
file: link /etc/extensions/kubernetes.raw to /opt/extensions/kubernetes/kubernetes-v1.36.3-x86-64.raw
file: run merge system extensions
| test -e /usr/lib/extension-release.d/extension-release.kubernetes || { systemd-sysext refresh && systemctl ` +
				`daemon-reload; }
unit: enable unit systemd-sysext.service
unit: configure unit multi-user.target
| 50-machineadm-kubernetes.conf
| [Unit]
| Upholds=kubelet.service`,
		},
		"Fedora CoreOS's extensions": {
			reason: "other places; CRI-O comes with them", distribution: "fedora-coreos",
			config: machine.KubernetesConfig{Artifacts: []machine.Artifact{artifact("kubernetes"), artifact("tools")}},
			want: `
file: fetch /var/lib/extensions.d/kubernetes-v1.36.3-x86-64.raw from ` +
				`https://mirror.example/v1.36.3/kubernetes-x86-64 (0644)
| sha256 abc
| sha512 
file: link /var/lib/extensions/kubernetes.raw to /var/lib/extensions.d/kubernetes-v1.36.3-x86-64.raw
file: fetch /var/lib/extensions.d/tools-v1.36.3-x86-64.raw from https://mirror.example/v1.36.3/tools-x86-64 (0644)
| sha256 abc
| sha512 
file: link /var/lib/extensions/tools.raw to /var/lib/extensions.d/tools-v1.36.3-x86-64.raw
file: run merge system extensions
| test -e /usr/lib/extension-release.d/extension-release.kubernetes && ` +
				`test -e /usr/lib/extension-release.d/extension-release.tools || { systemd-sysext refresh && systemctl ` +
				`daemon-reload; }
unit: enable unit systemd-sysext.service
unit: configure unit multi-user.target
| 50-machineadm-kubernetes.conf
| [Unit]
| Upholds=crio.service kubelet.service`,
		},
		"downloads": {
			reason:       "the plain architecture, programs with their labels, and a unit that no package contains",
			distribution: "fedora-coreos",
			config: machine.KubernetesConfig{
				Provision: machine.ProvisionDownload, Artifacts: []machine.Artifact{artifact("kubelet"), artifact("kubeadm")},
			},
			want: `
file: fetch /usr/local/bin/kubelet from https://mirror.example/v1.36.3/kubelet-amd64 (0755)
| sha256 abc
| sha512 
file: fetch /usr/local/bin/kubeadm from https://mirror.example/v1.36.3/kubeadm-amd64 (0755)
| sha256 abc
| sha512 
file: run label programs
| ! command -v restorecon >/dev/null || restorecon -F /usr/local/bin/kubelet /usr/local/bin/kubeadm
unit: enable unit kubelet.service
| [Unit]
| Description=Kubernetes node agent
| Wants=network-online.target
| After=network-online.target crio.service
| StartLimitIntervalSec=0
| 
| [Service]
| ExecStart=/usr/local/bin/kubelet
| Restart=always
| RestartSec=10
| 
| [Install]
| WantedBy=multi-user.target
| 10-kubeadm.conf
| [Service]
| EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
| EnvironmentFile=-/etc/sysconfig/kubelet
| ExecStart=
| ExecStart=/usr/local/bin/kubelet --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf ` +
				`--kubeconfig=/etc/kubernetes/kubelet.conf --config=/var/lib/kubelet/config.yaml $KUBELET_KUBEADM_ARGS ` +
				`$KUBELET_EXTRA_ARGS`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			actions, r := plugintest.Expand(t, kubernetes.New(), plugintest.Target(t, tc.distribution), tc.config)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
	plugintest.RefusesOtherKinds(t, kubernetes.New(), plugintest.Target(t, "ubuntu"))
}

// TestPackagesContainARuntime verifies that a machine with a configured containerd installs it, unless another package
// contains it.
func TestPackagesContainARuntime(t *testing.T) {
	c := machine.KubernetesConfig{Provision: machine.ProvisionPackage, Packages: []string{"k8s-node"}}
	target := plugintest.Target(t, "debian")
	actions, r := plugintest.Expand(t, kubernetes.New(), target, c, machine.ContainerdConfig{})
	plugintest.Check(t, "the image may have none", `
file: install 1 packages (refresh if missing)
| k8s-node
file: install 1 packages (refresh if missing, unless containerd exists)
| containerd
unit: enable unit kubelet.service`, actions, r)
	actions, r = plugintest.Expand(t, kubernetes.New(), target, c, machine.ContainerdConfig{},
		machine.PackagesConfig{Install: []string{"containerd.io"}})
	plugintest.Check(t, "both packages conflict", `
file: install 1 packages (refresh if missing)
| k8s-node
unit: enable unit kubelet.service`, actions, r)
}

func TestExpandRefuses(t *testing.T) {
	cases := map[string]struct {
		reason, distribution string
		config               machine.KubernetesConfig
		want                 string
	}{
		"stock Flatcar": {
			reason: "the image has no Kubernetes", distribution: "flatcar",
			want: "error: doc.artifacts: Flatcar gets Kubernetes by a system extension, and none is given; " +
				"give an artifact: name, URL and digest of an image that contains kubelet and kubeadm, " +
				"or set provision to Image if the machine's image contains them",
		},
		"stock Fedora CoreOS": {
			reason: "it has no runtime for kubelet, either", distribution: "fedora-coreos",
			want: "error: doc.artifacts: Fedora CoreOS gets Kubernetes by a system extension, and none is given; " +
				"give an artifact: name, URL and digest of an image that contains kubelet and kubeadm, and CRI-O, " +
				"or set provision to Image if the machine's image contains them",
		},
		"half a download": {
			reason: "kubectl alone makes no node", distribution: "flatcar",
			config: machine.KubernetesConfig{
				Provision: machine.ProvisionDownload,
				Artifacts: []machine.Artifact{artifact("kubectl")},
			},
			want: `
error: doc.artifacts: Flatcar gets Kubernetes by download, and no artifact is named kubelet; add one with its ` +
				`name, url and sha256
error: doc.artifacts: Flatcar gets Kubernetes by download, and no artifact is named kubeadm; add one with its ` +
				`name, url and sha256`,
		},
		"packages on Flatcar": {
			reason: "there is nothing to install them with", distribution: "flatcar",
			config: machine.KubernetesConfig{Provision: machine.ProvisionPackage},
			want:   "error: doc.provision: Flatcar has no package manager; use Image, Sysext or Download",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			actions, r := plugintest.Expand(t, kubernetes.New(), plugintest.Target(t, tc.distribution), tc.config)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
}

// TestAnnotationsNeedKubectl verifies that kubectl may be missing only if the machine does not run it.
func TestAnnotationsNeedKubectl(t *testing.T) {
	c := machine.KubernetesConfig{
		Provision: machine.ProvisionDownload, Artifacts: []machine.Artifact{artifact("kubelet"), artifact("kubeadm")},
	}
	target := plugintest.Target(t, "flatcar")
	if _, r := plugintest.Expand(t, kubernetes.New(), target, c, node.NodeConfig{}); r.HasErrors() {
		t.Errorf("without annotations: %v", r)
	}
	annotated := node.NodeConfig{Registration: node.Registration{Annotations: []node.Annotation{{Key: "a"}}}}
	actions, r := plugintest.Expand(t, kubernetes.New(), target, c, annotated)
	plugintest.Check(t, "the machine sets annotations with kubectl", "error: doc.artifacts: Flatcar gets Kubernetes by "+
		"download, and no artifact is named kubectl; add one with its name, url and sha256", actions, r)
}

func TestExpandRefusesUnknownFacts(t *testing.T) {
	target := plugintest.Target(t, "flatcar")
	target.KubernetesVersion, target.Architecture = "", ""
	_, r := plugintest.Expand(t, kubernetes.New(), target, machine.KubernetesConfig{Artifacts: []machine.Artifact{
		artifact("a"), {Name: "b", URL: "https://mirror.example/{arch}"}, {Name: "c", URL: "https://mirror.example/{other}"},
	}})
	plugintest.Check(t, "a placeholder without a value is no address", `
error: doc.artifacts[0].url: Kubernetes's version is not known; write it in place of {version}
error: doc.artifacts[1].url: the machine's architecture is not known; write it in place of {arch}`, nil, r)
	target.Profile.Provision = machine.ProvisionAuto
	actions, r := plugintest.Expand(t, kubernetes.New(), target, machine.KubernetesConfig{})
	if len(actions) > 0 || !strings.Contains(r.String(), "doc.provision") {
		t.Errorf("a profile without a value gives %v, %s; want a finding", actions, r)
	}
}

func TestConfiguredRuntime(t *testing.T) {
	cases := map[string]struct {
		reason, distribution string
		provision            machine.Provision
		other                document.Value
		want, not            string
	}{
		"upheld": {
			reason: "CRI-O comes with the extension there, too", distribution: "flatcar",
			other: machine.CRIOConfig{}, want: "Upholds=crio.service kubelet.service",
		},
		"not upheld": {
			reason: "the image has containerd", distribution: "fedora-coreos", other: machine.ContainerdConfig{},
			want: "Upholds=kubelet.service", not: "crio",
		},
		"after it": {
			reason: "kubelet's own unit comes after what it talks to", distribution: "fedora-coreos",
			provision: machine.ProvisionDownload,
			other:     machine.ContainerdConfig{}, want: "After=network-online.target containerd.service", not: "crio",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := machine.KubernetesConfig{Provision: tc.provision, Artifacts: []machine.Artifact{
				artifact("kubelet"),
				artifact("kubeadm"),
			}}
			actions, r := plugintest.Expand(t, kubernetes.New(), plugintest.Target(t, tc.distribution), c, tc.other)
			got := plugintest.Text(actions, r)
			if !strings.Contains(got, tc.want) || tc.not != "" && strings.Contains(got, tc.not) {
				t.Errorf("%s: want %s in\n%s", tc.reason, tc.want, got)
			}
		})
	}
}

// TestExtensionsAreTakenOut has a reset merge the extensions that are left.
func TestExtensionsAreTakenOut(t *testing.T) {
	c := machine.KubernetesConfig{Provision: machine.ProvisionSysext, Artifacts: []machine.Artifact{
		{Name: "kubernetes.raw", URL: "https://h/k.raw", SHA256: strings.Repeat("a", 64)},
	}}
	actions, r := plugintest.Expand(t, kubernetes.New(), plugintest.Target(t, "flatcar"), c)
	var renewals []string
	for _, a := range actions {
		if command, ok := a.Do.(action.RunCommand); ok {
			renewals = append(renewals, command.Renew)
		}
	}
	if diff := cmp.Diff([]string{"systemd-sysext refresh && systemctl daemon-reload"}, renewals); diff != "" {
		t.Errorf("%v: %s", r, diff)
	}
}
