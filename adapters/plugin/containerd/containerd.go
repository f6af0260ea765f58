// Package containerd configures containerd: its main file in version 2, 3 or 4, one directory for each registry, and
// its proxy.
//
// The expander replaces the main file completely, because distributions have different ones: Debian's has no imports,
// and Flatcar's is in /usr and takes effect unless CONTAINERD_CONFIG is set. containerd 1.x also replaces the whole
// section of a plugin by the section of an imported file. Therefore RawTOML is merged into the main file instead of
// being imported.
//
// Credentials are in registry.configs of the CRI plugin. containerd 1.6 to 2.4 read them in addition to config_path;
// those of a mirror are below the host of the mirror. They are deprecated, but have no replacement: an Authorization
// header in hosts.toml is overwritten if the registry issues tokens. Certificates of a registry are in hosts.toml,
// because registry.configs.*.tls and config_path together are an error.
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
	File = osprofile.ContainerdFile
	// HostsDirectory contains a directory with a file hosts.toml for each registry.
	HostsDirectory = "/etc/containerd/certs.d"
)

// Expander expands ContainerdConfig.
type Expander struct{}

// New returns the expander.
func New() Expander { return Expander{} }

// Describe returns the kind ContainerdConfig.
func (Expander) Describe() ports.Capability {
	return ports.Capability{Name: "containerd", Kinds: []document.Kind{machine.KindContainerd}}
}

// Expand returns the files of the configuration and enables the unit. The version is that of the document, or else of
// the target. The unit restarts if the configuration, the trust store or the machine's proxy changes.
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
			Name: "10-machineadm-config.conf", Content: document.Text("[Service]\nEnvironment=CONTAINERD_CONFIG=" + File + "\n"),
		}}
	}
	operations, dropIns := expand.OwnProxy("containerd", c.Proxy)
	unit.DropIns = append(unit.DropIns, dropIns...)
	return append(operations, unit)
}
