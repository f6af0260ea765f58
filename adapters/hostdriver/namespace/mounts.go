//go:build linux

package namespace

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// mountRoot makes the layer over the image the root of the process, and mounts the file systems of the machine. all are
// the hierarchies of control groups; the process has changed to its namespace of groups. Only mountLayer mounts before
// the root has changed: the machine may have replaced its directories by links, which must not lead to this host.
func (m *machine) mountRoot(all []hierarchy) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	volumes, err := m.openVolumes()
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		m.mountLayer, mountKernel, func() error { return mountVolumes(volumes) }, mountDevices,
		func() error { return mountGroups(all) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	// Mounts in the machine propagate to its containers, as kubelet requires.
	return unix.Mount("", "/", "", unix.MS_REC|unix.MS_SHARED, "")
}

// volumeNames are directories of /var/lib in which programs stack layers, or that they sync often.
func volumeNames() []string { return []string{"containerd", "containers", "etcd", "kubelet"} }

// openVolumes opens the directories of this host that the machine mounts, by their paths in the machine: those that
// must not be part of the layer, and the directory of the sentinel.
func (m *machine) openVolumes() (map[string]int, error) {
	directories := map[string]string{"/run/cluster-api": m.file(runDirectory)}
	for _, name := range volumeNames() {
		directories["/var/lib/"+name] = filepath.Join(m.file(volumesDirectory), name)
	}
	volumes := make(map[string]int, len(directories))
	for target, directory := range directories {
		if err := os.MkdirAll(directory, 0o700); err != nil {
			return nil, err
		}
		tree, err := unix.OpenTree(unix.AT_FDCWD, directory, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", directory, err)
		}
		volumes[target] = tree
	}
	return volumes, os.Chmod(m.file(runDirectory), 0o755)
}

// mountLayer mounts the layer over the image and makes it the root of the process. Its options contain no path that a
// user chooses, because commas and colons separate options.
func (m *machine) mountLayer() error {
	if err := os.Chdir(m.Directory); err != nil {
		return err
	}
	image, err := os.Open(m.Image)
	if err != nil {
		return err
	}
	defer func() { _ = image.Close() }()
	for _, name := range []string{upperDirectory, workDirectory} {
		if err := os.MkdirAll(name, 0o755); err != nil {
			return err
		}
	}
	const root = "root"
	if err := mount("overlay", root, "overlay", 0, fmt.Sprintf("lowerdir=/proc/self/fd/%d,upperdir=%s,workdir=%s",
		image.Fd(), upperDirectory, workDirectory)); err != nil {
		return err
	}
	if err := os.Chdir(root); err != nil {
		return err
	}
	// The old root is mounted over the new one until it is detached; see pivot_root(2).
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("change the root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("detach the root of the host: %w", err)
	}
	return os.Chdir("/")
}

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

// mountKernel mounts /proc, /sys and /run. A read-only /sys shows udev that it is in a container.
func mountKernel() error {
	const safe = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	if err := mount("proc", "/proc", "proc", safe, ""); err != nil {
		return err
	}
	if err := mount("sysfs", "/sys", "sysfs", safe|unix.MS_RDONLY, ""); err != nil {
		return err
	}
	return mount("tmpfs", "/run", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755")
}

func mountVolumes(volumes map[string]int) error {
	for target, tree := range volumes {
		if err := os.MkdirAll(target, 0o755); err != nil {
			return err
		}
		if err := unix.MoveMount(tree, "", unix.AT_FDCWD, target, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
			return fmt.Errorf("mount %s: %w", target, err)
		}
	}
	return nil
}

// mountDevices creates the devices of every container. The kernel's log is empty for the machine.
func mountDevices() error {
	if err := mount("tmpfs", "/dev", "tmpfs", unix.MS_NOSUID, "mode=755"); err != nil {
		return err
	}
	for _, d := range []struct {
		path         string
		major, minor uint32
	}{
		{"/dev/null", 1, 3},
		{"/dev/zero", 1, 5},
		{"/dev/full", 1, 7},
		{"/dev/random", 1, 8},
		{"/dev/urandom", 1, 9},
		{"/dev/tty", 5, 0},
		{"/dev/kmsg", 1, 3},
	} {
		// The umask of the process is 0.
		if err := unix.Mknod(d.path, unix.S_IFCHR|0o666, int(unix.Mkdev(d.major, d.minor))); err != nil {
			return fmt.Errorf("create the device %s: %w", d.path, err)
		}
	}
	for name, to := range map[string]string{
		"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
		"ptmx": "pts/ptmx",
	} {
		if err := os.Symlink(to, "/dev/"+name); err != nil {
			return err
		}
	}
	if err := mount("devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC,
		"newinstance,ptmxmode=0666,mode=620,gid=5"); err != nil {
		return err
	}
	return mount("tmpfs", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777")
}
