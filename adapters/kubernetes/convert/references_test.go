package convert_test

import (
	"context"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	infrastructurev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
)

// recorder finds nothing and records the lookups of the conversion.
type recorder map[string]bool

func (r recorder) Resolve(_ context.Context, ref convert.Reference) ([]byte, error) {
	r[ref.Kind+"/"+ref.Name] = true
	return nil, convert.ErrNotFound
}

// place is a field of the API that contains a reference, with its name and a function that sets it.
type place struct {
	path string
	set  func(object reflect.Value)
}

// places returns the fields of a type that contain references. Their functions set only the reference and what the
// conversion needs to reach it.
func places(t reflect.Type, path string) []place {
	switch {
	case t == reflect.TypeFor[v1alpha1.KeyReference]():
		return []place{{path, func(v reflect.Value) {
			v.Set(reflect.ValueOf(v1alpha1.KeyReference{Name: "wanted", Key: "key", Optional: true}))
		}}}
	case t == reflect.TypeFor[v1alpha1.TemplateReference]():
		var out []place
		for _, kind := range []string{"Secret", "ConfigMap"} {
			out = append(out, place{path + "." + kind, func(v reflect.Value) {
				v.Set(reflect.ValueOf(v1alpha1.TemplateReference{Kind: kind, Name: "wanted"}))
			}})
		}
		return out
	case t.Kind() == reflect.Pointer:
		return through(places(t.Elem(), path), func(v reflect.Value) reflect.Value {
			v.Set(reflect.New(t.Elem()))
			return v.Elem()
		})
	case t.Kind() == reflect.Slice:
		return through(places(t.Elem(), path+"[0]"), func(v reflect.Value) reflect.Value {
			v.Set(reflect.MakeSlice(t, 1, 1))
			return v.Index(0)
		})
	case t.Kind() == reflect.Struct:
		return fieldPlaces(t, path)
	}
	return nil
}

func fieldPlaces(t reflect.Type, path string) []place {
	var out []place
	for i := range t.NumField() {
		out = append(out, through(places(t.Field(i).Type, path+"."+t.Field(i).Name), func(v reflect.Value) reflect.Value {
			if t == reflect.TypeFor[v1alpha1.DeliveryAgent]() {
				v.FieldByName("Source").SetString("Fetch") // The source determines whether the rest is read.
			}
			return v.Field(i)
		})...)
	}
	return out
}

// through returns the places as seen from an enclosing value.
func through(inner []place, enter func(reflect.Value) reflect.Value) []place {
	for i, p := range inner {
		inner[i].set = func(v reflect.Value) { p.set(enter(v)) }
	}
	return inner
}

// TestReferencesAreThoseOfTheConversion sets each field of the API that can contain a reference, one at a time. It
// compares the result of the index function with the lookups of a conversion.
func TestReferencesAreThoseOfTheConversion(t *testing.T) {
	all := places(reflect.TypeFor[v1alpha1.MachineBootstrapConfigSpec](), "spec")
	for _, p := range all {
		c := config(t, "{}")
		p.set(reflect.ValueOf(&c.Spec).Elem())
		requested := recorder{}
		if _, err := convert.Config(t.Context(), c, convert.Names{}, requested); err != nil {
			t.Fatal(err)
		}
		compareReferences(t, p.path, convert.References(&c.Spec), requested)
	}
	if len(all) < 50 {
		t.Errorf("only %d fields hold references", len(all))
	}
	for _, kind := range v1alpha1.Plugins() {
		spec, _ := reflect.TypeOf(kind).Elem().FieldByName("Spec")
		for _, p := range places(spec.Type, v1alpha1.PluginKind(kind)) {
			plugin := kind.DeepCopyObject().(v1alpha1.Plugin)
			field := reflect.ValueOf(plugin).Elem().FieldByName("Spec")
			p.set(field)
			requested := recorder{}
			if _, err := convert.Plugin(t.Context(), plugin, requested); err != nil {
				t.Fatal(err)
			}
			compareReferences(t, p.path, convert.References(plugin), requested)
		}
	}
}

func compareReferences(t *testing.T, path string, got []string, requested recorder) {
	t.Helper()
	want := slices.Sorted(maps.Keys(requested))
	if len(want) != 1 {
		t.Errorf("%s: the conversion looks up %v", path, want)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-conversion +index):\n%s", path, diff)
	}
}

// allocated returns the bytes that a function allocates.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// fullOf returns a config of about 1.3 MB, close to the limit of the API server, that repeats one part.
func fullOf(t *testing.T, part v1alpha1.Part, size int) *v1alpha1.MachineBootstrapConfig {
	c := config(t, "{}")
	c.Spec.Machine = &v1alpha1.MachineSpec{}
	for left := 1_300_000 / size; left > 0 && len(c.Spec.Machine.Files) < 200; left -= 64 {
		c.Spec.Machine.Files = append(c.Spec.Machine.Files, v1alpha1.FileSpec{Parts: slices.Repeat([]v1alpha1.Part{part},
			min(left, 64))})
	}
	return c
}

// TestReferencesDecodeNothing calls the index function with the most expensive objects: compressed contents, and as
// many references as possible.
func TestReferencesDecodeNothing(t *testing.T) {
	bomb := gzipped(strings.Repeat("a", 6<<20))
	cases := map[string]*v1alpha1.MachineBootstrapConfig{
		"bombs": fullOf(t, v1alpha1.Part{Text: bomb, Encoding: v1alpha1.EncodingGzipBase64}, len(bomb)+50),
		"references": fullOf(t, v1alpha1.Part{
			TextFrom: &v1alpha1.ContentSource{ConfigMap: &v1alpha1.KeyReference{Name: "other", Key: "key"}},
		}, 64),
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			c.Spec.Machine.Files[0].ContentFrom = &v1alpha1.ContentSource{Secret: &v1alpha1.KeyReference{Name: "wanted"}}
			var found []string
			cost := allocated(func() { found = convert.References(c) })
			if !slices.Contains(found, "Secret/wanted") || cost > 1<<20 {
				t.Errorf("found %v and allocated %d bytes", found, cost)
			}
		})
	}
}

// TestReferencesCostLittle holds that an index key of a small config costs few allocations: informers compute three for
// each event.
func TestReferencesCostLittle(t *testing.T) {
	c := config(t, `{machine: {users: [{name: ops}], files: [{path: /a, content: x}, {path: /b,
		contentFrom: {secret: {name: s, key: k}}}]}}`)
	if n := testing.AllocsPerRun(100, func() { convert.References(c) }); n > 20 {
		t.Errorf("%v allocations", n)
	}
}

// TestFieldReferences covers what only objects other than configs refer to, and the paths of lists.
func TestFieldReferences(t *testing.T) {
	c := config(t, `{templateRef: {kind: ConfigMap, name: t}, machine: {files: [{path: /a}, {path: /b, parts: [{text: x},
      {textFrom: {configMap: {name: c, key: k, optional: true}}}]}]}}`)
	for name, o := range map[string]struct {
		object any
		want   []convert.FieldReference
	}{
		"config": {c, []convert.FieldReference{
			{Path: "spec.templateRef", Kind: "ConfigMap", Name: "t"},
			{
				Path: "spec.machine.files[1].parts[1].textFrom.configMap", Kind: "ConfigMap", Name: "c",
				Optional: true,
			},
		}},
		"storage": {
			&v1alpha1.S3BootstrapStorage{Spec: v1alpha1.S3BootstrapStorageSpec{
				Credentials: &v1alpha1.S3Credentials{SecretName: "s"},
			}}, []convert.FieldReference{{Path: "spec.credentials.secretName", Kind: "Secret", Name: "s"}},
		},
		"host": {
			&infrastructurev1.Host{Spec: infrastructurev1.HostSpec{SSHKeyRef: infrastructurev1.SSHKeyReference{Name: "h"}}},
			[]convert.FieldReference{{Path: "spec.sshKeyRef", Kind: "Secret", Name: "h"}},
		},
	} {
		byPath := func(a, b convert.FieldReference) int { return strings.Compare(string(a.Path), string(b.Path)) }
		got := convert.FieldReferences(o.object)
		slices.SortFunc(got, byPath)
		slices.SortFunc(o.want, byPath)
		if diff := cmp.Diff(o.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
