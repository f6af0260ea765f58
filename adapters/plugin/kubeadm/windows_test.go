package kubeadm_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
)

func windowsWorker() node.NodeConfig {
	return node.NodeConfig{
		Role: node.RoleWorker, KubernetesVersion: "v1.36.3", Cluster: node.Cluster{Endpoint: "a.example:6443"}, Verbosity: 2,
		Discovery: &node.Discovery{
			Token:        secret.FromString("abcdef.0123456789abcdef"),
			CACertHashes: []string{"sha256:" + strings.Repeat("a", 64)},
		},
		Kubelet: node.Kubelet{Config: node.Tree{"maxPods": 60}},
	}
}

func TestWorkerOfWindows(t *testing.T) {
	actions, r := plugintest.Expand(t, kubeadm.Expander{}, plugintest.Target(t, "windows-server-2022"), windowsWorker())
	text := plugintest.Text(actions, r)
	for _, want := range []string{
		`write C:\ProgramData\machineadm\kubeadm.yaml (0600)`, `"criSocket":"npipe:////./pipe/containerd-containerd"`,
		`"patches":{"directory":"C:\\ProgramData\\machineadm\\patches"}`,
		`write C:\ProgramData\machineadm\patches\kubeletconfiguration0000+merge.yaml (0600)`,
		`$arguments = @('join', '--config', 'C:\ProgramData\machineadm\kubeadm.yaml', '--v=2')`, `$bin = 'C:\k'`,
		`[IO.File]::Delete('C:\ProgramData\machineadm\kubeadm.yaml')`,
		`[IO.Directory]::Delete('C:\ProgramData\machineadm\patches', $true)`,
		`icacls.exe 'C:\etc\kubernetes' /inheritance:r /grant:r '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F'`,
		`icacls.exe 'C:\var\lib\kubelet\pki' /inheritance:r /grant:r '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F'`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing:\n%s", want, text)
		}
	}
	for _, a := range actions {
		if c, ok := a.Do.(action.RunCommand); ok && strings.Contains(c.Script, "abcdef.") {
			t.Error("the script holds the token")
		}
	}
}

func TestControlPlaneOnWindowsIsRefused(t *testing.T) {
	n := windowsWorker()
	n.Role = node.RoleControlPlane
	want := "error: doc: a Windows machine cannot be a control plane machine: Kubernetes supports only Linux for it; " +
		"use a Linux distribution for control plane machines"
	actions, r := plugintest.Expand(t, kubeadm.Expander{}, plugintest.Target(t, "windows-server-2025"), n)
	plugintest.Check(t, "a node", want, actions, r)
	actions, r = plugintest.Expand(t, kubeadm.Expander{}, plugintest.Target(t, "windows-server-2025"),
		node.ControlPlaneConfig{})
	plugintest.Check(t, "its components", want, actions, r)
}
