//go:build linux

package namespace

import (
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/place"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// programs are the places of a program on an image, in order of preference.
func programs(format ports.HostFormat) []string {
	switch format {
	case ports.HostFormatCloudConfig:
		return []string{"usr/bin/cloud-init", "usr/local/bin/cloud-init"}
	case ports.HostFormatIgnition:
		return []string{
			"usr/lib/dracut/modules.d/30ignition/ignition", "usr/lib/ignition/ignition", "usr/bin/ignition",
			"usr/sbin/ignition",
		}
	case ports.HostFormatAgent:
		return []string{"usr/bin/machineadm", "usr/local/bin/machineadm", "opt/bin/machineadm"}
	case ports.HostFormatShell:
		return []string{"usr/bin/sh", "bin/sh"}
	}
	return nil
}

// image is the root file system of a machine.
type image struct {
	*os.Root
	// path is absolute.
	path string
}

// program returns the path of the image's program for the format, or an empty string if it has none.
func (i *image) program(format ports.HostFormat) string {
	for _, name := range programs(format) {
		if _, err := i.Stat(name); err == nil {
			return "/" + name
		}
	}
	return ""
}

// properties returns the properties of this host with the system of the image. The disk is that of the directory.
func (i *image) properties(directory string) ports.HostProbe {
	probe := ports.HostProbe{Architecture: runtime.GOARCH, CPUs: runtime.NumCPU()}
	release := place.ReadStart(i.Root, "etc/os-release", host.MaxOutput)
	if release == "" {
		release = place.ReadStart(i.Root, "usr/lib/os-release", host.MaxOutput)
	}
	probe.OSImage = host.OSImage(release)
	var memory unix.Sysinfo_t
	if unix.Sysinfo(&memory) == nil {
		probe.MemoryBytes = int64(memory.Totalram) * int64(memory.Unit)
	}
	var disk unix.Statfs_t
	if unix.Statfs(directory, &disk) == nil {
		probe.DiskFreeBytes = int64(disk.Bavail) * disk.Bsize
	}
	return probe
}

// openImage opens the root file system of the machine.
func openImage(b *place.Directory, target ports.HostTarget) (*image, error) {
	if target.Machine == nil {
		return nil, place.Fault(host.FaultImage)
	}
	name, err := place.CheckPath("spec.namespaceMachine.root", target.Machine.Root)
	if err != nil {
		return nil, err
	}
	root, err := b.OpenRoot(name)
	if err != nil {
		return nil, &ports.HostError{Fault: host.FaultImage, Err: err}
	}
	return &image{Root: root, path: filepath.Join(b.Path, name)}, nil
}
