package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// schema is the part of JSON Schema and of the OpenAPI schema of CRDs that the pages show.
type schema struct {
	Ref             string             `yaml:"$ref"`
	Description     string             `yaml:"description"`
	Type            string             `yaml:"type"`
	Format          string             `yaml:"format"`
	ContentEncoding string             `yaml:"contentEncoding"`
	Pattern         string             `yaml:"pattern"`
	Default         any                `yaml:"default"`
	Enum            []any              `yaml:"enum"`
	Minimum         *int64             `yaml:"minimum"`
	Maximum         *int64             `yaml:"maximum"`
	MinLength       *int64             `yaml:"minLength"`
	MaxLength       *int64             `yaml:"maxLength"`
	MinItems        *int64             `yaml:"minItems"`
	MaxItems        *int64             `yaml:"maxItems"`
	MinProperties   *int64             `yaml:"minProperties"`
	MaxProperties   *int64             `yaml:"maxProperties"`
	Required        []string           `yaml:"required"`
	Properties      properties         `yaml:"properties"`
	Items           *schema            `yaml:"items"`
	Additional      additional         `yaml:"additionalProperties"`
	AnyOf           []schema           `yaml:"anyOf"`
	OneOf           []schema           `yaml:"oneOf"`
	Const           any                `yaml:"const"`
	Defs            map[string]*schema `yaml:"$defs"`
	IntOrString     bool               `yaml:"x-kubernetes-int-or-string"`
	AnyFields       bool               `yaml:"x-kubernetes-preserve-unknown-fields"`
	Rules           []struct {
		Rule    string `yaml:"rule"`
		Message string `yaml:"message"`
	} `yaml:"x-kubernetes-validations"`
}

// property is a field of an object.
type property struct {
	name   string
	schema *schema
}

// properties are the fields in the order of the file.
type properties []property

// UnmarshalYAML reads a mapping.
func (p *properties) UnmarshalYAML(n *yaml.Node) error {
	for i := 0; i+1 < len(n.Content); i += 2 {
		var s schema
		if err := n.Content[i+1].Decode(&s); err != nil {
			return err
		}
		*p = append(*p, property{n.Content[i].Value, &s})
	}
	return nil
}

func (p properties) get(name string) *schema {
	for _, f := range p {
		if f.name == name {
			return f.schema
		}
	}
	return &schema{}
}

// additional is the schema of the values of a map, or nil if there is none, or only a boolean.
type additional struct{ *schema }

// UnmarshalYAML reads a schema or a boolean.
func (a *additional) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	a.schema = &schema{}
	return n.Decode(a.schema)
}

// kind is a kind of the API, or of machine configuration.
type kind struct {
	name, version string
	schema        *schema
}

func readCRDs(dir string) ([]kind, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no CRDs in %s: %w", dir, err)
	}
	var kinds []kind
	for _, name := range files {
		var crd struct {
			Spec struct {
				Group string `yaml:"group"`
				Names struct {
					Kind string `yaml:"kind"`
				} `yaml:"names"`
				Versions []struct {
					Name   string `yaml:"name"`
					Schema struct {
						Root *schema `yaml:"openAPIV3Schema"`
					} `yaml:"schema"`
				} `yaml:"versions"`
			} `yaml:"spec"`
		}
		if err := readYAML(name, &crd); err != nil {
			return nil, err
		}
		for _, v := range crd.Spec.Versions {
			kinds = append(kinds, kind{crd.Spec.Names.Kind, crd.Spec.Group + "/" + v.Name, v.Schema.Root})
		}
	}
	return kinds, nil
}

// readDocuments returns the kinds of machine configuration. Their schemas are those of the spec.
func readDocuments(name string) ([]kind, error) {
	var all schema
	if err := readYAML(name, &all); err != nil {
		return nil, err
	}
	var kinds []kind
	for _, document := range all.OneOf {
		spec := resolve(document.Properties.get("spec"), all.Defs)
		if spec == nil {
			continue
		}
		kinds = append(kinds, kind{
			fmt.Sprint(document.Properties.get("kind").Const), fmt.Sprint(document.Properties.get("apiVersion").Const),
			inline(spec, all.Defs),
		})
	}
	return kinds, nil
}

func readYAML(name string, into any) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		return fmt.Errorf("parse %s: %w", name, err)
	}
	return nil
}

// resolve returns the definition that a reference names, or nil without a reference.
func resolve(s *schema, defs map[string]*schema) *schema {
	return defs[strings.TrimPrefix(s.Ref, "#/$defs/")]
}

// bytesRef is the definition of a value that is shown as "bytes".
const bytesRef = "#/$defs/Bytes"

// inline replaces references to definitions, except that of bytes, by the fields of the definitions.
func inline(s *schema, defs map[string]*schema) *schema {
	out := *s
	if d := resolve(s, defs); d != nil && s.Ref != bytesRef {
		out.Type, out.Properties, out.Required, out.Ref = d.Type, d.Properties, d.Required, ""
	}
	fields := out.Properties
	out.Properties = nil
	for _, f := range fields {
		out.Properties = append(out.Properties, property{f.name, inline(f.schema, defs)})
	}
	if s.Items != nil {
		out.Items = inline(s.Items, defs)
	}
	if s.Additional.schema != nil {
		out.Additional.schema = inline(s.Additional.schema, defs)
	}
	return &out
}
