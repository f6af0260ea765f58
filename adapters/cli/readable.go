package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/budget"
)

// readable returns userdata for readers: YAML with decoded and decompressed contents of files. Text that is neither
// JSON nor YAML, such as a script, or that is nested too deeply, is returned as it is.
func readable(data []byte) []byte {
	d := &decoder{left: budget.Default().Content}
	if text, ok := d.decompress(data); ok {
		data = text
	}
	header, body := "", data
	if first, rest, found := bytes.Cut(data, []byte("\n")); found && bytes.HasPrefix(first, []byte("#")) {
		header, body = string(first)+"\n", rest
	}
	if strings.HasPrefix(header, "#!") {
		return data
	}
	// Templates of users contain any text, which block style indents.
	root, err := structured.First(body, 0, int(budget.Default().Content))
	if err != nil || len(root.Content) == 0 || root.Content[0].Kind != yaml.MappingNode {
		return data
	}
	useBlockStyle(root)
	d.decode(root)
	var out bytes.Buffer
	out.WriteString(header)
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if e.Encode(root) != nil || e.Close() != nil {
		return data
	}
	return out.Bytes()
}

// decoder decodes the contents of files. All contents of one userdata have one limit: a tenant can write many files
// that are small and decompress to much.
type decoder struct{ left int64 }

// decompress returns the content of gzip, or the data if they are not gzip. It returns false beyond the limit.
func (d *decoder) decompress(data []byte) ([]byte, bool) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return data, true
	}
	text, err := io.ReadAll(io.LimitReader(r, d.left+1))
	switch {
	case err != nil:
		return data, true
	case int64(len(text)) > d.left:
		return nil, false
	}
	d.left -= int64(len(text))
	return text, true
}

// decode replaces the data URLs of Ignition, and the encoded contents of cloud-init's write_files.
func (d *decoder) decode(n *yaml.Node) {
	fields := map[string]*yaml.Node{}
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			fields[n.Content[i].Value] = n.Content[i+1]
		}
	}
	if content, encoding := fields["content"], fields["encoding"]; content != nil && encoding != nil {
		if data, err := base64.StdEncoding.DecodeString(content.Value); err == nil {
			d.show(content, data, "decoded from "+encoding.Value)
		}
	}
	if source := fields["source"]; source != nil {
		if data, ok := dataURL(source.Value); ok {
			d.show(source, data, "decoded from a data URL")
		}
	}
	for _, c := range n.Content {
		d.decode(c)
	}
}

// show sets the text of a value and describes it in a comment. Bytes that are not text stay encoded.
func (d *decoder) show(n *yaml.Node, data []byte, comment string) {
	data, ok := d.decompress(data)
	if !ok {
		n.LineComment = "too large to be decompressed"
		return
	}
	if !utf8.Valid(data) || bytes.ContainsRune(data, 0) {
		return
	}
	n.SetString(string(data))
	n.LineComment = comment
	if bytes.ContainsRune(data, '\n') {
		n.Style, n.LineComment = yaml.LiteralStyle, ""
		n.HeadComment = comment
	}
}

// dataURL returns the content of a data URL (RFC 2397).
func dataURL(text string) ([]byte, bool) {
	rest, is := strings.CutPrefix(text, "data:")
	kind, body, found := strings.Cut(rest, ",")
	if !is || !found {
		return nil, false
	}
	plain, err := url.PathUnescape(body)
	if err != nil {
		return nil, false
	}
	if !strings.HasSuffix(kind, ";base64") {
		return []byte(plain), true
	}
	data, err := base64.StdEncoding.DecodeString(plain)
	return data, err == nil
}
