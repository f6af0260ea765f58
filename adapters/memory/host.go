package memory

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"reflect"
	"slices"
	"sync"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

// HostFile is a file of a Host.
type HostFile struct {
	Content []byte
	Mode    machine.Mode
	// Link is the target of a symbolic link.
	Link string
	// Directory means that it is a directory.
	Directory bool
	// UID and GID are the owner's numbers.
	UID, GID int
}

// Host implements ports.Host in memory. It models paths, accounts, units and commands. Operations on disks, mounts and
// packages are only recorded.
type Host struct {
	Files map[string]HostFile
	// Things are accounts, units, disks, mounts and packages, by their kind and name.
	Things map[string]action.Operation
	// Ran are the scripts of the commands, and Restarted the units, in their order.
	Ran, Restarted []string
	// Web are the contents behind addresses; elsewhere a file holds its address.
	Web map[string]string
	// Fail makes the command of that name fail.
	Fail map[string]*ports.CommandError
	// Stopping means that the machine shuts down.
	Stopping bool
	// writing is held while files are written, which several may be at once.
	writing sync.Mutex
	// before are the things as they were captured, and copies the contents of files by their SHA-256.
	before map[string]action.Operation
	copies map[string][]byte
}

// NewHost returns an empty machine.
func NewHost() *Host {
	return &Host{
		Files: map[string]HostFile{}, Things: map[string]action.Operation{},
		before: map[string]action.Operation{}, copies: map[string][]byte{}, Fail: map[string]*ports.CommandError{},
	}
}

// Capture returns the existing state.
func (h *Host) Capture(_ context.Context, op action.Operation) (journal.Original, error) {
	thing, name := target(op)
	o := journal.Original{Type: thing, Name: name}
	if c, ok := op.(action.RunCommand); ok {
		o.State = map[string]string{"undo": c.Undo}
		return o, nil
	}
	if thing == journal.ResourcePath {
		return h.captureFile(o), nil
	}
	h.before[key(thing, name)], o.Exists = h.Things[key(thing, name)]
	return o, nil
}

func (h *Host) captureFile(o journal.Original) journal.Original {
	f, exists := h.Files[o.Name]
	o.Exists, o.Mode, o.Link, o.Directory = exists, f.Mode, f.Link, f.Directory
	o.UID, o.GID = f.UID, f.GID
	if o.Regular() {
		sum := sha256.Sum256(f.Content)
		o.Size, o.SHA256 = int64(len(f.Content)), hex.EncodeToString(sum[:])
		h.copies[o.SHA256] = slices.Clone(f.Content)
	}
	return o
}

// IsStopping returns Stopping.
func (h *Host) IsStopping(context.Context) bool { return h.Stopping }

// AwaitDevice does nothing, because devices always exist.
func (h *Host) AwaitDevice(context.Context, action.Operation) {}

// Diff compares what is with what is wanted.
func (h *Host) Diff(_ context.Context, op action.Operation, original journal.Original) (ports.Change, error) {
	if _, command := op.(action.RunCommand); command {
		return ports.Change{Lines: []string{"+ " + op.Summary()}}, nil
	}
	thing, name := target(op)
	if thing != journal.ResourcePath {
		existing := h.Things[key(thing, name)]
		same := reflect.DeepEqual(existing, op)
		if p, is := op.(action.InstallPackages); is {
			// As on a machine, newer lists and versions are always possible.
			same = existing != nil && !p.Update && !p.Upgrade
		}
		if same {
			return ports.Change{}, nil
		}
		return ports.Change{Lines: []string{"+ " + op.Summary()}}, nil
	}
	is, exists := h.Files[name]
	if !original.Captured() {
		original = h.captureFile(journal.Original{Type: thing, Name: name})
	}
	wanted, err := h.desired(op, original)
	if err == nil && exists && is.equal(wanted) {
		return ports.Change{}, nil
	}
	return ports.Change{Lines: []string{"+ " + op.Summary()}}, nil
}

// Exists reports whether there is a file with the path.
func (h *Host) Exists(_ context.Context, path string) (bool, error) {
	_, exists := h.Files[path]
	return exists, nil
}

func (f HostFile) equal(other HostFile) bool {
	same := f.Mode == other.Mode && f.Link == other.Link && f.Directory == other.Directory && f.UID == other.UID &&
		f.GID == other.GID
	return same && bytes.Equal(f.Content, other.Content)
}

// Apply applies the operation.
func (h *Host) Apply(_ context.Context, op action.Operation, original journal.Original) error {
	if c, ok := op.(action.RunCommand); ok {
		h.Ran = append(h.Ran, c.Script)
		if err := h.Fail[c.Name]; err != nil {
			return err
		}
		return nil
	}
	thing, name := target(op)
	if thing == journal.ResourcePath {
		h.writing.Lock()
		defer h.writing.Unlock()
		f, err := h.desired(op, original)
		if err == nil {
			h.Files[name] = f
		}
		return err
	}
	h.Things[key(thing, name)] = op
	return nil
}

// State returns the host's state, by name.
func (h *Host) State() map[string]string {
	state := map[string]string{}
	for path, f := range h.Files {
		state[path] = fmt.Sprintf("%q %o %d:%d %s %v", f.Content, f.Mode, f.UID, f.GID, f.Link, f.Directory)
	}
	for name, op := range h.Things {
		state[name] = fmt.Sprintf("%+v", op)
	}
	return state
}

// Revert puts back the original.
func (h *Host) Revert(_ context.Context, o journal.Original) error {
	switch {
	case o.Type == journal.ResourceCommand:
		if o.State["undo"] != "" {
			h.Ran = append(h.Ran, o.State["undo"])
		}
	case o.Type != journal.ResourcePath && o.Exists:
		h.Things[key(o.Type, o.Name)] = h.before[key(o.Type, o.Name)]
	case o.Type != journal.ResourcePath:
		delete(h.Things, key(o.Type, o.Name))
	case o.Exists:
		h.Files[o.Name] = HostFile{
			Content: h.copies[o.SHA256], Mode: o.Mode, Link: o.Link, Directory: o.Directory,
			UID: o.UID, GID: o.GID,
		}
	default:
		delete(h.Files, o.Name)
	}
	return nil
}

// Restart writes down the unit.
func (h *Host) Restart(_ context.Context, unit string) error {
	h.Restarted = append(h.Restarted, unit)
	return nil
}

func key(t journal.ResourceType, name string) string { return string(t) + " " + name }

// target returns what an operation changes.
func target(op action.Operation) (journal.ResourceType, string) {
	switch o := op.(type) {
	case action.WriteFile:
		return journal.ResourcePath, o.Path
	case action.MakeDirectory:
		return journal.ResourcePath, o.Path
	case action.Link:
		return journal.ResourcePath, o.Path
	case action.FetchFile:
		return journal.ResourcePath, o.Path
	case action.EnsureGroup:
		return journal.ResourceGroup, o.Name
	case action.EnsureUser:
		return journal.ResourceUser, o.Name
	case action.EnsureUnit:
		return journal.ResourceUnit, o.Name
	case action.PartitionDisk:
		return journal.ResourceDisk, o.Device
	case action.MakeFilesystem:
		return journal.ResourceDisk, o.Device + " " + o.Format
	case action.MountFilesystem:
		return journal.ResourceMount, o.Path
	case action.EnableSwap:
		return journal.ResourceMount, o.Device + o.Path
	case action.InstallPackages:
		return journal.ResourcePackages, fmt.Sprint(o.Install)
	default:
		return journal.ResourceCommand, op.Summary()
	}
}

// desired returns the file that the operation wants, and an error if what is fetched is not what was asked for.
func (h *Host) desired(op action.Operation, original journal.Original) (HostFile, error) {
	f := desired(op, h.copies[original.SHA256])
	fetched, ok := op.(action.FetchFile)
	content, served := h.Web[fetched.URL]
	if !ok || !served {
		return f, nil
	}
	sum := sha256.Sum256([]byte(content))
	if hex.EncodeToString(sum[:]) != fetched.SHA256 {
		return f, fmt.Errorf("fetch %s: the digest is another one", fetched.From())
	}
	f.Content = []byte(content)
	return f, nil
}

// desired returns the file that the operation wants; original is the content of the file before it.
func desired(op action.Operation, original []byte) HostFile {
	switch o := op.(type) {
	case action.WriteFile:
		content, _ := o.Content.Static()
		if o.Append {
			content = slices.Concat(original, content)
		}
		return HostFile{Content: content, Mode: o.EffectiveMode(), UID: number(o.Owner.User), GID: number(o.Owner.Group)}
	case action.MakeDirectory:
		return HostFile{
			Mode: o.Mode.Or(machine.DefaultDirectoryMode), Directory: true, UID: number(o.Owner.User),
			GID: number(o.Owner.Group),
		}
	case action.Link:
		return HostFile{Link: o.Target}
	case action.FetchFile:
		return HostFile{Content: []byte(o.URL), Mode: o.Mode.Or(machine.DefaultFileMode)}
	default:
		return HostFile{}
	}
}

// number returns the number of a user or group: here everybody exists, and has one.
func number(name string) int {
	if id, ok := machine.Number(name); ok || name == "" || name == "root" {
		return id
	}
	return int(crc32.ChecksumIEEE([]byte(name)))
}
