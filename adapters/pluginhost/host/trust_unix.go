//go:build unix

package host

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// trusted returns why a file cannot be started as root: another user could have written it, or could replace it after
// the check. The path has no symbolic links in its folders. A link is refused, since every place along it would have to
// be checked.
func trusted(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if info.Mode()&os.ModeSymlink != 0 {
		return fmt.Errorf("%s is a symbolic link; put the program itself there", path)
	}
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 {
		return fmt.Errorf("%s is not a program", path)
	}
	for at := path; ; at = filepath.Dir(at) {
		if err := ownedByRoot(at); err != nil {
			return err
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
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
	// In a folder with the sticky bit others can only add files of their own, which the next one above the plugin is not.
	sticky := info.IsDir() && info.Mode()&os.ModeSticky != 0
	if !sticky && info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("users other than root can write %s", path)
	}
	return nil
}
