package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/structured"
)

// file is an input that contains manifests. Findings print its lines.
type file struct {
	name  string
	lines []string
}

// object is an object of the manifests and its place in a file.
type object struct {
	metav1.PartialObjectMetadata

	json []byte
	file *file
	node *yaml.Node
	// fields finds the fields of node.
	fields *structured.Finder
	// offset is added to the lines of node.
	offset int
	// used is set if a machine uses the object as a plugin.
	used bool
}

func (o *object) is(group, kind string) bool { return o.group() == group && o.Kind == kind }

func (o *object) group() string { return o.GroupVersionKind().Group }

// String returns the kind, the namespace and the name.
func (o *object) String() string { return fmt.Sprintf("%s/%s/%s", o.Kind, o.Namespace, o.Name) }

// decode reads the object into an API type. Unknown fields are ignored.
func (o *object) decode(into any) error {
	if err := json.Unmarshal(o.json, into); err != nil {
		return o.typeError(err)
	}
	return nil
}

// decodeSpec returns the spec of an object. Each field of Cluster API that is used here has the same name and type in
// v1beta1 and v1beta2, so the types of v1beta2 read both versions.
func decodeSpec[S any](o *object) (S, error) {
	var body struct {
		Spec S `json:"spec"`
	}
	err := o.decode(&body)
	return body.Spec, err
}

// typeError reports that a field has a value of another type. It does not contain the library's message, which quotes
// numbers.
func (o *object) typeError(err error) error {
	problem := "cannot be decoded"
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		problem = mismatch.Field + " has a value of the wrong type"
	}
	return fmt.Errorf("%s:%d: %s: %s", o.file.name, o.node.Line+o.offset, o, problem)
}

// load reads the objects of manifests.
func load(all []source) ([]*object, error) {
	var objects []*object
	for _, s := range all {
		found, err := parse(s.name, s.data)
		if err != nil {
			return nil, err
		}
		objects = append(objects, found...)
	}
	if len(objects) == 0 {
		return nil, errors.New("the manifests contain no objects")
	}
	return objects, nil
}

// parse splits a file into YAML documents at lines that begin with three dashes, as kubectl does.
func parse(name string, data []byte) ([]*object, error) {
	f := &file{name: name, lines: strings.Split(string(data), "\n")}
	var objects []*object
	start := 0
	for i := 0; i <= len(f.lines); i++ {
		if i < len(f.lines) && !(strings.HasPrefix(f.lines[i], "---") && i > start) {
			continue
		}
		found, err := f.document(start, i)
		if err != nil {
			return nil, err
		}
		objects = append(objects, found...)
		start = i
	}
	return objects, nil
}

// document parses the YAML document in the lines from start to before end.
func (f *file) document(start, end int) ([]*object, error) {
	if start >= end {
		return nil, nil
	}
	body := strings.Join(f.lines[start:end], "\n")
	if strings.HasPrefix(body, "---") {
		body = "   " + body[3:]
	}
	root, err := structured.First([]byte(body), start, maxFile)
	if err != nil {
		return nil, f.syntaxError(start, err)
	}
	if len(root.Content) == 0 || root.Content[0].Tag == "!!null" {
		return nil, nil
	}
	asJSON, err := sigsyaml.YAMLToJSONStrict([]byte(body))
	if err != nil {
		return nil, f.syntaxError(start, err)
	}
	return f.objects(asJSON, root.Content[0], start)
}

// syntaxError reports that the document that begins after the line is not YAML. Manifests contain Secrets, so it does
// not contain the library's message, which quotes values.
func (f *file) syntaxError(start int, err error) error {
	found := structured.Finding("", "this is not YAML", err)
	text := finding{Message: found.Message, Remedy: found.Remedy}.sentence()
	return fmt.Errorf("%s:%d: %s", f.name, start+max(found.Line, 1), text)
}

// objects returns the object, or the items of a List.
func (f *file) objects(asJSON []byte, node *yaml.Node, offset int) ([]*object, error) {
	o := &object{json: asJSON, file: f, node: node, fields: structured.NewFinder(node), offset: offset}
	err := json.Unmarshal(asJSON, &o.PartialObjectMetadata)
	switch {
	case o.Kind == "" || o.APIVersion == "":
		return nil, fmt.Errorf("%s:%d: not a Kubernetes object; set apiVersion and kind", f.name, node.Line+offset)
	case err != nil:
		return nil, o.typeError(err)
	case o.Kind == "List":
		return f.items(o)
	}
	if o.Namespace == "" {
		o.Namespace = metav1.NamespaceDefault
	}
	return []*object{o}, nil
}

func (f *file) items(o *object) ([]*object, error) {
	var list struct{ Items []json.RawMessage }
	if err := o.decode(&list); err != nil {
		return nil, err
	}
	var objects []*object
	nodes := child(o.node, "items").Content
	for i, item := range list.Items {
		place := o.node
		if i < len(nodes) { // A merge key can add the field.
			place = nodes[i]
		}
		found, err := f.objects(bytes.Clone(item), place, o.offset)
		if err != nil {
			return nil, err
		}
		objects = append(objects, found...)
	}
	return objects, nil
}
