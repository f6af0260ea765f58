package convert

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// maxProfileBytes limits the size of a profile in bytes. A ConfigMap holds 1 MiB; the longest profile of machineadm is
// below 4 KiB.
const maxProfileBytes = 64 << 10

// ReadOSProfile reads a profile. With error findings, there is no profile. The findings have the path of the text and
// the line in it.
func ReadOSProfile(ctx context.Context, text []byte, at report.Path) (osprofile.Profile, report.Report) {
	r := profileReader{at: at}
	f, ok := r.form(ctx, text)
	if !ok {
		return osprofile.Profile{}, r.found
	}
	r.head(f)
	p := f.profile()
	for _, found := range p.Check("") {
		r.locate(found)
	}
	if r.found.HasErrors() {
		return osprofile.Profile{}, r.found
	}
	return p, nil
}

type profileReader struct {
	at    report.Path
	root  *yaml.Node
	found report.Report
}

// textPosition is a line and column of the text; 0 means unknown.
type textPosition struct{ line, column int }

func (r *profileReader) errorf(where textPosition, format string, args ...any) {
	f := report.Errorf(r.at, format, args...)
	f.Line, f.Column = where.line, where.column
	r.found = append(r.found, f)
}

// form decodes the text and applies it to the profile that it extends.
func (r *profileReader) form(ctx context.Context, text []byte) (profileForm, bool) {
	if len(text) > maxProfileBytes {
		r.errorf(textPosition{}, "the profile has %d bytes, and %d are the most", len(text), maxProfileBytes)
		return profileForm{}, false
	}
	documents, err := structured.YAML(ctx, text)
	if err != nil {
		r.found = append(r.found, structured.Finding(r.at, "this is not YAML", err))
		return profileForm{}, false
	}
	if len(documents) == 0 || documents[0].Content[0].Kind != yaml.MappingNode {
		r.errorf(textPosition{1, 1}, "this is not a profile: it is not a mapping")
		return profileForm{}, false
	}
	if len(documents) > 1 {
		r.errorf(textPosition{}, "a second document follows; a text has one profile")
		return profileForm{}, false
	}
	r.root = documents[0].Content[0]
	base, ok := r.base()
	if !ok {
		return profileForm{}, false
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&base); err != nil {
		r.syntax(err)
		return profileForm{}, false
	}
	return base, true
}

// base returns the form of the profile that the text extends, with the apiVersion, kind and metadata of the text.
func (r *profileReader) base() (profileForm, bool) {
	node := yamlChild(r.root, "extends")
	if node == nil {
		return profileForm{}, true
	}
	p, known := osprofile.Lookup(node.Value)
	if !known {
		r.errorf(positionOf(node), "extends: there is no profile %q; there are %s", node.Value,
			strings.Join(osprofile.IDs(), ", "))
		return profileForm{}, false
	}
	f := newProfileForm(p)
	f.APIVersion, f.Kind = "", ""
	return f, true
}

func (r *profileReader) head(f profileForm) {
	if f.APIVersion != OSProfileAPIVersion {
		r.errorf(positionOf(yamlChild(r.root, "apiVersion")), "apiVersion: %q is not supported; write %s",
			f.APIVersion, OSProfileAPIVersion)
	}
	if f.Kind != OSProfileKind {
		r.errorf(positionOf(yamlChild(r.root, "kind")), "kind: %q is not the kind of a profile; write %s",
			f.Kind, OSProfileKind)
	}
}

var syntaxPattern = regexp.MustCompile(`^(?:yaml: )?line ([0-9]+): (.*)$`)

// syntax returns a finding for each message of the decoder.
func (r *profileReader) syntax(err error) {
	messages := []string{err.Error()}
	var several *yaml.TypeError
	if errors.As(err, &several) {
		messages = several.Errors
	}
	for _, m := range messages {
		if found := syntaxPattern.FindStringSubmatch(m); found != nil {
			number, _ := strconv.Atoi(found[1])
			r.errorf(textPosition{number, 1}, "%s", withoutGoTypes(found[2]))
			continue
		}
		r.errorf(textPosition{}, "this is not YAML: %s", strings.TrimPrefix(m, "yaml: "))
	}
}

// goTypePattern matches the tags and Go packages in the decoder's messages.
var goTypePattern = regexp.MustCompile(`!!|\bconvert\.`)

// withoutGoTypes rewrites a message of the decoder so that it names no Go type of this package.
func withoutGoTypes(message string) string {
	if field, _, unknown := strings.Cut(message, " not found in type "); unknown {
		return "there is no " + field
	}
	return goTypePattern.ReplaceAllString(message, "")
}

// locate moves a finding about a field of the profile to its position in the text.
func (r *profileReader) locate(f report.Finding) {
	message := fmt.Sprintf("%s: %s", f.Path, f.Message)
	if f.Remedy != "" {
		message += "; " + f.Remedy
	}
	r.errorf(r.find(f.Path), "%s", message)
}

var elementPattern = regexp.MustCompile(`\["([^"]*)"\]|\[([0-9]+)\]|[^.\[\]]+`)

// find returns the position of the field, or of the nearest enclosing field.
func (r *profileReader) find(p report.Path) textPosition {
	at, last := r.root, textPosition{}
	for _, element := range elementPattern.FindAllStringSubmatch(string(p), -1) {
		switch {
		case element[2] != "":
			i, _ := strconv.Atoi(element[2])
			if at.Kind != yaml.SequenceNode || i >= len(at.Content) {
				return last
			}
			at = at.Content[i]
		default:
			name := element[0]
			if element[1] != "" {
				name = element[1]
			}
			if at = yamlChild(at, name); at == nil {
				return last
			}
		}
		last = positionOf(at)
	}
	return last
}

// yamlChild returns the value of a key, or nil if there is none.
func yamlChild(node *yaml.Node, key string) *yaml.Node {
	if node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}

func positionOf(node *yaml.Node) textPosition {
	if node == nil {
		return textPosition{}
	}
	return textPosition{node.Line, node.Column}
}
