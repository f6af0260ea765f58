package containerlinux

import (
	"net/url"

	"github.com/flatcar/ignition/config/v2_3/types"
	"github.com/vincent-petithory/dataurl"
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/report"
)

// rootFilesystem is the file system of nodes that name none.
const rootFilesystem = "root"

// The modes of files and directories that have none.
const (
	fileMode      = 0o644
	directoryMode = 0o755
)

// ignition translates what is for Ignition itself.
func (t *translation) ignition(in config, root *yaml.Node) {
	out := &t.out.Ignition
	out.Timeouts = types.Timeouts{
		HTTPResponseHeaders: in.Ignition.Timeouts.HTTPResponseHeaders, HTTPTotal: in.Ignition.Timeouts.HTTPTotal,
	}
	at := child(root, "ignition", "config")
	for i, r := range in.Ignition.Config.Append {
		out.Config.Append = append(out.Config.Append, t.reference(r, item(child(at, "append"), i)))
	}
	if r := in.Ignition.Config.Replace; r != nil {
		replace := t.reference(*r, child(at, "replace"))
		out.Config.Replace = &replace
	}
	for _, ca := range in.Ignition.Security.TLS.CertificateAuthorities {
		out.Security.CertificateAuthorities = append(out.Security.CertificateAuthorities,
			types.CaReference{Source: ca.Source, Verification: ca.Verification.translate()})
	}
}

func (t *translation) reference(r reference, at *yaml.Node) types.ConfigReference {
	if _, err := url.Parse(r.Source); err != nil {
		t.refuse(child(at, "source"), "source is not a URL")
	}
	return types.ConfigReference{Source: r.Source, Verification: r.Verification.translate()}
}

func (v verification) translate() types.Verification {
	if v.Hash.Function == "" || v.Hash.Sum == "" {
		return types.Verification{}
	}
	hash := v.Hash.Function + "-" + v.Hash.Sum
	return types.Verification{Hash: &hash}
}

func (t *translation) storage(in storage, at *yaml.Node) {
	for i, d := range in.Disks {
		t.disk(d, item(child(at, "disks"), i))
	}
	for _, r := range in.RAID {
		t.out.Storage.Raid = append(t.out.Storage.Raid, types.Raid{
			Name: r.Name, Level: r.Level, Spares: r.Spares, Devices: convert[types.Device](r.Devices),
			Options: convert[types.RaidOption](r.Options),
		})
	}
	for _, f := range in.Filesystems {
		t.out.Storage.Filesystems = append(t.out.Storage.Filesystems, f.translate())
	}
	for i, f := range in.Files {
		t.file(f, item(child(at, "files"), i))
	}
	for i, d := range in.Directories {
		mode := d.Mode
		if mode == nil {
			t.warn(item(child(at, "directories"), i), "a directory without mode gets 0755")
			mode = pointer(directoryMode)
		}
		t.out.Storage.Directories = append(t.out.Storage.Directories,
			types.Directory{Node: d.translate(), DirectoryEmbedded1: types.DirectoryEmbedded1{Mode: mode}})
	}
	for _, l := range in.Links {
		t.out.Storage.Links = append(t.out.Storage.Links,
			types.Link{Node: l.translate(), LinkEmbedded1: types.LinkEmbedded1{Hard: l.Hard, Target: l.Target}})
	}
}

// partitionType returns the GUID of a type of partitions that has a name in the language.
func partitionType(name string) string {
	switch name {
	case "raid_containing_root":
		return "be9067b9-ea49-4f15-b4f6-f36f8c9e1818"
	case "linux_filesystem_data":
		return "0fc63daf-8483-4772-8e79-3d69d8477de4"
	case "swap_partition":
		return "0657fd6d-a4ab-43c4-84e5-0933c84b4f4f"
	case "raid_partition":
		return "a19d880f-05fc-4d3b-a006-743f0f84911e"
	default:
		return name
	}
}

func (t *translation) disk(d disk, at *yaml.Node) {
	out := types.Disk{Device: d.Device, WipeTable: d.WipeTable}
	for i, p := range d.Partitions {
		n := item(child(at, "partitions"), i)
		out.Partitions = append(out.Partitions, types.Partition{
			Label: p.Label, Number: p.Number, GUID: p.GUID, TypeGUID: partitionType(p.TypeGUID),
			SizeMiB: t.mebibytes(p.Size, child(n, "size")), StartMiB: t.mebibytes(p.Start, child(n, "start")),
		})
	}
	t.out.Storage.Disks = append(t.out.Storage.Disks, out)
}

func (f filesystem) translate() types.Filesystem {
	out := types.Filesystem{Name: f.Name, Path: f.Path}
	if m := f.Mount; m != nil {
		out.Mount = &types.Mount{
			Device: m.Device, Format: m.Format, WipeFilesystem: m.WipeFilesystem, Label: m.Label, UUID: m.UUID,
			Options: convert[types.MountOption](m.Options),
		}
		if c := m.Create; c != nil {
			out.Mount.Create = &types.Create{Force: c.Force, Options: convert[types.CreateOption](c.Options)}
		}
	}
	return out
}

func (n node) translate() types.Node {
	out := types.Node{Filesystem: n.Filesystem, Path: n.Path, Overwrite: n.Overwrite}
	if out.Filesystem == "" {
		out.Filesystem = rootFilesystem
	}
	if n.User != nil {
		out.User = &types.NodeUser{ID: n.User.ID, Name: n.User.Name}
	}
	if n.Group != nil {
		out.Group = &types.NodeGroup{ID: n.Group.ID, Name: n.Group.Name}
	}
	return out
}

func (t *translation) file(f file, at *yaml.Node) {
	mode := f.Mode
	if mode == nil {
		severity := report.Warning
		if f.Append {
			severity = report.Info
		}
		t.find(severity, at, "a file without mode gets 0644")
		mode = pointer(fileMode)
	}
	t.out.Storage.Files = append(t.out.Storage.Files, types.File{
		Node: f.translate(),
		FileEmbedded1: types.FileEmbedded1{Mode: mode, Append: f.Append, Contents: t.contents(f.Contents,
			child(at, "contents"))},
	})
}

func (t *translation) contents(c contents, at *yaml.Node) types.FileContents {
	given := 0
	for _, source := range []string{c.Remote.URL, c.Inline, c.Local} {
		if source != "" {
			given++
		}
	}
	out := types.FileContents{
		Source: "data:,", Compression: c.Remote.Compression,
		Verification: c.Remote.Verification.translate(),
	}
	switch {
	case given > 1:
		t.refuse(at, "contents has more than one of inline, local and remote.url; leave one")
	case c.Local != "":
		t.refuse(child(at, "local"), "files of the author's machine are not read; use contents.inline")
	case c.Inline != "":
		out.Source = dataURL(c.Inline)
	case c.Remote.URL != "":
		source, err := url.Parse(c.Remote.URL)
		if err != nil {
			t.refuse(child(at, "remote", "url"), "url is not a URL")
			return out
		}
		out.Source = source.String()
	}
	return out
}

// dataURL returns the URL that holds a text.
func dataURL(text string) string { return "data:," + dataurl.EscapeString(text) }

func convert[T ~string](list []string) []T {
	var out []T
	for _, s := range list {
		out = append(out, T(s))
	}
	return out
}

func pointer(n int) *int { return &n }

// passwd translates users and groups.
func (t *translation) passwd(in passwd) {
	for _, u := range in.Users {
		out := types.PasswdUser{
			Name: u.Name, PasswordHash: u.PasswordHash, SSHAuthorizedKeys: convert[types.SSHAuthorizedKey](u.SSHAuthorizedKeys),
			UID: u.UID, Gecos: u.Gecos, HomeDir: u.HomeDir, NoCreateHome: u.NoCreateHome, PrimaryGroup: u.PrimaryGroup,
			Groups: convert[types.Group](u.Groups), NoUserGroup: u.NoUserGroup, System: u.System, NoLogInit: u.NoLogInit,
			Shell: u.Shell,
		}
		if c := u.Create; c != nil {
			out.Create = &types.Usercreate{
				UID: c.UID, Gecos: c.Gecos, HomeDir: c.HomeDir, NoCreateHome: c.NoCreateHome, PrimaryGroup: c.PrimaryGroup,
				Groups: convert[types.UsercreateGroup](c.Groups), NoUserGroup: c.NoUserGroup, System: c.System,
				NoLogInit: c.NoLogInit, Shell: c.Shell,
			}
		}
		t.out.Passwd.Users = append(t.out.Passwd.Users, out)
	}
	for _, g := range in.Groups {
		out := types.PasswdGroup{Name: g.Name, PasswordHash: g.PasswordHash, System: g.System}
		if g.GID != nil {
			out.Gid = pointer(int(*g.GID))
		}
		t.out.Passwd.Groups = append(t.out.Passwd.Groups, out)
	}
}

// units translates the units of systemd and networkd.
func (t *translation) units(in config) {
	for _, u := range in.Systemd.Units {
		out := types.Unit{Name: u.Name, Enable: u.Enable, Enabled: u.Enabled, Mask: u.Mask, Contents: u.Contents}
		for _, d := range u.Dropins {
			out.Dropins = append(out.Dropins, types.SystemdDropin{Name: d.Name, Contents: d.Contents})
		}
		t.out.Systemd.Units = append(t.out.Systemd.Units, out)
	}
	for _, u := range in.Networkd.Units {
		out := types.Networkdunit{Name: u.Name, Contents: u.Contents}
		for _, d := range u.Dropins {
			out.Dropins = append(out.Dropins, types.NetworkdDropin{Name: d.Name, Contents: d.Contents})
		}
		t.out.Networkd.Units = append(t.out.Networkd.Units, out)
	}
}
