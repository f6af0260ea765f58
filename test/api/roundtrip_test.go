package api_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// text returns a value as YAML, in which a number has no type.
func text(t *testing.T, v any) string {
	t.Helper()
	b, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func unnamed(o *unstructured.Unstructured) *unstructured.Unstructured {
	o.SetName("")
	o.SetGenerateName("config-")
	return o
}

// accepted is what the schema keeps as it was written: the server adds nothing and takes nothing away.
func accepted(t *testing.T, c *controlplane.ControlPlane) {
	cases := map[string]struct{ reason, spec string }{
		"free form": {
			"structured configuration is kept as it is",
			`node: {kubelet: {config: {a: {b: [1, "x", null, {c: 0.5}]}}}}`,
		},
		"no taints": {"an empty list is not the default", `node: {taints: []}`},
		"empty":     {"a file may be empty", `machine: {files: [{path: /a}]}`},
		"size":      {"a size is a quantity", `delivery: {maxPayloadSize: 16Ki}`},
		"bytes":     {"or a number of bytes", `delivery: {maxPayloadSize: 16384}`},
		"openEuler": {"an ID of os-release(5) may have capital letters", `os: {distribution: openEuler}`},
		"twice": {
			"an argument may be repeated",
			`controlPlane: {apiServer: {extraArgs: [{name: a, value: b}, {name: a, value: c}]}}`,
		},
		"large": {"a content may be large", `machine: {files: [{path: /a, content: "` + strings.Repeat("x",
			1<<20) + `"}]}`},
	}
	for name, k := range cases {
		t.Run(name, func(t *testing.T) {
			o := unnamed(config(t, k.spec))
			want := o.DeepCopy().Object["spec"]
			if err := c.Client.Create(t.Context(), o, client.FieldValidation("Strict")); err != nil {
				t.Fatalf("%s: %v", k.reason, err)
			}
			if diff := cmp.Diff(text(t, want), text(t, o.Object["spec"])); diff != "" {
				t.Errorf("%s (-sent +kept):\n%s", k.reason, diff)
			}
			changed := o.DeepCopy()
			changed.Object["spec"] = map[string]any{"os": map[string]any{"distribution": "flatcar"}}
			if err := c.Client.Update(t.Context(), changed); err != nil {
				t.Errorf("nothing is immutable: %v", err)
			}
		})
	}
}

// scenarios takes each object of ours in the scenarios, as the typed client reads and writes it.
func scenarios(t *testing.T, c *controlplane.ControlPlane) {
	files, err := filepath.Glob(filepath.Join(programs.Root(), "testdata/scenarios/*/manifests.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		objects, err := controlplane.ReadManifests(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range objects {
			// Scenarios do not know each other's names.
			if o.GroupVersionKind().Group == v1alpha1.Group {
				roundTrip(t, c, unnamed(o))
			}
		}
	}
}

func roundTrip(t *testing.T, c *controlplane.ControlPlane, o *unstructured.Unstructured) {
	t.Helper()
	want := o.DeepCopy().Object["spec"]
	if err := c.Client.Create(t.Context(), o, client.FieldValidation("Strict")); err != nil {
		t.Errorf("%s: %v", o.GetName(), err)
		return
	}
	created, err := c.Client.Scheme().New(o.GroupVersionKind())
	typed, ok := created.(client.Object)
	if err != nil || !ok {
		t.Fatalf("%s is of no type: %v", o.GetKind(), err)
	}
	if err := c.Client.Get(t.Context(), client.ObjectKeyFromObject(o), typed); err != nil {
		t.Fatal(err)
	}
	if err := c.Client.Update(t.Context(), typed); err != nil {
		t.Errorf("%s: write back: %v", o.GetName(), err)
	}
	if err := c.Client.Get(t.Context(), client.ObjectKeyFromObject(o), o); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text(t, want), text(t, o.Object["spec"])); diff != "" {
		t.Errorf("%s: the typed client changes the spec (-sent +kept):\n%s", o.GetName(), diff)
	}
}
