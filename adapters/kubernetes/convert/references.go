package convert

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

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
func ReferencedKeys(spec any) []Reference {
	found := map[Reference]bool{}
	w := referenceWalk{leads: map[reflect.Type]bool{}, note: func(r Reference, _ bool, _ []string) {
		found[r] = true
	}}
	w.walk(reflect.ValueOf(spec), nil)
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
	w := referenceWalk{leads: map[reflect.Type]bool{}, note: func(r Reference, optional bool, at []string) {
		found = append(found, FieldReference{Path: pathOf(at), Kind: r.Kind, Name: r.Name, Optional: optional})
	}}
	w.walk(reflect.ValueOf(object), nil)
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
	leads map[reflect.Type]bool
	// note receives each reference, with the names in JSON of the fields that contain it and the indexes of lists.
	note func(r Reference, optional bool, at []string)
}

func (w referenceWalk) walk(v reflect.Value, at []string) {
	if !w.leadsTo(v.Type()) {
		return
	}
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

// fields records a reference, or visits the fields of any other struct.
func (w referenceWalk) fields(v reflect.Value, at []string) {
	r, at, ok := referenceIn(v, at)
	switch {
	case !ok:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			w.walk(v.Field(i), append(at, name))
		}
	case r.Name != "":
		optional := v.FieldByName("Optional")
		w.note(r, optional.IsValid() && optional.Bool(), at)
	}
}

// referenceTypes returns the types of fields that refer to a Secret or a ConfigMap.
func referenceTypes() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[v1alpha1.KeyReference](), reflect.TypeFor[v1alpha1.TemplateReference](),
		reflect.TypeFor[v1alpha1.S3Credentials](), reflect.TypeFor[infrastructurev1.SSHKeyReference](),
	}
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
		leads = slices.Contains(referenceTypes(), t)
		for i := 0; i < t.NumField() && !leads; i++ {
			leads = w.leadsTo(t.Field(i).Type)
		}
	default:
	}
	w.leads[t] = leads
	return leads
}
