//go:build linux

package namespace

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// mount mounts a file system, and creates its mount point.
func mount(source, target, kind string, flags uintptr, options string) error {
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	if err := unix.Mount(source, target, kind, flags, options); err != nil {
		return fmt.Errorf("mount %s at %s: %w", kind, target, err)
	}
	return nil
}

// volumes are directories of /var/lib in which programs stack layers, or that they sync often.
func volumes() []string { return []string{"containerd", "containers", "etcd", "kubelet"} }

// mountRoot mounts the file systems of the machine and makes them the root of the process. all are the hierarchies of
// control groups; the process has changed to its namespace of groups.
func (m *machine) mountRoot(all []hierarchy) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	root := filepath.Join(m.Directory, "root")
	if err := m.mountLayer(root); err != nil {
		return err
	}
	for _, mounts := range []func(string) error{m.mountKernel, m.mountVolumes, mountDevices} {
		if err := mounts(root); err != nil {
			return err
		}
	}
	if err := mountGroups(all, root); err != nil {
		return err
	}
	return changeRoot(root)
}

// mountLayer mounts the layer over the image. Its options contain no path that a user chooses, because commas and
// colons separate options.
func (m *machine) mountLayer(root string) error {
	if err := os.Chdir(m.Directory); err != nil {
		return err
	}
	image, err := os.Open(m.Image)
	if err != nil {
		return err
	}
	defer func() { _ = image.Close() }()
	for _, name := range []string{"upper", "work"} {
		if err := os.MkdirAll(name, 0o755); err != nil {
			return err
		}
	}
	return mount("overlay", root, "overlay", 0,
		fmt.Sprintf("lowerdir=/proc/self/fd/%d,upperdir=upper,workdir=work", image.Fd()))
}

// mountKernel mounts /proc, /sys and the temporary directories. A read-only /sys shows udev that it is in a container.
func (m *machine) mountKernel(root string) error {
	const safe = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	for _, s := range []struct {
		path, kind string
		flags      uintptr
		options    string
	}{
		{"proc", "proc", safe, ""},
		{"sys", "sysfs", safe | unix.MS_RDONLY, ""},
		{"run", "tmpfs", unix.MS_NOSUID | unix.MS_NODEV, "mode=755"},
	} {
		if err := mount(s.kind, filepath.Join(root, s.path), s.kind, s.flags, s.options); err != nil {
			return err
		}
	}
	return nil
}

// mountVolumes mounts directories of this host: those that must not be part of the layer, and the directory of the
// sentinel.
func (m *machine) mountVolumes(root string) error {
	binds := map[string]string{filepath.Join(m.Directory, runDirectory): filepath.Join(root, "run/cluster-api")}
	for _, name := range volumes() {
		binds[filepath.Join(m.Directory, "volumes", name)] = filepath.Join(root, "var/lib", name)
	}
	for from, to := range binds {
		if err := os.MkdirAll(from, 0o700); err != nil {
			return err
		}
		if err := mount(from, to, "bind", unix.MS_BIND, ""); err != nil {
			return err
		}
	}
	return os.Chmod(filepath.Join(m.Directory, runDirectory), 0o755)
}

// mountDevices creates the devices of every container. The kernel's log is empty for the machine.
func mountDevices(root string) error {
	dev := filepath.Join(root, "dev")
	if err := mount("tmpfs", dev, "tmpfs", unix.MS_NOSUID, "mode=755"); err != nil {
		return err
	}
	for _, d := range []struct {
		name         string
		major, minor uint32
	}{
		{"null", 1, 3},
		{"zero", 1, 5},
		{"full", 1, 7},
		{"random", 1, 8},
		{"urandom", 1, 9},
		{"tty", 5, 0},
		{"kmsg", 1, 3},
	} {
		name := filepath.Join(dev, d.name)
		if err := unix.Mknod(name, unix.S_IFCHR|0o666, int(unix.Mkdev(d.major, d.minor))); err != nil {
			return fmt.Errorf("create the device %s: %w", d.name, err)
		}
		if err := os.Chmod(name, 0o666); err != nil {
			return err
		}
	}
	for name, to := range map[string]string{
		"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
		"ptmx": "pts/ptmx",
	} {
		if err := os.Symlink(to, filepath.Join(dev, name)); err != nil {
			return err
		}
	}
	if err := mount("devpts", filepath.Join(dev, "pts"), "devpts", unix.MS_NOSUID|unix.MS_NOEXEC,
		"newinstance,ptmxmode=0666,mode=620,gid=5"); err != nil {
		return err
	}
	return mount("tmpfs", filepath.Join(dev, "shm"), "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777")
}

// changeRoot makes the directory the root of the process and detaches the old root. Mounts in the machine propagate, as
// kubelet requires.
func changeRoot(root string) error {
	if err := os.Chdir(root); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("change the root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return err
	}
	if err := os.Chdir("/"); err != nil {
		return err
	}
	return unix.Mount("", "/", "", unix.MS_REC|unix.MS_SHARED, "")
}
