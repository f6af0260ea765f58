package windows

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

// temporary is what the name of a file has at its end until the file is complete.
const temporary = ".machineadm-new"

// stateAt is the agent's state directory: the journal holds the content of files, and the log what programs print.
const stateAt = `C:\ProgramData\machineadm`

// runDirectory and sentinelDirectory are the directories of the status and of the result.
const (
	runDirectory      = `C:\run\machineadm`
	sentinelDirectory = `C:\run\cluster-api`
)

// privateAt is where private files are until they are complete: others cannot open what is in it, not even before it
// has its own permissions.
const privateAt = stateAt + `\private`

// tree is the files of the drive C:.
type tree struct {
	root *os.Root
	// private keeps others from reading a file, or all that will be in a directory.
	private func(ctx context.Context, path string, directory bool) error
	// originals stores copies of files that are replaced.
	originals ports.Originals
}

// below returns the path relative to the drive.
func below(at string) (string, error) {
	drive, rest, _ := strings.Cut(strings.ReplaceAll(at, `\`, "/"), ":")
	switch {
	case !strings.EqualFold(drive, "c") || !strings.HasPrefix(rest, "/"):
		return "", fmt.Errorf("%s is not on the drive C:, where the agent writes", at)
	case strings.ContainsAny(rest, ":*?\"<>|\x00"):
		return "", fmt.Errorf("Windows has no file of the name %q", at)
	}
	name := strings.TrimPrefix(path.Clean(rest), "/")
	for element := range strings.SplitSeq(name, "/") {
		if strings.HasSuffix(element, ".") || strings.HasSuffix(element, " ") {
			return "", fmt.Errorf("Windows leaves out the end of the name %q", at)
		}
		if machine.IsDeviceName(element) {
			return "", fmt.Errorf("%q is the name of a device on Windows", element)
		}
	}
	if name == "" {
		name = "."
	}
	return name, nil
}

// state returns what is at the path without its content, and which directories above it do not exist.
func (t *tree) state(at string) (journal.Original, error) {
	o := journal.Original{Type: journal.ResourcePath, Name: at}
	name, err := below(at)
	if err != nil {
		return o, err
	}
	info, err := t.root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		o.NewDirs = t.missing(name)
		return o, nil
	}
	if err != nil {
		return o, err
	}
	o.Exists, o.Directory = true, info.IsDir()
	if o.Directory {
		return o, nil
	}
	if !info.Mode().IsRegular() {
		return o, fmt.Errorf("%s is no file", at)
	}
	o.Size = info.Size()
	return o, nil
}

// open opens a file.
func (t *tree) open(at string) (*os.File, error) {
	name, err := below(at)
	if err != nil {
		return nil, err
	}
	return t.root.Open(name)
}

// digest computes the digest of a file in hexadecimal.
func (t *tree) digest(at string, h hash.Hash) (string, error) {
	f, err := t.open(at)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, f.Close())
}

// save stores a copy of a file.
func (t *tree) save(ctx context.Context, o *journal.Original) error {
	f, err := t.open(o.Name)
	if err != nil {
		return err
	}
	o.SHA256, err = t.originals.Save(ctx, io.LimitReader(f, o.Size))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("store the original of %s: %w", o.Name, err)
	}
	return nil
}

// original opens the copy of the original, or the file itself if there is no copy yet.
func (t *tree) original(ctx context.Context, o journal.Original) (io.ReadCloser, error) {
	if o.SHA256 == "" {
		return t.open(o.Name)
	}
	content, err := t.originals.Open(ctx, o.SHA256)
	if err != nil {
		return nil, fmt.Errorf("open the original of %s: %w", o.Name, err)
	}
	return content, nil
}

// missing returns the directories above the name that do not exist, outermost first.
func (t *tree) missing(name string) []string {
	var created []string
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if _, err := t.root.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		created = append(created, `C:\`+strings.ReplaceAll(dir, "/", `\`))
	}
	slices.Reverse(created)
	return created
}

// write writes the reader's data to a file: the old file stays until the new one is complete. A private file is private
// before it has any content.
func (t *tree) write(ctx context.Context, at string, from io.Reader, private bool) error {
	name, err := below(at)
	if err != nil {
		return err
	}
	if err := t.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	next := name + temporary
	if private {
		if next, err = t.stage(ctx, name); err != nil {
			return err
		}
	}
	if err := t.fill(next, from); err != nil {
		return errors.Join(err, t.root.Remove(next))
	}
	return t.root.Rename(next, name)
}

// stage makes an empty private file and returns its name.
func (t *tree) stage(ctx context.Context, name string) (string, error) {
	dir, err := below(privateAt)
	if err != nil {
		return "", err
	}
	if err := t.root.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := t.private(ctx, privateAt, true); err != nil {
		return "", err
	}
	base := fmt.Sprintf("%x", sha256.Sum256([]byte(name)))
	if err := t.fill(dir+"/"+base, strings.NewReader("")); err != nil {
		return "", err
	}
	return dir + "/" + base, t.private(ctx, privateAt+`\`+base, false)
}

// fill writes a file that survives a power cut.
func (t *tree) fill(name string, from io.Reader) error {
	f, err := t.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// remove removes a file; it may be gone.
func (t *tree) remove(at string) error {
	name, err := below(at)
	if err != nil {
		return err
	}
	if err := t.root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// restore puts back what stood there. Directories that were made and are not empty hold what others wrote, and stay.
func (t *tree) restore(ctx context.Context, o journal.Original) error {
	if o.Exists && !o.Directory {
		content, err := t.original(ctx, o)
		if err != nil {
			return err
		}
		return errors.Join(t.write(ctx, o.Name, content, o.State["private"] != ""), content.Close())
	}
	if o.Exists {
		return nil
	}
	is, err := t.state(o.Name)
	if err != nil {
		return err
	}
	if is.Exists && !is.Directory {
		if err := t.remove(o.Name); err != nil {
			return err
		}
	}
	if is.Directory {
		_ = t.remove(o.Name)
	}
	for i := len(o.NewDirs) - 1; i >= 0; i-- {
		_ = t.remove(o.NewDirs[i])
	}
	return nil
}
