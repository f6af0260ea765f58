// Package fieldpath resolves the paths of findings, such as spec.files[3].path, in types and in what users wrote.
package fieldpath

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

var stepPattern = regexp.MustCompile(`^\.?([^.\[\]]+)|^\[([0-9]+)\]|^\["((?:[^"\\]|\\.)*)"\]`)

// Resolve returns an error unless the type has a field at the path, by its JSON tags, and the tree the elements of
// lists on the way. The tree is what a user wrote, as YAML or JSON is decoded into an any. Keys of mappings, and the
// field itself, may be missing there, since the finding may be that they are.
func Resolve(t reflect.Type, tree any, path string) error {
	for rest := path; rest != ""; {
		m := stepPattern.FindStringSubmatch(rest)
		if m == nil {
			return fmt.Errorf("%s is not a path at %q", path, rest)
		}
		rest = rest[len(m[0]):]
		for t != nil && t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		var err error
		if m[2] != "" {
			t, tree, err = element(t, tree, m[2])
		} else {
			t, tree, err = field(t, tree, m[1]+m[3])
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func element(t reflect.Type, tree any, index string) (reflect.Type, any, error) {
	list, _ := tree.([]any)
	i, err := strconv.Atoi(index)
	if err != nil || i >= len(list) {
		return nil, nil, fmt.Errorf("there is no element %s", index)
	}
	if t == nil || t.Kind() != reflect.Slice {
		return nil, list[i], nil
	}
	return t.Elem(), list[i], nil
}

// field steps into a field or the entry of a mapping. Below a type that has no fields, such as raw JSON, any name is
// right.
func field(t reflect.Type, tree any, name string) (reflect.Type, any, error) {
	values, _ := tree.(map[string]any)
	switch {
	case t == nil || t.Kind() == reflect.Map || t.Kind() == reflect.Interface:
		return nil, values[name], nil
	case t.Kind() != reflect.Struct:
		return nil, nil, fmt.Errorf("%s is below a value without fields", name)
	case isRaw(t):
		return nil, values[name], nil
	}
	inner, ok := fieldType(t, name)
	if !ok {
		return nil, nil, fmt.Errorf("there is no field %s", name)
	}
	return inner, values[name], nil
}

// isRaw reports whether the fields of the type are not those of its JSON.
func isRaw(t reflect.Type) bool {
	return t.NumField() == 0 || !t.Field(0).IsExported() || t.Field(0).Tag.Get("json") == "-"
}

// fieldType returns the type of the field with the JSON name, also if it is inlined.
func fieldType(t reflect.Type, name string) (reflect.Type, bool) {
	for i := range t.NumField() {
		tag, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if tag == name && name != "" {
			return t.Field(i).Type, true
		}
		if options == "inline" {
			if inner, ok := fieldType(t.Field(i).Type, name); ok {
				return inner, true
			}
		}
	}
	return nil, false
}

// Leaves returns the paths of the fields of a value that have no fields of their own. Of a list, the fields of its
// elements follow, and of an empty list there are none.
func Leaves(v reflect.Value, path string) []string {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	var all []string
	switch {
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		for i := range v.Len() {
			all = append(all, Leaves(v.Index(i), fmt.Sprintf("%s[%d]", path, i))...)
		}
		return all
	case v.Kind() != reflect.Struct || v.NumField() == 0 || !v.Type().Field(0).IsExported():
		if v.IsZero() {
			return nil
		}
		return []string{path}
	}
	for i := range v.NumField() {
		name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		at := path + "." + name
		if options == "inline" {
			at = path
		}
		all = append(all, Leaves(v.Field(i), strings.TrimPrefix(at, "."))...)
	}
	return all
}
