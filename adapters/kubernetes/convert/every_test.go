package convert_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/test/fieldpath"
)

// echo resolves each reference to its own name.
type echo struct{}

func (echo) Resolve(_ context.Context, r convert.Reference) ([]byte, error) {
	return []byte(r.String()), nil
}

// profiles resolves each reference to a ConfigMap to a profile that contains its name, since some references must be
// profiles.
type profiles struct{ echo }

func (p profiles) Resolve(ctx context.Context, r convert.Reference) ([]byte, error) {
	if r.Kind == "ConfigMap" {
		return fmt.Appendf(nil, "apiVersion: bootstrap.machineadm.io/v1alpha1\nkind: OSProfile\nextends: debian\nname: %q\n",
			r), nil
	}
	return p.echo.Resolve(ctx, r)
}

// filler sets every field, with one element in each list and map, and records how to change each of them.
type filler struct {
	// leaveOut selects the fields that stay empty, since only one member of a union may be set.
	leaveOut func(owner reflect.Type, field string) bool
	leaves   []leaf
}

// leaf is a field with a value, and a function that changes it.
type leaf struct {
	path   string
	change func()
}

// special returns two valid values for fields that do not accept any value.
func special(owner reflect.Type, field string) (string, string, bool) {
	values := map[string][2]string{
		"OSSpec.Distribution": {"debian", "ubuntu"}, "OSSpec.Architecture": {"amd64", "arm64"},
		"FileSpec.Permissions": {"0644", "0600"}, "FileSpec.Encoding": {"", "base64"}, "Part.Encoding": {"", "base64"},
		"Part.Fact": {"hostname", "region"}, "MachineBootstrapConfigSpec.Format": {"cloud-init", "ignition"},
		"Snippet.Format": {"cloud-init", "ignition"}, "FileSpec.Owner": {"user:group", "user:other"},
		"DirectorySpec.Permissions": {"0750", "0700"}, "DirectorySpec.Owner": {"user:group", "user:other"},
		"DeliverySpec.Compression": {"Gzip", "None"}, "DeliverySpec.Encoding": {"Base64", "None"},
		"DeliverySpec.Mode": {"Agent", "Native"}, "DeliveryAgent.Source": {"Fetch", "Image"},
		"TemplateReference.Kind": {"ConfigMap", "Secret"},
		"DeliverySpec.Fetch":     {"Include", "Verified"},
		"ReportingSpec.URL":      {"https://a", "https://b"},
	}
	pair, found := values[owner.Name()+"."+field]
	return pair[0], pair[1], found
}

func (f *filler) fill(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), path)
	case reflect.Struct:
		f.fillStruct(v, path)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fill(v.Index(0), path+"[0]")
	case reflect.Map:
		f.fillMap(v, path)
	default:
		f.fillValue(v, path, "given", "other")
	}
}

func (f *filler) fillStruct(v reflect.Value, path string) {
	if raw, ok := v.Addr().Interface().(*runtime.RawExtension); ok {
		raw.Raw = []byte(`{"a":1}`)
		f.leaves = append(f.leaves, leaf{path, func() { raw.Raw = []byte(`{"a":2}`) }})
		return
	}
	if size, ok := v.Addr().Interface().(*v1alpha1.ByteSize); ok {
		*size = "7Ki"
		f.leaves = append(f.leaves, leaf{path, func() { *size = "8Ki" }})
		return
	}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		at := path + "." + strings.Split(field.Tag.Get("json"), ",")[0]
		if field.Anonymous {
			at = path
		}
		if f.leaveOut(v.Type(), field.Name) {
			continue
		}
		if given, other, found := special(v.Type(), field.Name); found {
			f.fillValue(v.Field(i), at, given, other)
			continue
		}
		f.fill(v.Field(i), at)
	}
}

func (f *filler) fillMap(v reflect.Value, path string) {
	v.Set(reflect.MakeMap(v.Type()))
	key := reflect.ValueOf("key")
	one, two := reflect.New(v.Type().Elem()).Elem(), reflect.New(v.Type().Elem()).Elem()
	(&filler{}).fillValue(one, "", "given", "other")
	v.SetMapIndex(key, one)
	f.leaves = append(f.leaves, leaf{path + `["key"]`, func() { v.SetMapIndex(key, two) }})
}

func (f *filler) fillValue(v reflect.Value, path, given, other string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(given)
		f.leaves = append(f.leaves, leaf{path, func() { v.SetString(other) }})
	case reflect.Bool:
		v.SetBool(true)
		f.leaves = append(f.leaves, leaf{path, func() { v.SetBool(false) }})
	case reflect.Int32, reflect.Int64:
		v.SetInt(7)
		f.leaves = append(f.leaves, leaf{path, func() { v.SetInt(8) }})
	default:
		panic(fmt.Sprintf("%s: no value for a %s", path, v.Type()))
	}
}

// unions returns the ways to fill the spec. Each sets other members of the unions.
func unions() map[string]func(reflect.Type, string) bool {
	// listed are the fields for values that consist of parts, and single the fields for the same values as texts.
	listed := func(field string) bool { return strings.HasSuffix(field, "Parts") }
	single := func(owner reflect.Type, field string) bool {
		if owner.Name() == "FileSpec" && slices.Contains([]string{"Content", "ContentFrom", "Encoding"}, field) ||
			slices.Contains([]string{"UnitSpec", "DropIn"}, owner.Name()) && field == "Contents" ||
			owner.Name() == "KubeletArg" && field == "Value" {
			return true
		}
		_, twin := owner.FieldByName(field + "Parts")
		return twin
	}
	from := func(owner reflect.Type, field string) bool {
		_, twin := owner.FieldByName(field + "From")
		return twin || listed(field)
	}
	return map[string]func(reflect.Type, string) bool{
		"literal": func(_ reflect.Type, field string) bool { return strings.HasSuffix(field, "From") || listed(field) },
		"secret":  func(owner reflect.Type, field string) bool { return from(owner, field) || field == "ConfigMap" },
		"configMap": func(owner reflect.Type, field string) bool {
			return from(owner, field) || (owner.Name() == "ContentSource" && field == "Secret")
		},
		"parts": func(owner reflect.Type, field string) bool {
			return strings.HasSuffix(field, "From") || single(owner, field) ||
				(owner.Name() == "Part" && (field == "Fact" || field == "Metadata"))
		},
		"metadata": func(owner reflect.Type, field string) bool {
			return strings.HasSuffix(field, "From") || single(owner, field) || (owner.Name() == "Part" && field != "Metadata")
		},
		"facts": func(owner reflect.Type, field string) bool {
			return strings.HasSuffix(field, "From") || single(owner, field) || (owner.Name() == "Part" && field != "Fact")
		},
	}
}

func filled(leaveOut func(reflect.Type, string) bool) (*v1alpha1.MachineBootstrapConfig, []leaf) {
	c := &v1alpha1.MachineBootstrapConfig{}
	c.Name, c.Namespace = "config", "default"
	f := filler{leaveOut: leaveOut}
	f.fill(reflect.ValueOf(&c.Spec).Elem(), "spec")
	return c, f.leaves
}

// converted is a config after the conversion.
type converted struct {
	composition.Description
	plugins []composition.Reference
}

func result(t *testing.T, c *v1alpha1.MachineBootstrapConfig) converted {
	t.Helper()
	d, err := convert.Config(t.Context(), c, convert.Names{}, profiles{})
	if err != nil {
		t.Fatal(err)
	}
	return converted{Description: d, plugins: convert.Plugins(&c.Spec, "spec")}
}

// TestEveryFieldIsConverted changes one field after the other. Each change must affect the result, so that no field is
// dropped.
func TestEveryFieldIsConverted(t *testing.T) {
	for name, leaveOut := range unions() {
		t.Run(name, func(t *testing.T) {
			_, leaves := filled(leaveOut)
			if len(leaves) < 150 {
				t.Fatalf("only %d fields are filled", len(leaves))
			}
			for i := range leaves {
				c, again := filled(leaveOut)
				before := result(t, c)
				again[i].change()
				if strings.HasSuffix(again[i].path, ".optional") {
					continue
				}
				if reflect.DeepEqual(before, result(t, c)) {
					t.Errorf("%s does not count", again[i].path)
				}
			}
		})
	}
}

// TestInputIsNotShared changes the object after the conversion. The result must not change.
func TestInputIsNotShared(t *testing.T) {
	for name, leaveOut := range unions() {
		c, leaves := filled(leaveOut)
		before := result(t, c)
		untouched := result(t, c.DeepCopy())
		for _, l := range leaves {
			l.change()
		}
		if !reflect.DeepEqual(before, untouched) {
			t.Errorf("%s: the result changed with the object", name)
		}
	}
}

func treeOf(t *testing.T, c *v1alpha1.MachineBootstrapConfig) map[string]any {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestSourcesAreSet verifies that each document's source is a path of the object.
func TestSourcesAreSet(t *testing.T) {
	for name, leaveOut := range unions() {
		c, _ := filled(leaveOut)
		tree := treeOf(t, c)
		sources := map[document.Source]bool{}
		for _, d := range result(t, c).Documents {
			if d.Source.Object != "MachineBootstrapConfig/default/config" || !stands(tree, string(d.Source.Path)) {
				t.Errorf("%s: %s: there is no %s", name, d.Kind(), d.Source)
			}
			if sources[d.Source] {
				t.Errorf("%s: two documents are made of %s", name, d.Source)
			}
			sources[d.Source] = true
		}
	}
}

// TestFieldsAreThoseOfTheConfig translates the path of each field of each document that has a value: the path must
// exist in the config, since findings about the field use it.
func TestFieldsAreThoseOfTheConfig(t *testing.T) {
	for name, leaveOut := range unions() {
		t.Run(name, func(t *testing.T) {
			c, _ := filled(leaveOut)
			tree := treeOf(t, c)
			converted := result(t, c)
			for _, d := range converted.Documents {
				var findings report.Report
				for _, path := range fieldpath.Leaves(reflect.ValueOf(d.Value), "") {
					// These fields do not exist in a config; they are derived from others.
					if slices.Contains([]string{"secret", "registration.taintsSet", "phase"}, path) {
						continue
					}
					findings = append(findings, report.Infof(d.Source.Path+"."+report.Path(path), "%s", path))
				}
				for _, f := range converted.Fields.In(findings) {
					if err := fieldpath.Resolve(reflect.TypeOf(*c), tree, string(f.Path)); err != nil {
						t.Errorf("%s.%s: %v", d.Kind(), f.Message, err)
					}
				}
			}
		})
	}
}

// The path must lead to a value.
func stands(tree any, path string) bool {
	at := tree
	for _, step := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		switch node := at.(type) {
		case map[string]any:
			at = node[step]
		case []any:
			var i int
			if _, err := fmt.Sscan(step, &i); err != nil || i >= len(node) {
				return false
			}
			at = node[i]
		default:
			return false
		}
	}
	return at != nil
}
