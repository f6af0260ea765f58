package infrastructure

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// DeviceAlias is a name that cloud-init gives a temporary disk of a cloud, and the link that udev makes for the disk.
type DeviceAlias struct {
	// Name is cloud-init's name, such as ephemeral0.
	Name string
	// Platform is the cloud, by afterburn's name; Kinds are the kinds of its machines.
	Platform string
	Kinds    []string
	// CloudInit is the link on systems with cloud-init, and Other the one on other systems. Links to partitions end in
	// -part and the number.
	CloudInit, Other string
	// Sources are the references for these facts.
	Sources []string
}

// DeviceAliases returns the known names. Other clouds report the names of temporary disks to the machine only.
func DeviceAliases() []DeviceAlias {
	return []DeviceAlias{{
		Name: "ephemeral0", Platform: "azure", Kinds: slices.Concat(azure().Kinds, azurePool().Kinds),
		CloudInit: "/dev/disk/cloud/azure_resource", Other: "/dev/disk/azure/resource",
		Sources: []string{
			"canonical/cloud-init, 2025-06-05: DataSourceAzure, disk_aliases; udev/66-azure-ephemeral.rules; issue 6242",
			"coreos/bootengine, pull request 148 (2018-08-30), and coreos/fedora-coreos-config, pull request 786: udev rules " +
				"in the initramfs",
			"siderolabs/pkgs, pull request 488 (2022-05-25): udev rules of Talos",
		},
	}}
}

// device returns the link on the target.
func (a DeviceAlias) device(t osprofile.Target) string {
	if _, ok := t.Profile.Supports(delivery.FormatCloudInit); ok {
		return a.CloudInit
	}
	return a.Other
}

// OnTemporaryDisk reports whether the device is a temporary disk that cloud-init sets up, or a partition of it.
func OnTemporaryDisk(device string) bool {
	return slices.ContainsFunc(DeviceAliases(), func(a DeviceAlias) bool { return strings.HasPrefix(device, a.CloudInit) })
}

func (a DeviceAlias) matches(name string, t osprofile.Target) bool {
	return a.Name == name && (a.Platform == t.Platform || slices.Contains(a.Kinds, KindOf(t.Infrastructure)))
}

// ResolveDevices returns the documents with the paths of devices in place of cloud-init's names of temporary disks. A
// name that the target's cloud does not define is an error finding. A temporary disk whose content cloud-init replaces
// is a warning.
func ResolveDevices(docs []document.Document, t osprofile.Target) ([]document.Document, report.Report) {
	if !slices.ContainsFunc(docs, namesDevice) {
		return docs, nil
	}
	resolver := deviceResolver{target: t}
	resolved := slices.Clone(docs)
	for i, d := range resolved {
		at := d.Source.Path
		switch v := d.Value.(type) {
		case machine.Disk:
			v.Device = resolver.resolve(at.Field("device"), v.Device)
			resolved[i].Value = v
		case machine.Filesystem:
			v.Device = resolver.resolve(at.Field("device"), v.Device)
			resolved[i].Value = v
		case machine.Mount:
			v.Source = resolver.resolve(at.Field("source"), v.Source)
			resolved[i].Value = v
		case machine.Swap:
			v.Device = resolver.resolve(at.Field("device"), v.Device)
			resolved[i].Value = v
		default: // has no device
		}
	}
	for _, a := range DeviceAliases() {
		if a.matches(a.Name, t) && a.device(t) == a.CloudInit {
			resolver.findings = append(resolver.findings, a.replaced(resolved)...)
		}
	}
	return resolved, resolver.findings
}

// replaced returns warnings for content of the disk that cloud-init's data source replaces. It creates a table of one
// partition unless there is one, and ext4 without a label on the partition unless it is in use. Source:
// DataSourceAzure, BUILTIN_CLOUD_EPHEMERAL_DISK_CONFIG; cc_disk_setup.
func (a DeviceAlias) replaced(docs []document.Document) report.Report {
	used := map[string]bool{}
	for _, d := range docs {
		switch v := d.Value.(type) {
		case machine.Mount:
			used[v.Source] = true
		case machine.Swap:
			used[v.Device] = true
		default: // uses no device
		}
	}
	var found report.Report
	add := func(at report.Path, problem string) {
		found = append(found, report.Warningf(at, "cloud-init replaces %s of the temporary disk", problem).
			To("add a snippet of cloud-init with fs_setup: [] and disk_setup: {%s: {layout: false}}", a.Name))
	}
	for _, d := range docs {
		switch v := d.Value.(type) {
		case machine.Disk:
			if v.Device == a.CloudInit && len(v.Partitions) != 1 {
				add(d.Source.Path.Field("partitions"), "a partition table without exactly one partition")
			}
		case machine.Filesystem:
			partition, ok := strings.CutPrefix(v.Device, a.CloudInit)
			same := v.Format == "ext4" && v.Label == ""
			switch {
			case ok && partition == "":
				add(d.Source.Path.Field("device"), "a file system without a partition")
			case ok && !same && !used[v.Device] && !used["LABEL="+v.Label]:
				add(d.Source.Path.Field("device"), "a file system that is neither mounted nor swap")
			}
		default: // has no content
		}
	}
	return found
}

func namesDevice(d document.Document) bool {
	switch d.Value.(type) {
	case machine.Disk, machine.Filesystem, machine.Mount, machine.Swap:
		return true
	default:
		return false
	}
}

type deviceResolver struct {
	target   osprofile.Target
	findings report.Report
}

func (r *deviceResolver) resolve(at report.Path, name string) string {
	disk, partition, isAlias := machine.DeviceAlias(name)
	if !isAlias {
		return name
	}
	for _, a := range DeviceAliases() {
		if !a.matches(disk, r.target) {
			continue
		}
		if partition == "" {
			return a.device(r.target)
		}
		return a.device(r.target) + "-part" + partition
	}
	r.findings = append(r.findings, report.Errorf(at, "the device of %s is not known for this infrastructure", name).
		To("use a path such as /dev/disk/by-id/…; on Azure, set spec.os.platform to azure"))
	return name
}
