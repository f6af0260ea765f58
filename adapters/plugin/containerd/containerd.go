// Package containerd configures containerd: its main file in version 2, 3 or 4, one directory for each registry, and
// its proxy.
//
// The main file is written whole. Distributions have different ones (Debian's has no imports,
// Flatcar's is in /usr and read in place of ours unless CONTAINERD_CONFIG is set), and containerd 1.x replaces
// a plugin's whole section by that of a file that it imports. For the same reason RawTOML is merged here and not left
// to an import.
//
// Credentials are in the plugin's registry.configs, which containerd 1.6 to 2.4 consult, next to config_path, for the
// host that they are talking to; a mirror's are found under the mirror's host. They are marked deprecated, but nothing
// replaces them: an Authorization header in hosts.toml is overwritten as soon as a registry hands out tokens. The
// certificates of a registry are in hosts.toml, because registry.configs.*.tls together with config_path is an error.
package containerd

import (
	"context"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// The files that are written.
const (
	// File is containerd's main file.
	File = "/etc/containerd/config.toml"
	// HostsDirectory holds a directory for each registry, with hosts.toml in it.
	HostsDirectory = "/etc/containerd/certs.d"
)

// Expander expands ContainerdConfig.
type Expander struct{}

// New returns the expander.
func New() Expander { return Expander{} }

// Describe names the kind.
func (Expander) Describe() ports.Capability {
	return ports.Capability{Name: "containerd", Kinds: []document.Kind{machine.KindContainerd}}
}

// Expand writes the configuration, in the document's version or else in the target's, and enables the unit, which
// restarts when the configuration, the trust store or the machine's proxy changes.
func (Expander) Expand(ctx context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	c, err := expand.Value[machine.ContainerdConfig]("containerd", e)
	if err != nil {
		return nil, nil, err
	}
	if c.Version == 0 {
		c.Version = e.Target.ContainerdConfigVersion()
	}
	main, r, err := mainFile(ctx, c, e.Target, e.Document.Source.Path)
	if err != nil {
		return nil, nil, err
	}
	hosts, found, err := registries(c.Registries, e.Target, e.Document.Source.Path.Field("registries"))
	if err != nil {
		return nil, nil, err
	}
	if r = append(r, found...); r.HasErrors() {
		return nil, r, nil
	}
	operations := append([]action.Operation{main}, hosts...)
	return action.Of(append(operations, service(c, e.Target)...)...), r, nil
}

func service(c machine.ContainerdConfig, t osprofile.Target) []action.Operation {
	unit := expand.Enabled("containerd.service", machine.KindContainerd, machine.KindTrustedCAs, machine.KindProxy)
	if expand.IsWindows(t) {
		return []action.Operation{unit}
	}
	if t.Profile.Family == osprofile.FamilyFlatcar {
		unit.DropIns = []machine.DropIn{{
			Name: "10-machineadm-config.conf", Content: "[Service]\nEnvironment=CONTAINERD_CONFIG=" + File + "\n",
		}}
	}
	operations, dropIns := expand.OwnProxy("containerd", c.Proxy)
	unit.DropIns = append(unit.DropIns, dropIns...)
	return append(operations, unit)
}
