package v1alpha1

// File is a regular file.
type File struct {
	// Path is absolute and clean.
	Path    string `yaml:"path"`
	Content Bytes  `yaml:"content,omitempty"`
	// Mode is octal, such as "0644", which is the default; a secret file's is "0600".
	Mode Mode `yaml:"permissions,omitempty"`
	// Owner is root by default.
	Owner *Owner `yaml:"owner,omitempty"`
	// Append adds to an existing file.
	Append bool `yaml:"append,omitempty"`
	// Secret keeps the content out of logs and differences.
	Secret bool `yaml:"secret,omitempty"`
}

// Owner is who a file belongs to.
type Owner struct {
	// User is a name, or a number in digits. It is root by default.
	User string `yaml:"user,omitempty"`
	// Group is a name, or a number in digits. It is root by default, whoever the user is.
	Group string `yaml:"group,omitempty"`
}

// UserGroup is a group of users.
type UserGroup struct {
	Name   string `yaml:"name"`
	GID    *int   `yaml:"gid,omitempty"`
	System bool   `yaml:"system,omitempty"`
}

// User is an account.
type User struct {
	Name         string   `yaml:"name"`
	UID          *int     `yaml:"uid,omitempty"`
	Comment      string   `yaml:"gecos,omitempty"`
	PrimaryGroup string   `yaml:"primaryGroup,omitempty"`
	Groups       []string `yaml:"groups,omitempty"`
	Home         string   `yaml:"homeDir,omitempty"`
	NoCreateHome bool     `yaml:"noCreateHome,omitempty"`
	Shell        string   `yaml:"shell,omitempty"`
	System       bool     `yaml:"system,omitempty"`
	// PasswordHash is one of crypt(3). Password is clear text, for Windows alone.
	PasswordHash Bytes `yaml:"passwordHash,omitempty"`
	Password     Bytes `yaml:"password,omitempty"`
	// Unlocked lets the user log in with the password.
	Unlocked          bool     `yaml:"unlocked,omitempty"`
	Inactive          bool     `yaml:"inactive,omitempty"`
	SSHAuthorizedKeys []string `yaml:"sshAuthorizedKeys,omitempty"`
	// Sudo is what follows the user's name in sudoers(5).
	Sudo string `yaml:"sudo,omitempty"`
}

// Unit is a systemd unit.
type Unit struct {
	Name    string   `yaml:"name"`
	Content string   `yaml:"contents,omitempty"`
	DropIns []DropIn `yaml:"dropIns,omitempty"`
	// Enabled is left as it is unless given.
	Enabled *bool `yaml:"enabled,omitempty"`
	Masked  bool  `yaml:"mask,omitempty"`
}

// DropIn is a file NAME.conf in the unit's .d directory.
type DropIn struct {
	Name    string `yaml:"name"`
	Content string `yaml:"contents,omitempty"`
}

// Command is a script of /bin/sh, on Windows of PowerShell.
type Command struct {
	// Phase is boot (at every boot), pre (before kubeadm) or post (after it).
	Phase  Phase  `yaml:"phase"`
	Script string `yaml:"script"`
}

// Disk is a disk and its partitions.
type Disk struct {
	Device string `yaml:"device"`
	// Table is gpt or mbr.
	Table      string      `yaml:"tableType,omitempty"`
	Wipe       bool        `yaml:"wipe,omitempty"`
	Partitions []Partition `yaml:"partitions,omitempty"`
}

// Partition is a partition. Sizes are mebibytes.
type Partition struct {
	Number   int    `yaml:"number,omitempty"`
	Label    string `yaml:"label,omitempty"`
	SizeMiB  int    `yaml:"sizeMiB,omitempty"`
	StartMiB int    `yaml:"startMiB,omitempty"`
	TypeGUID string `yaml:"typeGUID,omitempty"`
}

// Filesystem is a file system on a device.
type Filesystem struct {
	Device  string   `yaml:"device"`
	Format  string   `yaml:"format"`
	Label   string   `yaml:"label,omitempty"`
	Wipe    bool     `yaml:"wipe,omitempty"`
	Options []string `yaml:"options,omitempty"`
}

// Mount is a mount point.
type Mount struct {
	Source  string   `yaml:"source"`
	Path    string   `yaml:"path"`
	Type    string   `yaml:"type,omitempty"`
	Options []string `yaml:"options,omitempty"`
}

// Swap is swap space on a device or in a file.
type Swap struct {
	Device  string `yaml:"device,omitempty"`
	Path    string `yaml:"path,omitempty"`
	SizeMiB int    `yaml:"sizeMiB,omitempty"`
}

// SysctlConfig is kernel parameters.
type SysctlConfig struct {
	Settings []Sysctl `yaml:"settings,omitempty"`
}

// Sysctl is one kernel parameter.
type Sysctl struct {
	Name  string `yaml:"name"`
	Value string `yaml:"value"`
}

// KernelModulesConfig is kernel modules to load at boot.
type KernelModulesConfig struct {
	Modules []KernelModule `yaml:"modules,omitempty"`
}

// KernelModule is a kernel module.
type KernelModule struct {
	Name    string   `yaml:"name"`
	Options []string `yaml:"options,omitempty"`
}

// TimeSyncConfig is where the time comes from.
type TimeSyncConfig struct {
	// Daemon is systemd-timesyncd, chronyd, ntpd or w32time; the machine's own by default.
	Daemon  string   `yaml:"daemon,omitempty"`
	Servers []string `yaml:"servers,omitempty"`
	Pools   []string `yaml:"pools,omitempty"`
}

// TrustedCAsConfig is certificate authorities that the machine trusts.
type TrustedCAsConfig struct {
	CAs []TrustedCA `yaml:"trustedCAs,omitempty"`
}

// TrustedCA is one or several certificates in PEM.
type TrustedCA struct {
	Name string `yaml:"name"`
	PEM  Bytes  `yaml:"content"`
}

// ProxyConfig is the machine's proxy. The URLs may hold credentials.
type ProxyConfig struct {
	HTTPProxy  Bytes    `yaml:"httpProxy,omitempty"`
	HTTPSProxy Bytes    `yaml:"httpsProxy,omitempty"`
	NoProxy    []string `yaml:"noProxy,omitempty"`
}

// PackagesConfig is packages of the system's package manager.
type PackagesConfig struct {
	Install []string `yaml:"install,omitempty"`
	Update  bool     `yaml:"update,omitempty"`
	Upgrade bool     `yaml:"upgrade,omitempty"`
}

// OSUpdatesConfig says whether the system updates itself.
type OSUpdatesConfig struct {
	Enabled bool `yaml:"enabled,omitempty"`
}

// HostConfig is the machine's name and its ways.
type HostConfig struct {
	Hostname       string `yaml:"hostname,omitempty"`
	RandomHostname bool   `yaml:"randomHostname,omitempty"`
	TimeZone       string `yaml:"timeZone,omitempty"`
	Locale         string `yaml:"locale,omitempty"`
	UILanguage     string `yaml:"uiLanguage,omitempty"`
	Keyboard       string `yaml:"keyboard,omitempty"`
}

// DomainJoin joins a directory.
type DomainJoin struct {
	Domain             string `yaml:"domain,omitempty"`
	OrganizationalUnit string `yaml:"organizationalUnit,omitempty"`
	Username           string `yaml:"username,omitempty"`
	Password           Bytes  `yaml:"password,omitempty"`
	// ProvisioningData is the blob of an offline join.
	ProvisioningData Bytes `yaml:"provisioningData,omitempty"`
}
