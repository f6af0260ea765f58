package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/domain/report"
)

// text is a file of manifests, kept for showing its lines.
type text struct {
	name  string
	lines []string
}

// object is one object of the manifests, and where it stands.
type object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name        string            `json:"name"`
		Namespace   string            `json:"namespace"`
		Labels      map[string]string `json:"labels"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`

	json []byte
	text *text
	node *yaml.Node
	// offset is added to the lines of node.
	offset int
	// asked says that a machine names the object as a plugin.
	asked bool
}

func (o *object) group() string {
	group, _, found := strings.Cut(o.APIVersion, "/")
	if !found {
		return ""
	}
	return group
}

func (o *object) String() string {
	return fmt.Sprintf("%s/%s/%s", o.Kind, o.Metadata.Namespace, o.Metadata.Name)
}

// load reads manifests, "-" for the standard input.
func load(names []string, in io.Reader) ([]*object, error) {
	var objects []*object
	for _, name := range names {
		data, err := readAll(name, in)
		if err != nil {
			return nil, err
		}
		if name == "-" {
			name = "stdin"
		}
		found, err := parse(name, data)
		if err != nil {
			return nil, err
		}
		objects = append(objects, found...)
	}
	if len(objects) == 0 {
		return nil, errors.New("the manifests hold no objects")
	}
	return objects, nil
}

func readAll(name string, in io.Reader) ([]byte, error) {
	if name != "-" {
		return os.ReadFile(name)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("read the standard input: %w", err)
	}
	return data, nil
}

// parse splits a file as kubectl does: at lines that begin with three dashes.
func parse(name string, data []byte) ([]*object, error) {
	file := &text{name: name, lines: strings.Split(string(data), "\n")}
	var objects []*object
	start := 0
	for i := 0; i <= len(file.lines); i++ {
		if i < len(file.lines) && !(strings.HasPrefix(file.lines[i], "---") && i > start) {
			continue
		}
		found, err := file.document(start, i)
		if err != nil {
			return nil, err
		}
		objects = append(objects, found...)
		start = i
	}
	return objects, nil
}

// document reads the YAML document that stands in the lines from start to before end.
func (t *text) document(start, end int) ([]*object, error) {
	if start >= end {
		return nil, nil
	}
	body := strings.Join(t.lines[start:end], "\n")
	if strings.HasPrefix(body, "---") {
		body = "   " + body[3:]
	}
	var root yaml.Node
	err := yaml.Unmarshal([]byte(body), &root)
	if err != nil {
		return nil, t.malformed(start, err)
	}
	if len(root.Content) == 0 || root.Content[0].Tag == "!!null" {
		return nil, nil
	}
	asJSON, err := sigsyaml.YAMLToJSONStrict([]byte(body))
	if err != nil {
		return nil, t.malformed(start, err)
	}
	return t.objects(asJSON, root.Content[0], start)
}

// malformed says where a document that begins after the line is no YAML. Manifests hold Secrets, so what the library
// quotes is not told.
func (t *text) malformed(start int, err error) error {
	f := report.Malformed("", "this is not YAML", err)
	return fmt.Errorf("%s:%d: %s", t.name, start+max(f.Line, 1), f.Message)
}

// unfit says that an object does not have the fields of its kind. The decoder's own words repeat numbers.
func (o *object) unfit(err error) error {
	said := "it cannot be read"
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		said = kind.Field + ": a value is of another type than its field"
	}
	return fmt.Errorf("%s:%d: %s: %s", o.text.name, o.node.Line+o.offset, o, said)
}

// objects returns the object, or the items of a list.
func (t *text) objects(asJSON []byte, node *yaml.Node, offset int) ([]*object, error) {
	o := &object{json: asJSON, text: t, node: node, offset: offset}
	if err := json.Unmarshal(asJSON, o); err != nil || o.Kind == "" || o.APIVersion == "" {
		return nil, fmt.Errorf("%s:%d: this is no object: it needs apiVersion and kind", t.name, node.Line+offset)
	}
	if o.Metadata.Namespace == "" {
		o.Metadata.Namespace = "default"
	}
	if o.Kind != "List" {
		return []*object{o}, nil
	}
	var list struct{ Items []json.RawMessage }
	if err := json.Unmarshal(asJSON, &list); err != nil {
		return nil, fmt.Errorf("%s:%d: its items are no list", t.name, node.Line+offset)
	}
	var objects []*object
	items := child(node, "items")
	for i, item := range list.Items {
		found, err := t.objects(bytes.Clone(item), items.Content[i], offset)
		if err != nil {
			return nil, err
		}
		objects = append(objects, found...)
	}
	return objects, nil
}
