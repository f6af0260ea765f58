package ignition

import (
	"strconv"

	"github.com/coreos/ignition/v2/config/v3_6/types"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/domain/machine"
)

// config says the model in the types of the newest specification.
func (r *Renderer) config(m ignmodel.Model, v ignmodel.Specification) types.Config {
	c := types.Config{Ignition: types.Ignition{Version: v.String()}}
	c.Passwd.Groups = each(m.Groups, group)
	c.Passwd.Users = each(m.Users, user)
	c.Storage.Disks = each(m.Disks, disk)
	c.Storage.Filesystems = each(m.Filesystems, filesystem)
	c.Storage.Directories = each(m.Directories, directory)
	c.Storage.Files = each(m.Files, r.file)
	for _, l := range m.Links {
		link := types.Link{Node: types.Node{Path: l.Path, Overwrite: ptr(true)}}
		link.Target = ptr(l.Target)
		c.Storage.Links = append(c.Storage.Links, link)
	}
	c.Systemd.Units = each(m.Units, unit)
	return c
}

func each[A, B any](list []A, say func(A) B) []B {
	if len(list) == 0 {
		return nil
	}
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = say(a)
	}
	return out
}

func ptr[T any](v T) *T { return &v }

// set returns nil for an empty value, which leaves the key out.
func set[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func group(g machine.Group) types.PasswdGroup {
	return types.PasswdGroup{Name: g.Name, Gid: g.GID, System: set(g.System)}
}

func user(u machine.User) types.PasswdUser {
	out := types.PasswdUser{
		Name:         u.Name,
		UID:          u.UID,
		Gecos:        set(u.Comment),
		PrimaryGroup: set(u.PrimaryGroup),
		HomeDir:      set(u.Home),
		NoCreateHome: set(u.NoCreateHome),
		Shell:        set(u.Shell),
		System:       set(u.System),
		PasswordHash: set(string(u.PasswordHash.Reveal())),
	}
	out.Groups = each(u.Groups, func(name string) types.Group { return types.Group(name) })
	out.SSHAuthorizedKeys = each(u.SSHAuthorizedKeys, func(key string) types.SSHAuthorizedKey { return types.SSHAuthorizedKey(key) })
	return out
}

func disk(d machine.Disk) types.Disk {
	return types.Disk{Device: d.Device, WipeTable: set(d.Wipe), Partitions: each(d.Partitions, partition)}
}

func partition(p machine.Partition) types.Partition {
	return types.Partition{
		Number:   p.Number,
		Label:    set(p.Label),
		SizeMiB:  set(p.SizeMiB),
		StartMiB: set(p.StartMiB),
		TypeGUID: set(p.TypeGUID),
	}
}

func filesystem(f ignmodel.Filesystem) types.Filesystem {
	return types.Filesystem{
		Device:         f.Device,
		Format:         ptr(f.Format),
		Label:          set(f.Label),
		Path:           set(f.Path),
		WipeFilesystem: set(f.Wipe),
		Options:        each(f.Options, func(o string) types.FilesystemOption { return types.FilesystemOption(o) }),
	}
}

func directory(d ignmodel.Directory) types.Directory {
	out := types.Directory{Node: types.Node{Path: d.Path}}
	own(&out.Node, d.Owner)
	out.Mode = ptr(int(d.Mode))
	return out
}

func (r *Renderer) file(f ignmodel.File) types.File {
	out := types.File{Node: types.Node{Path: f.Path}}
	own(&out.Node, f.Owner)
	out.Mode = set(int(f.Mode))
	if f.Replaces {
		out.Overwrite = ptr(true)
		out.Contents = r.contents(f)
	}
	out.Append = each(f.Appends, r.resource)
	return out
}

func (r *Renderer) contents(f ignmodel.File) types.Resource {
	if f.Fetch == nil {
		return r.resource(f.Contents)
	}
	hash := "sha512-" + f.Fetch.SHA512
	if f.Fetch.SHA512 == "" {
		hash = "sha256-" + f.Fetch.SHA256
	}
	return types.Resource{Source: ptr(f.Fetch.URL), Verification: types.Verification{Hash: &hash}}
}

func (r *Renderer) resource(contents []byte) types.Resource {
	url, compressed := r.encoder.URL(contents)
	if compressed {
		return types.Resource{Source: &url, Compression: ptr("gzip")}
	}
	return types.Resource{Source: &url}
}

// own names the owner. Digits are an identifier: the engine looks names up and would not find one.
func own(n *types.Node, o machine.Owner) {
	if o.User != "" {
		n.User.ID, n.User.Name = idOrName(o.User)
	}
	if o.Group != "" {
		n.Group.ID, n.Group.Name = idOrName(o.Group)
	}
}

func idOrName(s string) (*int, *string) {
	if id, err := strconv.Atoi(s); err == nil {
		return &id, nil
	}
	return nil, &s
}

func unit(u machine.Unit) types.Unit {
	out := types.Unit{Name: u.Name, Contents: set(u.Content), Enabled: u.Enabled, Mask: set(u.Masked)}
	out.Dropins = each(u.DropIns, func(d machine.DropIn) types.Dropin { return types.Dropin{Name: d.Name, Contents: ptr(d.Content)} })
	return out
}
