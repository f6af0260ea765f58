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

// nodePrograms are the programs of a node, in place of Kubernetes, containerd and systemd, and those that install them.
func nodePrograms() map[string]string {
	const nothing = "#!/bin/sh\n"
	return map[string]string{
		"/usr/local/sbin/modprobe": nothing, "/usr/local/sbin/kubelet": nothing,
		"/usr/local/sbin/systemctl": nothing, "/usr/local/sbin/swapoff": nothing,
		"/usr/local/sbin/containerd": "#!/bin/sh\n" + `printf 'SystemdCgroup = false\nbin_dir = "/usr/lib/cni"\n'` + "\n",
		"/usr/local/sbin/apt-get":    "#!/bin/sh\n" + `echo "$*" >>/var/log/packages` + "\n",
		"/usr/local/sbin/apt-mark":   "#!/bin/sh\n" + `echo "$*" >>/var/log/packages` + "\n",
		"/usr/local/sbin/curl":       "#!/bin/sh\n" + `echo "$2" >"$4"` + "\n",
		"/usr/local/sbin/kubeadm": `#!/bin/sh
echo "$1" >>/var/log/kubeadm
case $1 in
  init | join) mkdir -p /etc/kubernetes && touch /etc/kubernetes/kubelet.conf ;;
  reset) rm -rf /etc/kubernetes/* ;;
esac
`,
	}
}

// prepared is what the guide's script writes to a host, followed by its calls of the package manager.
const prepared = `SystemdCgroup = true
bin_dir = "/opt/cni/bin"
br_netfilter
https://pkgs.k8s.io/core:/stable:/v1.36/deb/Release.key
deb [signed-by=/etc/apt/keyrings/kubernetes.asc] https://pkgs.k8s.io/core:/stable:/v1.36/deb/ /
update
install -y containerd curl
update
install -y kubelet kubeadm
hold kubelet kubeadm
`

// TestGuide runs the commands of the guide in one shell, with the real kubectl, clusterctl and SSH clients. The
// management cluster is also the workload cluster.
func TestGuide(t *testing.T) {
	debian.Packages(t, "openssh-client")
	f := newFleet(t, "default", 0, ports.DefaultHostDriverLimits())
	f.providers()
	controlPlane := f.network.Start(t, hosts.Options{Files: nodePrograms()})
	worker := f.network.Start(t, hosts.Options{Files: nodePrograms()})
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
	script := "set -euo pipefail\n" + page.Commands(guide, "Without hosts of your own")
	shell := exec.CommandContext(t.Context(), "bash", "-xc", script)
	shell.Dir = dir
	shell.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+dir, "KUBECONFIG="+dir+"/admin",
		"CLUSTERCTL_DISABLE_VERSIONCHECK=true", "GOPROXY=off")
	if output, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%+v", err, output, f.infrastructure())
	}
	for _, c := range []struct {
		host  *hosts.Host
		calls string
	}{{controlPlane, "init\nreset\n"}, {worker, "join\nreset\n"}} {
		if calls := c.host.Run(t, "cat /var/log/kubeadm"); calls != c.calls {
			t.Errorf("%s called kubeadm as %q", c.host.Name, calls)
		}
		if diff := cmp.Diff(prepared, c.host.Run(t, "cat /etc/containerd/config.toml "+
			"/etc/modules-load.d/kubernetes.conf /etc/apt/keyrings/kubernetes.asc /etc/apt/sources.list.d/kubernetes.list "+
			"/var/log/packages")); diff != "" {
			t.Errorf("%s is not prepared:\n%s", c.host.Name, diff)
		}
	}
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
