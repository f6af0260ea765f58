package cloudinit

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/render/internal/yamlenc"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// gzipFrom is the minimum size in bytes for compression, which is used only if it halves the size of the base64 text.
// Some test environments read cloud-config themselves and do not support compression.
const gzipFrom = 8 << 10

// file is an entry of write_files.
type file struct {
	machine.File
	// bytes is the content.
	bytes []byte
}

// place returns the path in write_files. cloud-init creates files world-readable and changes their mode afterwards. So
// private files are written below privateDir, and runcmd installs them.
func (f file) place() string {
	if f.Private() {
		return privateDir + f.Path
	}
	return f.Path
}

// write adds the file to write_files, or leaves it to the program.
func (c *config) write(i int, s plan.SourcedStep, f machine.File) {
	if !c.encodable(s, f.Path, f.Owner.User, f.Owner.Group) {
		return
	}
	if c.places.isLate(f) || f.Append && !c.continues(&f) {
		c.later(i, s)
		return
	}
	if f.Private() {
		// Later entries for this path must find the file at its final path.
		c.places.late[f.Path] = true
	}
	c.stepPlaces[i] = entry("write_files", len(c.files))
	c.addFile(f)
}

// continues reports whether an entry can append the content without other changes. cloud-init sets owner and
// permissions of every file, so both must be given, or an earlier entry must have set them.
func (c *config) continues(f *machine.File) bool {
	for i := len(c.files) - 1; i >= 0; i-- {
		if earlier := c.files[i]; earlier.Path == f.Path {
			f.Mode = f.Mode.Or(earlier.EffectiveMode())
			return true
		}
	}
	return f.Mode != machine.ModeUnset && f.Owner.User != "" && f.Owner.Group != ""
}

// encodable refuses names that YAML or a path cannot contain. The validation of the documents already refuses them.
func (c *config) encodable(s plan.SourcedStep, names ...string) bool {
	for _, name := range names {
		if !utf8.ValidString(name) || strings.ContainsRune(name, 0) {
			c.findings = append(c.findings, report.Errorf(s.Source.Path, "%q is not UTF-8 text without NUL bytes", name))
			return false
		}
	}
	return true
}

// addFile appends an entry whose content contains no facts.
func (c *config) addFile(f machine.File) {
	content, _ := f.Content.Static()
	c.size += len(content)*9/8 + len(f.Path) + len(privateDir) + 96
	c.files = append(c.files, file{File: f, bytes: content})
}

// entry returns the path of a list item, for Places.
func entry(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }

// unit adds the unit's files and leaves its state to the program.
func (c *config) unit(i int, s plan.SourcedStep, u action.EnsureUnit) {
	files := linuxcmd.UnitFiles(u.Unit)
	for _, f := range files {
		if !c.encodable(s, f.Path) {
			return
		}
		if c.places.isLate(f) {
			c.later(i, s)
			return
		}
	}
	at := program
	if len(files) > 0 {
		c.changedUnits = append(c.changedUnits, u.Name)
		at = entry("write_files", len(c.files)) + ", " + program
	}
	for _, f := range files {
		c.addFile(f)
	}
	u.Content, u.DropIns = document.Content{}, nil
	s.Do = u
	c.later(i, s)
	c.stepPlaces[i] = at
}

// encode writes the entry. It always writes the permissions. The owner is root, which is the default of cloud-init.
func (f file) encode(w *yamlenc.Writer, p packing) {
	w.Item()
	w.Field("path", f.place())
	w.Octal("permissions", uint32(f.EffectiveMode()))
	if f.Append {
		w.Bool("append", true)
	}
	encodeContent(w, f.bytes, p)
}

// packing determines which contents are compressed.
type packing struct {
	// always compresses all contents that become shorter.
	always bool
	// replaced is text that is never compressed.
	replaced delivery.Placeholders
}

func (c *config) packing() packing {
	return packing{always: c.plan.Compact, replaced: c.plan.Placeholders}
}

func orRoot(name string) string {
	if name == "" || name == "0" {
		return "root"
	}
	return name
}

// encodeContent writes the bytes as text if YAML preserves them, otherwise in base64. It compresses long content if
// that halves its size, and other content as the packing requests. Without a content key the file is empty.
func encodeContent(w *yamlenc.Writer, content []byte, p packing) {
	if len(content) == 0 {
		return
	}
	if (p.always || len(content) >= gzipFrom) && len(p.replaced.Find(content)) == 0 {
		small := compress(content)
		if n := base64.StdEncoding.EncodedLen(len(small)); n*2 < len(content) || p.always && n < len(content) {
			encodeBase64(w, "gz+b64", small)
			return
		}
	}
	if yamlenc.Text(content) {
		w.Literal("content", content)
		return
	}
	encodeBase64(w, "b64", content)
}

func encodeBase64(w *yamlenc.Writer, encoding string, content []byte) {
	w.Field("encoding", encoding)
	w.Append("content", func(b []byte) []byte { return base64.StdEncoding.AppendEncode(b, content) })
}

// compress returns the bytes in gzip format without name and time, so that the output is reproducible. Writing to
// memory cannot fail.
func compress(content []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return content
	}
	_, _ = w.Write(content)
	_ = w.Close()
	return b.Bytes()
}
