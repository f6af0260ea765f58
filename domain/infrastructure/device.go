package infrastructure

import (
	"slices"

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

func (a DeviceAlias) matches(name string, t osprofile.Target) bool {
	return a.Name == name && (a.Platform == t.Platform || slices.Contains(a.Kinds, KindOf(t.Infrastructure)))
}

// ResolveDevices returns the documents with the paths of devices in place of cloud-init's names of temporary disks. A
// name that the target's cloud does not define is an error finding.
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
	return resolved, resolver.findings
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
