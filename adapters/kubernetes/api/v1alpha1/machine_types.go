package v1alpha1

// MachineSpec says what a machine's operating system shall be like.
type MachineSpec struct {
	StorageSpec             `json:",inline"`
	TrustedCAsConfigSpec    `json:",inline"`
	SysctlConfigSpec        `json:",inline"`
	KernelModulesConfigSpec `json:",inline"`
	CommandsSpec            `json:",inline"`
	// host is what the machine is called, and in which time zone and language it speaks.
	// +optional
	Host *HostConfigSpec `json:"host,omitempty"`
	// domainJoin makes the machine a member of a directory's domain.
	// +optional
	DomainJoin *DomainJoinSpec `json:"domainJoin,omitempty"`
	// proxy is the machine's way out.
	// +optional
	Proxy *ProxyConfigSpec `json:"proxy,omitempty"`
	// groups are made before users.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=100
	Groups []GroupSpec `json:"groups,omitempty"`
	// users are made before files are written.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=100
	Users []UserSpec `json:"users,omitempty"`
	// packages are installed on operating systems that have a package manager.
	// +optional
	Packages *PackagesConfigSpec `json:"packages,omitempty"`
	// files are written.
	// +optional
	// +listType=map
	// +listMapKey=path
	// +kubebuilder:validation:MaxItems=200
	Files []FileSpec `json:"files,omitempty"`
	// units configure systemd.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=100
	Units []UnitSpec `json:"units,omitempty"`
	// timeSync says where the machine gets the time.
	// +optional
	TimeSync *TimeSyncConfigSpec `json:"timeSync,omitempty"`
	// containerd configures containerd.
	// +optional
	Containerd *ContainerdConfigSpec `json:"containerd,omitempty"`
	// crio configures CRI-O.
	// +optional
	CRIO *CRIOConfigSpec `json:"crio,omitempty"`
	// kubernetes says how Kubernetes's programs come onto the machine.
	// +optional
	Kubernetes *KubernetesConfigSpec `json:"kubernetes,omitempty"`
	// osUpdates says whether the operating system updates itself.
	// +optional
	OSUpdates *OSUpdatesConfigSpec `json:"osUpdates,omitempty"`
}

// FileSpec is a file.
//
// +kubebuilder:validation:AtMostOneOf=content;contentFrom;parts
// +kubebuilder:validation:XValidation:rule="!has(self.encoding) || !has(self.parts)",message="a part has its own encoding"
type FileSpec struct {
	// path is absolute, such as /etc/motd, or C:\k\motd.txt on Windows.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4095
	// +kubebuilder:validation:Pattern=`^(/|[A-Za-z]:\\)`
	Path string `json:"path,omitempty"`
	// owner is user or user:group, each a name or a number. Who is not given is root, also beside a user.
	// +optional
	// +kubebuilder:validation:MaxLength=65
	Owner string `json:"owner,omitempty"`
	// permissions are octal digits such as "0644". Without them they are 0644, or 0600 if the content comes from a Secret.
	// +optional
	// +kubebuilder:validation:MaxLength=5
	// +kubebuilder:validation:Pattern=`^0?[0-7]{3,4}$`
	Permissions string `json:"permissions,omitempty"`
	// encoding says how content, or what contentFrom names, is written down. Without it, it is plain.
	// +optional
	Encoding Encoding `json:"encoding,omitempty"`
	// append adds to the file instead of replacing it.
	// +optional
	Append bool `json:"append,omitempty"`
	// content is what the file holds. Without content, contentFrom and parts the file is empty.
	// +optional
	// +kubebuilder:validation:MaxLength=1048576
	Content string `json:"content,omitempty"`
	// contentFrom takes the content from a Secret or ConfigMap.
	// +optional
	ContentFrom *ContentSource `json:"contentFrom,omitempty"`
	// parts are written one after the other.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	Parts []FilePart `json:"parts,omitempty"`
}

// FilePart is a part of a file.
//
// +kubebuilder:validation:ExactlyOneOf=content;contentFrom;valueFrom
// +kubebuilder:validation:XValidation:rule="!has(self.encoding) || !has(self.valueFrom)",message="a fact has no encoding"
type FilePart struct {
	// encoding says how content, or what contentFrom names, is written down. Without it, it is plain.
	// +optional
	Encoding Encoding `json:"encoding,omitempty"`
	// content is the part itself.
	// +optional
	// +kubebuilder:validation:MaxLength=1048576
	Content string `json:"content,omitempty"`
	// contentFrom takes the part from a Secret or ConfigMap.
	// +optional
	ContentFrom *ContentSource `json:"contentFrom,omitempty"`
	// valueFrom takes the part from the running machine.
	// +optional
	ValueFrom *InstanceSource `json:"valueFrom,omitempty"`
}

// GroupSpec is a group of users.
type GroupSpec struct {
	// name is the group's name.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=32
	Name string `json:"name,omitempty"`
	// gid is the numeric identifier. Without it the system chooses one.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=4294967294
	GID *int64 `json:"gid,omitempty"`
	// system asks for an identifier below the range of ordinary groups.
	// +optional
	System bool `json:"system,omitempty"`
}

// UserSpec is a user account.
//
// +kubebuilder:validation:AtMostOneOf=passwd;passwdFrom;passwordFrom
type UserSpec struct {
	// name is the user's name.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=32
	Name string `json:"name,omitempty"`
	// uid is the numeric identifier. Without it the system chooses one.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=4294967294
	UID *int64 `json:"uid,omitempty"`
	// gecos is the comment, usually the full name.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	Gecos string `json:"gecos,omitempty"`
	// primaryGroup is the user's own group.
	// +optional
	// +kubebuilder:validation:MaxLength=32
	PrimaryGroup string `json:"primaryGroup,omitempty"`
	// groups are further groups.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=32
	Groups []string `json:"groups,omitempty"`
	// homeDir is the home directory.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^(/|[A-Za-z]:\\)`
	HomeDir string `json:"homeDir,omitempty"`
	// noCreateHome leaves the home directory unmade.
	// +optional
	NoCreateHome bool `json:"noCreateHome,omitempty"`
	// shell is the login shell.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	Shell string `json:"shell,omitempty"`
	// system asks for an identifier below the range of ordinary users.
	// +optional
	System bool `json:"system,omitempty"`
	// passwd is a crypt(3) hash.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Passwd string `json:"passwd,omitempty"`
	// passwdFrom takes the hash from a Secret.
	// +optional
	PasswdFrom *SecretSource `json:"passwdFrom,omitempty"`
	// passwordFrom takes the password itself from a Secret, for an operating system that takes no hash: Windows.
	// +optional
	PasswordFrom *SecretSource `json:"passwordFrom,omitempty"`
	// lockPassword lets only keys log in. Without it the password is locked if there is none.
	// +optional
	LockPassword *bool `json:"lockPassword,omitempty"`
	// inactive disables the account.
	// +optional
	Inactive bool `json:"inactive,omitempty"`
	// sshAuthorizedKeys are lines of authorized_keys.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=100
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=16384
	SSHAuthorizedKeys []string `json:"sshAuthorizedKeys,omitempty"`
	// sudo is a rule of sudoers without the user's name, such as ALL=(ALL) NOPASSWD:ALL.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Sudo string `json:"sudo,omitempty"`
}

// UnitSpec is a systemd unit: one of its own, or settings for one that the image has.
type UnitSpec struct {
	// name includes the type suffix, as in containerd.service.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=255
	Name string `json:"name,omitempty"`
	// contents is the unit file. Without it the image's own stays.
	// +optional
	// +kubebuilder:validation:MaxLength=262144
	Contents string `json:"contents,omitempty"`
	// enabled enables and starts the unit, or disables it. Without it the unit stays as it is.
	// +optional
	Enabled *bool `json:"enabled,omitempty"`
	// mask makes it impossible to start the unit.
	// +optional
	Mask bool `json:"mask,omitempty"`
	// dropIns change parts of the unit.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=32
	DropIns []DropIn `json:"dropIns,omitempty"`
}

// DropIn changes parts of a unit.
type DropIn struct {
	// name ends in .conf.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=255
	Name string `json:"name,omitempty"`
	// contents is the fragment.
	// +optional
	// +kubebuilder:validation:MaxLength=262144
	Contents string `json:"contents,omitempty"`
}

// CommandsSpec are commands of the user's. Each is a script for /bin/sh, run as root, or on Windows for PowerShell; one
// that fails stops the bootstrap.
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
