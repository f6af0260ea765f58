package codec_test

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/golden"
	"github.com/machineadm/machineadm/test/nightly"
)

const published = "../../docs/schema/machineadm.io_v1alpha1.json"

// leaves returns the schemas of the types that have a form of their own on the wire.
func leaves() map[reflect.Type]*jsonschema.Schema {
	bytes := &jsonschema.Schema{Ref: "#/$defs/Bytes"}
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[document.Content](): bytes,
		reflect.TypeFor[secret.Value]():     bytes,
		reflect.TypeFor[[]byte]():           bytes,
		reflect.TypeFor[machine.Mode](): {AnyOf: []*jsonschema.Schema{
			{Type: "string", Pattern: "^(0o)?[0-7]{1,5}$"}, {Type: "integer"},
		}},
		reflect.TypeFor[document.Phase](): {Type: "string", Enum: []any{"boot", "pre", "post"}},
		reflect.TypeFor[node.Tree]():      {Type: "object"},
	}
}

// encodings returns the schemas of fields whose tag overrides the form of their type.
func encodings() map[string]*jsonschema.Schema {
	return map[string]*jsonschema.Schema{
		"base64": {Type: "string", ContentEncoding: "base64"},
		"text":   {AnyOf: []*jsonschema.Schema{{Type: "integer"}, {Type: "string", Pattern: "^[0-9]+$"}}},
	}
}

// override sets the schemas of the fields of a type whose tag has an encoding or a default.
func override(s *jsonschema.Schema, t reflect.Type) {
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if other := encodings()[t.Field(i).Tag.Get("encoding")]; other != nil {
			changed := *other
			if old, known := s.Properties.Get(name); known {
				changed.Description = old.Description
			}
			s.Properties.Set(name, &changed)
		}
		if preset := t.Field(i).Tag.Get("default"); preset != "" {
			changed, _ := s.Properties.Get(name)
			changed.Default = json.RawMessage(preset)
			if changed.Type == "string" {
				changed.Default = preset
			}
			s.Required = slices.DeleteFunc(s.Required, func(required string) bool { return required == name })
		}
	}
}

// typeNames returns the names of the types of kinds, which the definitions have in place of their Go names.
func typeNames(t reflect.Type) string {
	for _, k := range plan.Registry() {
		if reflect.TypeOf(k.Zero) == t {
			return string(k.Zero.Kind())
		}
	}
	return t.Name()
}

// bytesSchema is that of v1alpha1.Bytes.
func bytesSchema() *jsonschema.Schema {
	facts := make([]any, 0, len(document.Facts()))
	for _, f := range document.Facts() {
		facts = append(facts, string(f))
	}
	path := uint64(document.MaxMetadataPath)
	field := func(name string, s *jsonschema.Schema) *jsonschema.Schema {
		properties := jsonschema.NewProperties()
		properties.Set(name, s)
		return &jsonschema.Schema{
			Type: "object", Properties: properties, Required: []string{name},
			AdditionalProperties: jsonschema.FalseSchema,
		}
	}
	encoded := field("base64", &jsonschema.Schema{Type: "string", ContentEncoding: "base64"})
	part := &jsonschema.Schema{OneOf: []*jsonschema.Schema{
		field("text", &jsonschema.Schema{Type: "string"}), encoded,
		field("fact", &jsonschema.Schema{Type: "string", Enum: facts}),
		field("metadata", &jsonschema.Schema{Type: "string", Pattern: `^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*$`, MaxLength: &path}),
	}}
	return &jsonschema.Schema{
		Description: "Any bytes: text as it is, other bytes in base64, and facts of the machine between them.",
		AnyOf: []*jsonschema.Schema{
			{Type: "string"},
			{Type: "number"},
			{Type: "boolean"},
			encoded,
			field("parts", &jsonschema.Schema{Type: "array", Items: part}),
		},
	}
}

// schema returns the schema of a document of machine configuration.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	r := &jsonschema.Reflector{
		Anonymous: true, Namer: typeNames, Mapper: func(t reflect.Type) *jsonschema.Schema { return leaves()[t] },
	}
	for _, pkg := range []string{"machine", "node", "indirect", "hardening"} {
		if err := r.AddGoComments("github.com/machineadm/machineadm/adapters/codec", "../../domain/"+pkg); err != nil {
			t.Fatal(err)
		}
	}
	r.LookupComment = func(t reflect.Type, field string) string { return description(r.CommentMap, t, field) }
	s := &jsonschema.Schema{
		Version: jsonschema.Version, Title: "machineadm.io/v1alpha1",
		Definitions: jsonschema.Definitions{"Bytes": bytesSchema()},
		Description: "A document of machine configuration. Documents of other groups are those of plugins.",
	}
	foreign := jsonschema.NewProperties()
	foreign.Set("apiVersion", &jsonschema.Schema{
		Type: "string",
		Not:  &jsonschema.Schema{Pattern: "^" + codec.Group + "/"},
	})
	for _, v := range values() {
		spec := r.Reflect(v)
		for name, d := range spec.Definitions {
			s.Definitions[name] = d
		}
		override(s.Definitions[string(v.Kind())], reflect.TypeOf(v))
		s.OneOf = append(s.OneOf, frame(string(v.Kind()), spec.Ref))
	}
	s.OneOf = append(s.OneOf, &jsonschema.Schema{
		Type: "object", Properties: foreign,
		Required: []string{"apiVersion", "kind"},
	})
	return s
}

// description returns the comment of a type, or of one of its fields, with the names of the wire format in place of
// those of Go.
func description(comments map[string]string, t reflect.Type, field string) string {
	name := t.PkgPath() + "." + t.Name()
	if field == "" {
		rest, named := strings.CutPrefix(comments[name], t.Name()+" ")
		if !named {
			return comments[name]
		}
		return typeNames(t) + " " + rest
	}
	text := comments[name+"."+field]
	for i := range t.NumField() {
		f := t.Field(i)
		wire, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch rest, leads := strings.CutPrefix(text, field+" "); {
		case f.Name == field && leads:
			text = wire + " " + rest
		case f.Name != field && wire != "":
			text = regexp.MustCompile(`\b`+f.Name+`\b`).ReplaceAllString(text, wire)
		}
	}
	return text
}

// frame is a document of the kind.
func frame(kind, spec string) *jsonschema.Schema {
	p := jsonschema.NewProperties()
	p.Set("apiVersion", &jsonschema.Schema{Const: codec.APIVersion})
	p.Set("kind", &jsonschema.Schema{Const: kind})
	p.Set("metadata", &jsonschema.Schema{Type: "object"})
	p.Set("spec", &jsonschema.Schema{Ref: spec})
	return &jsonschema.Schema{
		Type: "object", Properties: p, Required: []string{"apiVersion", "kind"},
		AdditionalProperties: jsonschema.FalseSchema,
	}
}

func TestSchemaIsPublished(t *testing.T) {
	text, err := json.MarshalIndent(schema(t), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, published, append(text, '\n'))
}

// compiled returns the published schema, as others use it.
func compiled(t *testing.T) *validator.Schema {
	t.Helper()
	s, err := validator.NewCompiler().Compile(published)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate holds a document against the schema.
func validate(t *testing.T, s *validator.Schema, text []byte) error {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	value, err := validator.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(value)
}

// TestSchemaAcceptsWhatIsWritten writes each kind, filled with nasty texts in each field.
func TestSchemaAcceptsWhatIsWritten(t *testing.T) {
	s := compiled(t)
	for _, v := range values() {
		t.Run(string(v.Kind()), func(t *testing.T) {
			for seed := range nightly.Or[int64](200, 5) {
				filled := reflect.New(reflect.TypeOf(v))
				random{rand.New(rand.NewSource(seed))}.fill(filled.Elem())
				text, err := codec.Codec{}.Encode([]document.Document{{Value: filled.Elem().Interface().(document.Value)}})
				if err != nil {
					t.Fatal(err)
				}
				// A command of another phase is nothing that anybody writes.
				if v.Kind() == "Command" && !strings.Contains(string(text), "phase: pre") {
					continue
				}
				if err := validate(t, s, text); err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
			}
		})
	}
}

func TestSchemaRefuses(t *testing.T) {
	s := compiled(t)
	spec := func(spec string) string { return "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec: " + spec }
	cases := map[string]struct{ reason, in string }{
		"unknown field": {"an editor marks it", spec("{path: /a, contents: b}")},
		"nested field":  {"deeper ones, too", spec("{path: /a, owner: {usr: b}}")},
		"missing":       {"a file has a path", spec("{content: b}")},
		"shape":         {"a list is no text", spec("{path: [a]}")},
		"fact":          {"facts have names", spec("{path: /a, content: {parts: [{fact: colour}]}}")},
		"newer":         {"that has a schema of its own", "apiVersion: machineadm.io/v2\nkind: File\n"},
		"unknown kind":  {"no plugin has kinds of this group", "apiVersion: machineadm.io/v1alpha1\nkind: Colour\n"},
		"no kind":       {"a document has a kind", "apiVersion: machineadm.io/v1alpha1\n"},
		"phase": {
			"commands have three",
			"apiVersion: machineadm.io/v1alpha1\nkind: Command\nspec: {phase: later, script: a}\n",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if validate(t, s, []byte(c.in)) == nil {
				t.Errorf("%s: %s", c.reason, c.in)
			}
		})
	}
}
