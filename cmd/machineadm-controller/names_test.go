package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	capisecret "sigs.k8s.io/cluster-api/util/secret"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/kubernetes/storage"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/reserved"
)

// purposes returns the constants of the type Purpose in Cluster API's package util/secret, of the version that go.mod
// has. Its list of them is not exported.
func purposes(t *testing.T) []string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "sigs.k8s.io/cluster-api/util/secret").Output()
	if err != nil {
		t.Fatal(err)
	}
	paths, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "*.go"))
	var found []string
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			name, named := call.Fun.(*ast.Ident)
			text, literal := call.Args[0].(*ast.BasicLit)
			if named && literal && name.Name == "Purpose" && text.Kind == token.STRING {
				purpose, _ := strconv.Unquote(text.Value)
				found = append(found, purpose)
			}
			return true
		})
	}
	return found
}

// TestPurposesOfClusterAPIAreReserved holds that the names of all Secrets which Cluster API finds by name are reserved,
// also after an upgrade of Cluster API that adds one.
func TestPurposesOfClusterAPIAreReserved(t *testing.T) {
	all := purposes(t)
	if len(all) < 6 {
		t.Fatalf("found %q alone", all)
	}
	for _, p := range all {
		name := capisecret.Name("c1", capisecret.Purpose(p))
		if !capisecret.HasPurposeSuffix(name) {
			t.Errorf("Cluster API has the purpose %s, and HasPurposeSuffix does not know %s", p, name)
		}
		if _, taken := reserved.Find(name); !taken {
			t.Errorf("%s is not reserved", name)
		}
	}
	for _, p := range node.ControlPlanePurposes(true) {
		if _, taken := reserved.Find("c1-" + string(p)); !taken {
			t.Errorf("c1-%s is not reserved", p)
		}
	}
}

// TestOurNamesAreReserved holds that the names which our own packages give to Secrets are reserved.
func TestOurNamesAreReserved(t *testing.T) {
	names := []string{storage.SigningKeySecret, "c1" + convert.TalosBundleSuffix, "c1" + convert.TalosConfigSuffix}
	for _, p := range v1alpha1.Plugins() {
		names = append(names, "site"+reserved.PluginSuffix(v1alpha1.PluginKind(p)))
	}
	for _, folder := range []string{"endpoint", "default-endpoint", "manager", "default"} {
		paths, _ := filepath.Glob(filepath.Join("../../config", folder, "*.yaml"))
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?m)secretName: (\S+)$`).FindAllStringSubmatch(string(text), -1) {
				names = append(names, m[1])
			}
		}
	}
	if len(names) < 12 {
		t.Errorf("found %q alone", names)
	}
	for _, name := range names {
		if _, taken := reserved.Find(name); !taken {
			t.Errorf("%s is not reserved", name)
		}
	}
}

// TestWhatTheControllerReadsIsNotAPlugin checks that no kind which the controller's own role lets it list is a plugin,
// except our own plugins: permission alone is no proof.
func TestWhatTheControllerReadsIsNotAPlugin(t *testing.T) {
	text, err := os.ReadFile("../../config/rbac/role.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var role rbacv1.ClusterRole
	if err := yaml.Unmarshal(text, &role); err != nil {
		t.Fatal(err)
	}
	ours, listed := map[string]bool{}, 0
	for _, p := range v1alpha1.Plugins() {
		ours[strings.ToLower(v1alpha1.PluginKind(p))+"s"] = true
	}
	for _, rule := range role.Rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				listed++
				if group != v1alpha1.Group && composition.CheckGroup(group) == "" {
					t.Errorf("%s.%s may be a plugin", resource, group)
				}
				if group == v1alpha1.Group && !ours[resource] && !ours[strings.Replace(resource, "templates", "s", 1)] &&
					!strings.Contains(resource, "/") {
					checkOwnKind(t, resource)
				}
			}
		}
	}
	if listed < 10 {
		t.Errorf("found %d resources alone", listed)
	}
}

// checkOwnKind holds that the kind of a resource of ours is not a plugin.
func checkOwnKind(t *testing.T, resource string) {
	t.Helper()
	for _, kind := range []string{
		v1alpha1.ConfigKind, v1alpha1.TemplateKind, v1alpha1.S3StorageKind,
		v1alpha1.EndpointStorageKind,
	} {
		if strings.ToLower(kind)+"s" == resource {
			if convert.CheckPlugin(composition.ID{Group: v1alpha1.Group, Kind: kind, Name: "a"}) == "" {
				t.Errorf("%s is a plugin", kind)
			}
			return
		}
	}
	t.Errorf("the kind of %s is not known here", resource)
}
