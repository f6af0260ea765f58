package windows

import (
	"bytes"
	"context"
	"fmt"
	"slices"

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

func (f file) capture() (journal.Original, error) {
	o, err := f.tree.capture(f.Path)
	if f.Private() {
		// What a private file takes the place of may have been one, too.
		o.State = map[string]string{"private": "yes"}
	}
	return o, err
}

func (f file) wish(original journal.Original) ([]byte, error) {
	content, ok := f.Content.Static()
	if !ok {
		return nil, fmt.Errorf("%s: the facts are not filled in", f.Path)
	}
	if f.Owner != (machine.Owner{}) {
		return nil, fmt.Errorf("%s: the agent gives files no owner on Windows; leave the owner out, or use "+
			"icacls in a Command document", f.Path)
	}
	if f.Append && original.Exists {
		return slices.Concat(original.Content, content), nil
	}
	return content, nil
}

func (f file) diff(original journal.Original) ([]string, error) {
	want, err := f.wish(original)
	if err != nil {
		return nil, err
	}
	is, err := f.tree.capture(f.Path)
	if err != nil {
		return nil, err
	}
	switch {
	case is.Directory:
		return nil, fmt.Errorf("%s is a directory", f.Path)
	case is.Exists && bytes.Equal(is.Content, want):
		return nil, nil
	default:
		return []string{fmt.Sprintf("~ %s: %d bytes in place of %d", f.Path, len(want), len(is.Content))}, nil
	}
}

func (f file) apply(ctx context.Context, original journal.Original) error {
	want, err := f.wish(original)
	if err != nil {
		return err
	}
	return f.tree.write(ctx, f.Path, bytes.NewReader(want), f.Private())
}

// directory is a directory.
type directory struct {
	tree *tree
	action.MakeDirectory
}

func (d directory) capture() (journal.Original, error) { return d.tree.capture(d.Path) }

func (d directory) diff(journal.Original) ([]string, error) {
	is, err := d.tree.capture(d.Path)
	switch {
	case err != nil || is.Directory:
		return nil, err
	case is.Exists:
		return nil, fmt.Errorf("%s is no directory", d.Path)
	default:
		return []string{"+ " + d.Path + `\`}, nil
	}
}

func (d directory) apply(context.Context, journal.Original) error {
	name, err := below(d.Path)
	if err != nil {
		return err
	}
	return d.tree.root.MkdirAll(name, 0o755)
}
