package codec

import (
	"reflect"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
)

// form is how a Go type is written on the wire.
type form int

// The forms.
const (
	// formScalar is text, a number or a truth value.
	formScalar form = iota
	// formStruct is a mapping with known fields, formMap one with any keys, formList a sequence.
	formStruct
	formMap
	formList
	// formTree is any structured value.
	formTree
	// formBytes is any bytes, and formContent the same with facts between them: text, {base64: …} or {parts: […]}.
	formBytes
	formContent
	// formUnitText is a formContent that is written as released programs write it, with the quotes of the library.
	formUnitText
	// formMode is permissions in octal, formPhase the name of a phase.
	formMode
	formPhase
	// formBase64 is bytes that are always base64, and formNumber a number that can be quoted.
	formBase64
	formNumber
)

// formOf returns the form of a type. The encoding is that of the field's tag and overrides the type's own.
func formOf(t reflect.Type, encoding string) form {
	switch {
	case encoding == "base64":
		return formBase64
	case encoding == "text":
		return formNumber
	case encoding == "unit":
		return formUnitText
	case t == reflect.TypeFor[document.Content]():
		return formContent
	case t == reflect.TypeFor[secret.Value](), t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return formBytes
	case t == reflect.TypeFor[machine.Mode]():
		return formMode
	case t == reflect.TypeFor[document.Phase]():
		return formPhase
	}
	switch t.Kind() {
	case reflect.Struct:
		return formStruct
	case reflect.Slice:
		return formList
	case reflect.Interface:
		return formTree
	case reflect.Map:
		if t.Elem().Kind() == reflect.Interface {
			return formTree
		}
		return formMap
	default:
		return formScalar
	}
}

// field is a field of a struct as the wire has it.
type field struct {
	name     string
	index    []int
	typ      reflect.Type
	optional bool
	encoding string
	// preset is the text of the value that the field has in a document without it, or empty for the type's zero value.
	preset string
}

// fieldsOf returns the fields of a struct in their order, with the fields of an embedded struct in its place.
func fieldsOf(t reflect.Type) []field {
	var all []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if options == "inline" {
			for _, inner := range fieldsOf(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				all = append(all, inner)
			}
			continue
		}
		all = append(all, field{
			name: name, index: []int{i}, typ: f.Type, optional: options == "omitempty", encoding: f.Tag.Get("encoding"),
			preset: f.Tag.Get("default"),
		})
	}
	return all
}

// fieldNamed returns the field of the name.
// fieldNames returns the names of the fields of a type.
func fieldNames(t reflect.Type) []string {
	var names []string
	for _, f := range fieldsOf(t) {
		names = append(names, f.name)
	}
	return names
}

func fieldNamed(t reflect.Type, name string) (field, bool) {
	for _, f := range fieldsOf(t) {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}
