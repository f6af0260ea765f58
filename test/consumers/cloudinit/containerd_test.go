package cloudinit_test

import (
	"bytes"
	"maps"
	"os/exec"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
)

// TestPackagesInstallContainerd boots Debian without a container runtime by real cloud-init. Real apt installs Debian's
// own containerd and packages in place of Kubernetes, from a signed repository. Real containerd reads the
// configuration. A machine with containerd keeps it.
func TestPackagesInstallContainerd(t *testing.T) {
	debian.Packages(t, "gpg", "dpkg-dev")
	key := debian.NewSigner(t)
	userdata := packagedNode(t, key.Public)
	runtimes := debian.Download(t, bookworm, "containerd", "runc")
	for name, installed := range map[string]bool{"no runtime": true, "containerd of the image": false} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, bookworm)
			m.Put(t, "/etc/apt/sources.list", "", 0o644)
			packed := kubernetesPackages(t)
			maps.Copy(packed, runtimes)
			putPackages(t, m, packed, key.Sign)
			if !installed {
				m.Put(t, "/usr/local/bin/containerd", stub, 0o755)
			}
			m.boot(t, userdata)
			if m.Exists("/usr/bin/containerd") != installed || !m.Exists("/usr/share/kubelet/file") || !m.sentinel() {
				t.Fatalf("containerd is installed: %t\n%s", m.Exists("/usr/bin/containerd"), m.Log())
			}
			if enabled := m.calls(t, "systemctl"); !strings.Contains(strings.Join(enabled, "\n"), "containerd.service") {
				t.Errorf("containerd is not enabled: %q", enabled)
			}
			if !installed {
				return
			}
			m.command(t, "containerd config dump >/var/log/dump\n"+debian.StartContainerd)
			dump := m.Read(t, "/var/log/dump")
			for _, want := range []string{
				"SystemdCgroup = true", `sandbox_image = "registry.k8s.io/pause:3.10.2"`, `bin_dir = "/opt/cni/bin"`,
			} {
				if !strings.Contains(dump, want) {
					t.Errorf("%s is missing in\n%s", want, dump)
				}
			}
		})
	}
}

// packagedNode returns the userdata of a node that installs Kubernetes by packages of the repository with the key.
func packagedNode(t *testing.T, key string) []byte {
	t.Helper()
	machineadmctl, err := programs.Build(t.Context(), "machineadmctl")
	if err != nil {
		t.Fatal(err)
	}
	const image, commands = "    kubernetes: {provision: Image}\n", "    preCommands: [systemctl enable --now RUNTIME]\n"
	packages := "    kubernetes: {provision: Package}\n    packages:\n      repositories:\n      - name: kubernetes\n" +
		"        url: file:///srv/packages/\n        signingKey: |\n          " +
		strings.ReplaceAll(strings.TrimSpace(key), "\n", "\n          ") + "\n"
	command := exec.CommandContext(t.Context(), machineadmctl, "render", "-f", "-")
	command.Stdin = strings.NewReader(strings.NewReplacer(image, packages, commands, "", "VERSION", "v1.36.3",
		"RELEASE", `"12"`).Replace(runtimeNode))
	var stderr bytes.Buffer
	command.Stderr = &stderr
	userdata, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	return userdata
}

// kubernetesPackages returns packages with the names and versions of those of Kubernetes.
func kubernetesPackages(t *testing.T) map[string]string {
	t.Helper()
	packed := map[string]string{}
	for _, name := range []string{"kubelet", "kubeadm", "kubectl"} {
		packed[name+".deb"] = debPackage(t, name, "1.36.3-1.1")
	}
	return packed
}
