// Package machine contains the documents that configure a machine's operating system:
// files, directories, links, users, units, disks, kernel settings, time, trust, proxy, packages, container runtime,
// commands.
//
// Each type is one document kind. Check returns the findings that do not depend on the machine. The profile, the
// expander and the renderer return those that depend on the operating system or the format.
package machine

import "github.com/machineadm/machineadm/domain/document"

// The document kinds of this package. A machine configuration contains at most one document of a singleton kind.
const (
	KindFile              document.Kind = "File"
	KindDirectory         document.Kind = "Directory"
	KindLink              document.Kind = "Link"
	KindGroup             document.Kind = "Group"
	KindUser              document.Kind = "User"
	KindUnit              document.Kind = "Unit"
	KindDisk              document.Kind = "Disk"
	KindFilesystem        document.Kind = "Filesystem"
	KindMount             document.Kind = "Mount"
	KindSwap              document.Kind = "Swap"
	KindCommand           document.Kind = "Command"
	KindHost              document.Kind = "HostConfig"          // singleton
	KindDomainJoin        document.Kind = "DomainJoin"          // singleton
	KindSysctl            document.Kind = "SysctlConfig"        // singleton
	KindKernelModules     document.Kind = "KernelModulesConfig" // singleton
	KindTimeSync          document.Kind = "TimeSyncConfig"      // singleton
	KindTrustedCAs        document.Kind = "TrustedCAsConfig"    // singleton
	KindProxy             document.Kind = "ProxyConfig"         // singleton
	KindPackages          document.Kind = "PackagesConfig"      // singleton
	KindPackageRepository document.Kind = "PackageRepository"
	KindContainerd        document.Kind = "ContainerdConfig" // singleton
	KindCRIO              document.Kind = "CRIOConfig"       // singleton
	KindKubernetes        document.Kind = "KubernetesConfig" // singleton
	KindKernelArguments   document.Kind = "KernelArguments"  // singleton
	KindOSUpdates         document.Kind = "OSUpdatesConfig"  // singleton
)
