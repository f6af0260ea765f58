package v1alpha1

// StorageSpec says what is on the machine's disks.
type StorageSpec struct {
	// disks are partitioned first.
	// +optional
	// +listType=map
	// +listMapKey=device
	// +kubebuilder:validation:MaxItems=64
	Disks []DiskSpec `json:"disks,omitempty"`
	// filesystems are made on disks and partitions.
	// +optional
	// +listType=map
	// +listMapKey=device
	// +kubebuilder:validation:MaxItems=128
	Filesystems []FilesystemSpec `json:"filesystems,omitempty"`
	// mounts are mounted at once and at each boot.
	// +optional
	// +listType=map
	// +listMapKey=path
	// +kubebuilder:validation:MaxItems=128
	Mounts []MountSpec `json:"mounts,omitempty"`
	// swap is used at once and at each boot.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16
	Swap []SwapSpec `json:"swap,omitempty"`
}

// DiskSpec is a partition table.
type DiskSpec struct {
	// device is a path such as /dev/disk/by-id/….
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/dev/`
	Device string `json:"device,omitempty"`
	// tableType is the kind of table. Without it, it is gpt.
	// +optional
	// +kubebuilder:validation:Enum=gpt;mbr
	TableType string `json:"tableType,omitempty"`
	// wipe destroys an existing table. Without it a disk that has one is left alone.
	// +optional
	Wipe bool `json:"wipe,omitempty"`
	// partitions are made in their order.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=128
	Partitions []Partition `json:"partitions,omitempty"`
}

// Partition is a partition of a disk.
type Partition struct {
	// number counts from 1. Without it, it is the next free one.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=128
	Number int32 `json:"number,omitempty"`
	// label is the partition's name.
	// +optional
	// +kubebuilder:validation:MaxLength=36
	Label string `json:"label,omitempty"`
	// sizeMiB is the size in mebibytes. Without it, it is what is left.
	// +optional
	// +kubebuilder:validation:Minimum=1
	SizeMiB int64 `json:"sizeMiB,omitempty"`
	// startMiB is the offset in mebibytes. Without it, it is the next free place.
	// +optional
	// +kubebuilder:validation:Minimum=1
	StartMiB int64 `json:"startMiB,omitempty"`
	// typeGUID is the partition's type. Without it, it is Linux data.
	// +optional
	// +kubebuilder:validation:MaxLength=36
	// +kubebuilder:validation:Pattern=`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`
	TypeGUID string `json:"typeGUID,omitempty"`
}

// FilesystemSpec is a file system.
type FilesystemSpec struct {
	// device is a disk or a partition.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/dev/`
	Device string `json:"device,omitempty"`
	// format is the kind of file system.
	// +required
	// +kubebuilder:validation:Enum=ext4;xfs;btrfs;vfat;swap
	Format string `json:"format,omitempty"`
	// label is the volume's label.
	// +optional
	// +kubebuilder:validation:MaxLength=255
	Label string `json:"label,omitempty"`
	// wipe makes the file system anew even if one is there.
	// +optional
	Wipe bool `json:"wipe,omitempty"`
	// options are arguments of mkfs.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=256
	Options []string `json:"options,omitempty"`
}

// MountSpec is a file system in its place.
type MountSpec struct {
	// source is a device, or LABEL=…, UUID=…, PARTLABEL=… or PARTUUID=….
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
	// type is the kind of file system. Without it, it is found out.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Type string `json:"type,omitempty"`
	// options are mount options.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=256
	Options []string `json:"options,omitempty"`
}

// SwapSpec is a swap device or file.
//
// +kubebuilder:validation:ExactlyOneOf=device;path
// +kubebuilder:validation:XValidation:rule="has(self.path) == has(self.sizeMiB)",message="a swap file has a size, and a device has none"
type SwapSpec struct {
	// device is an existing swap device.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Device string `json:"device,omitempty"`
	// path is a swap file to make.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4095
	// +kubebuilder:validation:Pattern=`^/`
	Path string `json:"path,omitempty"`
	// sizeMiB is the size of the swap file in mebibytes.
	// +optional
	// +kubebuilder:validation:Minimum=1
	SizeMiB int64 `json:"sizeMiB,omitempty"`
}
