// Package plugins is the one list of core plugins.
package plugins

import (
	"github.com/machineadm/machineadm/adapters/plugin/chronyd"
	"github.com/machineadm/machineadm/adapters/plugin/containerd"
	"github.com/machineadm/machineadm/adapters/plugin/crio"
	"github.com/machineadm/machineadm/adapters/plugin/host"
	"github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/adapters/plugin/kubernetes"
	"github.com/machineadm/machineadm/adapters/plugin/modules"
	"github.com/machineadm/machineadm/adapters/plugin/ntpd"
	"github.com/machineadm/machineadm/adapters/plugin/osupdates"
	"github.com/machineadm/machineadm/adapters/plugin/packagerepository"
	"github.com/machineadm/machineadm/adapters/plugin/plain"
	"github.com/machineadm/machineadm/adapters/plugin/proxy"
	"github.com/machineadm/machineadm/adapters/plugin/staticpod"
	"github.com/machineadm/machineadm/adapters/plugin/sysctl"
	"github.com/machineadm/machineadm/adapters/plugin/timedetect"
	"github.com/machineadm/machineadm/adapters/plugin/timesyncd"
	"github.com/machineadm/machineadm/adapters/plugin/trust"
	"github.com/machineadm/machineadm/adapters/plugin/w32time"
	"github.com/machineadm/machineadm/ports"
)

// Builtin returns the expanders of all core plugins.
func Builtin() []ports.Expander {
	return []ports.Expander{
		plain.New(), host.New(), trust.New(), proxy.New(), modules.New(), sysctl.New(),
		packagerepository.Expander{},
		timedetect.New(), timesyncd.New(), chronyd.New(), ntpd.New(), w32time.New(),
		containerd.New(), crio.New(), kubernetes.New(), osupdates.New(),
		staticpod.Expander{},
		kubeadm.Expander{},
	}
}
