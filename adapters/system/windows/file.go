package windows

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// file is a file. Of its mode only counts whether others may read it: if not, it is the system's and the
// administrators' alone.
type file struct {
	tree *tree
	machine.File
}

func (f file) capture(context.Context) (journal.Original, error) {
	o, err := f.tree.state(f.Path)
	if f.Private() {
		// What a private file takes the place of may have been one, too.
		o.State = map[string]string{"private": "yes"}
	}
	return o, err
}

// content returns the wanted content: of an append, after that of the original.
func (f file) content(ctx context.Context, original journal.Original) (io.ReadCloser, error) {
	content, ok := f.Content.Static()
	if !ok {
		return nil, fmt.Errorf("%s: the facts are not filled in", f.Path)
	}
	if err := checkOwner(f.Path, f.Owner); err != nil {
		return nil, err
	}
	if !f.Append || !original.Regular() {
		return io.NopCloser(bytes.NewReader(content)), nil
	}
	before, err := f.tree.original(ctx, original)
	if err != nil {
		return nil, err
	}
	return appended{io.MultiReader(before, bytes.NewReader(content)), before}, nil
}

// checkOwner returns an error for an owner that files on Windows cannot have.
func checkOwner(path string, o machine.Owner) error {
	if windowscmd.CanOwn(o) {
		return nil
	}
	return fmt.Errorf("%s: the agent gives files no owner on Windows; leave the owner out, or use icacls in a Command "+
		"document", path)
}

// appended is a content that follows that of a file.
type appended struct {
	io.Reader
	io.Closer
}

func (f file) diff(ctx context.Context, original journal.Original) ([]string, error) {
	actual, err := f.tree.state(f.Path)
	if err != nil {
		return nil, err
	}
	if actual.Directory {
		return nil, fmt.Errorf("%s is a directory", f.Path)
	}
	if !original.Captured() {
		original = actual
	}
	content, err := f.content(ctx, original)
	if err != nil {
		return nil, err
	}
	want := sha256.New()
	size, err := io.Copy(want, content)
	if err := errors.Join(err, content.Close()); err != nil {
		return nil, err
	}
	if actual.Exists && actual.Size == size {
		got, err := f.tree.digest(f.Path, sha256.New())
		if got == hex.EncodeToString(want.Sum(nil)) || err != nil {
			return nil, err
		}
	}
	return []string{fmt.Sprintf("~ %s: %d bytes in place of %d", f.Path, size, actual.Size)}, nil
}

func (f file) apply(ctx context.Context, original journal.Original) error {
	content, err := f.content(ctx, original)
	if err != nil {
		return err
	}
	return errors.Join(f.tree.write(ctx, f.Path, content, f.Private()), content.Close())
}

// directory is a directory.
type directory struct {
	tree *tree
	action.MakeDirectory
}

func (d directory) capture(context.Context) (journal.Original, error) { return d.tree.state(d.Path) }

func (d directory) diff(context.Context, journal.Original) ([]string, error) {
	if err := checkOwner(d.Path, d.Owner); err != nil {
		return nil, err
	}
	is, err := d.tree.state(d.Path)
	switch {
	case err != nil || is.Directory:
		return nil, err
	case is.Exists:
		return nil, fmt.Errorf("%s is no directory", d.Path)
	default:
		return []string{"+ " + d.Path + `\`}, nil
	}
}

func (d directory) apply(ctx context.Context, _ journal.Original) error {
	name, err := below(d.Path)
	if err != nil {
		return err
	}
	private := windowscmd.IsPrivate(d.Mode.Or(machine.DefaultDirectoryMode))
	if err := d.tree.root.MkdirAll(name, 0o755); err != nil || !private {
		return err
	}
	return d.tree.private(ctx, d.Path, true)
}
