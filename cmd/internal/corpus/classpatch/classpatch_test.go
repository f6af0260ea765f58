package classpatch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/cmd/internal/corpus/classpatch"
)

// documents are a ClusterClass of v1beta1 and its templates.
func documents() []string {
	return []string{
		`
kind: ClusterClass
spec:
  controlPlane: {ref: {kind: Plane, name: a}}
  workers:
    machineDeployments: [{class: linux, template: {bootstrap: {ref: {kind: Worker, name: a}}}}]
    machinePools: [{class: pool, bootstrap: {templateRef: {kind: Worker, name: a}}}]
  variables:
  - {name: empty, schema: {openAPIV3Schema: {type: string, default: ""}}}
  - {name: enum, schema: {openAPIV3Schema: {type: string, enum: [first, second]}}}
  - name: object
    schema:
      openAPIV3Schema:
        type: object
        required: [list]
        properties:
          list: {type: array}
          number: {type: integer, default: 5}
          left: {type: string}
  patches:
  - name: values
    definitions:
    - selector: {apiVersion: a/v1, kind: Plane, matchResources: {controlPlane: true}}
      jsonPatches:
      - {op: add, path: /spec/text, valueFrom: {template: "{{ .enum }} {{ .object.number }} {{ .object.list }}"}}
  - name: disabled
    enabledIf: '{{ ne .empty "" }}'
    definitions:
    - selector: {apiVersion: a/v1, kind: Plane, matchResources: {controlPlane: true}}
      jsonPatches: [{op: add, path: /spec/empty, valueFrom: {variable: empty}}]
    - selector: {apiVersion: a/v1, kind: Worker, matchResources: {machinePoolClass: {names: [pool]}}}
      jsonPatches: [{op: add, path: /spec/pool, valueFrom: {variable: builtin.machinePool.class}}]
  - {name: elsewhere, external: {generateExtension: a}}
`, "apiVersion: a/v1\nkind: Plane\nmetadata: {name: a}\nspec: {}\n",
		"apiVersion: a/v1\nkind: Worker\nmetadata: {name: a}\nspec: {}\n", "not: [closed", "[]",
	}
}

// TestUses applies the patches with the defaults of the variables, and each patch with values that are not empty.
func TestUses(t *testing.T) {
	var got []string
	for _, u := range classpatch.Uses(documents()) {
		text, err := classpatch.Apply(t.Context(), documents(), u)
		if err != nil {
			t.Fatal(err)
		}
		_, spec, _ := strings.Cut(text, "spec:")
		spec = strings.Join(strings.Fields(spec), " ")
		got = append(got, fmt.Sprintf("%d %s %s: %s", u.Template, u.Workers, u.Patch, spec))
	}
	want := []string{
		"1  : text: first 5 []",
		"1  values: empty: value text: first 5 []",
		"1  disabled: empty: value text: first 5 []",
		"2 linux : {}",
		"2 linux values: {}",
		"2 linux disabled: {}",
		"2 pool : {}",
		"2 pool values: pool: pool",
		"2 pool disabled: pool: pool",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
