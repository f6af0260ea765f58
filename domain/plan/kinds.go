package plan

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/hardening"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
)

// Kind describes a kind of document.
type Kind struct {
	// Zero is the zero value of the kind's type. Zero.Kind() is the kind's name.
	Zero document.Value
	// Phase is when documents of the kind are applied. It is 0 for kinds that are replaced before planning: a
	// HardeningConfig changes other documents, and the indirect kinds are fetched or decrypted. It is also 0 for a
	// Command, which has a field for its phase.
	Phase document.Phase
	// Singleton limits a machine to one document of the kind.
	Singleton bool
}

// registry is the one list of kinds, in the order in which they are documented.
var registry = [...]Kind{ //nolint:gochecknoglobals // a constant table, which planning reads for each document
	{Zero: machine.Disk{}, Phase: document.PhaseDisk},
	{Zero: machine.Filesystem{}, Phase: document.PhaseDisk},
	{Zero: machine.Mount{}, Phase: document.PhaseDisk},
	{Zero: machine.Swap{}, Phase: document.PhaseDisk},
	{Zero: machine.TrustedCAsConfig{}, Phase: document.PhaseTrust, Singleton: true},
	{Zero: machine.ProxyConfig{}, Phase: document.PhaseTrust, Singleton: true},
	{Zero: machine.PackageRepository{}, Phase: document.PhaseTrust},
	{Zero: machine.HostConfig{}, Phase: document.PhaseTrust, Singleton: true},
	{Zero: machine.DomainJoin{}, Phase: document.PhaseTrust, Singleton: true},
	{Zero: machine.Group{}, Phase: document.PhaseUser},
	{Zero: machine.User{}, Phase: document.PhaseUser},
	{Zero: machine.PackagesConfig{}, Phase: document.PhaseFile, Singleton: true},
	{Zero: machine.KubernetesConfig{}, Phase: document.PhaseFile, Singleton: true},
	{Zero: machine.SysctlConfig{}, Phase: document.PhaseFile, Singleton: true},
	{Zero: machine.KernelModulesConfig{}, Phase: document.PhaseFile, Singleton: true},
	{Zero: machine.KernelArguments{}, Phase: document.PhaseFile, Singleton: true},
	{Zero: machine.TimeSyncConfig{}, Phase: document.PhaseFile, Singleton: true},
	{Zero: machine.ContainerdConfig{}, Phase: document.PhaseFile, Singleton: true},
	{Zero: machine.CRIOConfig{}, Phase: document.PhaseFile, Singleton: true},
	{Zero: machine.Directory{}, Phase: document.PhaseFile},
	{Zero: machine.Link{}, Phase: document.PhaseFile},
	{Zero: machine.File{}, Phase: document.PhaseFile},
	{Zero: node.StaticPod{}, Phase: document.PhaseFile},
	{Zero: node.VirtualIP{}, Phase: document.PhaseFile, Singleton: true},
	{Zero: machine.OSUpdatesConfig{}, Phase: document.PhaseUnit, Singleton: true},
	{Zero: machine.Unit{}, Phase: document.PhaseUnit},
	{Zero: machine.Command{}, Phase: document.PhaseBoot},
	{Zero: node.ControlPlaneConfig{}, Phase: document.PhaseJoin, Singleton: true},
	{Zero: node.NodeConfig{}, Phase: document.PhaseJoin, Singleton: true},
	{Zero: node.TalosSecrets{}, Phase: document.PhaseJoin, Singleton: true},
	{Zero: hardening.Config{}},
	{Zero: indirect.RemoteConfig{}},
	{Zero: indirect.EncryptedConfig{}},
	{Zero: indirect.MachineIdentity{}},
}

// Registry returns all kinds that a configuration can contain.
func Registry() []Kind { return registry[:] }

// Lookup returns the kind of the name. It is false for a kind that only a plugin can know.
func Lookup(name document.Kind) (Kind, bool) {
	for i := range registry {
		if registry[i].Zero.Kind() == name {
			return registry[i], true
		}
	}
	return Kind{}, false
}

// Kinds returns the names of the kinds that are planned, in the order of the registry. The conformance suite of
// renderers and the table of formats iterate over them, so that a new kind fails there until each format renders or
// refuses it.
func Kinds() []document.Kind {
	var names []document.Kind
	for i := range registry {
		if registry[i].Phase != 0 {
			names = append(names, registry[i].Zero.Kind())
		}
	}
	return names
}
