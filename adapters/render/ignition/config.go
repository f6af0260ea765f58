package ignition

import (
	"github.com/coreos/ignition/v2/config/v3_6/types"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
)

// converter converts the model to the types of the newest specification.
type converter struct {
	encoder *ignmodel.Encoder
	// replaced is text that the infrastructure provider replaces.
	replaced delivery.Placeholders
}

func (r converter) config(m ignmodel.Model, v ignmodel.Specification) types.Config {
	c := types.Config{Ignition: types.Ignition{Version: v.String()}}
	c.Passwd.Groups = ignmodel.Each(m.Groups, group)
	c.Passwd.Users = ignmodel.Each(m.Users, user)
	c.Storage.Disks = ignmodel.Each(m.Disks, disk)
	c.Storage.Filesystems = ignmodel.Each(m.Filesystems, filesystem)
	c.Storage.Directories = ignmodel.Each(m.Directories, directory)
	c.Storage.Files = ignmodel.Each(m.Files, r.file)
	for _, l := range m.Links {
		link := types.Link{Node: types.Node{Path: l.Path, Overwrite: new(true)}}
		link.Target = new(l.Target)
		c.Storage.Links = append(c.Storage.Links, link)
	}
	c.Systemd.Units = ignmodel.Each(m.Units, unit)
	c.KernelArguments.ShouldExist = ignmodel.Each(m.KernelArguments.ShouldExist, kernelArgument)
	c.KernelArguments.ShouldNotExist = ignmodel.Each(m.KernelArguments.ShouldNotExist, kernelArgument)
	return c
}

func kernelArgument(a string) types.KernelArgument { return types.KernelArgument(a) }

func group(g machine.Group) types.PasswdGroup {
	return types.PasswdGroup{Name: g.Name, Gid: g.GID, System: ignmodel.Set(g.System)}
}

func user(u machine.User) types.PasswdUser {
	out := types.PasswdUser{
		Name:         u.Name,
		UID:          u.UID,
		Gecos:        ignmodel.Set(u.Comment),
		PrimaryGroup: ignmodel.Set(u.PrimaryGroup),
		HomeDir:      ignmodel.Set(u.Home),
		NoCreateHome: ignmodel.Set(u.NoCreateHome),
		Shell:        ignmodel.Set(u.Shell),
		System:       ignmodel.Set(u.System),
		PasswordHash: ignmodel.Set(string(u.PasswordHash.Reveal())),
	}
	out.Groups = ignmodel.Each(u.Groups, func(name string) types.Group { return types.Group(name) })
	out.SSHAuthorizedKeys = ignmodel.Each(u.SSHAuthorizedKeys, func(key string) types.SSHAuthorizedKey {
		return types.SSHAuthorizedKey(key)
	})
	return out
}

func disk(d machine.Disk) types.Disk {
	return types.Disk{
		Device: d.Device, WipeTable: ignmodel.Set(d.Wipe),
		Partitions: ignmodel.Each(d.Partitions, partition),
	}
}

func partition(p machine.Partition) types.Partition {
	return types.Partition{
		Number:   p.Number,
		Label:    ignmodel.Set(p.Label),
		SizeMiB:  ignmodel.Set(p.SizeMiB),
		StartMiB: ignmodel.Set(p.StartMiB),
		TypeGUID: ignmodel.Set(p.TypeGUID),
		GUID:     ignmodel.Set(p.GUID),
		Resize:   ignmodel.Set(p.Resize),

		WipePartitionEntry: ignmodel.Set(p.WipeEntry),
	}
}

func filesystem(f ignmodel.Filesystem) types.Filesystem {
	return types.Filesystem{
		Device:         f.Device,
		Format:         new(f.Format),
		Label:          ignmodel.Set(f.Label),
		Path:           ignmodel.Set(f.Path),
		WipeFilesystem: ignmodel.Set(f.Wipe),
		Options:        ignmodel.Each(f.Options, func(o string) types.FilesystemOption { return types.FilesystemOption(o) }),
	}
}

func directory(d ignmodel.Directory) types.Directory {
	out := types.Directory{Node: types.Node{Path: d.Path}}
	own(&out.Node, d.Owner)
	out.Mode = new(int(d.Mode))
	return out
}

func (r converter) file(f ignmodel.File) types.File {
	out := types.File{Node: types.Node{Path: f.Path}}
	own(&out.Node, f.Owner)
	out.Mode = ignmodel.Set(int(f.Mode))
	if f.Replaces {
		out.Overwrite = new(true)
		out.Contents = r.contents(f)
	}
	out.Append = ignmodel.Each(f.Appends, r.resource)
	return out
}

func (r converter) contents(f ignmodel.File) types.Resource {
	if f.Fetch == nil {
		return r.resource(f.Contents)
	}
	hash := "sha512-" + f.Fetch.SHA512
	if f.Fetch.SHA512 == "" {
		hash = "sha256-" + f.Fetch.SHA256
	}
	return types.Resource{Source: new(f.Fetch.URL), Verification: types.Verification{Hash: &hash}}
}

func (r converter) resource(contents []byte) types.Resource {
	if url, found := ignmodel.ClearURL(contents, r.replaced); found {
		return types.Resource{Source: &url}
	}
	url, compressed := r.encoder.URL(contents)
	if compressed {
		return types.Resource{Source: &url, Compression: new("gzip")}
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
	if id, ok := machine.Number(s); ok {
		return &id, nil
	}
	return nil, &s
}

func unit(u machine.Unit) types.Unit {
	out := types.Unit{
		Name: u.Name, Contents: ignmodel.Set(ignmodel.Text(u.Content)), Enabled: u.Enabled, Mask: ignmodel.Set(u.Masked),
	}
	out.Dropins = ignmodel.Each(u.DropIns, func(d machine.DropIn) types.Dropin {
		return types.Dropin{Name: d.Name, Contents: new(ignmodel.Text(d.Content))}
	})
	return out
}
