package containerlinux

import (
	"reflect"
	"strings"
	"unicode"

	"github.com/flatcar/ignition/config/v2_3/types"
	vreport "github.com/flatcar/ignition/config/validate/report"
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/report"
)

// validator is a value of Ignition's types that checks itself.
type validator interface{ Validate() vreport.Report }

// Validate returns the findings of the validation by the Ignition library, without positions. Messages may quote
// values.
func Validate(c types.Config, s Snippet) report.Report {
	t := translation{snippet: s}
	t.check(reflect.ValueOf(c), nil, nil)
	return t.findings
}

// validate checks what was translated, each value at its place in the text.
func (t *translation) validate(root *yaml.Node) { t.check(reflect.ValueOf(t.out), root, root) }

// check asks each value below the given one, and each field that has a method Validate<Field>. It does not go below a
// value that is wrong. The node is the value's, or nil for one that is not in the text; near is the closest one around
// it.
func (t *translation) check(v reflect.Value, n, near *yaml.Node) {
	if n = resolved(n); n != nil {
		near = n
	}
	if v.Kind() == reflect.Pointer {
		if !v.IsNil() {
			t.check(v.Elem(), n, near)
		}
		return
	}
	if own, checks := v.Interface().(validator); checks {
		found := own.Validate()
		t.add(found, near)
		if found.IsFatal() {
			return
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		t.fields(v, v, n, near)
	case reflect.Slice:
		first := 0
		if v.Type() == reflect.TypeFor[[]types.Unit]() {
			first = t.ours
		}
		for i := range v.Len() {
			t.check(v.Index(i), item(n, i-first), near)
		}
	default: // has nothing below it
	}
}

// fields checks the fields of a struct; those of embedded ones have their methods in the outer one, too.
func (t *translation) fields(v, outer reflect.Value, n, near *yaml.Node) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		below := place(n, key)
		if f.Anonymous {
			if key == "" {
				below = n
			}
			t.fields(v.Field(i), outer, below, near)
			continue
		}
		at := near
		if below != nil {
			at = below
		}
		if method := outer.MethodByName("Validate" + f.Name); method.IsValid() {
			if found, is := method.Call(nil)[0].Interface().(vreport.Report); is {
				t.add(found, at)
			}
		}
		t.check(v.Field(i), below, at)
	}
}

// place returns the value of the key that a key of Ignition is translated from, or nil.
func place(n *yaml.Node, key string) *yaml.Node {
	var snake strings.Builder
	for _, c := range strings.TrimSuffix(key, "MiB") {
		if unicode.IsUpper(c) {
			snake.WriteByte('_')
		}
		snake.WriteRune(unicode.ToLower(c))
	}
	key = snake.String()
	if found := child(n, key); found != nil {
		return found
	}
	if key == "source" {
		key = "url"
	}
	return child(n, "remote", key)
}

func (t *translation) add(r vreport.Report, at *yaml.Node) {
	for _, e := range r.Entries {
		severity := report.Warning
		switch e.Kind {
		case vreport.EntryError:
			severity = report.Error
		case vreport.EntryInfo:
			severity = report.Info
		case vreport.EntryWarning, vreport.EntryDeprecated:
		}
		t.find(severity, at, "%s", e.Message)
	}
}
