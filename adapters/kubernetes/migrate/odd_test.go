package migrate_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	controlplanev1beta2 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/migrate"
)

// TestArgumentsWithoutText converts arguments without a name or a value.
func TestArgumentsWithoutText(t *testing.T) {
	const nameless = "an argument without a name has no effect; set its name"
	for in, want := range map[string]struct{ manifest, report string }{
		"[{value: a}]":             {"", "kubeletExtraArgs[0]: " + nameless},
		"[{}]":                     {"", "kubeletExtraArgs[0]: " + nameless},
		`{"": a}`:                  {"", nameless},
		"{v: null}":                {"value: \"\"\n", ""},
		"[{name: v, value: null}]": {"value: \"\"\n", ""},
		"[{name: v}]":              {"- name: v\n", ""},
	} {
		text := plane("joinConfiguration: {nodeRegistration: {kubeletExtraArgs: " + in + "}}")
		result, err := migrate.Convert(t.Context(), []byte(text), migrate.Options{OS: migrate.ParseOS("debian:12")})
		if err != nil {
			t.Fatal(err)
		}
		report := ""
		for _, l := range result.Report {
			report += l.Field + ": " + l.Message + "\n"
		}
		if !strings.Contains(string(result.Manifests), want.manifest) || !strings.Contains(report, want.report) ||
			(want.manifest == "") != !strings.Contains(string(result.Manifests), "extraArgs") {
			t.Errorf("%s: got\n%s%s", in, result.Manifests, report)
		}
	}
}

// TestVariablesWithoutValue expects that a variable whose value has no counterpart is not converted to an empty one.
func TestVariablesWithoutValue(t *testing.T) {
	text := plane("clusterConfiguration: {apiServer: {extraEnvs: [{name: computed, valueFrom: {resourceFieldRef: " +
		"{resource: limits.cpu}}}, {name: written, value: a}, {name: empty}]}}")
	result, err := migrate.Convert(t.Context(), []byte(text), migrate.Options{OS: migrate.ParseOS("debian:12")})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"computed": false, "written": true, "empty": true} {
		if strings.Contains(string(result.Manifests), "name: "+name) != want {
			t.Errorf("%s: got\n%s", name, result.Manifests)
		}
	}
}

// TestNullStaysNull expects that a null, which the API server removes, does not become a text.
func TestNullStaysNull(t *testing.T) {
	text := plane("files: [{path: /a, content: a, permissions: null}]")
	result, err := migrate.Convert(t.Context(), []byte(text), migrate.Options{OS: migrate.ParseOS("debian:12")})
	if err != nil || strings.Contains(string(result.Manifests), `"null"`) {
		t.Errorf("%v\n%s", err, result.Manifests)
	}
}

// oddValues are values of other types than those of fields, and incomplete ones.
func oddValues() []any {
	return []any{
		nil, "", "${A}", 0, true,
		[]any{},
		map[string]any{},
		[]any{nil},
		[]any{map[string]any{}},
		[]any{[]any{}},
		[]any{""},
		map[string]any{"": "a"},
		map[string]any{"a": nil},
		[]any{map[string]any{"name": ""}},
		[]any{map[string]any{"value": "a"}},
		[]any{map[string]any{"name": "a", "value": nil}},
	}
}

// odd calls each for objects that contain only one path of the tree, which ends in an odd value. around returns the
// object that contains a value in the place of the tree.
func odd(tree any, around func(any) any, each func(any)) {
	for _, value := range oddValues() {
		each(around(value))
	}
	switch v := tree.(type) {
	case map[string]any:
		for name, child := range v {
			odd(child, func(value any) any { return around(map[string]any{name: value}) }, each)
		}
	case []any:
		for _, child := range v {
			odd(child, func(value any) any { return around([]any{value}) }, each)
		}
	}
}

// TestOddValues converts each field with odd values: those of a KubeadmControlPlane, and of the manifests in testdata.
// The result must be YAML.
func TestOddValues(t *testing.T) {
	count := 0
	for _, o := range append(written(t), filled(t)) {
		odd(o["spec"], func(value any) any { return value }, func(spec any) {
			count++
			convertOdd(t, map[string]any{
				"apiVersion": o["apiVersion"], "kind": o["kind"], "metadata": map[string]any{"name": "a"}, "spec": spec,
			})
		})
	}
	if count < 5_000 {
		t.Errorf("only %d objects", count)
	}
}

// filled returns a KubeadmControlPlane of which each field is set.
func filled(t *testing.T) map[string]any {
	t.Helper()
	var spec controlplanev1beta2.KubeadmControlPlaneSpec
	(&filler{}).fill(reflect.ValueOf(&spec).Elem())
	in, err := yaml.Marshal(map[string]any{
		"apiVersion": "controlplane.cluster.x-k8s.io/v1beta2", "kind": "KubeadmControlPlane", "spec": spec,
	})
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := yaml.Unmarshal(in, &object); err != nil {
		t.Fatal(err)
	}
	return object
}

// written returns the objects of the manifests in testdata that are YAML without the variables of clusterctl, too.
func written(t *testing.T) []map[string]any {
	t.Helper()
	names, err := filepath.Glob("testdata/*.in.yaml")
	if err != nil || len(names) == 0 {
		t.Fatal(err, names)
	}
	var objects []map[string]any
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for document := range strings.SplitSeq(string(text), "\n---") {
			var object map[string]any
			if yaml.Unmarshal([]byte(document), &object) == nil && object["kind"] != nil {
				objects = append(objects, object)
			}
		}
	}
	return objects
}

func convertOdd(t *testing.T, object any) {
	t.Helper()
	in, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("panic %v of\n%s", p, in)
		}
	}()
	result, err := migrate.Convert(t.Context(), in, migrate.Options{OS: migrate.ParseOS("debian:12")})
	if err != nil {
		t.Fatalf("%v of\n%s", err, in)
	}
	var out any
	if err := yaml.Unmarshal(result.Manifests, &out); err != nil {
		t.Errorf("%v in\n%s of\n%s", err, result.Manifests, in)
	}
}
