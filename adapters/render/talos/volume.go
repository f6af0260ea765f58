package talos

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/cel"
	"github.com/siderolabs/talos/pkg/machinery/cel/celenv"
	"github.com/siderolabs/talos/pkg/machinery/config/types/block"
	blockresource "github.com/siderolabs/talos/pkg/machinery/resources/block"

	"github.com/machineadm/machineadm/domain/report"
)

// The releases that brought volumes (siderolabs/talos: pkg/machinery/config/types/block of each tag).
const (
	sinceVolumes = "1.10" // UserVolumeConfig
	sinceSwap    = "1.11" // SwapVolumeConfig
	sinceWhole   = "1.12" // UserVolumeConfig.volumeType
	sinceOptions = "1.13" // UserVolumeConfig.mount
)

// smallest is the size below which mkfs.xfs makes no file system. It is set where a volume uses the remaining space:
// Talos wants some size to be given.
const smallest = "300MiB"

// renderVolumes renders the volumes in the form of the release.
func (b *build) renderVolumes() {
	b.readStorage()
	for _, v := range b.storage.volumes {
		b.checkOptions(v)
	}
	if !b.contract.since(sinceVolumes) {
		b.legacyVolumes(b.storage)
		return
	}
	for _, v := range b.storage.volumes {
		if v.swap {
			b.swapVolume(v)
		} else {
			b.userVolume(v)
		}
	}
}

// checkOptions finds mount options that the release does not support.
func (b *build) checkOptions(v volume) {
	allowed := []string{"defaults"}
	if b.contract.since(sinceOptions) {
		allowed = append(allowed, "noatime", "nodev", "nosuid")
	}
	for i, o := range v.options {
		if !slices.Contains(allowed, o) {
			b.find(report.Errorf(v.at.Field("options").Index(i), "Talos %s does not support the mount option %q",
				b.contract.name, o).To("leave it out"))
		}
	}
}

func (b *build) userVolume(v volume) {
	d := block.NewUserVolumeConfigV1Alpha1()
	d.MetaName = v.name
	provisioning, ok := b.provisioning(v)
	if !ok {
		return
	}
	d.ProvisioningSpec = provisioning
	if v.disk == nil {
		if !b.contract.since(sinceWhole) {
			b.find(report.Errorf(v.at.Field("source"), "Talos before %s creates a volume on a partition", sinceWhole).
				To("give a disk with a partition"))
			return
		}
		d.VolumeType = new(blockresource.VolumeTypeDisk)
	}
	if err := d.FilesystemSpec.FilesystemType.UnmarshalText([]byte(v.format)); err != nil {
		return // The file system's own check has refused it.
	}
	if slices.Contains(v.options, "noatime") {
		d.MountSpec.MountDisableAccessTime = new(true)
	}
	b.add(d)
}

func (b *build) swapVolume(v volume) {
	if !b.contract.since(sinceSwap) {
		b.find(report.Errorf(v.at, "Talos before %s does not swap", sinceSwap).To("leave it out, or use a newer release"))
		return
	}
	d := block.NewSwapVolumeConfigV1Alpha1()
	d.MetaName = v.name
	provisioning, ok := b.provisioning(v)
	if !ok {
		return
	}
	d.ProvisioningSpec = provisioning
	b.add(d)
}

// provisioning renders the disk and the size. Swap is always a partition.
func (b *build) provisioning(v volume) (block.ProvisioningSpec, bool) {
	p := block.ProvisioningSpec{}
	match, err := cel.ParseBooleanExpression(selector(v.device), celenv.DiskLocator())
	if err != nil {
		b.find(report.Errorf(v.at, "Talos cannot select the disk %q", v.device).To("use another name of the device"))
		return p, false
	}
	p.DiskSelectorSpec.Match = match
	if v.disk == nil && !v.swap {
		return p, true
	}
	size := 0
	if v.disk != nil {
		size = v.disk.value.Partitions[v.partition].SizeMiB
	}
	return p, b.size(v, &p, size)
}

// size gives the volume its size in mebibytes, or with 0 what is left.
func (b *build) size(v volume, p *block.ProvisioningSpec, mebibytes int) bool {
	least := smallest
	if mebibytes == 0 {
		p.ProvisioningGrow = new(true)
	} else {
		least = fmt.Sprintf("%dMiB", mebibytes)
	}
	err := p.ProvisioningMinSize.UnmarshalText([]byte(least))
	if err == nil && mebibytes != 0 {
		err = p.ProvisioningMaxSize.UnmarshalText([]byte(least))
	}
	if err != nil {
		b.find(report.Errorf(v.at, "Talos does not accept the size %s", least))
	}
	return err == nil
}

// selector is the expression (CEL) that is true for the disk: by its name in the kernel, or by a link that udev makes.
func selector(device string) string {
	if strings.HasPrefix(device, "/dev/disk/") {
		return strconv.Quote(device) + " in disk.symlinks"
	}
	return "disk.dev_path == " + strconv.Quote(device)
}
