package osprofiles

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

// maxSize bounds a profile, in bytes. A ConfigMap holds 1 MiB; the longest profile that machineadm has is below 4 KiB.
const maxSize = 64 << 10

// Read reads a profile. With error findings there is none. All findings are about the text that stands at the path,
// with the line in it.
func Read(ctx context.Context, text []byte, at report.Path) (osprofile.Profile, report.Report) {
	r := reader{at: at}
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

type reader struct {
	at    report.Path
	root  *yaml.Node
	found report.Report
}

// place is a line and column of the text; 0 is none.
type place struct{ line, column int }

func (r *reader) errorf(where place, format string, args ...any) {
	f := report.Errorf(r.at, format, args...)
	f.Line, f.Column = where.line, where.column
	r.found = append(r.found, f)
}

// form decodes the text on top of the profile that it extends.
func (r *reader) form(ctx context.Context, text []byte) (form, bool) {
	if len(text) > maxSize {
		r.errorf(place{}, "the profile has %d bytes, and %d are the most", len(text), maxSize)
		return form{}, false
	}
	documents, err := structured.YAML(ctx, text)
	if err != nil {
		r.found = append(r.found, structured.Finding(r.at, "this is no YAML", err))
		return form{}, false
	}
	if len(documents) == 0 || documents[0].Content[0].Kind != yaml.MappingNode {
		r.errorf(place{1, 1}, "this is no profile: it is no mapping")
		return form{}, false
	}
	if len(documents) > 1 {
		r.errorf(place{}, "a second document follows; a text has one profile")
		return form{}, false
	}
	r.root = documents[0].Content[0]
	base, ok := r.base()
	if !ok {
		return form{}, false
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&base); err != nil {
		r.syntax(err)
		return form{}, false
	}
	return base, true
}

// base returns the form of the profile that the text extends. The head is always the text's own.
func (r *reader) base() (form, bool) {
	node := child(r.root, "extends")
	if node == nil {
		return form{}, true
	}
	p, known := osprofile.Lookup(node.Value)
	if !known {
		r.errorf(placeOf(node), "extends: there is no profile %q; there are %s", node.Value,
			strings.Join(osprofile.IDs(), ", "))
		return form{}, false
	}
	f := formOf(p)
	f.APIVersion, f.Kind = "", ""
	return f, true
}

func (r *reader) head(f form) {
	if f.APIVersion != APIVersion {
		r.errorf(placeOf(child(r.root, "apiVersion")), "apiVersion: %q is none that is known; write %s",
			f.APIVersion, APIVersion)
	}
	if f.Kind != Kind {
		r.errorf(placeOf(child(r.root, "kind")), "kind: %q is no profile's; write %s", f.Kind, Kind)
	}
}

var syntaxPattern = regexp.MustCompile(`^(?:yaml: )?line ([0-9]+): (.*)$`)

// syntax turns what the decoder says into findings, one for each line.
func (r *reader) syntax(err error) {
	messages := []string{err.Error()}
	var several *yaml.TypeError
	if errors.As(err, &several) {
		messages = several.Errors
	}
	for _, m := range messages {
		if found := syntaxPattern.FindStringSubmatch(m); found != nil {
			number, _ := strconv.Atoi(found[1])
			r.errorf(place{number, 1}, "%s", plain(found[2]))
			continue
		}
		r.errorf(place{}, "this is no YAML: %s", strings.TrimPrefix(m, "yaml: "))
	}
}

// plain says in the words of YAML what the decoder says in those of Go.
func plain(message string) string {
	if name, _, unknown := strings.Cut(message, " not found in type osprofiles."); unknown {
		return "there is no " + name
	}
	return strings.NewReplacer("!!", "", " into osprofiles.", " into ").Replace(message)
}

// locate moves a finding about a field of the profile to the text.
func (r *reader) locate(f report.Finding) {
	message := fmt.Sprintf("%s: %s", f.Path, f.Message)
	if f.Remedy != "" {
		message += "; " + f.Remedy
	}
	r.errorf(r.find(f.Path), "%s", message)
}

var elementPattern = regexp.MustCompile(`\["([^"]*)"\]|\[([0-9]+)\]|[^.\[\]]+`)

// find returns the place of the field, or of what stands around it.
func (r *reader) find(p report.Path) place {
	at, last := r.root, place{}
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
			if at = child(at, name); at == nil {
				return last
			}
		}
		last = placeOf(at)
	}
	return last
}

// child returns the value of a key; nil if there is none.
func child(node *yaml.Node, key string) *yaml.Node {
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

func placeOf(node *yaml.Node) place {
	if node == nil {
		return place{}
	}
	return place{node.Line, node.Column}
}
