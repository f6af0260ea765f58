package osprofile

import (
	"slices"
	"strings"
)

// CanWrite reports whether the administrator can write the file or directory at the path, which is absolute and clean.
func (p Profile) CanWrite(path string) bool {
	return !p.under(path, p.ReadOnly) || p.under(path, p.Writable)
}

// CanExec reports whether a program at the path, which is absolute and clean, can be started in every release.
func (p Profile) CanExec(path string) bool { return !p.under(path, p.NoExec) }

func (p Profile) under(path string, directories []string) bool {
	path = p.comparable(path)
	return slices.ContainsFunc(directories, func(d string) bool {
		d = strings.TrimSuffix(p.comparable(d), "/")
		return path == d || strings.HasPrefix(path, d+"/")
	})
}

// comparable spells a path so that two spellings of one file are equal: Windows takes both slashes and any case.
func (p Profile) comparable(path string) string {
	if p.Family != FamilyWindows {
		return path
	}
	return strings.ToLower(strings.ReplaceAll(path, `\`, "/"))
}

// IsAbs reports whether the path is absolute in the operating system's own way: /var, or C:\var on Windows.
func (p Profile) IsAbs(path string) bool {
	if p.Family != FamilyWindows {
		return strings.HasPrefix(path, "/")
	}
	return len(path) > 2 && isLetter(path[0]) && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// MountedLate returns the directories whose file systems are not mounted yet when Ignition runs. On SUSE's systems with
// Ignition they are subvolumes without the option x-initrd.mount. Sources: SLE Micro Deployment Guide, Default
// partitioning; README.SUSE of the package ignition; SUSE/elemental, pull request 180.
func (p Profile) MountedLate() []string {
	if p.Family != FamilySUSE || p.ButaneVariant == "" {
		return nil
	}
	return []string{"/home", "/opt", "/srv", "/usr/local"}
}
