package record

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/machineadm/machineadm/domain/journal"
)

// Journal is a file with a JSON object on each line. It implements ports.Journal.
type Journal struct {
	path      string
	originals *Originals
	// whole is what the file holds as far as this process knows. A step may mount another file system over its folder.
	whole []byte
}

// NewJournal returns the journal in the directories. The first entry creates the file.
func NewJournal(d Directories) *Journal {
	return &Journal{
		path:      filepath.Join(d.State, JournalFile),
		originals: &Originals{dir: filepath.Join(d.State, OriginalsDir)},
	}
}

// Originals returns the copies of the files that the entries refer to.
func (j *Journal) Originals() *Originals { return j.originals }

// Load returns the entries. It ignores an incomplete last line, which a power cut may leave.
func (j *Journal) Load(context.Context) (journal.Journal, error) {
	data, err := os.ReadFile(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		j.whole = nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	j.whole = data[:bytes.LastIndexByte(data, '\n')+1]
	var entries journal.Journal
	for line := range bytes.Lines(j.whole) {
		e, err := decodeEntry(line)
		if err != nil {
			return nil, fmt.Errorf("%s, entry %d: %w", j.path, len(entries)+1, err)
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// Append writes the entries and waits until they are on the disk. It first truncates an incomplete line of an earlier
// run. If another file has replaced the journal since Load, Append writes all entries again, because the next boot
// needs the entries of this run.
func (j *Journal) Append(ctx context.Context, entries ...journal.Entry) error {
	var added []byte
	for _, e := range entries {
		line, err := json.Marshal(encodeEntry(e))
		if err != nil {
			return err
		}
		added = append(append(added, line...), '\n')
	}
	if j.whole == nil {
		if _, err := j.Load(ctx); err != nil {
			return err
		}
	}
	if err := errors.Join(restrict(filepath.Dir(j.path)), restrictAccess(j.path)); err != nil {
		return err
	}
	next := slices.Concat(j.whole, added)
	size, err := j.cutTorn()
	if err != nil {
		return err
	}
	if size != int64(len(j.whole)) || size == 0 {
		err = errors.Join(j.originals.move(ctx), replaceFile(j.path, next, private))
	} else {
		err = add(j.path, next[size:])
	}
	if err != nil {
		return err
	}
	j.whole = next
	return nil
}

// add writes at the end of the file.
func add(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, private)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// cutTorn cuts off a last line that has no end, and returns the size of the file: 0 if there is none.
func (j *Journal) cutTorn() (int64, error) {
	f, err := os.OpenFile(j.path, os.O_RDWR, private)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	size, err := cut(f)
	return size, errors.Join(err, f.Close())
}

func cut(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return 0, err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, info.Size()-1); err != nil || last[0] == '\n' {
		return info.Size(), err
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return 0, err
	}
	size := int64(bytes.LastIndexByte(data, '\n') + 1)
	return size, f.Truncate(size)
}

// Clear removes the file and then the copies of originals.
func (j *Journal) Clear(context.Context) error {
	j.whole = nil
	err := os.Remove(j.path)
	if err == nil {
		err = syncDir(filepath.Dir(j.path))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return j.originals.clear()
}
