package expand_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

func TestPlace(t *testing.T) {
	windows, linux := plugintest.Target(t, "windows-server-2022"), plugintest.Target(t, "ubuntu")
	for path, want := range map[string]string{
		"/etc/machineadm/kubeadm.yaml":       `C:\ProgramData\machineadm\kubeadm.yaml`,
		"/etc/machineadmX":                   `C:\etc\machineadmX`,
		"/etc/containerd/config.toml":        `C:\Program Files\containerd\config.toml`,
		"/etc/containerd/certs.d/a/ca.pem":   `C:\ProgramData\containerd\certs.d\a\ca.pem`,
		"/etc/kubernetes/manifests/pod.yaml": `C:\etc\kubernetes\manifests\pod.yaml`,
	} {
		if got := expand.Place(windows, path); got != want {
			t.Errorf("%s has the path %s, want %s", path, got, want)
		}
		if got := expand.Place(linux, path); got != path {
			t.Errorf("%s has the path %s on Linux", path, got)
		}
	}
}

func TestPathsOfOtherSystems(t *testing.T) {
	windows, linux := plugintest.Target(t, "windows-server-2022"), plugintest.Target(t, "ubuntu")
	plugintest.Check(t, "Linux's path on Windows",
		`error: p: "/etc/a" is not a path of Windows Server 2022; begin it with a drive, as in C:\k`,
		nil, expand.Writable(windows, "p", "/etc/a"))
	plugintest.Check(t, "Windows's path on Linux", `error: p: "C:\\a" is not a path of Ubuntu; begin it with a slash`, nil,
		expand.Writable(linux, "p", `C:\a`))
	d := document.Document{Value: machine.SysctlConfig{}, Source: document.Source{Path: "p"}}
	plugintest.Check(t, "what Windows has nothing of", "error: p: SysctlConfig is not for Windows; do this", nil,
		expand.OnlyLinux(windows, d, "do this"))
	if len(expand.OnlyLinux(linux, d, "do this")) > 0 || expand.PowerShell("it's") != "'it''s'" {
		t.Error("Linux is refused, or a quote is not doubled")
	}
}
