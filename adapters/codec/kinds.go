package codec

import (
	"reflect"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/hardening"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
)

// values are the domain's types of all kinds that can be serialised.
func values() []document.Value {
	return []document.Value{
		machine.Disk{},
		machine.Filesystem{},
		machine.Mount{},
		machine.Swap{},
		machine.TrustedCAsConfig{},
		machine.ProxyConfig{},
		machine.Group{},
		machine.User{},
		machine.HostConfig{},
		machine.DomainJoin{},
		machine.File{},
		machine.SysctlConfig{},
		machine.KernelModulesConfig{},
		machine.TimeSyncConfig{},
		machine.PackagesConfig{},
		machine.KubernetesConfig{},
		machine.ContainerdConfig{},
		machine.CRIOConfig{},
		node.StaticPod{},
		machine.Unit{},
		machine.OSUpdatesConfig{},
		machine.Command{},
		node.NodeConfig{},
		node.ControlPlaneConfig{},
		node.TalosSecrets{},
		hardening.Config{},
		indirect.RemoteConfig{},
		indirect.EncryptedConfig{},
		indirect.MachineIdentity{},
	}
}

// newValue returns a pointer to an empty value of the kind, which is one of v1alpha1.Kinds.
func newValue(k document.Kind) reflect.Value {
	for _, v := range values() {
		if v.Kind() == k {
			return reflect.New(reflect.TypeOf(v))
		}
	}
	return reflect.Value{}
}
