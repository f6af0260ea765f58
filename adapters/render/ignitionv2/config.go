package ignitionv2

import (
	"strconv"
	"strings"

	"github.com/flatcar/ignition/config/v2_3/types"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
)

// rootFilesystem is the name that the engine itself defines.
const rootFilesystem = "root"

// converter converts the model; places are the mounted file systems, to which files belong. replaced is text that the
// infrastructure provider replaces.
type converter struct {
	places   []place
	replaced delivery.Placeholders
}

type place struct{ name, path string }

func config(m ignmodel.Model, replaced delivery.Placeholders) types.Config {
	v := converter{replaced: replaced}
	c := types.Config{Ignition: types.Ignition{Version: Version}}
	c.Storage.Disks = ignmodel.Each(m.Disks, disk)
	for i, f := range m.Filesystems {
		name := "filesystem-" + strconv.Itoa(i)
		if f.Path != "" {
			v.places = append(v.places, place{name: name, path: f.Path})
		}
		c.Storage.Filesystems = append(c.Storage.Filesystems, filesystem(name, f))
	}
	c.Passwd.Groups = ignmodel.Each(m.Groups, group)
	c.Passwd.Users = ignmodel.Each(m.Users, user)
	for _, d := range m.Directories {
		out := types.Directory{Node: v.node(d.Path, d.Owner)}
		out.Mode = new(int(d.Mode))
		c.Storage.Directories = append(c.Storage.Directories, out)
	}
	for _, f := range m.Files {
		c.Storage.Files = append(c.Storage.Files, v.files(f)...)
	}
	for _, l := range m.Links {
		out := types.Link{Node: v.node(l.Path, machine.Owner{})}
		out.Target, out.Overwrite = l.Target, new(true)
		c.Storage.Links = append(c.Storage.Links, out)
	}
	c.Systemd.Units = ignmodel.Each(m.Units, unit)
	return c
}

// node puts a path onto the file system that is mounted deepest above it.
func (v converter) node(path string, o machine.Owner) types.Node {
	n := types.Node{Filesystem: rootFilesystem, Path: path}
	longest := 0
	for _, p := range v.places {
		if strings.HasPrefix(path, p.path+"/") && len(p.path) > longest {
			n.Filesystem, n.Path, longest = p.name, path[len(p.path):], len(p.path)
		}
	}
	if o.User != "" {
		n.User = &types.NodeUser{}
		n.User.ID, n.User.Name = idOrName(o.User)
	}
	if o.Group != "" {
		n.Group = &types.NodeGroup{}
		n.Group.ID, n.Group.Name = idOrName(o.Group)
	}
	return n
}

func idOrName(s string) (*int, string) {
	if id, ok := machine.Number(s); ok {
		return &id, ""
	}
	return nil, s
}

// files renders a file, and each addition as a separate entry: the engine works through them in their order. Only the
// model's files have a mode unset that are added to, and those the program writes.
func (v converter) files(f ignmodel.File) []types.File {
	var out []types.File
	entry := types.File{Node: v.node(f.Path, f.Owner)}
	entry.Mode = new(int(f.Mode))
	if f.Replaces {
		entry.Overwrite = new(true)
		entry.Contents = v.contents(f)
		out = append(out, entry)
	}
	for _, a := range f.Appends {
		entry.Overwrite, entry.Append = nil, true
		entry.Contents = types.FileContents{Source: v.url(a)}
		out = append(out, entry)
	}
	return out
}

func (v converter) url(contents []byte) string {
	if url, found := ignmodel.ClearURL(contents, v.replaced); found {
		return url
	}
	return ignmodel.URL(contents)
}

func (v converter) contents(f ignmodel.File) types.FileContents {
	if f.Fetch == nil {
		return types.FileContents{Source: v.url(f.Contents)}
	}
	return types.FileContents{Source: f.Fetch.URL, Verification: types.Verification{Hash: new("sha512-" + f.Fetch.SHA512)}}
}

func group(g machine.Group) types.PasswdGroup {
	return types.PasswdGroup{Name: g.Name, Gid: g.GID, System: g.System}
}

func user(u machine.User) types.PasswdUser {
	out := types.PasswdUser{
		Name:         u.Name,
		UID:          u.UID,
		Gecos:        u.Comment,
		PrimaryGroup: u.PrimaryGroup,
		HomeDir:      u.Home,
		NoCreateHome: u.NoCreateHome,
		Shell:        u.Shell,
		System:       u.System,
		PasswordHash: ignmodel.Set(string(u.PasswordHash.Reveal())),
	}
	out.Groups = ignmodel.Each(u.Groups, func(name string) types.Group { return types.Group(name) })
	out.SSHAuthorizedKeys = ignmodel.Each(u.SSHAuthorizedKeys, func(key string) types.SSHAuthorizedKey {
		return types.SSHAuthorizedKey(key)
	})
	return out
}

func disk(d machine.Disk) types.Disk {
	return types.Disk{Device: d.Device, WipeTable: d.Wipe, Partitions: ignmodel.Each(d.Partitions, partition)}
}

func partition(p machine.Partition) types.Partition {
	return types.Partition{
		Number:   p.Number,
		Label:    ignmodel.Set(p.Label),
		SizeMiB:  ignmodel.Set(p.SizeMiB),
		StartMiB: ignmodel.Set(p.StartMiB),
		TypeGUID: p.TypeGUID,
		GUID:     p.GUID,

		WipePartitionEntry: p.WipeEntry,
	}
}

func filesystem(name string, f ignmodel.Filesystem) types.Filesystem {
	return types.Filesystem{Name: name, Mount: &types.Mount{
		Device:         f.Device,
		Format:         f.Format,
		Label:          ignmodel.Set(f.Label),
		WipeFilesystem: f.Wipe,
		Options:        ignmodel.Each(f.Options, func(o string) types.MountOption { return types.MountOption(o) }),
	}}
}

func unit(u machine.Unit) types.Unit {
	out := types.Unit{Name: u.Name, Contents: ignmodel.Text(u.Content), Enabled: u.Enabled, Mask: u.Masked}
	out.Dropins = ignmodel.Each(u.DropIns, func(d machine.DropIn) types.SystemdDropin {
		return types.SystemdDropin{Name: d.Name, Contents: ignmodel.Text(d.Content)}
	})
	return out
}
