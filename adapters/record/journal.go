package record

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/machineadm/machineadm/domain/journal"
)

// Journal is a file of one JSON object a line. It implements ports.Journal.
type Journal struct{ path string }

// NewJournal returns the journal in the directories. The file is made with its first entry.
func NewJournal(d Directories) *Journal {
	return &Journal{path: filepath.Join(d.State, JournalFile)}
}

// Load returns the entries. What a power cut left of a last line is no entry.
func (j *Journal) Load(context.Context) (journal.Journal, error) {
	data, err := os.ReadFile(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var entries journal.Journal
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	for lines := bufio.NewReader(bytes.NewReader(whole)); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return entries, nil
		}
		var e journal.Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("%s, entry %d: %w", j.path, len(entries)+1, err)
		}
		entries = append(entries, e)
	}
}

// Append writes the entry and waits until it is on the disk. A torn line of an earlier run is ended first.
func (j *Journal) Append(_ context.Context, e journal.Entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(j.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(j.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	err = cutTorn(f)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// cutTorn cuts off a last line that has no end.
func cutTorn(f *os.File) error {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, info.Size()-1); err != nil || last[0] == '\n' {
		return err
	}
	data, err := os.ReadFile(f.Name())
	if err != nil {
		return err
	}
	return f.Truncate(int64(bytes.LastIndexByte(data, '\n') + 1))
}

// Clear removes the file.
func (j *Journal) Clear(context.Context) error {
	if err := os.Remove(j.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
