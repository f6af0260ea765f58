package main

import (
	"context"
	_ "embed"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nodehost"
	"github.com/machineadm/machineadm/test/programs"
)

// sshAddresses are the addresses of the hosts: the driver assigns them in this order.
var sshAddresses = []string{"10.86.0.10", "10.86.0.11", "10.86.0.12"}

// The first boot of a host with an SSH server, and the settings of its containerd and kubelet.
var (
	//go:embed testdata/ssh-host.sh
	sshHostScript string
	//go:embed testdata/ssh-containerd.toml
	sshContainerd []byte
	//go:embed testdata/ssh-kubelet.yaml
	sshKubelet []byte
	//go:embed testdata/ssh-kubeadm.sh
	sshKubeadm []byte
)

// sshHostFiles returns what a host has in addition to the root file system of a node.
func sshHostFiles() map[string][]byte {
	return map[string][]byte{
		"etc/containerd/config.toml":                 sshContainerd,
		"etc/containerd/certs.d/_default/hosts.toml": []byte("[host.\"http://" + registry + "\"]\n"),
		"etc/default/kubelet":                        []byte("KUBELET_EXTRA_ARGS=--config-dir=/etc/kubelet.conf.d\n"),
		"etc/kubelet.conf.d/10-host.conf":            sshKubelet,
		"usr/local/sbin/kubeadm":                     sshKubeadm,
	}
}

// sshHosts starts a management cluster, and hosts that the user turns into a cluster by docs/guides/ssh-hosts.md.
func (d *demo) sshHosts(ctx context.Context, o options) error {
	n, err := d.prepareNodes(ctx, o)
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{n.startHosts, n.startPlanes, n.bootSSHHosts, n.writeNetwork} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	clusterctl, err := controlplane.Tool(ctx, "clusterctl")
	if err != nil {
		return err
	}
	n.print("each host has containerd, kubelet, kubeadm and the agent; continue with \"List the hosts\" in " +
		"docs/guides/ssh-hosts.md:")
	for _, line := range []string{
		"export PATH=$PWD/bin:" + filepath.Dir(n.kubectl) + ":" + filepath.Dir(clusterctl) + ":$PATH",
		"export KUBECONFIG=" + n.kubeconfig("management"),
		"cp " + relative(n.sshKey()) + " hosts-key",
		"CONTROL_PLANE=" + sshAddresses[0],
		"WORKER=" + sshAddresses[1],
		"NETWORK=" + relative(n.network()),
		"TEMPLATE=config/hosts/cluster-template-image.yaml",
	} {
		n.write([]byte("  " + line + "\n"))
	}
	return nil
}

// sshKey is the path of the key that logs in to the hosts, and network that of the manifests of their network plugin.
func (n *nodesDemo) sshKey() string  { return filepath.Join(n.out, "hosts-key") }
func (n *nodesDemo) network() string { return filepath.Join(n.out, "network.yaml") }

// bootSSHHosts boots the hosts, and returns when all of their SSH servers answer.
func (n *nodesDemo) bootSSHHosts(ctx context.Context) error {
	if _, err := programs.Script(ctx, "packages.sh", "openssh-client"); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "machineadm", "-f",
		n.sshKey()).CombinedOutput()
	if err != nil {
		return fmt.Errorf("create the SSH key: %w\n%s", err, out)
	}
	public, err := os.ReadFile(n.sshKey() + ".pub")
	if err != nil {
		return err
	}
	boot := ports.HostBoot{
		Format: ports.HostFormatShell,
		Data:   secret.FromString(strings.Replace(sshHostScript, "PUBLIC_KEY", strings.TrimSpace(string(public)), 1)),
	}
	for i, address := range sshAddresses {
		boot.Hostname = fmt.Sprintf("host-%d", i+1)
		if err := bootSSHHost(ctx, n.machines, boot, address); err != nil {
			return fmt.Errorf("boot %s: %w", boot.Hostname, err)
		}
		n.print("%s answers at %s", boot.Hostname, net.JoinHostPort(address, "22"))
	}
	return nil
}

func bootSSHHost(ctx context.Context, h *nodehost.Host, boot ports.HostBoot, address string) error {
	const claim = "00000000-0000-4000-8000-000000000000"
	target := ports.HostTarget{
		Namespace: "ssh", Name: boot.Hostname, Machine: &ports.HostMachineSettings{Root: rootName},
	}
	if err := h.Driver.Claim(ctx, target, claim); err != nil {
		return err
	}
	if err := h.Driver.Boot(ctx, target, claim, boot); err != nil {
		return err
	}
	return wait.PollUntilContextTimeout(ctx, pause, patience, true, func(ctx context.Context) (bool, error) {
		connection, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", net.JoinHostPort(address, "22"))
		if err == nil {
			return true, connection.Close()
		}
		return false, nil
	})
}

// writeNetwork writes the manifests of a network plugin that these hosts can pull.
func (n *nodesDemo) writeNetwork(context.Context) error {
	text, err := os.ReadFile(sample("demo-pods.yaml"))
	if err != nil {
		return err
	}
	manifests := strings.ReplaceAll(string(text), "10.86.0.5", sshAddresses[0])
	return os.WriteFile(n.network(), []byte(manifests), 0o600)
}
