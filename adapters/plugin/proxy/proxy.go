// Package proxy configures the machine's proxy for the bootstrap, kubelet, the container runtime and the package
// manager.
package proxy

import (
	"context"
	"strings"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// DropIn is the name of the drop-in of each service. The drop-in for a separate proxy of a container runtime sorts
// after it.
const DropIn = "50-machineadm-proxy.conf"

// aptFile is where apt.conf(5) finds the proxy.
const aptFile = "/etc/apt/apt.conf.d/90machineadm-proxy"

// Expander expands ProxyConfig.
type Expander struct{}

// New returns the expander.
func New() Expander { return Expander{} }

// Describe returns the kind ProxyConfig. It reads the container runtimes, because the runtime is restarted.
func (Expander) Describe() ports.Capability {
	return ports.Capability{Name: "proxy", Kinds: []document.Kind{machine.KindProxy}, Reads: expand.RuntimeKinds()}
}

// Expand writes the URLs, which may contain a password, to files that only root can read, in PhaseTrust. The services
// read the file through a drop-in, so that no unit contains a password. app/bootstrap has added what the machines of
// the cluster reach directly to NoProxy.
func (Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	c, err := expand.Value[machine.ProxyConfig]("proxy", e)
	if err != nil {
		return nil, nil, err
	}
	if c.HTTPProxy.IsZero() && c.HTTPSProxy.IsZero() {
		return nil, nil, nil
	}
	if expand.IsWindows(e.Target) {
		actions, r := windows(c, e)
		return actions, r, nil
	}
	actions := action.During(document.PhaseTrust, expand.SecretFile(expand.ProxyEnvironment, expand.Environment(c)))
	if e.Target.Profile.PackageManager == osprofile.PackageManagerAPT {
		apt, r := aptConfiguration(c, e.Document.Source.Path)
		if r.HasErrors() {
			return nil, r, nil
		}
		actions = append(actions, action.During(document.PhaseTrust, expand.SecretFile(aptFile, apt))...)
	}
	return append(actions, action.Of(services(expand.RuntimeUnit(e.Target, e.Others))...)...), nil, nil
}

// services restarts the container runtime, which may be running; kubelet is started later, by kubeadm.
func services(containers string) []action.Operation {
	dropIns := []machine.DropIn{{Name: DropIn, Content: document.Text(expand.EnvironmentDropIn(expand.ProxyEnvironment))}}
	runtime, kubelet := expand.Restarted(containers, machine.KindProxy), expand.Restarted("kubelet.service")
	runtime.DropIns, kubelet.DropIns = dropIns, dropIns
	return []action.Operation{runtime, kubelet}
}

// aptConfiguration returns the proxy in apt's format, whose values cannot contain a quotation mark.
func aptConfiguration(c machine.ProxyConfig, at report.Path) ([]byte, report.Report) {
	var b strings.Builder
	var r report.Report
	for _, p := range []struct {
		protocol, field string
		address         secret.Value
	}{{"http", "httpProxy", c.HTTPProxy}, {"https", "httpsProxy", c.HTTPSProxy}} {
		address := string(p.address.Reveal())
		if strings.ContainsAny(address, "\"\\") {
			r = append(r, report.Errorf(at.Field(p.field), "apt cannot read a quotation mark or a backslash in the address").
				To("write them as %%22 and %%5C"))
		}
		if address != "" {
			b.WriteString("Acquire::" + p.protocol + "::Proxy \"" + address + "\";\n")
		}
	}
	return []byte(b.String()), r
}
