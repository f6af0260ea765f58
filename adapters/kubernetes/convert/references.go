package convert

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// References returns the objects that a resource or a spec refers to, as kind/name, sorted. The argument is a pointer.
// References decodes and copies nothing, so that informers can call it for every event. If a field names both a Secret
// and a ConfigMap, which conversion refuses, it returns both.
func References(spec any) []string {
	found := map[string]bool{}
	for _, r := range ReferencedKeys(spec) {
		found[r.Kind+"/"+r.Name] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// ReferencedKeys returns the keys that a resource or a spec refers to, in a fixed order. The argument is a pointer.
func ReferencedKeys(spec any) []Reference {
	w := referenceWalk{leads: map[reflect.Type]bool{}, found: map[Reference]bool{}}
	w.walk(reflect.ValueOf(spec), "")
	return slices.SortedFunc(maps.Keys(w.found), func(a, b Reference) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name), strings.Compare(a.Key, b.Key))
	})
}

// referenceWalk visits the parts of a value whose types lead to a reference.
type referenceWalk struct {
	leads map[reflect.Type]bool
	found map[Reference]bool
}

func (w referenceWalk) walk(v reflect.Value, field string) {
	if !w.leadsTo(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			w.walk(v.Elem(), field)
		}
	case reflect.Slice:
		for i := range v.Len() {
			w.walk(v.Index(i), field)
		}
	case reflect.Struct:
		w.fields(v, field)
	default:
	}
}

// fields records a reference, or visits the fields of any other struct.
func (w referenceWalk) fields(v reflect.Value, field string) {
	switch v.Type() {
	case reflect.TypeFor[v1alpha1.KeyReference]():
		w.note(kindOf(field), v.FieldByName("Name").String(), v.FieldByName("Key").String())
	case reflect.TypeFor[v1alpha1.TemplateReference]():
		w.note(v.FieldByName("Kind").String(), v.FieldByName("Name").String(), TemplateKey)
	default:
		for i := range v.NumField() {
			w.walk(v.Field(i), v.Type().Field(i).Name)
		}
	}
}

func (w referenceWalk) note(kind, name, key string) {
	if name != "" {
		w.found[Reference{Kind: kind, Name: name, Key: key}] = true
	}
}

// kindOf returns the kind that the field of a reference names: ConfigMap, or Secret as in passphraseSecretRef.
func kindOf(field string) string {
	if strings.Contains(field, "ConfigMap") {
		return "ConfigMap"
	}
	return "Secret"
}

// leadsTo reports whether values of the type can contain references. No type of the API has references in a map.
func (w referenceWalk) leadsTo(t reflect.Type) bool {
	if known, ok := w.leads[t]; ok {
		return known
	}
	w.leads[t] = false
	leads := false
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		leads = w.leadsTo(t.Elem())
	case reflect.Struct:
		leads = t == reflect.TypeFor[v1alpha1.KeyReference]() || t == reflect.TypeFor[v1alpha1.TemplateReference]()
		for i := 0; i < t.NumField() && !leads; i++ {
			leads = w.leadsTo(t.Field(i).Type)
		}
	default:
	}
	w.leads[t] = leads
	return leads
}
