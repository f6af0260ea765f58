package record

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// The modes of the files: what holds no secret is for monitoring, too.
const (
	public  = 0o644
	private = 0o600
)

// The modes of new directories. That of the state is for root alone: the journal holds what files held.
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

// syncDir waits until the entries of a directory are on the disk. Windows has no such call; its file systems keep their order.
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
