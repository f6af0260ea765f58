package v1alpha1

// StorageSpec configures the machine's disks.
type StorageSpec struct {
	// disks are the disks to partition, before all other steps.
	// +optional
	// +listType=map
	// +listMapKey=device
	// +kubebuilder:validation:MaxItems=64
	Disks []DiskSpec `json:"disks,omitempty"`
	// filesystems are the file systems to create on disks and partitions.
	// +optional
	// +listType=map
	// +listMapKey=device
	// +kubebuilder:validation:MaxItems=128
	Filesystems []FilesystemSpec `json:"filesystems,omitempty"`
	// mounts are the file systems to mount during the bootstrap and at each boot.
	// +optional
	// +listType=map
	// +listMapKey=path
	// +kubebuilder:validation:MaxItems=128
	Mounts []MountSpec `json:"mounts,omitempty"`
	// swap lists the swap devices and files to enable during the bootstrap and at each boot.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16
	Swap []SwapSpec `json:"swap,omitempty"`
}

// DiskSpec configures the partition table of a disk.
type DiskSpec struct {
	// device is the path of the disk, such as /dev/disk/by-id/…. On Azure, ephemeral0 is the temporary disk.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^(/dev/|ephemeral[0-9]{1,2}$)`
	Device string `json:"device,omitempty"`
	// tableType is the type of the partition table. The default is gpt.
	// +optional
	// +kubebuilder:validation:Enum=gpt;mbr
	TableType string `json:"tableType,omitempty"`
	// wipe replaces an existing partition table. The default is false: a disk with a partition table is not changed.
	// +optional
	Wipe bool `json:"wipe,omitempty"`
	// partitions are created in this order.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=128
	Partitions []Partition `json:"partitions,omitempty"`
}

// Partition is a partition of a disk.
//
// +kubebuilder:validation:AtMostOneOf=sizeMiB;sizePercent
type Partition struct {
	// number is the number of the partition, from 1. The default is the next free number.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=128
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	Number int32 `json:"number,omitempty"`
	// label is the name of the partition.
	// +optional
	// +kubebuilder:validation:MaxLength=36
	Label string `json:"label,omitempty"`
	// sizeMiB is the size in mebibytes. The default is the remaining space.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	SizeMiB int64 `json:"sizeMiB,omitempty"`
	// sizePercent is the size as a percentage of the disk. Ignition and Talos do not support it.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	SizePercent int32 `json:"sizePercent,omitempty"`
	// startMiB is the offset in mebibytes. The default is the next free offset.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	StartMiB int64 `json:"startMiB,omitempty"`
	// typeGUID is the type of the partition. The default is Linux data.
	// +optional
	// +kubebuilder:validation:MaxLength=36
	// +kubebuilder:validation:Pattern=`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`
	TypeGUID string `json:"typeGUID,omitempty"`
	// guid identifies the partition, so that mounts can name it as PARTUUID=…. The default is random.
	// +optional
	// +kubebuilder:validation:MaxLength=36
	// +kubebuilder:validation:Pattern=`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`
	GUID string `json:"guid,omitempty"`
	// resize changes the size of an existing partition with this number or label, such as the root partition of Fedora
	// CoreOS. Only Ignition 3.2 and later supports it.
	// +optional
	Resize bool `json:"resize,omitempty"`
	// wipePartitionEntry replaces an existing partition with this number or label if it differs. Only Ignition supports
	// it. The default is false: a partition that differs fails the boot.
	// +optional
	WipePartitionEntry bool `json:"wipePartitionEntry,omitempty"`
}

// FilesystemSpec is a file system to create.
type FilesystemSpec struct {
	// device is the path of a disk or a partition. On Azure, ephemeral0.1 is the first partition of the temporary disk.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^(/dev/|ephemeral[0-9]{1,2}([.][0-9]{1,3})?$)`
	Device string `json:"device,omitempty"`
	// format is the type of the file system.
	// +required
	// +kubebuilder:validation:Enum=ext3;ext4;xfs;btrfs;vfat;swap
	Format string `json:"format,omitempty"`
	// label is the label of the file system.
	// +optional
	// +kubebuilder:validation:MaxLength=255
	Label string `json:"label,omitempty"`
	// wipe replaces an existing file system. The default is false: an existing file system is kept.
	// +optional
	Wipe bool `json:"wipe,omitempty"`
	// replaceFS is a type of file system that is replaced although wipe is false, such as ntfs on the temporary disks of
	// Azure. Ignition and Talos do not support it.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[a-zA-Z0-9_+.-]+$`
	ReplaceFS string `json:"replaceFS,omitempty"`
	// options are additional arguments of mkfs.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=256
	Options []string `json:"options,omitempty"`
}

// MountSpec is a mount.
type MountSpec struct {
	// source is a device, a temporary disk such as ephemeral0.1, or LABEL=…, UUID=…, PARTLABEL=… or PARTUUID=….
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Source string `json:"source,omitempty"`
	// path is the mount point.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4095
	// +kubebuilder:validation:Pattern=`^/`
	Path string `json:"path,omitempty"`
	// type is the type of the file system. By default mount detects it.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Type string `json:"type,omitempty"`
	// options are the mount options. The default is defaults. Without nofail, the machine does not boot if the device is
	// missing.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=256
	Options []string `json:"options,omitempty"`
	// dump is the fifth field of fstab(5): 1 if dump(8) saves the file system. The default is 0.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	Dump *int32 `json:"dump,omitempty"`
	// pass is the sixth field of fstab(5): the order in which fsck(8) checks the file system at boot, or 0 for never. The
	// default is 2; Ignition checks a file system only if pass is set.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	Pass *int32 `json:"pass,omitempty"`
}

// SwapSpec is a swap device or a swap file.
//
// +kubebuilder:validation:ExactlyOneOf=device;path
// +kubebuilder:validation:XValidation:rule="has(self.path) == has(self.sizeMiB)",message="sizeMiB is required with path and not allowed with device"
type SwapSpec struct {
	// device is the path of an existing swap device.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Device string `json:"device,omitempty"`
	// path is the path of a swap file to create.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4095
	// +kubebuilder:validation:Pattern=`^/`
	Path string `json:"path,omitempty"`
	// sizeMiB is the size of the swap file in mebibytes.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	SizeMiB int64 `json:"sizeMiB,omitempty"`
}
