//go:build unix

package host

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// trusted reports why a file cannot be started as root: somebody else could have put it there.
func trusted(path string) error {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(resolved)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 {
		return fmt.Errorf("%s is no program", resolved)
	}
	for _, start := range []string{path, resolved} {
		for at := start; ; at = filepath.Dir(at) {
			if err := ownedByRoot(at); err != nil {
				return err
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return nil
}

func ownedByRoot(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || owner.Uid != 0 {
		return fmt.Errorf("%s does not belong to root", path)
	}
	// In a folder with the sticky bit others can only add files of their own.
	link, sticky := info.Mode()&os.ModeSymlink != 0, info.IsDir() && info.Mode()&os.ModeSticky != 0
	if !link && !sticky && info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("others can write %s", path)
	}
	return nil
}
