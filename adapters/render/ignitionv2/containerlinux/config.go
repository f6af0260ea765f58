package containerlinux

import "go.yaml.in/yaml/v3"

// config is a Container Linux Config.
type config struct {
	// Version is 0 in all of them.
	Version   int               `yaml:"version"`
	Ignition  ignition          `yaml:"ignition"`
	Storage   storage           `yaml:"storage"`
	Systemd   units             `yaml:"systemd"`
	Networkd  units             `yaml:"networkd"`
	Passwd    passwd            `yaml:"passwd"`
	Etcd      map[string]scalar `yaml:"etcd"`
	Flannel   map[string]scalar `yaml:"flannel"`
	Update    *update           `yaml:"update"`
	Docker    *docker           `yaml:"docker"`
	Locksmith *locksmith        `yaml:"locksmith"`
}

// scalar is an option of a program, whose type depends on the program's version.
type scalar struct{ *yaml.Node }

// UnmarshalYAML keeps the node.
func (s *scalar) UnmarshalYAML(n *yaml.Node) error {
	s.Node = resolved(n)
	return nil
}

type ignition struct {
	Config struct {
		Append  []reference `yaml:"append"`
		Replace *reference  `yaml:"replace"`
	} `yaml:"config"`
	Timeouts struct {
		HTTPResponseHeaders *int `yaml:"http_response_headers"`
		HTTPTotal           *int `yaml:"http_total"`
	} `yaml:"timeouts"`
	Security struct {
		TLS struct {
			CertificateAuthorities []reference `yaml:"certificate_authorities"`
		} `yaml:"tls"`
	} `yaml:"security"`
}

type reference struct {
	Source       string       `yaml:"source"`
	Verification verification `yaml:"verification"`
}

type verification struct {
	Hash struct {
		Function string `yaml:"function"`
		Sum      string `yaml:"sum"`
	} `yaml:"hash"`
}

type storage struct {
	Disks       []disk       `yaml:"disks"`
	RAID        []raid       `yaml:"raid"`
	Filesystems []filesystem `yaml:"filesystems"`
	Files       []file       `yaml:"files"`
	Directories []directory  `yaml:"directories"`
	Links       []link       `yaml:"links"`
}

type disk struct {
	Device     string      `yaml:"device"`
	WipeTable  bool        `yaml:"wipe_table"`
	Partitions []partition `yaml:"partitions"`
}

type partition struct {
	Label    *string `yaml:"label"`
	Number   int     `yaml:"number"`
	Size     string  `yaml:"size"`
	Start    string  `yaml:"start"`
	GUID     string  `yaml:"guid"`
	TypeGUID string  `yaml:"type_guid"`
}

type raid struct {
	Name    string   `yaml:"name"`
	Level   string   `yaml:"level"`
	Devices []string `yaml:"devices"`
	Spares  int      `yaml:"spares"`
	Options []string `yaml:"options"`
}

type filesystem struct {
	Name  string  `yaml:"name"`
	Mount *mount  `yaml:"mount"`
	Path  *string `yaml:"path"`
}

type mount struct {
	Device         string   `yaml:"device"`
	Format         string   `yaml:"format"`
	Create         *create  `yaml:"create"`
	WipeFilesystem bool     `yaml:"wipe_filesystem"`
	Label          *string  `yaml:"label"`
	UUID           *string  `yaml:"uuid"`
	Options        []string `yaml:"options"`
}

type create struct {
	Force   bool     `yaml:"force"`
	Options []string `yaml:"options"`
}

// node is what files, directories and links share.
type node struct {
	Filesystem string `yaml:"filesystem"`
	Path       string `yaml:"path"`
	User       *owner `yaml:"user"`
	Group      *owner `yaml:"group"`
	Overwrite  *bool  `yaml:"overwrite"`
}

type owner struct {
	ID   *int   `yaml:"id"`
	Name string `yaml:"name"`
}

type file struct {
	node     `yaml:",inline"`
	Mode     *int     `yaml:"mode"`
	Contents contents `yaml:"contents"`
	Append   bool     `yaml:"append"`
}

type contents struct {
	Remote struct {
		URL          string       `yaml:"url"`
		Compression  string       `yaml:"compression"`
		Verification verification `yaml:"verification"`
	} `yaml:"remote"`
	Inline string `yaml:"inline"`
	Local  string `yaml:"local"`
}

type directory struct {
	node `yaml:",inline"`
	Mode *int `yaml:"mode"`
}

type link struct {
	node   `yaml:",inline"`
	Hard   bool   `yaml:"hard"`
	Target string `yaml:"target"`
}

type units struct {
	Units []unit `yaml:"units"`
}

// unit is one of systemd or of networkd, which has no more than a name, contents and drop-ins.
type unit struct {
	Name     string   `yaml:"name"`
	Enable   bool     `yaml:"enable"`
	Enabled  *bool    `yaml:"enabled"`
	Mask     bool     `yaml:"mask"`
	Contents string   `yaml:"contents"`
	Dropins  []dropin `yaml:"dropins"`
}

type dropin struct {
	Name     string `yaml:"name"`
	Contents string `yaml:"contents"`
}

type passwd struct {
	Users  []user  `yaml:"users"`
	Groups []group `yaml:"groups"`
}

type user struct {
	Name              string   `yaml:"name"`
	PasswordHash      *string  `yaml:"password_hash"`
	SSHAuthorizedKeys []string `yaml:"ssh_authorized_keys"`
	Create            *account `yaml:"create"`
	account           `yaml:",inline"`
}

// account is what a user and the deprecated create of a user share.
type account struct {
	UID          *int     `yaml:"uid"`
	Gecos        string   `yaml:"gecos"`
	HomeDir      string   `yaml:"home_dir"`
	NoCreateHome bool     `yaml:"no_create_home"`
	PrimaryGroup string   `yaml:"primary_group"`
	Groups       []string `yaml:"groups"`
	NoUserGroup  bool     `yaml:"no_user_group"`
	System       bool     `yaml:"system"`
	NoLogInit    bool     `yaml:"no_log_init"`
	Shell        string   `yaml:"shell"`
}

type group struct {
	Name         string `yaml:"name"`
	GID          *uint  `yaml:"gid"`
	PasswordHash string `yaml:"password_hash"`
	System       bool   `yaml:"system"`
}

type docker struct {
	Flags []string `yaml:"flags"`
}

type update struct {
	Group            string `yaml:"group"`
	Server           string `yaml:"server"`
	PCRPolicyServer  string `yaml:"pcr_policy_server"`
	DownloadUser     string `yaml:"download_user"`
	DownloadPassword string `yaml:"download_password"`
	MachineAlias     string `yaml:"machine_alias"`
}

type locksmith struct {
	RebootStrategy *string `yaml:"reboot_strategy"`
	WindowStart    *string `yaml:"window_start"`
	WindowLength   *string `yaml:"window_length"`
	Group          *string `yaml:"group"`
	EtcdEndpoints  *string `yaml:"etcd_endpoints"`
	EtcdCAFile     *string `yaml:"etcd_cafile"`
	EtcdCertFile   *string `yaml:"etcd_certfile"`
	EtcdKeyFile    *string `yaml:"etcd_keyfile"`
}
