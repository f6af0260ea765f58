package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// entryKind is the kind of an entry of the journal. Its version is that of the status.
const entryKind = "JournalEntry"

// The errors of an entry. They do not quote it: it names files and commands of the machine.
var (
	errEntry   = errors.New("not an entry of a journal; restore the file, or replace the machine")
	errVersion = errors.New("another version than " + APIVersion + "; use the machineadm that wrote the journal")
	errUnknown = errors.New("this machineadm does not know all of its content; use the machineadm that wrote the journal")
)

// entry is a line of the journal file.
type entry struct {
	APIVersion string        `json:"apiVersion"`
	Kind       string        `json:"kind"`
	Event      journal.Event `json:"event"`
	Time       time.Time     `json:"time"`
	// Configuration is the SHA-256 of the configuration in hexadecimal.
	Configuration string    `json:"configuration,omitempty"`
	Partial       bool      `json:"partial,omitempty"`
	Step          string    `json:"step,omitempty"`
	Phase         string    `json:"phase,omitempty"`
	Document      string    `json:"document,omitempty"`
	Action        string    `json:"action,omitempty"`
	Original      *original `json:"original,omitempty"`
	Failure       string    `json:"failure,omitempty"`
}

// original is the state before a step.
type original struct {
	Type      journal.ResourceType `json:"type,omitempty"`
	Name      string               `json:"name,omitempty"`
	Exists    bool                 `json:"exists,omitempty"`
	Directory bool                 `json:"directory,omitempty"`
	Link      string               `json:"link,omitempty"`
	Size      int64                `json:"size,omitempty"`
	SHA256    string               `json:"sha256,omitempty"`
	// Mode is octal.
	Mode    string            `json:"mode,omitempty"`
	UID     int               `json:"uid,omitempty"`
	GID     int               `json:"gid,omitempty"`
	NewDirs []string          `json:"newDirectories,omitempty"`
	State   map[string]string `json:"state,omitempty"`
	Parts   []original        `json:"parts,omitempty"`
}

func encodeEntry(e journal.Entry) entry {
	w := entry{
		APIVersion: APIVersion, Kind: entryKind, Event: e.Event, Time: e.At.UTC(), Configuration: e.Digest,
		Partial: e.Partial, Step: e.Step, Document: string(e.Path), Action: e.Summary, Failure: e.Failure,
	}
	if e.Phase != 0 {
		w.Phase = e.Phase.String()
	}
	if e.Original.Captured() {
		o := encodeOriginal(e.Original)
		w.Original = &o
	}
	return w
}

func encodeOriginal(o journal.Original) original {
	w := original{
		Type: o.Type, Name: o.Name, Exists: o.Exists, Directory: o.Directory, Link: o.Link, Size: o.Size,
		SHA256: o.SHA256, UID: o.UID, GID: o.GID, NewDirs: o.NewDirs, State: o.State,
	}
	if o.Mode != 0 {
		w.Mode = fmt.Sprintf("%04o", uint32(o.Mode))
	}
	for _, part := range o.Parts {
		w.Parts = append(w.Parts, encodeOriginal(part))
	}
	return w
}

// decodeEntry reads a line. An unknown field is an error: what it describes would not be undone. Releases with the same
// version may add fields, events and phases, so their errors name the remedy for a newer journal.
func decodeEntry(line []byte) (journal.Entry, error) {
	var version struct{ APIVersion, Kind string }
	if json.Unmarshal(line, &version) != nil || version.Kind != entryKind {
		return journal.Entry{}, errEntry
	}
	if version.APIVersion != APIVersion {
		return journal.Entry{}, errVersion
	}
	var w entry
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if d.Decode(&w) != nil || !slices.Contains(journal.Events(), w.Event) {
		return journal.Entry{}, errUnknown
	}
	e := journal.Entry{
		Event: w.Event, At: w.Time, Digest: w.Configuration, Partial: w.Partial, Step: w.Step,
		Path: report.Path(w.Document), Summary: w.Action, Failure: w.Failure,
	}
	var err error
	if w.Phase != "" {
		e.Phase, err = phase(w.Phase)
	}
	if w.Original != nil && err == nil {
		e.Original, err = w.Original.decode()
	}
	return e, err
}

func phase(name string) (document.Phase, error) {
	p, known := document.PhaseNamed(name)
	if !known {
		return 0, errUnknown
	}
	return p, nil
}

func (w original) decode() (journal.Original, error) {
	o := journal.Original{
		Type: w.Type, Name: w.Name, Exists: w.Exists, Directory: w.Directory, Link: w.Link, Size: w.Size,
		SHA256: w.SHA256, UID: w.UID, GID: w.GID, NewDirs: w.NewDirs, State: w.State,
	}
	if w.Mode != "" {
		mode, err := strconv.ParseUint(w.Mode, 8, 32)
		if err != nil {
			return o, errEntry
		}
		o.Mode = machine.Mode(mode)
	}
	for _, part := range w.Parts {
		p, err := part.decode()
		if err != nil {
			return o, err
		}
		o.Parts = append(o.Parts, p)
	}
	return o, nil
}
