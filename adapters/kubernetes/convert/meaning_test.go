package convert_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
)

// specOf reads a spec as users write it.
func specOf(t *testing.T, text string) *v1alpha1.MachineBootstrapConfigSpec {
	t.Helper()
	s := &v1alpha1.MachineBootstrapConfigSpec{}
	if err := yaml.UnmarshalStrict([]byte(text), s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestEveryFieldHasAMeaning changes one field after the other. Each change must change the digest, except for fields
// that do not change a machine.
func TestEveryFieldHasAMeaning(t *testing.T) {
	without := map[string]string{
		"spec.storageRef":                       "the machine does not use it after it has booted",
		"spec.delivery.maxPayloadSize":          "a limit that the machine does not see",
		"spec.delivery.secretMetadata":          "the machine does not see it",
		"spec.controlPlane.bootstrapTokens":     "the first machine created the tokens",
		"spec.reporting.deadlineSeconds":        "a limit of the controller",
		"spec.formatOptions.snippets[0].strict": "it changes findings and no output",
	}
	visited := map[string]bool{}
	for name, leaveOut := range unions() {
		t.Run(name, func(t *testing.T) {
			c, leaves := filled(leaveOut)
			digest := convert.Meaning(&c.Spec)
			for _, l := range leaves {
				before := digest
				l.change()
				digest = convert.Meaning(&c.Spec)
				reason := ""
				for prefix, why := range without {
					if strings.HasPrefix(l.path, prefix) {
						reason, visited[prefix] = why, true
					}
				}
				if changed := before != digest; changed != (reason == "") {
					t.Errorf("%s: the digest changes is %v; exception: %q", l.path, changed, reason)
				}
			}
		})
	}
	for path := range without {
		if !visited[path] {
			t.Errorf("%s is an exception and not a field", path)
		}
	}
}

// TestMeaningIsRepeatable checks that the order of maps has no influence, and that the spec is not changed.
func TestMeaningIsRepeatable(t *testing.T) {
	s := specOf(t, `{os: {distribution: debian}, node: {labels: {a: x, b: x, c: x, d: x},
	  ignorePreflightErrors: [Swap, Mem]}}`)
	before := s.DeepCopy()
	want := convert.Meaning(s)
	for range 50 {
		if convert.Meaning(s) != want {
			t.Fatal("another digest of the same spec")
		}
	}
	if !slices.Equal(before.Node.IgnorePreflightErrors, s.Node.IgnorePreflightErrors) {
		t.Error("the spec was changed")
	}
}

// verdict is a pair of specs, and whether they mean the same.
type verdict struct {
	Name, Reason string
	Old, New     any
	Same         bool
}

// TestVerdictsOfReleases reads the pairs of specs of each release. No version may decide otherwise: an upgrade of
// machineadm would replace control planes. Verdicts are never edited; only new files and new pairs are added.
func TestVerdictsOfReleases(t *testing.T) {
	files, err := filepath.Glob("testdata/meaning/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no verdicts: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var verdicts []verdict
		if err := yaml.UnmarshalStrict(text, &verdicts); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, v := range verdicts {
			t.Run(filepath.Base(file)+"/"+v.Name, func(t *testing.T) {
				specs := [2]*v1alpha1.MachineBootstrapConfigSpec{}
				for i, tree := range []any{v.Old, v.New} {
					text, err := yaml.Marshal(tree)
					if err != nil {
						t.Fatal(err)
					}
					specs[i] = specOf(t, string(text))
				}
				if same := convert.Meaning(specs[0]) == convert.Meaning(specs[1]); same != v.Same {
					t.Errorf("they mean the same is %v, want %v: %s", same, v.Same, v.Reason)
				}
			})
		}
	}
}

// comments returns the comments of the fields of the API's types, by type and field.
func comments(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../api/v1alpha1/*_types.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no types: %v", err)
	}
	found := map[string]string{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				for _, field := range s.Fields.List {
					for _, name := range field.Names {
						// Text leaves out markers such as +listType.
						var text []string
						if field.Doc == nil {
							continue
						}
						for _, c := range field.Doc.List {
							text = append(text, strings.TrimPrefix(c.Text, "// "))
						}
						found[spec.Name.Name+"."+name.Name] = strings.Join(text, " ")
					}
				}
			}
			return false
		})
	}
	return found
}

// ruleLine is a line of the table of rules.
var ruleLine = regexp.MustCompile(`(?m)^\s*"(\w+\.\w+)":\s+\{(\w+): (.*)\},$`)

// TestRulesFollowTheDescriptions reads the table of rules, and checks that the description of a field names the default
// that means the same as no value, and that a set is declared as one.
func TestRulesFollowTheDescriptions(t *testing.T) {
	text, err := os.ReadFile("meaningrules.go")
	if err != nil {
		t.Fatal(err)
	}
	described := comments(t)
	lines := ruleLine.FindAllStringSubmatch(string(text), -1)
	if len(lines) < 30 {
		t.Fatalf("only %d rules are read", len(lines))
	}
	for _, line := range lines {
		field, kind, value := line[1], line[2], line[3]
		comment, found := described[field]
		if !found {
			t.Errorf("%s is not a field", field)
		}
		switch kind {
		case "set":
			if !strings.Contains(comment, "+listType=set") {
				t.Errorf("%s is not a set", field)
			}
		case "means":
			first := strings.Split(value, `"`)[1]
			if !strings.Contains(comment, first) || !strings.Contains(strings.ToLower(comment), "default") && first != "root" {
				t.Errorf("%s: the description does not name the default %s: %s", field, first, comment)
			}
		}
	}
}
