package record

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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

// replaceFile puts a file into its place in one move. Once it returns, the file survives a power cut.
func replaceFile(at string, data []byte, mode fs.FileMode) error {
	if err := makeAll(filepath.Dir(at), publicDir); err != nil {
		return err
	}
	next := at + ".new"
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, private)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(next))
	}
	if err := os.Rename(next, at); err != nil {
		return err
	}
	return syncDir(filepath.Dir(at))
}

// makeAll makes a directory, and those above it for everybody.
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
	// The process may keep others out of what it makes.
	if err := os.Chmod(dir, mode); err != nil {
		return err
	}
	return syncDir(above)
}

// makePrivate makes a directory for root alone, also if it exists for others.
func makePrivate(dir string) error {
	if err := makeAll(dir, privateDir); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil || !othersUse(info) {
		return err
	}
	return os.Chmod(dir, privateDir)
}

// seclude replaces a file that others may open by a private copy, so that they cannot read what is added: neither by
// its name nor by a descriptor that they have already. What is not a regular file stays.
func seclude(at string) error {
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

// othersUse reports whether others than the owner have permissions. Windows has access control lists in their place.
func othersUse(info fs.FileInfo) bool {
	return runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
}

// syncDir waits until the entries of a directory are on the disk. Windows has no such call; its file systems keep their
// order.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
