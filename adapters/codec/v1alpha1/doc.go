// Package v1alpha1 holds the wire types of machine configuration in the version machineadm.io/v1alpha1.
//
// A configuration is multi-document YAML; each document has apiVersion, kind and spec. The types here are the specs. They are
// a published contract: a field keeps its name and meaning, whatever becomes of the domain's types.
package v1alpha1

// APIVersion is that of the documents.
const APIVersion = Group + "/" + Version

// The parts of APIVersion.
const (
	Group   = "machineadm.io"
	Version = "v1alpha1"
)

// Spec returns a pointer to an empty spec of the kind, or nil for a kind that is not of this version.
func Spec(kind string) any {
	for _, k := range kinds() {
		if k.name == kind {
			return k.make()
		}
	}
	return nil
}

// Kinds returns the names of the kinds of this version, in the order in which they are documented.
func Kinds() []string {
	list := kinds()
	names := make([]string, len(list))
	for i, k := range list {
		names[i] = k.name
	}
	return names
}

type kind struct {
	name string
	make func() any
}

func of[T any](name string) kind { return kind{name: name, make: func() any { return new(T) }} }

// kinds is the one list of kinds.
func kinds() []kind {
	return []kind{
		of[Disk]("Disk"), of[Filesystem]("Filesystem"), of[Mount]("Mount"), of[Swap]("Swap"),
		of[TrustedCAsConfig]("TrustedCAsConfig"), of[ProxyConfig]("ProxyConfig"),
		of[UserGroup]("Group"), of[User]("User"),
		of[HostConfig]("HostConfig"), of[DomainJoin]("DomainJoin"),
		of[File]("File"), of[SysctlConfig]("SysctlConfig"), of[KernelModulesConfig]("KernelModulesConfig"),
		of[TimeSyncConfig]("TimeSyncConfig"), of[PackagesConfig]("PackagesConfig"), of[KubernetesConfig]("KubernetesConfig"),
		of[ContainerdConfig]("ContainerdConfig"), of[CRIOConfig]("CRIOConfig"), of[StaticPod]("StaticPod"),
		of[Unit]("Unit"), of[OSUpdatesConfig]("OSUpdatesConfig"), of[Command]("Command"),
		of[NodeConfig]("NodeConfig"), of[ControlPlaneConfig]("ControlPlaneConfig"), of[TalosSecrets]("TalosSecrets"),
		of[HardeningConfig]("HardeningConfig"),
		of[RemoteConfig]("RemoteConfig"), of[EncryptedConfig]("EncryptedConfig"),
		of[MachineIdentity]("MachineIdentity"),
	}
}
