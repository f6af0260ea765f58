// Package document defines the unit of machine configuration: a document describes one aspect of a machine's desired
// state, in the terms of its field, and records where it was written.
//
// The kinds and their value types are in packages machine and node. A serialized machine configuration is an ordered
// list of documents.
package document

import "github.com/machineadm/machineadm/domain/report"

// Kind names a kind of document, as in a serialised document's "kind" field.
type Kind string

// Value is the content of a document. Its types are in packages machine and node; Opaque is the one of kinds that this
// program does not know.
type Value interface {
	// Kind returns the kind of the document.
	Kind() Kind
	// Check returns what is wrong with the value in itself, whatever the machine; p is the path of the value.
	Check(p report.Path) report.Report
}

// Source is the place where a document was written.
type Source struct {
	// Object names the object that holds it, as kind/namespace/name; empty for the machine's own configuration.
	Object string
	// Path is the field inside that object.
	Path report.Path
	// Line and Column are where the text that it was read of names the document's kind, from 1; 0 if it was read of none.
	Line, Column int
}

// String returns the object and the path.
func (s Source) String() string {
	if s.Object == "" {
		return string(s.Path)
	}
	return s.Object + ": " + string(s.Path)
}

// Under returns the source of a field below s.
func (s Source) Under(fields ...string) Source {
	for _, f := range fields {
		s.Path = s.Path.Field(f)
	}
	return s
}

// Document is a value and its provenance.
type Document struct {
	Value  Value
	Source Source
	// Digest is the SHA-256 of the serialised document in hexadecimal; empty if it was never serialised.
	Digest string
}

// Kind returns the kind of the document's value.
func (d Document) Kind() Kind { return d.Value.Kind() }

// Check returns what is wrong with the document in itself.
func (d Document) Check() report.Report { return d.Value.Check(d.Source.Path) }

// Opaque is the value of a document whose kind only a plugin may know. It is passed on as it was read, and planning
// refuses it if no plugin handles it.
type Opaque struct {
	// Type is the kind that the document names.
	Type Kind
	// Body is the serialised document.
	Body []byte
}

// Kind returns the kind that the document names.
func (o Opaque) Kind() Kind { return o.Type }

// Check finds nothing: only a plugin can validate the value.
func (o Opaque) Check(report.Path) report.Report { return nil }

// Select returns the values of type T among the documents, in their order.
func Select[T Value](docs []Document) []T {
	var found []T
	for _, d := range docs {
		if v, ok := d.Value.(T); ok {
			found = append(found, v)
		}
	}
	return found
}

// First returns the first document whose value has type T, which is the only one for a singleton kind.
func First[T Value](docs []Document) (T, Source, bool) {
	for _, d := range docs {
		if v, ok := d.Value.(T); ok {
			return v, d.Source, true
		}
	}
	var none T
	return none, Source{}, false
}
