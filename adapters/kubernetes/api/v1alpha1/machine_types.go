package v1alpha1

// MachineSpec configures the operating system of a machine.
type MachineSpec struct {
	StorageSpec             `json:",inline"`
	TrustedCAsConfigSpec    `json:",inline"`
	SysctlConfigSpec        `json:",inline"`
	KernelModulesConfigSpec `json:",inline"`
	CommandsSpec            `json:",inline"`
	// host configures the machine's name, time zone and language.
	// +optional
	Host *HostConfigSpec `json:"host,omitempty"`
	// domainJoin joins the machine to a directory domain. Windows only.
	// +optional
	DomainJoin *DomainJoinSpec `json:"domainJoin,omitempty"`
	// proxy configures the machine's proxy for outgoing connections.
	// +optional
	Proxy *ProxyConfigSpec `json:"proxy,omitempty"`
	// groups are the groups to create, before users.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=100
	Groups []GroupSpec `json:"groups,omitempty"`
	// users are the users to create, before files.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=100
	Users []UserSpec `json:"users,omitempty"`
	// packages configures packages on operating systems with a package manager.
	// +optional
	Packages *PackagesConfigSpec `json:"packages,omitempty"`
	// directories are the directories to create, before links and files.
	// +optional
	// +listType=map
	// +listMapKey=path
	// +kubebuilder:validation:MaxItems=200
	Directories []DirectorySpec `json:"directories,omitempty"`
	// links are the symbolic links to create, before files.
	// +optional
	// +listType=map
	// +listMapKey=path
	// +kubebuilder:validation:MaxItems=200
	Links []LinkSpec `json:"links,omitempty"`
	// files lists the files to write.
	// +optional
	// +listType=map
	// +listMapKey=path
	// +kubebuilder:validation:MaxItems=200
	Files []FileSpec `json:"files,omitempty"`
	// units lists systemd units to configure.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=100
	Units []UnitSpec `json:"units,omitempty"`
	// kernelArguments changes the kernel's command line. Formats without a setting for it refuse it.
	// +optional
	KernelArguments *KernelArgumentsSpec `json:"kernelArguments,omitempty"`
	// timeSync configures the source of the time.
	// +optional
	TimeSync *TimeSyncConfigSpec `json:"timeSync,omitempty"`
	// containerd configures containerd.
	// +optional
	Containerd *ContainerdConfigSpec `json:"containerd,omitempty"`
	// crio configures CRI-O.
	// +optional
	CRIO *CRIOConfigSpec `json:"crio,omitempty"`
	// kubernetes configures how the machine gets kubelet, kubeadm and kubectl.
	// +optional
	Kubernetes *KubernetesConfigSpec `json:"kubernetes,omitempty"`
	// osUpdates configures automatic updates of the operating system.
	// +optional
	OSUpdates *OSUpdatesConfigSpec `json:"osUpdates,omitempty"`
}

// FileSpec is a file to write.
//
// +kubebuilder:validation:AtMostOneOf=content;contentFrom;parts
// +kubebuilder:validation:XValidation:rule="!has(self.encoding) || !has(self.parts)",message="encoding cannot be set beside parts; set it in the parts"
type FileSpec struct {
	// path is an absolute path, such as /etc/motd, or C:\k\motd.txt on Windows.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4095
	// +kubebuilder:validation:Pattern=`^(/|[A-Za-z]:\\)`
	Path string `json:"path,omitempty"`
	// owner is "user" or "user:group", each a name or a number. A missing user or group is root.
	// +optional
	// +kubebuilder:validation:MaxLength=65
	Owner string `json:"owner,omitempty"`
	// permissions are octal digits such as "0644". The default is 0644, or 0600 if the content comes from a Secret.
	// +optional
	// +kubebuilder:validation:MaxLength=5
	// +kubebuilder:validation:Pattern=`^0?[0-7]{3,4}$`
	Permissions string `json:"permissions,omitempty"`
	// encoding is the encoding of content, or of the data that contentFrom names. The default is plain text.
	// +optional
	Encoding Encoding `json:"encoding,omitempty"`
	// append appends to an existing file instead of replacing it. The default is false.
	// +optional
	Append bool `json:"append,omitempty"`
	// content is the content of the file. Without content, contentFrom and parts the file is empty.
	// +optional
	// +kubebuilder:validation:MaxLength=1048576
	Content string `json:"content,omitempty"`
	// contentFrom reads the content from a Secret or ConfigMap.
	// +optional
	ContentFrom *ContentSource `json:"contentFrom,omitempty"`
	// parts are the parts of the content, which are concatenated.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	Parts []Part `json:"parts,omitempty"`
}

// GroupSpec is a group to create.
type GroupSpec struct {
	// name is the group's name.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=32
	Name string `json:"name,omitempty"`
	// gid is the numeric identifier. By default the system chooses one.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=4294967294
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	GID *int64 `json:"gid,omitempty"`
	// system selects an identifier from the range of system groups. The default is false.
	// +optional
	System bool `json:"system,omitempty"`
}

// UserSpec is a user account to create.
//
// +kubebuilder:validation:AtMostOneOf=passwd;passwdFrom;passwordFrom
type UserSpec struct {
	// name is the user's name.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=32
	Name string `json:"name,omitempty"`
	// uid is the numeric identifier. By default the system chooses one.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=4294967294
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	UID *int64 `json:"uid,omitempty"`
	// gecos is the comment, usually the full name.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	Gecos string `json:"gecos,omitempty"`
	// primaryGroup is the name of the primary group. By default the system chooses it.
	// +optional
	// +kubebuilder:validation:MaxLength=32
	PrimaryGroup string `json:"primaryGroup,omitempty"`
	// groups are the names of supplementary groups.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=32
	Groups []string `json:"groups,omitempty"`
	// homeDir is the home directory. By default the system chooses it.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^(/|[A-Za-z]:\\)`
	HomeDir string `json:"homeDir,omitempty"`
	// noCreateHome omits the creation of the home directory. The default is false.
	// +optional
	NoCreateHome bool `json:"noCreateHome,omitempty"`
	// shell is the path of the login shell. The default is the system's.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	Shell string `json:"shell,omitempty"`
	// system selects an identifier from the range of system users. The default is false.
	// +optional
	System bool `json:"system,omitempty"`
	// passwd is a crypt(3) hash of the password.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Passwd string `json:"passwd,omitempty"`
	// passwdFrom reads the crypt(3) hash from a Secret.
	// +optional
	PasswdFrom *SecretSource `json:"passwdFrom,omitempty"`
	// passwordFrom reads the password itself from a Secret, for Windows, which accepts no hash.
	// +optional
	PasswordFrom *SecretSource `json:"passwordFrom,omitempty"`
	// lockPassword disables login with the password. The default is true if there is no password.
	// +optional
	LockPassword *bool `json:"lockPassword,omitempty"`
	// inactive disables the account. The default is false.
	// +optional
	Inactive bool `json:"inactive,omitempty"`
	// sshAuthorizedKeys are lines of authorized_keys(5).
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=100
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=16384
	SSHAuthorizedKeys []string `json:"sshAuthorizedKeys,omitempty"`
	// sudo is a rule of sudoers(5) without the user's name, such as ALL=(ALL) NOPASSWD:ALL.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Sudo string `json:"sudo,omitempty"`
}

// UnitSpec is a new systemd unit, or settings for a unit of the image.
//
// +kubebuilder:validation:AtMostOneOf=contents;parts
type UnitSpec struct {
	// name is the unit's name with its type suffix, such as containerd.service.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=255
	Name string `json:"name,omitempty"`
	// contents is the unit file. Without it, the image's unit file is used.
	// +optional
	// +kubebuilder:validation:MaxLength=262144
	Contents string `json:"contents,omitempty"`
	// parts are the parts of the unit file, which are concatenated. The unit starts after the machine has found the facts.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	Parts []Part `json:"parts,omitempty"`
	// enabled is true to enable and start the unit, and false to disable it. By default the unit stays as it is.
	// +optional
	Enabled *bool `json:"enabled,omitempty"`
	// mask masks the unit, so that it cannot be started. The default is false.
	// +optional
	Mask bool `json:"mask,omitempty"`
	// dropIns are drop-in files of the unit.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=32
	DropIns []DropIn `json:"dropIns,omitempty"`
}

// DropIn is a drop-in file of a unit.
//
// +kubebuilder:validation:AtMostOneOf=contents;parts
type DropIn struct {
	// name is the file name, which ends in .conf.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=255
	Name string `json:"name,omitempty"`
	// contents is the content of the drop-in file.
	// +optional
	// +kubebuilder:validation:MaxLength=262144
	Contents string `json:"contents,omitempty"`
	// parts are the parts of the drop-in file, which are concatenated. An active service is restarted after the machine
	// has found the facts.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=32
	Parts []Part `json:"parts,omitempty"`
}

// CommandsSpec contains the user's commands. Each is a script for /bin/sh as root, or for PowerShell on Windows. A
// command that fails stops the bootstrap.
type CommandsSpec struct {
	// bootCommands run at every boot.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=1000
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=131072
	BootCommands []string `json:"bootCommands,omitempty"`
	// preCommands run once, before the machine becomes a node.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=1000
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=131072
	PreCommands []string `json:"preCommands,omitempty"`
	// postCommands run once, after the machine has become a node.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=1000
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=131072
	PostCommands []string `json:"postCommands,omitempty"`
}
