package admission_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/admission"
	"github.com/machineadm/machineadm/test/canary"
)

// group is the group of configs.
const group = "bootstrap.machineadm.io"

func TestCheck(t *testing.T) {
	checker, err := admission.Load()
	if err != nil {
		t.Fatal(err)
	}
	const c = canary.Mark
	cases := map[string]struct {
		reason, kind, spec string
		want               []string
	}{
		"valid": {reason: "nothing is wrong", spec: "os: {distribution: debian}"},
		"several": {
			reason: "all mistakes are reported", spec: "os: {architecture: sparc}\nmachine: {file: []}",
			want: []string{
				"spec.machine.file: unknown field; did you mean files?",
				`spec.os.architecture: "sparc" is not a known value; use one of amd64, arm64`,
				"spec.os.distribution: a value is required; set this field",
			},
		},
		"rule": {
			reason: "rules in CEL are checked, and values are not quoted",
			spec:   "os: {distribution: a}\nmachine: {files: [{path: /a, content: " + c + ", parts: [{text: " + c + "}]}]}",
			want:   []string{"spec.machine.files[0]: ", "at most one of the fields in [content contentFrom parts] may be set"},
		},
		"duplicate": {
			reason: "entries have keys, and are not quoted",
			spec:   "os: {distribution: a}\nmachine: {files: [{path: /a, content: " + c + "}, {path: /a, content: " + c + "}]}",
			want:   []string{"spec.machine.files[1]: another entry of the list has the same key; remove one of the two"},
		},
		"type": {
			reason: "a type is named as in YAML, and a value is not quoted",
			spec:   "os: {distribution: a}\nmachine: {files: " + c + "}",
			want:   []string{"spec.machine.files: expected a list, got a string"},
		},
		"too long": {
			reason: "a limit is named, and the value is not quoted",
			spec:   "os: {distribution: " + strings.Repeat(c, 10) + "}",
			want:   []string{"spec.os.distribution: the value is too large: "},
		},
		"null": {reason: "the API server removes nulls", spec: "os: {distribution: a, version: null}"},
		"plugin": {
			reason: "all kinds are checked", kind: "SysctlConfig", spec: "sysctl: {a: b}",
			want: []string{"spec.sysctl: unknown field; did you mean sysctls?"},
		},
		"other": {reason: "kinds of others are not known", kind: "Gadget", spec: "os: 5"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			kind := tc.kind
			if kind == "" {
				kind = "MachineBootstrapConfig"
			}
			text := "apiVersion: " + group + "/v1alpha1\nkind: " + kind + "\nmetadata: {name: a}\nspec:\n  " +
				strings.ReplaceAll(tc.spec, "\n", "\n  ")
			asJSON, err := yaml.YAMLToJSON([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			var object map[string]any
			if err := kjson.Unmarshal(asJSON, &object); err != nil {
				t.Fatal(err)
			}
			gvk := schema.GroupVersionKind{Group: group, Version: "v1alpha1", Kind: kind}
			found, err := checker.Check(t.Context(), gvk, object)
			if err != nil {
				t.Fatal(err)
			}
			printed := ""
			for _, f := range found {
				printed += f.String() + "\n"
			}
			for _, want := range tc.want {
				if !strings.Contains(printed, want) {
					t.Errorf("%s: no %q in\n%s", tc.reason, want, printed)
				}
			}
			if len(tc.want) == 0 && printed != "" || strings.Contains(printed, c) {
				t.Errorf("%s:\n%s", tc.reason, printed)
			}
		})
	}
}
