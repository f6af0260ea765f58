package secret

import (
	"bytes"
	"cmp"
	"reflect"
	"regexp"
	"slices"
)

// shortest is the minimum length of a redacted secret. Shorter secrets may occur in ordinary text.
const shortest = 6

// token matches any bootstrap token.
var token = regexp.MustCompile(`\b[a-z0-9]{6}\.[a-z0-9]{16}\b`)

// Redactor removes known secrets from text. The zero Redactor removes bootstrap tokens only.
type Redactor struct{ known [][]byte }

// NewRedactor returns a redactor that removes the values, their lines, and bootstrap tokens.
func NewRedactor(values ...Value) Redactor {
	var known [][]byte
	for _, v := range values {
		known = append(known, v.Reveal())
		known = append(known, bytes.Split(v.Reveal(), []byte("\n"))...)
	}
	known = slices.DeleteFunc(known, func(b []byte) bool { return len(bytes.TrimSpace(b)) < shortest })
	slices.SortFunc(known, func(a, b []byte) int { return cmp.Or(len(b)-len(a), bytes.Compare(a, b)) })
	return Redactor{known: slices.CompactFunc(known, bytes.Equal)}
}

// Clean returns the text without secrets. It removes the longest first, so that no part of a secret remains.
func (r Redactor) Clean(text string) string {
	clean := []byte(text)
	for _, k := range r.known {
		clean = bytes.ReplaceAll(clean, k, []byte(Redacted))
	}
	return string(token.ReplaceAll(clean, []byte(Redacted)))
}

// Collect returns the values anywhere in v: in the fields of structures, in lists, maps and interfaces.
func Collect(v any) []Value {
	var found []Value
	collect(reflect.ValueOf(v), &found)
	return found
}

func collect(v reflect.Value, found *[]Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			collect(v.Elem(), found)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			collect(v.Index(i), found)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			collect(v.MapIndex(key), found)
		}
	case reflect.Struct:
		collectStruct(v, found)
	default:
	}
}

func collectStruct(v reflect.Value, found *[]Value) {
	if v.Type() == reflect.TypeFor[Value]() {
		if s, ok := v.Interface().(Value); ok && !s.IsZero() {
			*found = append(*found, s)
		}
		return
	}
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			collect(v.Field(i), found)
		}
	}
}
