// Package document defines the unit of machine configuration: a document describes one aspect of a machine's desired
// state, and records where it was written.
//
// The kinds and their value types are in packages machine and node. A serialized machine configuration is an ordered
// list of documents.
package document

import "github.com/machineadm/machineadm/domain/report"

// Kind names a kind of document, as in a serialised document's "kind" field.
type Kind string

// Value is the content of a document. Its types are in packages machine, node, hardening and indirect; documents of
// unknown kinds have the type Opaque.
type Value interface {
	// Kind returns the kind of the document.
	Kind() Kind
	// Check returns the findings of the value that do not depend on the machine. p is the path of the value.
	Check(p report.Path) report.Report
}

// Source is the place where a document was written.
type Source struct {
	// Object names the object that contains the document, as kind/namespace/name, or empty for a configuration file of the
	// machine.
	Object string
	// Path is the path of the field in that object.
	Path report.Path
	// Line and Column are the 1-based position of the document's kind in the text from which it was parsed; 0 if it was
	// not parsed from text.
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
	// Digest is the SHA-256 of the serialised document in hexadecimal, or empty if it was never serialised.
	Digest string
}

// Kind returns the kind of the document's value.
func (d Document) Kind() Kind { return d.Value.Kind() }

// Check returns the findings of the document's value.
func (d Document) Check() report.Report { return d.Value.Check("").Below(d.Source.Path) }

// Opaque is the value of a document of a kind that only a plugin may know. Its text is passed on unchanged. If no
// plugin handles the kind, planning returns an error finding.
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
