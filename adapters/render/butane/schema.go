package butane

// The types below are Butane's keys; Butane's own Go types would write every empty one.
type configuration struct {
	Variant  string    `yaml:"variant"`
	Version  string    `yaml:"version"`
	Metadata *metadata `yaml:"metadata,omitempty"`
	Ignition struct {
		Config struct {
			Merge []resource `yaml:"merge,omitempty"`
		} `yaml:"config,omitempty"`
	} `yaml:"ignition,omitempty"`
	Passwd struct {
		Groups []group `yaml:"groups,omitempty"`
		Users  []user  `yaml:"users,omitempty"`
	} `yaml:"passwd,omitempty"`
	Storage struct {
		Disks       []disk       `yaml:"disks,omitempty"`
		Filesystems []filesystem `yaml:"filesystems,omitempty"`
		Directories []directory  `yaml:"directories,omitempty"`
		Files       []file       `yaml:"files,omitempty"`
		Links       []link       `yaml:"links,omitempty"`
	} `yaml:"storage,omitempty"`
	Systemd struct {
		Units []unit `yaml:"units,omitempty"`
	} `yaml:"systemd,omitempty"`
	KernelArguments struct {
		ShouldExist    []string `yaml:"should_exist,omitempty"`
		ShouldNotExist []string `yaml:"should_not_exist,omitempty"`
	} `yaml:"kernel_arguments,omitempty"`
}

type metadata struct {
	Name   string            `yaml:"name"`
	Labels map[string]string `yaml:"labels"`
}

type group struct {
	Name   string `yaml:"name"`
	GID    *int   `yaml:"gid,omitempty"`
	System bool   `yaml:"system,omitempty"`
}

type user struct {
	Name              string   `yaml:"name"`
	UID               *int     `yaml:"uid,omitempty"`
	Gecos             string   `yaml:"gecos,omitempty"`
	PrimaryGroup      string   `yaml:"primary_group,omitempty"`
	Groups            []string `yaml:"groups,omitempty"`
	HomeDir           string   `yaml:"home_dir,omitempty"`
	NoCreateHome      bool     `yaml:"no_create_home,omitempty"`
	Shell             string   `yaml:"shell,omitempty"`
	System            bool     `yaml:"system,omitempty"`
	PasswordHash      string   `yaml:"password_hash,omitempty"`
	SSHAuthorizedKeys []string `yaml:"ssh_authorized_keys,omitempty"`
}

type disk struct {
	Device     string      `yaml:"device"`
	WipeTable  bool        `yaml:"wipe_table,omitempty"`
	Partitions []partition `yaml:"partitions,omitempty"`
}

type partition struct {
	Number   int    `yaml:"number,omitempty"`
	Label    string `yaml:"label,omitempty"`
	SizeMiB  int    `yaml:"size_mib,omitempty"`
	StartMiB int    `yaml:"start_mib,omitempty"`
	TypeGUID string `yaml:"type_guid,omitempty"`
	GUID     string `yaml:"guid,omitempty"`
	Resize   bool   `yaml:"resize,omitempty"`
	Wipe     bool   `yaml:"wipe_partition_entry,omitempty"`
}

type filesystem struct {
	Device         string   `yaml:"device"`
	Path           string   `yaml:"path,omitempty"`
	Format         string   `yaml:"format"`
	Label          string   `yaml:"label,omitempty"`
	WipeFilesystem bool     `yaml:"wipe_filesystem,omitempty"`
	Options        []string `yaml:"options,omitempty"`
}

type owner struct {
	ID   *int   `yaml:"id,omitempty"`
	Name string `yaml:"name,omitempty"`
}

type directory struct {
	Path  string `yaml:"path"`
	Mode  octal  `yaml:"mode,omitempty"`
	User  *owner `yaml:"user,omitempty"`
	Group *owner `yaml:"group,omitempty"`
}

type file struct {
	Path      string     `yaml:"path"`
	Mode      octal      `yaml:"mode,omitempty"`
	User      *owner     `yaml:"user,omitempty"`
	Group     *owner     `yaml:"group,omitempty"`
	Overwrite bool       `yaml:"overwrite,omitempty"`
	Contents  *resource  `yaml:"contents,omitempty"`
	Append    []resource `yaml:"append,omitempty"`
}

type resource struct {
	Inline       *string       `yaml:"inline,omitempty"`
	Source       string        `yaml:"source,omitempty"`
	Verification *verification `yaml:"verification,omitempty"`
}

type verification struct {
	Hash string `yaml:"hash"`
}

type link struct {
	Path      string `yaml:"path"`
	Target    string `yaml:"target"`
	Overwrite bool   `yaml:"overwrite,omitempty"`
}

type unit struct {
	Name     string   `yaml:"name"`
	Enabled  *bool    `yaml:"enabled,omitempty"`
	Mask     bool     `yaml:"mask,omitempty"`
	Contents string   `yaml:"contents,omitempty"`
	Dropins  []dropin `yaml:"dropins,omitempty"`
}

type dropin struct {
	Name     string  `yaml:"name"`
	Contents *string `yaml:"contents"`
}
