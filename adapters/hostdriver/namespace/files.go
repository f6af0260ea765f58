//go:build linux

package namespace

import (
	"io"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// readStart returns the start of a regular file; empty if there is none. A machine can replace each of its files, also
// by a pipe.
func readStart(root *os.Root, name string, limit int) string {
	f, err := root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, _ := io.ReadAll(io.LimitReader(f, int64(limit)))
	return string(text)
}

// readEnd returns the end of a regular file; empty if there is none.
func readEnd(root *os.Root, name string, limit int64) string {
	f, err := root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, _ := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-limit), limit))
	return string(text)
}

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

// program returns the path of the image's program for the format; empty if it has none.
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
	release := readStart(i.Root, "etc/os-release", host.MaxOutput)
	if release == "" {
		release = readStart(i.Root, "usr/lib/os-release", host.MaxOutput)
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
