package convert

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	infrastructurev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/report"
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
func ReferencedKeys(spec any) []Reference { return keysOf(spec, true) }

// RequiredKeys returns those of ReferencedKeys that must exist.
func RequiredKeys(spec any) []Reference { return keysOf(spec, false) }

func keysOf(spec any, optional bool) []Reference {
	found := map[Reference]bool{}
	walkReferences(spec, func(r Reference, isOptional bool, _ []string) {
		if optional || !isOptional {
			found[r] = true
		}
	})
	return slices.SortedFunc(maps.Keys(found), func(a, b Reference) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name), strings.Compare(a.Key, b.Key))
	})
}

// FieldReference is an object that a field refers to.
type FieldReference struct {
	Path report.Path
	// Kind is Secret or ConfigMap.
	Kind, Name string
	// Optional is set if the object need not exist.
	Optional bool
}

// FieldReferences returns the objects that a resource of any of machineadm's providers refers to, with their fields, in
// the order of the fields. The argument is a pointer.
func FieldReferences(object any) []FieldReference {
	var found []FieldReference
	walkReferences(object, func(r Reference, optional bool, at []string) {
		found = append(found, FieldReference{Path: pathOf(at), Kind: r.Kind, Name: r.Name, Optional: optional})
	})
	return found
}

// pathOf returns the path of a field from its names in Go and the indexes of lists.
func pathOf(at []string) report.Path {
	var p report.Path
	for _, step := range at {
		if i, err := strconv.Atoi(step); err == nil {
			p = p.Index(i)
		} else if step != "" {
			p = p.Field(step)
		}
	}
	return p
}

// referenceWalk visits the parts of a value whose types lead to a reference.
type referenceWalk struct {
	leading leadingFields
	// note receives each reference, with the names in JSON of the fields that contain it and the indexes of lists.
	note func(r Reference, optional bool, at []string)
}

// walkReferences calls note for each reference of a value. A note must not keep the path.
func walkReferences(object any, note func(r Reference, optional bool, at []string)) {
	v := reflect.ValueOf(object)
	// All paths share this memory.
	at := make([]string, 0, 16)
	referenceWalk{leading: leadingFieldsOf(v.Type()), note: note}.walk(v, at)
}

func (w referenceWalk) walk(v reflect.Value, at []string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			w.walk(v.Elem(), at)
		}
	case reflect.Slice:
		for i := range v.Len() {
			w.walk(v.Index(i), append(at, strconv.Itoa(i)))
		}
	case reflect.Struct:
		w.fields(v, at)
	default:
	}
}

// fields records a reference, or visits the leading fields of any other struct.
func (w referenceWalk) fields(v reflect.Value, at []string) {
	r, in, ok := referenceIn(v, at)
	switch {
	case !ok:
		for _, f := range w.leading[v.Type()] {
			w.walk(v.Field(f.index), append(at, f.name))
		}
	case r.Name != "":
		optional := v.FieldByName("Optional")
		w.note(r, optional.IsValid() && optional.Bool(), in)
	}
}

// leadingField is a field whose type leads to a reference, with its name in JSON.
type leadingField struct {
	index int
	name  string
}

// leadingFields are those of each struct that a type contains.
type leadingFields map[reflect.Type][]leadingField

// leadingOf has the leading fields of the types whose values were visited. Informers visit a value for each event.
var leadingOf sync.Map //nolint:gochecknoglobals // the types of the program never vary

func leadingFieldsOf(t reflect.Type) leadingFields {
	if known, ok := leadingOf.Load(t); ok {
		if l, is := known.(leadingFields); is {
			return l
		}
	}
	l := leadingFields{}
	l.leadsTo(t)
	leadingOf.Store(t, l)
	return l
}

// leadsTo reports whether values of the type can contain references. No type of the API has references in a map.
func (l leadingFields) leadsTo(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return l.leadsTo(t.Elem())
	case reflect.Struct:
		return isReference(t) || len(l.ofStruct(t)) > 0
	default:
		return false
	}
}

func (l leadingFields) ofStruct(t reflect.Type) []leadingField {
	if known, ok := l[t]; ok {
		return known
	}
	l[t] = nil
	for i := range t.NumField() {
		f := t.Field(i)
		if l.leadsTo(f.Type) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			l[t] = append(l[t], leadingField{index: i, name: name})
		}
	}
	return l[t]
}

// isReference reports whether fields of the type refer to a Secret or a ConfigMap.
func isReference(t reflect.Type) bool {
	_, _, is := referenceIn(reflect.Zero(t), nil)
	return is
}

// referenceIn returns the reference that a value is, and its field. It returns false if the value is not a reference.
func referenceIn(v reflect.Value, at []string) (r Reference, field []string, ok bool) {
	text := func(field string) string { return v.FieldByName(field).String() }
	switch v.Type() {
	case reflect.TypeFor[v1alpha1.KeyReference]():
		return Reference{Kind: kindOf(at), Name: text("Name"), Key: text("Key")}, at, true
	case reflect.TypeFor[v1alpha1.TemplateReference]():
		return Reference{Kind: text("Kind"), Name: text("Name"), Key: TemplateKey}, at, true
	case reflect.TypeFor[v1alpha1.S3Credentials]():
		return Reference{Kind: "Secret", Name: text("SecretName")}, append(at, "secretName"), true
	case reflect.TypeFor[infrastructurev1.SSHKeyReference]():
		return Reference{Kind: "Secret", Name: text("Name"), Key: text("Key")}, at, true
	default:
		return Reference{}, at, false
	}
}

// kindOf returns the kind that the last field of a path names: ConfigMap, or Secret as in passphraseSecretRef.
func kindOf(at []string) string {
	if len(at) > 0 && at[len(at)-1] == "configMap" {
		return "ConfigMap"
	}
	return "Secret"
}
