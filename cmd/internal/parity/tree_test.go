package parity_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/test/debian"
)

// own matches what may differ: the input and the records of the program and of the agent, and what programs of the
// system leave besides their result.
var own = regexp.MustCompile(`^/(` + strings.Join([]string{
	// The script, the configuration, and the program that the script installs.
	`root/machine\.(sh|yaml)$`, `etc/machineadm/bootstrap$`, `usr/local/sbin/machineadm$`,
	// Records: the program has markers, the agent a journal, a status and a lock.
	`var/lib/machineadm(/|$)`, `run/(machineadm|cluster-api)(/|$)`, `var/log(/|$)`,
	// The unit by which the agent goes on after a reboot.
	`etc/systemd/system/(multi-user\.target\.wants/)?machineadm-resume\.service$`,
	// Copies that the programs for accounts make of their files, and locks.
	`etc/(passwd|group|shadow|gshadow|subuid|subgid)-$`, `etc/\.pwd\.lock$`,
	// Directories with another time only.
	`(root|run|usr|var|etc|srv|dev)$`,
}, "|") + `)`)

// changes returns the paths that a machine has changed.
func changes(t *testing.T, m *debian.Machine) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(m.Path("/"), func(path string, _ fs.DirEntry, err error) error {
		name := "/" + strings.TrimPrefix(strings.TrimPrefix(path, m.Path("/")), "/")
		if !own.MatchString(name) {
			paths = append(paths, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// tree returns what each path is: its mode, owner, group, and its content or target.
func tree(t *testing.T, m *debian.Machine, paths []string) []string {
	t.Helper()
	lines := make([]string, len(paths))
	for i, path := range paths {
		lines[i] = path + " " + describe(t, m, path)
	}
	return lines
}

// withoutDays replaces the days of password changes during the test, which may run over midnight.
func withoutDays(shadow string) string {
	today := time.Now().Unix() / 86400
	return strings.NewReplacer(fmt.Sprintf(":%d:", today), ":today:", fmt.Sprintf(":%d:", today-1), ":today:").
		Replace(shadow)
}

// describe looks at what the machine changed first, and then at the pristine root below it.
func describe(t *testing.T, m *debian.Machine, path string) string {
	t.Helper()
	at := m.Path(path)
	info, err := os.Lstat(at)
	if err != nil {
		at = filepath.Join(m.Lower, path)
		info, err = os.Lstat(at)
	}
	if err != nil || info.Mode()&fs.ModeCharDevice != 0 {
		return "is missing"
	}
	var content string
	switch {
	case info.Mode().IsRegular():
		b, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		content = string(b)
		if path == "/etc/shadow" {
			content = withoutDays(content)
		}
	case info.Mode()&fs.ModeSymlink != 0:
		if content, err = os.Readlink(at); err != nil {
			t.Fatal(err)
		}
	}
	owner, _ := info.Sys().(*syscall.Stat_t)
	return fmt.Sprintf("%v %d:%d %q", info.Mode(), owner.Uid, owner.Gid, content)
}

// calls returns the recorded commands without those of the agent and the program for themselves.
func calls(t *testing.T, m *debian.Machine) []string {
	t.Helper()
	text, err := os.ReadFile(m.Path("/var/log/calls"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
		// The unit by which the agent goes on after a reboot; the agent downloads without curl; the check whether
		// containerd is there.
		return strings.Contains(line, "machineadm-resume") || strings.HasPrefix(line, "curl ") ||
			line == "containerd [--version]"
	})
}

// devicesOf returns the block devices of the plan.
func devicesOf(p plan.Plan) []string {
	var all []string
	for _, s := range p.Steps {
		device := ""
		switch op := s.Do.(type) {
		case action.PartitionDisk:
			device = op.Device
		case action.MakeFilesystem:
			device = op.Device
		case action.MountFilesystem:
			device = op.Source
		case action.EnableSwap:
			device = op.Device
		default: // uses no device
		}
		if strings.HasPrefix(device, "/") && !slices.Contains(all, device) {
			all = append(all, device)
		}
	}
	return all
}

// disabledBy returns the units that the plan disables.
func disabledBy(p plan.Plan) []string {
	var all []string
	for _, s := range p.Steps {
		if op, ok := s.Do.(action.EnsureUnit); ok && op.Enabled != nil && !*op.Enabled {
			all = append(all, op.Name)
		}
	}
	return all
}
