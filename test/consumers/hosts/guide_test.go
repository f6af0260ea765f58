//go:build linux

package hosts_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/hosts"
	"github.com/machineadm/machineadm/test/page"
	"github.com/machineadm/machineadm/test/programs"
)

var filePattern = regexp.MustCompile("(?s)```sh ([a-z.]+)\n(.*?)```")

// releaseKey is the URL of the key in the guide.
const releaseKey = "https://pkgs.k8s.io/core:/stable:/v1.36/deb/Release.key"

// packagesFolder is the folder of the repository on the hosts. The template adds the minor version of Kubernetes.
const packagesFolder = "/srv/packages"

// kubeadm is the program in place of kubeadm. Before it creates a node, it verifies the unit that turns off swap,
// records what the machine has configured, and starts the real containerd.
const kubeadm = `#!/bin/sh
set -e
echo "$1" >>/var/log/kubeadm
case $1 in
  init | join)
    systemd-analyze verify --man=no /etc/systemd/system/swapoff.service
    cat /etc/modules-load.d/90-machineadm.conf /etc/sysctl.d/90-machineadm.conf /var/log/systemctl >/var/log/prepared
    containerd config dump >>/var/log/prepared
    mount -t sysfs -o ro sysfs /sys
    ` + debian.StartContainerd + `
    umount /sys
    mkdir -p /etc/kubernetes && touch /etc/kubernetes/kubelet.conf
    ;;
  reset) rm -rf /etc/kubernetes/* ;;
esac
`

// freshHost returns the options of hosts without Kubernetes and a container runtime, and the public key of their
// repository. It contains containerd of Debian, and programs in place of Kubernetes. A program replaces systemctl.
func freshHost(t *testing.T) (o hosts.Options, key string) {
	t.Helper()
	debian.Packages(t, "gpg", "dpkg-dev")
	packed, signer := debian.Download(t, "bookworm", "containerd", "runc"), debian.NewSigner(t)
	for name, program := range map[string]string{
		"kubeadm": kubeadm, "kubelet": "#!/bin/sh\n", "kubectl": "#!/bin/sh\n",
	} {
		packed[name+".deb"] = debian.BuildPackage(t, name, "1.36.3-1.1", map[string]string{"usr/bin/" + name: program})
	}
	o = hosts.Options{Disk: 768, Files: map[string]string{
		"/usr/local/sbin/systemctl": "#!/bin/sh\n" + `echo "$*" >>/var/log/systemctl` + "\n", "/etc/apt/sources.list": "",
	}}
	for name, content := range debian.IndexPackages(t, packed, signer.Sign) {
		o.Files[packagesFolder+"/v1.36/deb/"+name] = content
	}
	return o, signer.Public
}

// checkFresh checks what the machine of a host that was fresh has configured and called, and what is left of it.
func checkFresh(t *testing.T, h *hosts.Host, calls string) {
	t.Helper()
	if got := h.Run(t, "cat /var/log/kubeadm"); got != calls {
		t.Errorf("%s called kubeadm as %q", h.Name, got)
	}
	prepared := h.Run(t, "cat /var/log/prepared")
	for _, want := range []string{
		"br_netfilter\noverlay\n", "net.ipv4.ip_forward = 1", "swapoff.service", "containerd.service",
		"SystemdCgroup = true", `sandbox_image = "registry.k8s.io/pause:3.10.2"`, `bin_dir = "/opt/cni/bin"`,
	} {
		if !strings.Contains(prepared, want) {
			t.Errorf("%s: %q is missing in\n%s", h.Name, want, prepared)
		}
	}
	const installed = "containerd installed\nkubeadm installed\nkubectl installed\nkubelet installed\nrunc installed\n"
	if diff := cmp.Diff(installed, h.Run(t, "dpkg-query -Wf '${Package} ${db:Status-Status}\n' containerd kube\\* runc; "+
		"find /etc/apt/sources.list.d /etc/apt/keyrings /etc/systemd/system/swapoff.service -type f 2>&1 | "+
		"grep -v 'No such file' || :")); diff != "" {
		t.Errorf("%s:\n%s", h.Name, diff)
	}
}

// TestGuide runs the commands of the guide in one shell, with the real kubectl, clusterctl and SSH clients. Real apt of
// Debian installs the packages on the hosts, and real containerd starts. The management cluster is also the workload
// cluster.
func TestGuide(t *testing.T) {
	debian.Packages(t, "openssh-client")
	f := newFleet(t, "default", 0, ports.DefaultHostDriverLimits())
	f.providers()
	fresh, key := freshHost(t)
	controlPlane, worker := f.network.Start(t, fresh), f.network.Start(t, fresh)
	// The addresses of the guide lead nowhere. The Secrets make the management cluster the workload cluster.
	cluster := client.ObjectKey{Namespace: f.name, Name: "demo"}
	kubeconfig, err := f.ClusterKubeconfig(cluster, "kubernetes-admin")
	f.Expect(err).NotTo(HaveOccurred())
	// The controller leaves a kubeconfig of another type alone.
	kubeconfig.Type = corev1.SecretTypeOpaque
	f.create(f.ClusterCA(cluster), kubeconfig)
	f.kubelets()
	f.initializes()

	dir, bin := t.TempDir(), t.TempDir()
	guide := f.guide(dir, bin, controlPlane, worker)
	f.write(filepath.Join(dir, "key"), key)
	f.write(filepath.Join(bin, "curl"), "#!/bin/sh\n[ \"$2\" = "+releaseKey+" ] && cp "+dir+"/key Release.key\n")
	script := "set -euo pipefail\n" + page.Commands(guide, "Without hosts of your own", "A second worker")
	shell := exec.CommandContext(t.Context(), "bash", "-xc", script)
	shell.Dir = dir
	shell.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+dir, "KUBECONFIG="+dir+"/admin",
		"CLUSTERCTL_DISABLE_VERSIONCHECK=true", "GOPROXY=off", "KUBERNETES_PACKAGES_URL=file://"+packagesFolder)
	if output, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%+v", err, output, f.infrastructure())
	}
	checkFresh(t, controlPlane, "init\nreset\n")
	checkFresh(t, worker, "join\nreset\n")
	f.Expect(f.Client.Get(t.Context(), cluster, &clusterv1.Cluster{})).NotTo(Succeed())
}

// providers starts the bootstrap provider and the control plane provider.
func (f *fleet) providers() {
	f.t.Helper()
	program, err := programs.Build(f.t.Context(), "machineadm-controller")
	f.Expect(err).NotTo(HaveOccurred())
	f.Expect(f.InstallProvider(f.ctx)).To(Succeed())
	f.t.Setenv("POD_NAMESPACE", controlplane.ProviderNamespace)
	p, err := f.StartProvider(f.ctx, program)
	f.Expect(err).NotTo(HaveOccurred())
	f.t.Cleanup(func() { f.Expect(p.Stop()).To(Succeed()) })
	f.Expect(f.InstallPlanes(f.ctx)).To(Succeed())
	planes, err := f.StartPlanesProvider(f.ctx, program)
	f.Expect(err).NotTo(HaveOccurred())
	f.t.Cleanup(func() { f.Expect(planes.Stop()).To(Succeed()) })
}

// initializes lets real kubeadm initialize the cluster when its first machine has run its data.
func (f *fleet) initializes() {
	f.t.Helper()
	ctx, cancel := context.WithCancel(f.ctx)
	done := make(chan error, 1)
	go func() {
		host, port := f.Endpoint()
		for {
			select {
			case <-ctx.Done():
				done <- ctx.Err()
				return
			case <-time.After(200 * time.Millisecond):
			}
			for _, m := range f.infrastructure() {
				if ptr.Deref(m.Status.Initialization.Provisioned, false) {
					done <- f.Welcome(ctx, m.Namespace+"-"+m.Name, fmt.Sprintf("%s:%d", host, port), "v1.36.3")
					return
				}
			}
		}
	}()
	f.t.Cleanup(func() {
		cancel()
		f.Expect(<-done).To(Succeed())
	})
}

// guide returns the text of the guide with the addresses of the hosts. It writes to dir what the reader of the guide
// has, and to bin the programs that the guide calls.
func (f *fleet) guide(dir, bin string, controlPlane, worker *hosts.Host) string {
	f.t.Helper()
	root := programs.Root()
	text, err := os.ReadFile(filepath.Join(root, "docs/guides/ssh-hosts.md"))
	f.Expect(err).NotTo(HaveOccurred())
	// The network plugin of the page is not here.
	page := strings.NewReplacer("10.20.0.11", controlPlane.Address, "10.20.0.12", worker.Address,
		"https://github.com/flannel-io/flannel/releases/latest/download/kube-flannel.yml",
		filepath.Join(root, "config/samples/demo-pods.yaml")).Replace(string(text))
	for _, file := range filePattern.FindAllStringSubmatch(page, -1) {
		f.write(filepath.Join(dir, file[1]), file[2])
	}
	f.Expect(f.WriteKubeconfig(filepath.Join(dir, "admin"))).To(Succeed())
	for _, folder := range []string{
		filepath.Join(dir, "config/hosts"), filepath.Join(dir, "out/agents"), filepath.Join(dir, ".ssh"),
	} {
		f.Expect(os.MkdirAll(folder, 0o700)).To(Succeed())
	}
	agent, err := programs.Build(f.t.Context(), "machineadm")
	f.Expect(err).NotTo(HaveOccurred())
	for link, target := range map[string]string{
		filepath.Join(dir, "config/hosts/cluster-template.yaml"): filepath.Join(root, "config/hosts/cluster-template.yaml"),
		filepath.Join(dir, "out/agents/machineadm-linux-amd64"):  agent,
	} {
		f.Expect(os.Symlink(target, link)).To(Succeed())
	}
	machineadmctl, err := programs.Build(f.t.Context(), "machineadmctl")
	f.Expect(err).NotTo(HaveOccurred())
	f.Expect(os.Symlink(machineadmctl, filepath.Join(bin, "machineadmctl"))).To(Succeed())
	f.programs(dir, bin, controlPlane, worker)
	return page
}

// programs writes the programs that the guide calls. Those for SSH run in the network of the hosts, with the keys of
// the person who has installed them. The providers run already.
func (f *fleet) programs(dir, bin string, installed ...*hosts.Host) {
	f.t.Helper()
	config := "StrictHostKeyChecking accept-new\nUserKnownHostsFile " + dir + "/known\n"
	for _, h := range installed {
		key := filepath.Join(dir, h.Name)
		f.write(key, string(h.Key.Reveal()))
		f.Expect(os.Chmod(key, 0o600)).To(Succeed())
		config += "IdentityFile " + key + "\n"
	}
	f.write(filepath.Join(dir, "ssh_config"), config)
	run := func(arguments ...string) string {
		return "#!/bin/sh\nexec " + strings.Join(f.network.Command(arguments...), " ") + ` "$@"` + "\n"
	}
	f.write(filepath.Join(bin, "ssh"), run("/usr/bin/ssh", "-F", dir+"/ssh_config"))
	f.write(filepath.Join(bin, "scp"), run("/usr/bin/scp", "-F", dir+"/ssh_config"))
	f.write(filepath.Join(bin, "ssh-keyscan"), run("/usr/bin/ssh-keyscan"))
	for name, first := range map[string]string{"kubectl": "", "clusterctl": `[ "$1" = init ] && exit; `} {
		program, err := controlplane.Tool(f.t.Context(), name)
		f.Expect(err).NotTo(HaveOccurred())
		f.write(filepath.Join(bin, name), fmt.Sprintf("#!/bin/sh\n%sexec %s \"$@\"\n", first, program))
	}
}

func (f *fleet) write(path, text string) {
	f.t.Helper()
	f.Expect(os.WriteFile(path, []byte(text), 0o755)).To(Succeed())
}
