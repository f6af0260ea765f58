package worstcase_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

type schema = apiextensionsv1.JSONSchemaProps

// The steps of a path that are not fields: an element of a list, and a value of a map.
const (
	element = "[]"
	entry   = "{}"
)

// The shapes that a user can make large.
const (
	aList      = "list"
	aMap       = "map"
	aText      = "text"
	aFree      = "free"
	aReference = "reference"
)

// site is a place of a spec that a user can make large.
type site struct {
	// kind is that of the resource, and root the schema of its spec.
	kind string
	root *schema
	// path leads from the spec to the place, whose schema and shape are given.
	path   []string
	schema *schema
	shape  string
	// entries is the schema of the map whose values these are, or nil for all others.
	entries *schema
}

// String returns the place as Kind: spec.list[].text.
func (s site) String() string { return s.kind + ": " + s.field() }

func (s site) field() string {
	var b strings.Builder
	b.WriteString("spec")
	for _, step := range s.path {
		if step != element && step != entry {
			b.WriteString(".")
		}
		b.WriteString(step)
	}
	return b.String()
}

// limit returns the API's own limit of the place.
func (s site) limit() string {
	switch {
	case s.schema.MaxItems != nil:
		return fmt.Sprint(*s.schema.MaxItems)
	case s.schema.MaxProperties != nil:
		return fmt.Sprint(*s.schema.MaxProperties)
	case s.schema.MaxLength != nil:
		return fmt.Sprint(*s.schema.MaxLength)
	}
	rules := s.schema.XValidations
	if s.entries != nil {
		rules = slices.Concat(rules, s.entries.XValidations)
	}
	for _, r := range rules {
		if m := sizeRule.FindStringSubmatch(r.Rule); m != nil {
			return m[1]
		}
	}
	return ""
}

// sizeRule finds the limit of a text for which the generator of the definitions has no other way: values of maps, and
// durations.
var sizeRule = regexp.MustCompile(`size\(self(?:\[key\])?\) <= ([0-9]+)`)

// sites returns the places of all our kinds but templates, which hold the same specs.
func sites(t testing.TB) []site {
	t.Helper()
	paths, err := filepath.Glob("../../../config/crd/bases/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no definitions: %v", err)
	}
	var all []site
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(text, &crd); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		kind := crd.Spec.Names.Kind
		if strings.HasSuffix(kind, "Template") {
			continue
		}
		root := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
		w := walk{site: site{kind: kind, root: &root}}
		w.visit(&root, nil)
		all = append(all, w.found...)
	}
	return all
}

// walk finds the sites of a schema.
type walk struct {
	site
	found []site
}

func (w *walk) add(s *schema, path []string, shape string) {
	at := w.site
	at.path, at.schema, at.shape = slices.Clone(path), s, shape
	w.found = append(w.found, at)
}

func (w *walk) visit(s *schema, path []string) {
	switch {
	case s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields:
		w.add(s, path, aFree)
	case s.Type == "array":
		w.add(s, path, aList)
		w.visit(s.Items.Schema, append(path, element))
	case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
		w.add(s, path, aMap)
		w.entries = s
		w.visit(s.AdditionalProperties.Schema, append(path, entry))
		w.entries = nil
	case s.Type == "string" && len(s.Enum) == 0:
		w.add(s, path, aText)
	case isReference(s):
		w.add(s, path, aReference)
	}
	for _, name := range sorted(s.Properties) {
		if isReference(s) {
			break // Its name and key are short, and what counts is what they lead to.
		}
		p := s.Properties[name]
		w.visit(&p, append(path, name))
	}
}

// isReference reports whether the place names a key of a Secret or ConfigMap.
func isReference(s *schema) bool {
	_, name := s.Properties["name"]
	_, key := s.Properties["key"]
	_, optional := s.Properties["optional"]
	return name && key && optional
}

func sorted(properties map[string]schema) []string {
	var names []string
	for name := range properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// TestEverythingIsLimited holds that each list, map and text of our kinds has a limit of its own in the API, or a rule.
func TestEverythingIsLimited(t *testing.T) {
	for _, s := range sites(t) {
		switch {
		case s.limit() != "" || s.shape == aFree || s.shape == aReference:
			// What is free is limited by its nodes, and what references lead to by its bytes, when it is converted.
		default:
			t.Errorf("%s: the %s has no limit", s, s.shape)
		}
	}
}
