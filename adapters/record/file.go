package record

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/machineadm/machineadm/adapters/internal/atomicfile"
)

// The modes of the files. Monitoring may read files without secrets.
const (
	public  = 0o644
	private = 0o600
)

// The modes of new directories. Only root can access the state, because the originals of the journal may contain
// secrets.
const (
	publicDir  = 0o755
	privateDir = 0o700
)

// replaceFile replaces the file atomically and creates its directories.
func replaceFile(at string, data []byte, mode fs.FileMode) error {
	if err := makeAll(filepath.Dir(at), publicDir); err != nil {
		return err
	}
	return atomicfile.Replace(at, data, mode)
}

// makeAll creates a directory, and its parents for everybody.
func makeAll(dir string, mode fs.FileMode) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	above := filepath.Dir(dir)
	if err := makeAll(above, publicDir); err != nil {
		return err
	}
	if err := os.Mkdir(dir, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	// The umask may remove permissions.
	if err := os.Chmod(dir, mode); err != nil {
		return err
	}
	return syncDir(above)
}

// restrict creates a directory that only root can read, and removes the permissions of others from an existing one.
func restrict(dir string) error {
	if err := makeAll(dir, privateDir); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil || !othersUse(info) {
		return err
	}
	return os.Chmod(dir, privateDir)
}

// restrictAccess replaces a file that others may open by a private copy. So they cannot read later additions, neither
// by the name nor by a descriptor that they already have. It ignores files that are not regular.
func restrictAccess(at string) error {
	info, err := os.Stat(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || !info.Mode().IsRegular() || !othersUse(info) {
		return err
	}
	data, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	return replaceFile(at, data, private)
}

// othersUse reports whether users other than the owner have permissions. Windows has access control lists instead.
func othersUse(info fs.FileInfo) bool {
	return runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
}

// syncDir waits until the entries of the directory are on the disk.
func syncDir(path string) error {
	dir, err := os.OpenRoot(path)
	if err != nil {
		return err
	}
	return errors.Join(atomicfile.Sync(dir), dir.Close())
}
