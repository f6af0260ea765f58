package admission_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/admission"
	"github.com/machineadm/machineadm/config"
	"github.com/machineadm/machineadm/test/canary"
)

// group is the group of configs.
const group = "bootstrap.machineadm.io"

// host returns the spec of a Host.
func host(address, secret string) string {
	return "address: " + address + "\nsshKeyRef: {name: " + secret + "}\nhostKeyPolicy: TrustOnFirstUse"
}

// file returns the spec of a machine with a file that has a field.
func file(field string) string {
	return "os: {distribution: a}\nmachine: {files: [{path: /a, " + field + "}]}"
}

// selector returns a label selector with so many expressions, each with so many values.
func selector(expressions, values int) string {
	return "{matchExpressions: [" + numbered("{key: k%d, operator: In, values: ["+numbered("v%d", values)+"]}",
		expressions) + "]}"
}

// numbered repeats the text with numbers, separated by commas.
func numbered(format string, n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strings.ReplaceAll(format, "k%d", fmt.Sprintf("k%d", i))
		parts[i] = strings.ReplaceAll(parts[i], "v%d", fmt.Sprintf("v%d", i))
	}
	return strings.Join(parts, ", ")
}

func TestCheck(t *testing.T) {
	checker, err := admission.Load()
	if err != nil {
		t.Fatal(err)
	}
	const c = canary.Mark
	cases := map[string]struct {
		reason, kind, spec string
		want               []string
		// not is a text that the findings do not contain.
		not string
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
		"another place": {
			reason: "a field of this name is deeper", spec: "os: {distribution: a}\nusers: []\ntaints: []",
			want: []string{
				"spec.taints: unknown field; did you mean spec.node.taints?",
				"spec.users: unknown field; did you mean spec.machine.users?",
			},
		},
		"kubeadm provider": {
			reason: "the field is of another provider", spec: "os: {distribution: a}\njoinConfiguration: {}",
			want: []string{"spec.joinConfiguration: unknown field; it is a field of KubeadmConfig; machineadmctl convert " +
				"translates a KubeadmConfig"},
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
		"another name": {
			reason: "Ignition and tar call it mode", spec: "os: {distribution: a}\nmachine: {files: [{path: /a, mode: '0600'}]}",
			want: []string{"spec.machine.files[0].mode: unknown field; the mode of a file is its field permissions"},
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
		"digest": {
			reason: "the remedy is the program that prints it",
			spec:   "os: {distribution: a}\nmachine: {kubernetes: {artifacts: [{name: kubelet, url: 'http://a', sha256: A}]}}",
			want: []string{
				"spec.machine.kubernetes.artifacts[0].sha256: the value is not a SHA-256; use the 64 digits that sha256sum prints",
			},
		},
		"host":      {reason: "an IPv6 address has no port", kind: "Host", spec: host("'fd00::1'", "key")},
		"host name": {reason: "so has a name", kind: "Host", spec: host("a.example", "key.a")},
		"port": {
			reason: "the message names the field for it", kind: "Host", spec: host("'10.0.0.1:22'", "key"),
			want: []string{"spec.address: must be a DNS name or an IP address, without ssh:// and without a port; set port"},
		},
		"user": {
			reason: "the message names the field for it, and not also the port", kind: "Host",
			spec: host("root@10.0.0.1", "key"), want: []string{"error: spec.address: must not contain a user; set user\n"},
			not: "set port",
		},
		"scheme": {
			reason: "a host is not a URL", kind: "Host", spec: host("'ssh://10.0.0.1'", "key"),
			want: []string{"spec.address: must be a DNS name or an IP address, without ssh:// and without a port; set port"},
		},
		"namespace": {
			reason: "Secrets of other namespaces are not read", kind: "Host", spec: host("a", "prod/key"),
			want: []string{"spec.sshKeyRef.name: the value contains characters that are not allowed; use lower-case letters, "},
		},
		"path": {
			reason: "the remedy is in words", spec: "os: {distribution: a}\nmachine: {files: [{path: a, content: b}]}",
			want: []string{"spec.machine.files[0].path: the path is not absolute; begin it with a slash, or on Windows with C:"},
		},
		"mode": {
			reason: "the digits of a mode are octal", spec: file("permissions: '0999'"),
			want: []string{`files[0].permissions: the value is not a mode; use three or four octal digits, such as "0644"`},
		},
		"key of a Secret": {
			reason: "a key has few characters", spec: file("contentFrom: {secret: {name: a, key: a/b}}"),
			want: []string{"contentFrom.secret.key: the value contains characters that are not allowed; use letters, digits, "},
		},
		"URL": {
			reason: "the scheme is missing",
			spec:   "os: {distribution: a}\nmachine: {containerd: {registries: [{host: a, server: a.example}]}}",
			want:   []string{"registries[0].server: the value is not an http or https URL; begin it with https://"},
		},
		"path on Linux": {
			reason: "the machine is not Windows", spec: "os: {distribution: a}\nmachine: {mounts: [{source: a, path: b}]}",
			want: []string{"spec.machine.mounts[0].path: the path is not absolute; begin it with a slash"},
		},
		"selector": {
			reason: "each host is compared with it", kind: "HostMachine", spec: "hostSelector: " + selector(64, 64),
		},
		"many values": {
			reason: "the API server has no limit for selectors", kind: "HostMachine",
			spec: "hostSelector: " + selector(64, 65),
			want: []string{"spec.hostSelector: at most 64 expressions with at most 64 values each are allowed; remove some"},
		},
		"many expressions": {
			reason: "the same, for expressions", kind: "HostMachine", spec: "hostSelector: " + selector(65, 1),
			want: []string{"spec.hostSelector: at most 64 expressions with"},
		},
		"many labels": {
			reason: "the same, for labels", kind: "HostMachine",
			spec: "hostSelector: {matchLabels: {" + numbered("k%d: a", 65) + "}}",
			want: []string{"spec.hostSelector: at most 64 labels are allowed; remove some"},
		},
		"other": {reason: "kinds of others are not known", kind: "Gadget", spec: "os: 5"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			kind := tc.kind
			if kind == "" {
				kind = "MachineBootstrapConfig"
			}
			group := group
			if strings.HasPrefix(kind, "Host") {
				group = "infrastructure.machineadm.io"
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
			if len(tc.want) == 0 && printed != "" || strings.Contains(printed, c) ||
				tc.not != "" && strings.Contains(printed, tc.not) {
				t.Errorf("%s:\n%s", tc.reason, printed)
			}
		})
	}
}

// TestEveryKindIsKnown compares the kinds and versions with those of the definitions, which are decoded here.
func TestEveryKindIsKnown(t *testing.T) {
	checker, err := admission.Load()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := fs.Glob(config.Definitions, "*/bases/*.yaml")
	more, moreErr := fs.Glob(config.Definitions, "*/crd/bases/*.yaml")
	if paths = append(paths, more...); err != nil || moreErr != nil || len(paths) < 20 {
		t.Fatal(paths, err, moreErr)
	}
	want, got := map[schema.GroupVersion][]string{}, map[schema.GroupVersion][]string{}
	for _, path := range paths {
		text, err := fs.ReadFile(config.Definitions, path)
		if err != nil {
			t.Fatal(err)
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.Unmarshal(text, &crd); err != nil {
			t.Fatal(err)
		}
		for _, v := range crd.Spec.Versions {
			version := schema.GroupVersion{Group: crd.Spec.Group, Version: v.Name}
			want[version] = append(want[version], crd.Spec.Names.Kind)
			findings, err := checker.Check(t.Context(), version.WithKind(crd.Spec.Names.Kind),
				map[string]any{"spec": map[string]any{"noSuchField": ""}})
			if err != nil || !strings.Contains(findings.String(), "noSuchField") {
				t.Errorf("%s: %v, %v", crd.Name, findings, err)
			}
		}
	}
	for version := range want {
		slices.Sort(want[version])
		got[version] = slices.Sorted(slices.Values(checker.Kinds(version)))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
