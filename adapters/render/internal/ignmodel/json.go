package ignmodel

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// JSON encodes a configuration without white space, empty objects and HTML escapes. The types of Ignition mark struct
// fields with omitempty, which encoding/json ignores for structs.
func JSON(config any) ([]byte, error) {
	var b bytes.Buffer
	if err := write(&b, reflect.ValueOf(config)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func write(b *bytes.Buffer, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return write(b, v.Elem())
		}
	case reflect.Struct:
		b.WriteByte('{')
		_, err := writeFields(b, v, true)
		b.WriteByte('}')
		return err
	case reflect.Slice:
		if !v.IsNil() {
			return writeItems(b, v)
		}
	default: // has nothing below it
	}
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v.Interface()); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the line break
	return nil
}

func writeItems(b *bytes.Buffer, v reflect.Value) error {
	b.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := write(b, v.Index(i)); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}

// writeFields writes the fields of a struct, and those of structs that are embedded without a name. It returns whether
// the next field is the first one.
func writeFields(b *bytes.Buffer, v reflect.Value, first bool) (bool, error) {
	for i := range v.NumField() {
		f, value := v.Type().Field(i), v.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			var err error
			if first, err = writeFields(b, value, first); err != nil {
				return first, err
			}
			continue
		}
		if name == "-" || options == "omitempty" && empty(value) {
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		b.WriteString(`"` + name + `":`)
		if err := write(b, value); err != nil {
			return first, err
		}
	}
	return first, nil
}

// empty reports whether a value is empty; a struct is empty if all its fields are.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if !empty(v.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	default:
		return v.IsZero()
	}
}
