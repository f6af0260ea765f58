package convert

import (
	"slices"

	"k8s.io/utils/ptr"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

func (c *converter) storage(s v1alpha1.StorageSpec, p report.Path) {
	for i, d := range s.Disks {
		c.add(p.Field("disks").Index(i), disk(d))
	}
	for i, f := range s.Filesystems {
		c.add(p.Field("filesystems").Index(i), machine.Filesystem{
			Device: f.Device, Format: f.Format, Label: f.Label, Wipe: f.Wipe, ReplaceFS: f.ReplaceFS,
			Options: slices.Clone(f.Options),
		})
	}
	for i, m := range s.Mounts {
		c.add(p.Field("mounts").Index(i), machine.Mount{
			Source: m.Source, Path: m.Path, Type: m.Type, Options: slices.Clone(m.Options),
			Dump: int(ptr.Deref(m.Dump, 0)), Pass: number(m.Pass),
		})
	}
	for i, w := range s.Swap {
		c.add(p.Field("swap").Index(i), machine.Swap{Device: w.Device, Path: w.Path, SizeMiB: int(w.SizeMiB)})
	}
}

func disk(d v1alpha1.DiskSpec) machine.Disk {
	doc := machine.Disk{Device: d.Device, Table: machine.TableType(d.TableType), Wipe: d.Wipe}
	for _, p := range d.Partitions {
		doc.Partitions = append(doc.Partitions, machine.Partition{
			Number: int(p.Number), Label: p.Label, SizeMiB: int(p.SizeMiB), SizePercent: int(p.SizePercent),
			StartMiB: int(p.StartMiB), TypeGUID: p.TypeGUID, GUID: p.GUID, Resize: p.Resize, WipeEntry: p.WipePartitionEntry,
		})
	}
	return doc
}
