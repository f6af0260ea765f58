// Package atomicfile replaces files atomically: after a power cut a file has either its old or its new content. It is
// for files of machineadm itself. Files of the machine also need an owner and a label, which adapters/system sets.
//
// It uses no library: google/renameio does not support Windows, and natefinch/atomic does not flush.
package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
)

// Replace replaces the file, in an existing directory. A link is replaced, too.
func Replace(name string, data []byte, mode fs.FileMode) error {
	dir, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return err
	}
	base := filepath.Base(name)
	err = Write(dir, linuxcmd.Temporary(base), mode, func(f io.Writer) (string, error) {
		_, err := f.Write(data)
		return base, err
	})
	return errors.Join(err, dir.Close())
}

// Write creates the temporary file in the directory and calls write, which returns the final name. Then it flushes the
// file and renames it. Until the file is complete, only its owner can read it: its mode is 0600.
func Write(dir *os.Root, temporary string, mode fs.FileMode, write func(io.Writer) (name string, err error)) error {
	// An existing file keeps its mode, and other users may have it open.
	if err := dir.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := dir.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	name, err := write(f)
	if err == nil {
		err = errors.Join(f.Chmod(mode), f.Sync())
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = dir.Rename(temporary, name)
	}
	if err != nil {
		return errors.Join(err, dir.Remove(temporary))
	}
	return Sync(dir)
}

// Sync waits until the entries of the directory are on the disk. Windows has no such call; its file systems keep their
// order.
func Sync(dir *os.Root) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
