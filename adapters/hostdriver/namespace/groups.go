//go:build linux

package namespace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/place"
)

// groupsDirectory is where all systems mount their control groups.
const groupsDirectory = "/sys/fs/cgroup"

// hierarchy is a mounted hierarchy of control groups. A host has one of version 2, or one for each controller of
// version 1, or a mixture.
type hierarchy struct {
	// path is where it is mounted.
	path string
	// kind is cgroup or cgroup2, and options are those that select a hierarchy of version 1.
	kind, options string
}

// hierarchies returns the hierarchies of this host.
func hierarchies() ([]hierarchy, error) {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	found := parseHierarchies(string(text))
	if len(found) == 0 {
		return nil, errors.New("no control groups are mounted below " + groupsDirectory)
	}
	return found, nil
}

// parseHierarchies returns the hierarchies of mounts; see proc_pid_mountinfo(5).
func parseHierarchies(mounts string) []hierarchy {
	var found []hierarchy
	for line := range strings.Lines(mounts) {
		left, right, _ := strings.Cut(line, " - ")
		mount, system := strings.Fields(left), strings.Fields(right)
		if len(mount) < 5 || len(system) < 3 || !strings.HasPrefix(mount[4]+"/", groupsDirectory+"/") {
			continue
		}
		switch system[0] {
		case "cgroup":
			found = append(found, hierarchy{mount[4], system[0], selection(system[2])})
		case "cgroup2":
			found = append(found, hierarchy{mount[4], system[0], ""})
		}
	}
	return found
}

// selection returns the controllers and the name of the options of a hierarchy.
func selection(options string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(options, ","), func(o string) bool {
		return slices.Contains([]string{"rw", "ro", "xattr", "clone_children", "noprefix", "cpuset_v2_mode"}, o) ||
			strings.HasPrefix(o, "release_agent=")
	}), ",")
}

// groups returns the control groups of the machine, one of each hierarchy.
func (m *machine) groups() ([]string, error) {
	all, err := hierarchies()
	groups := make([]string, 0, len(all))
	for _, h := range all {
		groups = append(groups, filepath.Join(h.path, "machineadm-"+m.UUID))
	}
	return groups, err
}

// createGroups creates the groups of the machine and moves the process into them.
func (m *machine) createGroups(pid int) error {
	groups, err := m.groups()
	if err != nil {
		return err
	}
	for _, group := range groups {
		enableControllers(filepath.Dir(group))
		if err := os.Mkdir(group, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if err := fillCPUSet(group); err != nil {
			return err
		}
		if err := set(group, "cgroup.procs", strconv.Itoa(pid)); err != nil {
			return err
		}
	}
	return nil
}

// enableControllers enables the controllers of version 2 for the groups in the directory. A controller that cannot be
// enabled, such as one of real-time processes, does not exist in the machine.
func enableControllers(directory string) {
	names, err := os.ReadFile(filepath.Join(directory, "cgroup.controllers"))
	if err != nil {
		return
	}
	for _, name := range strings.Fields(string(names)) {
		_ = set(directory, "cgroup.subtree_control", "+"+name)
	}
}

// fillCPUSet copies the processors and memory nodes of the parent. A cpuset of version 1 is empty until it is set, and
// accepts no process.
func fillCPUSet(group string) error {
	for _, name := range []string{"cpuset.cpus", "cpuset.mems"} {
		parent, err := os.ReadFile(filepath.Join(filepath.Dir(group), name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := set(group, name, string(parent)); err != nil {
			return err
		}
	}
	return nil
}

// set writes to a file of a group. It never creates a file: the directory of groups may be an ordinary one.
func set(group, name, value string) error {
	f, err := os.OpenFile(filepath.Join(group, name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(strings.TrimSpace(value))
	return errors.Join(err, f.Close())
}

// processes returns the processes of the machine. Each of them is in a group of every hierarchy.
func (m *machine) processes() ([]int, error) {
	groups, err := m.groups()
	if err != nil {
		return nil, err
	}
	var found []int
	err = filepath.WalkDir(groups[0], func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return place.IgnoreMissing(err)
		}
		text, _ := os.ReadFile(filepath.Join(path, "cgroup.procs"))
		for _, word := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(word); err == nil && pid > 0 {
				found = append(found, pid)
			}
		}
		return nil
	})
	return found, err
}

// removeGroups kills the processes of the machine and removes its groups. The kernel empties a group some time after
// the end of its processes.
func (m *machine) removeGroups(ctx context.Context) error {
	groups, err := m.groups()
	if err != nil {
		return err
	}
	for {
		pids, err := m.processes()
		for _, pid := range pids {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		for _, group := range groups {
			err = errors.Join(err, removeTree(group))
		}
		if !errors.Is(err, unix.EBUSY) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// removeTree removes the directories, from the innermost. Files of groups cannot be removed.
func removeTree(group string) error {
	var all []string
	err := filepath.WalkDir(group, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			all = append(all, path)
		}
		return place.IgnoreMissing(err)
	})
	for _, path := range slices.Backward(all) {
		if err := place.IgnoreMissing(os.Remove(path)); err != nil {
			return err
		}
	}
	return err
}

// mountGroups mounts the hierarchies as the namespace of groups shows them.
func mountGroups(all []hierarchy) error {
	const safe = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	if len(all) > 1 || all[0].path != groupsDirectory {
		if err := mount("tmpfs", groupsDirectory, "tmpfs", safe, "mode=755"); err != nil {
			return err
		}
	}
	for _, h := range all {
		if err := mount(h.kind, h.path, h.kind, safe, h.options); err != nil {
			return err
		}
	}
	return nil
}
