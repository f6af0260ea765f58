package talos

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// plainTree returns the tree in the types that the library copies: it panics on others.
func plainTree(t node.Tree) (map[string]any, error) {
	raw, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	return decodeJSON(raw)
}

// decodeJSON keeps whole numbers whole.
func decodeJSON(raw []byte) (map[string]any, error) {
	var tree map[string]any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	for key, value := range tree {
		tree[key] = numbers(value)
	}
	return tree, nil
}

func numbers(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, below := range v {
			v[key] = numbers(below)
		}
	case []any:
		for i, below := range v {
			v[i] = numbers(below)
		}
	case json.Number:
		if whole, err := v.Int64(); err == nil {
			return whole
		}
		if number, err := v.Float64(); err == nil && !math.IsInf(number, 0) {
			return number
		}
		return v.String()
	}
	return value
}

// errTree says what is wrong with a manifest; it never quotes the text, which may be secret.
var (
	errNoYAML    = errors.New("this is not well-formed YAML")
	errDocuments = errors.New("it has to be one document")
	errMapping   = errors.New("it is no mapping")
)

// manifest reads one Kubernetes manifest of the kind, in YAML or JSON, with the meaning that Kubernetes gives to it.
func manifest(content []byte, kind string) (map[string]any, error) {
	if err := single(content); err != nil {
		return nil, err
	}
	raw, err := kyaml.YAMLToJSONStrict(content)
	if err != nil {
		return nil, errNoYAML
	}
	tree, err := decodeJSON(raw)
	if err != nil || tree == nil {
		return nil, errMapping
	}
	if tree["kind"] != kind {
		return nil, fmt.Errorf("its kind is not %s", kind)
	}
	return tree, nil
}

// single finds further documents, which would not be read.
func single(content []byte) error {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	count := 0
	for {
		var document yaml.Node
		err := decoder.Decode(&document)
		switch {
		case errors.Is(err, io.EOF) && count == 1:
			return nil
		case errors.Is(err, io.EOF):
			return errDocuments
		case err != nil:
			return errNoYAML
		}
		count++
	}
}

// tree returns the manifest, or finds what is wrong with it.
func (b *build) tree(at report.Path, content []byte, kind string) map[string]any {
	tree, err := manifest(content, kind)
	if err != nil {
		b.find(report.Errorf(at, "%v", err).To("give a manifest of kind %s", kind))
		return nil
	}
	return tree
}
