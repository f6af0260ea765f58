package readers_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/test/integration/readers"
)

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: exampleconfigs.example.com
  labels: {cluster.x-k8s.io/v1beta1: v1alpha1_v1alpha2, cluster.x-k8s.io/v1beta2: v1alpha2_v1}
spec:
  scope: Namespaced
  versions: [{name: v1alpha1, served: true}, {name: v1alpha2, served: true}, {name: v1, served: true}]
`

const published = `
apiVersion: example.com/v1
kind: ExampleConfig
metadata:
  name: a
  ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: a, uid: "1", controller: true}]
status:
  ready: true
  initialization: {dataSecretCreated: true}
  dataSecretName: a
  conditions:
  - {type: Paused, status: "False", reason: NotPaused, message: "", lastTransitionTime: "2026-11-21T07:00:00Z"}
  - {type: Ready, status: "True", reason: Ready, message: "", lastTransitionTime: "2026-11-21T07:00:00Z",
    observedGeneration: 1}
`

const template = `
apiVersion: example.com/v1
kind: ExampleConfigTemplate
metadata: {name: a, namespace: b}
spec: {template: {metadata: {labels: {x: z}}, spec: {os: plan9}}}
`

func parse(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{}
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := object.UnmarshalJSON(data); err != nil {
		t.Fatal(err)
	}
	return object
}

// edit replaces a piece of a manifest, which must be there.
func edit(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%q is not in the manifest", pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

func TestReference(t *testing.T) {
	const v1beta1, v1beta2 = "cluster.x-k8s.io/v1beta1: v1alpha1_v1alpha2, ", "cluster.x-k8s.io/v1beta2: v1alpha2_v1"
	cases := map[string]struct {
		reason       string
		edit         []string
		older, newer string
	}{
		"both": {
			reason: "each takes the newest version of the contract that it likes best", older: "v1beta1 v1alpha2",
			newer: "v1beta2 v1",
		},
		"old only": {
			reason: "1.13 still reads the old contract", edit: []string{v1beta2, ""}, older: "v1beta1 v1alpha2",
			newer: "v1beta1 v1alpha2",
		},
		"new only": {edit: []string{v1beta1, ""}, older: "no label", newer: "v1beta2 v1"},
		"none":     {edit: []string{v1beta1, "", v1beta2, ""}, older: "no label", newer: "no label"},
		"not served": {
			edit: []string{"{name: v1, served: true}", "{name: v1, served: false}"}, older: "v1beta1 v1alpha2",
			newer: "not served",
		},
		"no version":  {edit: []string{"v1alpha2_v1}", "v1alpha2_v2}"}, older: "v1beta1 v1alpha2", newer: "not served"},
		"another one": {edit: []string{"exampleconfigs", "exampleconfiges"}, older: "no CRD", newer: "no CRD"},
		"scope":       {edit: []string{"Namespaced", "Cluster"}, older: "scope", newer: "scope"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			crds := []unstructured.Unstructured{*parse(t, edit(t, definition, tc.edit...))}
			for _, core := range []readers.Core{readers.Core17(), readers.Core113()} {
				want := map[string]string{"1.7": tc.older, "1.13": tc.newer}[core.Name]
				got, err := core.Reference(crds, schema.GroupKind{Group: "example.com", Kind: "ExampleConfig"})
				if result := got.Contract + " " + got.Kind.Version; err == nil && result != want || err != nil &&
					!strings.Contains(err.Error(), want) {
					t.Errorf("%s: core %s: got %s and %v, want %s", tc.reason, core.Name, result, err, want)
				}
			}
		})
	}
}

func byV1Beta1() readers.Reference { return reference("v1beta1") }
func byV1Beta2() readers.Reference { return reference("v1beta2") }

func reference(contract string) readers.Reference {
	return readers.Reference{Contract: contract, Kind: schema.GroupVersionKind{
		Group: "example.com", Version: "v1",
		Kind: "ExampleConfig",
	}}
}

func TestConfig(t *testing.T) {
	ready := readers.Condition{Mirrored: true, Status: "True", Reason: "Ready"}
	done := readers.Reading{Created: true, Secret: "a", Ready: ready}
	cases := map[string]struct {
		edit         []string
		older, newer readers.Reading
	}{
		"published": {older: done, newer: done},
		"old paths only": {
			edit: []string{"  initialization: {dataSecretCreated: true}\n", ""}, older: done,
			newer: readers.Reading{Secret: "a", Ready: ready},
		},
		"no condition": {
			edit:  []string{"type: Ready", "type: Other"},
			older: readers.Reading{Created: true, Secret: "a", Ready: readers.Condition{Status: "True"}},
			newer: readers.Reading{Created: true, Secret: "a", Ready: readers.Condition{Status: "True", Reason: "Ready"}},
		},
		"failed": {
			edit:  []string{"status:\n", "status:\n  failureReason: Broken\n  failureMessage: it is\n"},
			older: readers.Reading{Created: true, Secret: "a", Ready: ready, FailureReason: "Broken", FailureMessage: "it is"},
			newer: readers.Reading{Created: true, Secret: "a", Ready: ready, FailureReason: "Broken", FailureMessage: "it is"},
		},
		"paused": {
			edit:  []string{"  name: a\n  owner", "  name: a\n  annotations: {cluster.x-k8s.io/paused: \"\"}\n  owner"},
			older: readers.Reading{Paused: true}, newer: done,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			config := parse(t, edit(t, published, tc.edit...))
			got, err := readers.Core17().Config(byV1Beta1(), config)
			if diff := cmp.Diff(tc.older, got); diff != "" || err != nil {
				t.Errorf("core 1.7: %v %s", err, diff)
			}
			got, err = readers.Core113().Config(byV1Beta2(), config)
			if diff := cmp.Diff(tc.newer, got); diff != "" || err != nil {
				t.Errorf("core 1.13: %v %s", err, diff)
			}
		})
	}
}

// TestConfigIsRefused shows that the readers can fail, and which of them does.
func TestConfigIsRefused(t *testing.T) {
	cases := map[string]struct {
		edit         []string
		older, newer bool
	}{
		"another version":        {edit: []string{"example.com/v1\n", "example.com/v2\n"}, older: true, newer: true},
		"ready is text":          {edit: []string{"ready: true", "ready: \"true\""}, older: true},
		"created is text":        {edit: []string{"dataSecretCreated: true", "dataSecretCreated: \"true\""}, newer: true},
		"initialization is true": {edit: []string{"{dataSecretCreated: true}", "true"}, newer: true},
		"no name":                {edit: []string{"  dataSecretName: a\n", ""}, older: true, newer: true},
		"empty name":             {edit: []string{"dataSecretName: a", "dataSecretName: \"\""}, older: true, newer: true},
		"name is a number":       {edit: []string{"dataSecretName: a", "dataSecretName: 1"}, older: true, newer: true},
		"failure is a list": {
			edit:  []string{"  ready: true", "  ready: true\n  failureReason: [a]"},
			older: true, newer: true,
		},
		"message is a number": {
			edit:  []string{"  ready: true", "  ready: true\n  failureMessage: 1"},
			older: true, newer: true,
		},
		"foreign controller": {edit: []string{"kind: Machine", "kind: Deployment"}, older: true, newer: true},
		"foreign group":      {edit: []string{"cluster.x-k8s.io/v1beta2", "example.com/v1"}, older: true, newer: true},
		"conditions are a map": {edit: []string{
			"  - {type: Paused", "    a: {type: Paused", "  - {type: Ready",
			"    b: {type: Ready",
		}, older: true, newer: true},
		"condition is text": {
			edit:  []string{"  - {type: Paused", "  - nothing\n  - {type: Paused"},
			older: true, newer: true,
		},
		"status is a boolean": {
			edit:  []string{`type: Ready, status: "True"`, `type: Ready, status: true`},
			older: true, newer: true,
		},
		"unknown status": {
			edit:  []string{`type: Ready, status: "True"`, `type: Ready, status: "Yes"`},
			older: true, newer: true,
		},
		"severity of true":      {edit: []string{`type: Ready, `, `type: Ready, severity: Info, `}, older: true},
		"reason has blanks":     {edit: []string{`reason: Ready`, `reason: it is ready`}, newer: true},
		"no reason":             {edit: []string{`reason: Ready, `, ``}, newer: true},
		"another has no reason": {edit: []string{`reason: NotPaused, `, ``}, newer: true},
		"no type":               {edit: []string{`type: Paused, `, ``}, newer: true},
		"no time": {
			edit:  []string{`lastTransitionTime: "2026-11-21T07:00:00Z"`, `x: z`},
			older: true, newer: true,
		},
		"time is none":       {edit: []string{"2026-11-21T07:00:00Z", "yesterday"}, older: true, newer: true},
		"generation is text": {edit: []string{"observedGeneration: 1", "observedGeneration: \"1\""}, newer: true},
		"long message": {edit: []string{`reason: Ready, message: ""`, `reason: Ready, message: "` +
			strings.Repeat("a", 1<<16) + `"`}, newer: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			config := parse(t, edit(t, published, tc.edit...))
			if _, err := readers.Core17().Config(byV1Beta1(), config); (err != nil) != tc.older {
				t.Errorf("core 1.7: %v", err)
			}
			if _, err := readers.Core113().Config(byV1Beta2(), config); (err != nil) != tc.newer {
				t.Errorf("core 1.13: %v", err)
			}
		})
	}
}

func TestClone(t *testing.T) {
	by := readers.Reference{Contract: "v1beta2", Kind: schema.GroupVersionKind{
		Group: "example.com", Version: "v1",
		Kind: "ExampleConfigTemplate",
	}}
	want := parse(t, `
apiVersion: example.com/v1
kind: ExampleConfig
metadata: {name: m, namespace: b, labels: {x: z, cluster.x-k8s.io/cluster-name: c}}
spec: {os: plan9}
`)
	for _, core := range []readers.Core{readers.Core17(), readers.Core113()} {
		got, err := core.Clone(by, parse(t, template), "m", "c")
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("core %s: %v %s", core.Name, err, diff)
		}
		if _, err := core.Clone(reference("v1beta2"), parse(t, published), "m", "c"); err == nil {
			t.Errorf("core %s clones what is no template", core.Name)
		}
		if _, err := core.Clone(by, parse(t, edit(t, template, "{template: {metadata: {labels: {x: z}}, spec: {os: plan9}}}",
			"{template: 1}")), "m", "c"); err == nil {
			t.Errorf("core %s clones a number", core.Name)
		}
		_, err = core.Clone(by, parse(t, edit(t, template, "{template:", "{other:")), "m", "c")
		if (err != nil) != (core.Name == "1.7") {
			t.Errorf("core %s: a template without spec.template: %v", core.Name, err)
		}
	}
}
