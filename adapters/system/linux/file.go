//go:build linux

package linux

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/machineadm/machineadm/adapters/internal/linediff"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// longest is the size in bytes from which a difference of contents is not shown line by line.
const longest = 64 << 10

func literal(s string) document.Content { return document.Text(s) }

type file struct {
	tree *tree
	machine.File
}

func (f file) capture(context.Context) (journal.Original, error) { return f.is() }

// is returns the current state of the path.
func (f file) is() (journal.Original, error) {
	at, err := f.at()
	if err != nil {
		return journal.Original{}, err
	}
	return f.tree.state(at)
}

// at returns the path that changes. A link is replaced, but appends follow it, as the shell does: /etc/resolv.conf is a
// link on many systems.
func (f file) at() (string, error) {
	if !f.Append {
		return f.Path, nil
	}
	return f.tree.follow(f.Path)
}

// desired returns the desired state. Attributes that an append does not set stay as they are in the existing file.
func (f file) desired(ctx context.Context, original journal.Original) (journal.Original, error) {
	content, ok := f.Content.Static()
	if !ok {
		return journal.Original{}, fmt.Errorf("%s: the facts are not filled in", f.Path)
	}
	uid, gid, err := f.tree.owner(ctx, f.Owner)
	w := journal.Original{Exists: true, Size: int64(len(content)), Mode: f.EffectiveMode(), UID: uid, GID: gid}
	if err != nil || !f.Append || original.Directory {
		return w, err
	}
	if !original.Exists {
		if f.Owner == (machine.Owner{}) {
			return f.creator(w)
		}
		return w, nil
	}
	w.Size += original.Size
	if f.Mode == machine.ModeUnset {
		w.Mode = original.Mode
	}
	if f.Owner == (machine.Owner{}) {
		w.UID, w.GID = original.UID, original.GID
	}
	return w, err
}

// creator sets the owner of a new file without a given owner: the owner of a directory that belongs to another user,
// otherwise root. The programs that renderers write append as that user, too.
func (f file) creator(w journal.Original) (journal.Original, error) {
	at, err := f.at()
	if err != nil {
		return w, err
	}
	return w, f.tree.with(at, false, func(p *place) error {
		if p.foreign {
			w.UID, w.GID = int(p.stat.Uid), int(p.stat.Gid)
		}
		return nil
	})
}

func (f file) diff(ctx context.Context, original journal.Original) ([]string, error) {
	is, err := f.is()
	if err != nil {
		return nil, err
	}
	if is.Directory {
		return nil, fmt.Errorf("%s is a directory", f.Path)
	}
	if !original.Captured() {
		original = is
	}
	want, err := f.desired(ctx, original)
	if err != nil {
		return nil, err
	}
	lines, err := f.contentDiff(ctx, is, want, original)
	return append(attributeLines(f.Path, is, want), lines...), err
}

// contentDiff returns how the contents differ. Long contents are not read into memory.
func (f file) contentDiff(ctx context.Context, is, want, original journal.Original) ([]string, error) {
	if is.Link == "" && is.Size == want.Size {
		same, err := f.same(ctx, is, original)
		if same || err != nil {
			return nil, err
		}
	}
	if f.Secret || is.Size+want.Size > longest {
		return []string{sizeLine(f.Path, is.Size, want.Size)}, nil
	}
	content, err := f.content(ctx, original)
	if err != nil {
		return nil, err
	}
	wanted, err := readAll(content)
	if err != nil || !is.Regular() {
		return contentLines(f.Path, nil, wanted), err
	}
	at, err := f.at()
	if err != nil {
		return nil, err
	}
	actual, err := f.tree.open(at, false)
	if err != nil {
		return nil, err
	}
	data, err := readAll(actual)
	return contentLines(f.Path, data, wanted), err
}

// same reports whether the file has the desired content. The sizes are known to be equal.
func (f file) same(ctx context.Context, is, original journal.Original) (bool, error) {
	if !is.Exists {
		return true, nil
	}
	at, err := f.at()
	if err != nil {
		return false, err
	}
	content, err := f.content(ctx, original)
	if err != nil {
		return false, err
	}
	want := sha256.New()
	_, err = io.Copy(want, content)
	if err := errors.Join(err, content.Close()); err != nil {
		return false, err
	}
	got, err := f.tree.digest(at, sha256.New())
	return got == hex.EncodeToString(want.Sum(nil)), err
}

// content returns the desired content. The content of an append follows the original.
func (f file) content(ctx context.Context, original journal.Original) (io.ReadCloser, error) {
	content, _ := f.Content.Static()
	if !f.Append || !original.Regular() {
		return io.NopCloser(bytes.NewReader(content)), nil
	}
	before, err := f.original(ctx, original)
	if err != nil {
		return nil, fmt.Errorf("open the original of %s: %w", f.Path, err)
	}
	return appended{io.MultiReader(before, bytes.NewReader(content)), before}, nil
}

// original opens the stored copy of the original, or the file itself if there is no copy yet.
func (f file) original(ctx context.Context, o journal.Original) (io.ReadCloser, error) {
	if o.SHA256 == "" {
		return f.tree.open(o.Name, false)
	}
	return f.tree.originals.Open(ctx, o.SHA256)
}

// appended is content that follows the content of a file.
type appended struct {
	io.Reader
	io.Closer
}

func readAll(r io.ReadCloser) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxRead))
	return data, errors.Join(err, r.Close())
}

func (f file) apply(ctx context.Context, original journal.Original) error {
	if !original.Captured() {
		var err error
		if original, err = f.is(); err != nil {
			return err
		}
	}
	want, err := f.desired(ctx, original)
	if err != nil {
		return err
	}
	at, err := f.at()
	if err != nil {
		return err
	}
	content, err := f.content(ctx, original)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	return f.tree.with(at, false, func(p *place) error {
		if p.shared() && f.Append && original.Exists && discloses(original, want, int(p.stat.Uid)) {
			return fmt.Errorf("%s belongs to the user %d, and what others cannot read in it is not given "+
				"to other users; remove it", at, original.UID)
		}
		return p.write(ctx, content, want.Mode, want.UID, want.GID)
	})
}

// othersRead and groupReads are the read permissions of others and of the file's group.
const (
	othersRead machine.Mode = 0o004
	groupReads machine.Mode = 0o040
)

// discloses reports whether the desired attributes let users read content that they could not read before. It could be
// a file of root that was moved here. The owner of the directory may disclose the owner's files.
func discloses(o, want journal.Original, owner int) bool {
	if o.Size == 0 || o.Mode&othersRead != 0 {
		return false
	}
	more := want.Mode&^o.Mode&(groupReads|othersRead) != 0 || o.GID != want.GID && want.Mode&groupReads != 0
	return o.UID != want.UID || o.UID != owner && more
}

// attributeLines returns the differences other than the content.
func attributeLines(path string, is, want journal.Original) []string {
	switch {
	case !is.Exists:
		return []string{fmt.Sprintf("+ %s %04o %d:%d", path, uint32(want.Mode), want.UID, want.GID)}
	case is.Link != want.Link:
		return []string{fmt.Sprintf("- %s -> %s", path, is.Link)}
	case want.Link == "" && (is.Mode != want.Mode || is.UID != want.UID || is.GID != want.GID):
		return []string{
			fmt.Sprintf("- %s %04o %d:%d", path, uint32(is.Mode), is.UID, is.GID),
			fmt.Sprintf("+ %s %04o %d:%d", path, uint32(want.Mode), want.UID, want.GID),
		}
	default:
		return nil
	}
}

// contentLines returns a unified diff of the contents, or one line if they are binary or long.
func contentLines(path string, is, want []byte) []string {
	if !utf8.Valid(is) || !utf8.Valid(want) || len(is)+len(want) > longest {
		return []string{sizeLine(path, int64(len(is)), int64(len(want)))}
	}
	text := linediff.Unified(path, path, string(is), string(want))
	return strings.Split(strings.TrimRight(text, "\n"), "\n")
}

func sizeLine(path string, is, want int64) string {
	return fmt.Sprintf("~ %s: %d bytes in place of %d", path, want, is)
}

type directory struct {
	tree *tree
	action.MakeDirectory
}

func (d directory) capture(context.Context) (journal.Original, error) {
	// A link to a directory stays, as with mkdir -p.
	at, err := d.tree.follow(d.Path)
	if err != nil {
		return journal.Original{}, err
	}
	return d.tree.state(at)
}

func (d directory) desired(ctx context.Context) (journal.Original, error) {
	uid, gid, err := d.tree.owner(ctx, d.Owner)
	return journal.Original{
		Exists: true, Directory: true, Mode: d.Mode.Or(machine.DefaultDirectoryMode),
		UID: uid, GID: gid,
	}, err
}

func (d directory) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	is, err := d.capture(ctx)
	if err != nil {
		return nil, err
	}
	if is.Exists && !is.Directory {
		return nil, fmt.Errorf("%s is no directory", d.Path)
	}
	want, err := d.desired(ctx)
	return attributeLines(d.Path+"/", is, want), err
}

func (d directory) apply(ctx context.Context, _ journal.Original) error {
	want, err := d.desired(ctx)
	if err != nil {
		return err
	}
	return d.tree.makeDirectory(ctx, d.Path, want.Mode, want.UID, want.GID)
}

type link struct {
	tree *tree
	action.Link
}

func (l link) capture(context.Context) (journal.Original, error) { return l.tree.state(l.Path) }

func (l link) diff(context.Context, journal.Original) ([]string, error) {
	is, err := l.tree.state(l.Path)
	if err != nil || is.Link == l.Target {
		return nil, err
	}
	if is.Directory {
		return nil, fmt.Errorf("%s is a directory", l.Path)
	}
	return []string{fmt.Sprintf("+ %s -> %s", l.Path, l.Target)}, nil
}

func (l link) apply(ctx context.Context, _ journal.Original) error {
	return l.tree.symlink(ctx, l.Path, l.Target)
}
