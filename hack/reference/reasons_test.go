package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// conditionFolders are the packages that decide about conditions, by the kinds that have them.
func conditionFolders() map[string][]string {
	return map[string][]string{
		"MachineBootstrapConfig": {"app/bootstrap", "app/reports", "adapters/kubernetes/controller"},
		"Plugin resources":       {"adapters/kubernetes/pluginresources"},
		"S3BootstrapStorage":     {"adapters/kubernetes/storage"},
		"MachineadmControlPlane, Machine of a MachineadmControlPlane": {
			"domain/controlplane", "adapters/kubernetes/controlplane",
		},
		"HostMachine, HostCluster, Host": {"domain/host", "adapters/kubernetes/hosts"},
	}
}

// explainedNames returns the names in the tables of the kinds.
func explainedNames(kinds string) map[string]bool {
	names := map[string]bool{}
	for _, o := range objects() {
		if !slices.Contains(strings.Split(kinds, ", "), o.kind) {
			continue
		}
		for _, e := range append(slices.Clone(o.conditions), o.reasons...) {
			names[e.name] = true
		}
	}
	return names
}

var (
	// constantPattern matches the names of constants that are reasons, conditions or faults.
	constantPattern = regexp.MustCompile(`^([rR]eason|[cC]ondition|Code|Fault)[A-Z]`)
	namePattern     = regexp.MustCompile(`^[A-Z][A-Za-z]+$`)
)

// scanner collects the names of conditions and reasons in Go code, with their positions.
type scanner struct {
	files *token.FileSet
	found map[string]string
}

// literal adds a string literal that looks like a name.
func (s *scanner) literal(e ast.Expr) {
	text, is := e.(*ast.BasicLit)
	if !is || text.Kind != token.STRING {
		return
	}
	if name, err := strconv.Unquote(text.Value); err == nil && namePattern.MatchString(name) {
		s.found[name] = s.files.Position(text.Pos()).String()
	}
}

// visit finds constants, the fields Type and Reason, literals of conditions, and calls of functions that create
// conditions.
func (s *scanner) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if constantPattern.MatchString(name.Name) && i < len(n.Values) {
				s.literal(n.Values[i])
			}
		}
	case *ast.KeyValueExpr:
		if key, is := n.Key.(*ast.Ident); is && (key.Name == "Reason" || key.Name == "Type") {
			s.literal(n.Value)
		}
	case *ast.CompositeLit:
		if kind, is := n.Type.(*ast.Ident); is && kind.Name == "Condition" && len(n.Elts) > 2 {
			s.literal(n.Elts[2])
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			field, is := left.(*ast.SelectorExpr)
			variable, local := left.(*ast.Ident)
			if i < len(n.Rhs) && (is && field.Sel.Name == "Reason" || local && variable.Name == "accepted") {
				s.literal(n.Rhs[i])
			}
		}
	case *ast.CallExpr:
		if name, is := n.Fun.(*ast.Ident); is && (name.Name == "condition" || name.Name == "setCondition") {
			for _, argument := range n.Args {
				s.literal(argument)
			}
		}
	}
	return true
}

// scan returns the names in the Go files of a folder, without tests, with their positions.
func scan(t *testing.T, folder string) map[string]string {
	t.Helper()
	s := &scanner{files: token.NewFileSet(), found: map[string]string{}}
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s has no Go files: %v", folder, err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(s.files, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, s.visit)
	}
	return s.found
}

// external are names that are constants of Cluster API, or that other code composes.
func external() []string {
	names := []string{
		clusterv1.AvailableCondition, clusterv1.ReadyCondition, clusterv1.PausedCondition, clusterv1.PausedReason,
		clusterv1.NotPausedReason, clusterv1.NoReplicasReason, clusterv1.NotReadyReason, clusterv1.ReadyUnknownReason,
		clusterv1.ReadyReason, clusterv1.InternalErrorReason, clusterv1.MachinesReadyCondition,
		clusterv1.MachineOwnerRemediatedCondition, clusterv1.MachineOwnerRemediatedWaitingForRemediationReason,
	}
	for _, r := range bootstrapped() {
		names = append(names, r.name)
	}
	return names
}

// TestEachReasonIsExplained compares the conditions and reasons of each kind with those in the code.
func TestEachReasonIsExplained(t *testing.T) {
	for kinds, folders := range conditionFolders() {
		inCode := map[string]string{}
		for _, folder := range folders {
			maps.Copy(inCode, scan(t, filepath.Join(root, folder)))
		}
		onPage := explainedNames(kinds)
		if len(inCode) < 3 || len(onPage) < 3 {
			t.Fatalf("%s: found %d names in the code, and %d on the page", kinds, len(inCode), len(onPage))
		}
		for _, name := range slices.Sorted(maps.Keys(inCode)) {
			if !onPage[name] {
				t.Errorf("%s: %s of %s is not explained; add it to hack/reference", inCode[name], name, kinds)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(onPage)) {
			if inCode[name] == "" && !slices.Contains(external(), name) {
				t.Errorf("%s: the page explains %s, which is not in the code", kinds, name)
			}
		}
	}
}

// TestScannerFindsReasons scans each way in which code names a reason.
func TestScannerFindsReasons(t *testing.T) {
	dir := t.TempDir()
	const code = `package a
const ReasonConstant Code = "ByConstant"
func f() {
	c := Condition{Type: "ByType", Reason: "ByField"}
	c.Status, c.Reason = no, "ByAssignment"
	_ = Condition{kind, no, "ByPosition", "a message"}
	setCondition(o, kind, no, "ByCall", "")
	other("NotAReason")
}
`
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	got := slices.Sorted(maps.Keys(scan(t, dir)))
	want := []string{"ByAssignment", "ByCall", "ByConstant", "ByField", "ByPosition", "ByType"}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// TestExplanationsAreComplete checks that no meaning is missing and no name is explained twice.
func TestExplanationsAreComplete(t *testing.T) {
	for _, o := range objects() {
		for _, list := range [][]explained{o.conditions, o.reasons} {
			seen := map[string]bool{}
			for _, e := range list {
				if e.meaning == "" || seen[e.name] {
					t.Errorf("%s: %s has the meaning %q, or is listed twice", o.kind, e.name, e.meaning)
				}
				seen[e.name] = true
			}
		}
	}
}
