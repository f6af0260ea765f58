package butane

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/domain/machine"
)

// config converts the model to a Butane config.
func config(m ignmodel.Model, d dialect) *configuration {
	c := &configuration{Variant: d.variant, Version: d.version}
	if d.variant == openshift {
		// A MachineConfig needs a name and a role.
		c.Metadata = &metadata{
			Name:   "machineadm",
			Labels: map[string]string{"machineconfiguration.openshift.io/role": "worker"},
		}
	}
	c.Passwd.Groups = ignmodel.Each(m.Groups, func(g machine.Group) group {
		return group{Name: g.Name, GID: g.GID, System: g.System}
	})
	c.Passwd.Users = ignmodel.Each(m.Users, newUser)
	c.Storage.Disks = ignmodel.Each(m.Disks, newDisk)
	c.Storage.Filesystems = ignmodel.Each(m.Filesystems, newFilesystem)
	c.Storage.Directories = ignmodel.Each(m.Directories, func(d ignmodel.Directory) directory {
		return directory{Path: d.Path, Mode: octal(d.Mode), User: newOwner(d.Owner.User), Group: newOwner(d.Owner.Group)}
	})
	c.Storage.Files = ignmodel.Each(m.Files, newFile)
	for _, l := range m.Links {
		c.Storage.Links = append(c.Storage.Links, link{Path: l.Path, Target: l.Target, Overwrite: true})
	}
	c.Systemd.Units = ignmodel.Each(m.Units, newUnit)
	c.KernelArguments.ShouldExist = m.KernelArguments.ShouldExist
	c.KernelArguments.ShouldNotExist = m.KernelArguments.ShouldNotExist
	return c
}

func newUser(u machine.User) user {
	return user{
		Name: u.Name, UID: u.UID, Gecos: u.Comment, PrimaryGroup: u.PrimaryGroup, Groups: u.Groups, HomeDir: u.Home,
		NoCreateHome: u.NoCreateHome,
		Shell:        u.Shell, System: u.System, PasswordHash: string(u.PasswordHash.Reveal()),
		SSHAuthorizedKeys: u.SSHAuthorizedKeys,
	}
}

func newDisk(d machine.Disk) disk {
	return disk{Device: d.Device, WipeTable: d.Wipe, Partitions: ignmodel.Each(d.Partitions,
		func(p machine.Partition) partition {
			return partition{
				Number: p.Number, Label: p.Label, SizeMiB: p.SizeMiB, StartMiB: p.StartMiB, TypeGUID: p.TypeGUID,
				GUID: p.GUID, Resize: p.Resize, Wipe: p.WipeEntry,
			}
		})}
}

func newFilesystem(f ignmodel.Filesystem) filesystem {
	return filesystem{
		Device: f.Device, Path: f.Path, Format: f.Format, Label: f.Label, WipeFilesystem: f.Wipe,
		Options: f.Options,
	}
}

func newFile(f ignmodel.File) file {
	out := file{
		Path: f.Path, Mode: octal(f.Mode), User: newOwner(f.Owner.User), Group: newOwner(f.Owner.Group),
		Overwrite: f.Replaces,
	}
	switch {
	case f.Fetch != nil && f.Fetch.SHA512 != "":
		out.Contents = &resource{Source: f.Fetch.URL, Verification: &verification{Hash: "sha512-" + f.Fetch.SHA512}}
	case f.Fetch != nil:
		out.Contents = &resource{Source: f.Fetch.URL, Verification: &verification{Hash: "sha256-" + f.Fetch.SHA256}}
	case f.Replaces:
		contents := text(f.Contents)
		out.Contents = &contents
	}
	out.Append = ignmodel.Each(f.Appends, text)
	return out
}

func newUnit(u machine.Unit) unit {
	return unit{
		Name: u.Name, Enabled: u.Enabled, Mask: u.Masked, Contents: ignmodel.Text(u.Content),
		Dropins: ignmodel.Each(u.DropIns, func(d machine.DropIn) dropin {
			return dropin{Name: d.Name, Contents: new(ignmodel.Text(d.Content))}
		}),
	}
}

// newOwner takes digits for an identifier.
func newOwner(s string) *owner {
	if s == "" {
		return nil
	}
	if id, ok := machine.Number(s); ok {
		return &owner{ID: &id}
	}
	return &owner{Name: s}
}

// text shows what people can read, and writes all else as a data URL.
func text(b []byte) resource {
	if len(b) > 0 && legible(string(b)) {
		s := string(b)
		return resource{Inline: &s}
	}
	return resource{Source: ignmodel.URL(b)}
}

// legible reports whether YAML keeps the text as it is in a block: printable, and not beginning with what would be
// taken for indentation.
func legible(s string) bool {
	if !utf8.ValidString(s) || strings.ContainsAny(s[:1], " \t\n") {
		return false
	}
	for _, r := range s {
		printable := r >= ' ' && r <= '~' || r >= 0xa1 && r < 0x2000
		if !printable && r != '\n' && r != '\t' {
			return false
		}
	}
	return true
}

// octal is a mode; people read it in octal, and Butane warns of any other spelling.
type octal uint32

// MarshalYAML writes the mode in octal.
func (o octal) MarshalYAML() (any, error) {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: fmt.Sprintf("0%o", uint32(o))}, nil
}

// IsZero omits an unset mode.
func (o octal) IsZero() bool { return o == 0 }
