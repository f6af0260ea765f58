package talos

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	kyaml "sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/structured"
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

// errTree is a mistake in a manifest; it never quotes the text, which may be secret.
var (
	errNoYAML    = errors.New("this is not well-formed YAML")
	errDocuments = errors.New("it must be one document")
	errMapping   = errors.New("it is not a mapping")
	errKind      = errors.New("its kind is not")
)

// manifest reads one Kubernetes manifest of the kind, in YAML or JSON, with the meaning that Kubernetes gives to it.
func manifest(ctx context.Context, content []byte, kind string) (map[string]any, error) {
	if err := single(ctx, content); err != nil {
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
		return nil, fmt.Errorf("%w %s", errKind, kind)
	}
	return tree, nil
}

// single finds further documents, which would not be read, and what is too costly to read.
func single(ctx context.Context, content []byte) error {
	documents, err := structured.YAML(ctx, content)
	if err != nil {
		return err
	}
	if len(documents) != 1 {
		return errDocuments
	}
	return nil
}

// tree returns the manifest, or finds what is wrong with it.
func (b *build) tree(ctx context.Context, at report.Path, content []byte, kind string) map[string]any {
	tree, err := manifest(ctx, content, kind)
	switch {
	case err == nil:
		return tree
	case errors.Is(err, errNoYAML), errors.Is(err, errDocuments), errors.Is(err, errMapping), errors.Is(err, errKind):
		b.find(report.Errorf(at, "%v", err).To("give a manifest of kind %s", kind))
	default:
		b.find(structured.Finding(at, errNoYAML.Error(), err))
	}
	return nil
}
