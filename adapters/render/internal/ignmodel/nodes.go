package ignmodel

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// nodeKind is the kind of node at a path.
type nodeKind int

const (
	// nodeImplied is a directory that only exists because something lies below it.
	nodeImplied nodeKind = iota
	nodeFile
	nodeDirectory
	nodeLink
)

func (k nodeKind) String() string {
	return [...]string{"a directory", "a file", "a directory", "a link"}[k]
}

// node is what the plan puts at a path.
type node struct {
	kind nodeKind
	// index is into the model's list of the kind.
	index int
	// program reports whether the program creates it; later steps at this path then belong to the program, too.
	program bool
	step    int
}

// reserve keeps the paths of the program for itself.
func (b *builder) reserve() {
	for _, path := range []string{bootscript.Path, plan.BootPath} {
		b.nodes[path] = node{kind: nodeFile, step: -1}
		b.imply(path, -1)
	}
}

func (b *builder) imply(path string, step int) {
	for dir := parent(path); dir != ""; dir = parent(dir) {
		if _, known := b.nodes[dir]; known {
			return
		}
		b.nodes[dir] = node{kind: nodeImplied, step: step}
	}
}

// parent returns the directory of a clean absolute path, and "" for that of the root's children.
func parent(path string) string {
	i := strings.LastIndexByte(path, '/')
	if i <= 0 {
		return ""
	}
	return path[:i]
}

// place decides whether the engine or the program creates the node, or adds a finding if the plan contradicts itself.
func (b *builder) place(i int, path string, kind nodeKind) (known node, native, ok bool) {
	if !utf8.ValidString(path) {
		b.refuse(report.Errorf(b.at(i, machine.KindFile, "path"), "the path is not valid UTF-8").To("use another path"))
		return node{}, false, false
	}
	known, exists := b.nodes[path]
	if exists && !b.agrees(i, path, kind, known) {
		return node{}, false, false
	}
	native, ok = b.above(i, path)
	if !ok {
		return node{}, false, false
	}
	if !exists || known.kind == nodeImplied {
		known = node{kind: kind, index: -1}
	}
	b.imply(path, i)
	return known, native && !known.program && b.plan.Steps[i].Phase != document.PhasePost, true
}

// agrees refuses a second node of another kind at a path.
func (b *builder) agrees(i int, path string, kind nodeKind, known node) bool {
	switch {
	case known.step < 0 && known.kind == nodeFile:
		b.refuse(report.Errorf(b.at(i, machine.KindFile, "path"), "%s is reserved for machineadm", path).To(
			"choose another path"))
		return false
	case known.kind == kind, known.kind == nodeImplied && kind == nodeDirectory:
		return true
	case known.step < 0:
		b.refuse(report.Errorf(b.at(i, machine.KindFile, "path"), "%s is a directory", path).To("choose another path"))
		return false
	}
	b.refuse(report.Errorf(b.at(i, machine.KindFile, "path"), "%s cannot be %s: the step at %s makes it %s", path, kind,
		b.sourceOf(known.step), known.kind).To("remove one of them"))
	return false
}

func (b *builder) sourceOf(step int) document.Source { return b.plan.Source(b.plan.Steps[step]) }

// above looks at what the plan puts above the path. Below a link, or a mount that the engine does not see, only the
// program writes into the right place.
func (b *builder) above(i int, path string) (native, ok bool) {
	native = !below(path, b.unmounted) && !below(path, b.late)
	for dir := parent(path); dir != ""; dir = parent(dir) {
		n, known := b.nodes[dir]
		switch {
		case !known:
		case n.kind == nodeFile:
			b.refuse(report.Errorf(b.at(i, machine.KindFile, "path"), "%s lies below %s, which is a file", path, dir).
				To("choose another path"))
			return false, false
		case n.kind == nodeLink:
			native = false
		}
	}
	return native, true
}

// below reports whether the path is one of the directories or below it.
func below(path string, directories []string) bool {
	return slices.ContainsFunc(directories, func(d string) bool {
		return path == d || strings.HasPrefix(path, d+"/")
	})
}

func (b *builder) writeFile(i int, op action.WriteFile) {
	content, static := op.Content.Static()
	known, native, ok := b.place(i, op.Path, nodeFile)
	if !ok {
		return
	}
	b.facts = b.facts || !static
	if op.Append && known.index < 0 {
		// The engine would create a new file for every user to read, as root's, and write to an old one before it changes the
		// mode.
		native = native && b.abilities.Appends && !op.Private() && !bootscript.Owned(b.owned, op.Path) &&
			(b.abilities.AppendKeepsMode || op.Mode != machine.ModeUnset)
	}
	if !native || !static {
		b.fileByProgram(i, op.Path, op)
		return
	}
	f := b.file(i, op.Path, known)
	if op.Append {
		b.appendTo(f, op, content)
		return
	}
	*f = File{
		Path: op.Path, Mode: op.EffectiveMode(), Owner: op.Owner, Replaces: true, Contents: content,
		Document: f.Document,
	}
}

func (b *builder) fileByProgram(i int, path string, op action.Operation) {
	b.nodes[path] = node{kind: nodeFile, program: true, step: i, index: -1}
	b.leave(i, op)
}

// appendTo adds to a file of the plan, or to one of the image. Where the plan itself writes the file, the bytes are
// joined.
func (b *builder) appendTo(f *File, op action.WriteFile, content []byte) {
	if op.Mode != machine.ModeUnset {
		f.Mode = op.Mode
	}
	if op.Owner != (machine.Owner{}) {
		// The engine would leave the other of user and group as they are.
		f.Owner = withRoot(op.Owner)
	}
	if f.Replaces && f.Fetch == nil {
		f.Contents = append(f.Contents[:len(f.Contents):len(f.Contents)], content...)
		return
	}
	f.Appends = append(f.Appends, content)
}

// file returns the model's file at the path.
func (b *builder) file(i int, path string, known node) *File {
	if known.index < 0 {
		known.index = len(b.model.Files)
		b.model.Files = append(b.model.Files, File{Path: path})
	}
	b.nodes[path] = node{kind: nodeFile, index: known.index, step: i}
	b.model.Places[i] = indexed("storage.files", known.index)
	f := &b.model.Files[known.index]
	f.Document = b.plan.Steps[i].Document
	return f
}

func (b *builder) fetchFile(i int, op action.FetchFile) {
	known, native, ok := b.place(i, op.Path, nodeFile)
	if !ok {
		return
	}
	if !native || !b.fetches(op) {
		b.fileByProgram(i, op.Path, op)
		return
	}
	f := b.file(i, op.Path, known)
	*f = File{Path: op.Path, Mode: op.Mode.Or(machine.DefaultFileMode), Replaces: true, Fetch: &op, Document: f.Document}
}

// fetches reports whether the engine can download the file. It knows neither the proxy nor the certificates that the
// plan brings, and takes certificates of authorities for all that it fetches, so with those the program downloads.
func (b *builder) fetches(op action.FetchFile) bool {
	trusts := hasPhase(b.plan.Steps, document.PhaseTrust)
	web := strings.HasPrefix(op.URL, "https://") || strings.HasPrefix(op.URL, "http://")
	return b.abilities.Downloads && web && !trusts && op.Authorities == "" && (op.SHA512 != "" || b.abilities.SHA256)
}

func (b *builder) makeDirectory(i int, op action.MakeDirectory) {
	known, native, ok := b.place(i, op.Path, nodeDirectory)
	if !ok {
		return
	}
	plain := op.Mode.Or(machine.DefaultDirectoryMode) == machine.DefaultDirectoryMode && op.Owner == machine.Owner{}
	if !native || !b.abilities.Directories || (!b.abilities.DirectoryModes && (!plain || b.isMount(op.Path))) {
		b.leave(i, op)
		return
	}
	if known.index < 0 {
		known.index = len(b.model.Directories)
		b.model.Directories = append(b.model.Directories, Directory{})
	}
	op.Mode = op.Mode.Or(machine.DefaultDirectoryMode)
	b.model.Directories[known.index] = Directory{MakeDirectory: op, Document: b.plan.Steps[i].Document}
	b.nodes[op.Path] = node{kind: nodeDirectory, index: known.index, step: i}
	b.model.Places[i] = indexed("storage.directories", known.index)
}

func (b *builder) link(i int, op action.Link) {
	if op.Target == "" || !utf8.ValidString(op.Target) {
		b.refuse(report.Errorf(b.at(i, machine.KindFile, "path"), "the target of the link %s is empty or not valid UTF-8",
			op.Path))
		return
	}
	known, native, ok := b.place(i, op.Path, nodeLink)
	if !ok {
		return
	}
	if !native || !b.abilities.Links {
		b.nodes[op.Path] = node{kind: nodeLink, program: true, step: i, index: -1}
		b.leave(i, op)
		return
	}
	if known.index < 0 {
		known.index = len(b.model.Links)
		b.model.Links = append(b.model.Links, op)
	}
	b.model.Links[known.index] = op
	b.nodes[op.Path] = node{kind: nodeLink, index: known.index, step: i}
	b.model.Places[i] = indexed("storage.links", known.index)
}
