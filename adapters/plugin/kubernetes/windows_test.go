package kubernetes_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/kubernetes"
	"github.com/machineadm/machineadm/domain/machine"
)

func TestWindows(t *testing.T) {
	cases := map[string]struct {
		reason string
		config machine.KubernetesConfig
		want   string
	}{
		"in the image": {
			reason: "a service that ends before kubeadm has configured it is an error",
			want:   "unit: run enable kubelet\n| Set-Service -Name kubelet -StartupType Automatic",
		},
		"downloads": {
			reason: "programs of Windows have an extension",
			config: machine.KubernetesConfig{
				Provision: machine.ProvisionDownload, Artifacts: []machine.Artifact{artifact("kubelet"), artifact("kubeadm")},
			},
			want: `
file: run protect programs
| $null = [IO.Directory]::CreateDirectory('C:\k')
| icacls.exe 'C:\k' /setowner '*S-1-5-32-544'
| if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
| icacls.exe 'C:\k' /inheritance:r /grant:r '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' '*S-1-5-32-545:(OI)(CI)RX'
| if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
file: fetch C:\k\kubelet.exe from https://mirror.example/v1.36.3/kubelet-amd64 (0755)
| sha256 abc
| sha512 
file: fetch C:\k\kubeadm.exe from https://mirror.example/v1.36.3/kubeadm-amd64 (0755)
| sha256 abc
| sha512 
unit: run open kubelet's port
| $null = New-NetFirewallRule -Name kubelet -DisplayName kubelet -Direction Inbound -Protocol TCP -LocalPort 10250 ` +
				`-Action Allow`,
		},
		"extensions": {
			config: machine.KubernetesConfig{Provision: machine.ProvisionSysext, Artifacts: []machine.Artifact{artifact("a")}},
			want:   "error: doc.provision: Windows has no system extensions; use Image or Download",
		},
		"packages": {
			config: machine.KubernetesConfig{Provision: machine.ProvisionPackage},
			want:   "error: doc.provision: Windows Server 2022 has no package manager; use Image, Sysext or Download",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			actions, r := plugintest.Expand(t, kubernetes.New(), plugintest.Target(t, "windows-server-2022"), tc.config)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
}
