package integration_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
)

// TestATenantWidensNoRole holds that the role of plugins, which collects other roles by a label, takes no permission
// from a user who may write ClusterRoles and does not have that permission.
func TestATenantWidensNoRole(t *testing.T) {
	t.Parallel()
	e := shared()
	meta := metav1.ObjectMeta{Name: "tenant"}
	write := rbacv1.PolicyRule{
		APIGroups: []string{rbacv1.GroupName}, Resources: []string{"clusterroles"},
		Verbs: []string{"get", "create", "update", "patch"},
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: meta, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: meta.Name},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: meta.Name}},
	}
	for _, o := range []client.Object{&rbacv1.ClusterRole{ObjectMeta: meta, Rules: []rbacv1.PolicyRule{write}}, binding} {
		if err := e.Client.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	config := rest.CopyConfig(e.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: meta.Name, Groups: []string{"system:authenticated"}}
	tenant, err := client.New(config, client.Options{Scheme: e.Client.Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]string{"bootstrap.machineadm.io/aggregate-to-plugins": "true"}
	wide := metav1.ObjectMeta{Name: "wide", Labels: labels}
	named := func(name string) *rbacv1.ClusterRole {
		return &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: name}}
	}
	patch := func(name, text string) error {
		return tenant.Patch(t.Context(), named(name), client.RawPatch(types.MergePatchType, []byte(text)))
	}
	for name, attack := range map[string]func() error{
		"a role of its own": func() error {
			rules := []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"secrets"}, Verbs: []string{"delete"}}}
			return tenant.Create(t.Context(), &rbacv1.ClusterRole{ObjectMeta: wide, Rules: rules})
		},
		"a role that collects others": func() error {
			all := &rbacv1.AggregationRule{ClusterRoleSelectors: []metav1.LabelSelector{{MatchLabels: labels}}}
			return tenant.Create(t.Context(), &rbacv1.ClusterRole{ObjectMeta: wide, AggregationRule: all})
		},
		"a label on the administrator's role": func() error {
			return patch("cluster-admin", `{"metadata":{"labels":{"bootstrap.machineadm.io/aggregate-to-plugins":"true"}}}`)
		},
		"another selector": func() error {
			return patch("machineadm-plugins-role", `{"aggregationRule":{"clusterRoleSelectors":[{}]}}`)
		},
	} {
		if err := attack(); !apierrors.IsForbidden(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRoleNamesMatchTheirRules holds that no role of the release gives all of something: a wildcard also gives what is
// not thought of yet. The provider of control planes is the exception: it creates machines of kinds that only users
// know, in the group that Cluster API's infrastructure providers share.
func TestRoleNamesMatchTheirRules(t *testing.T) {
	t.Parallel()
	const exception = "machineadm-control-plane-manager-role infrastructure.cluster.x-k8s.io *"
	excepted := false
	for _, folder := range []string{"config/default", "config/hosts", "config/control-plane"} {
		roles := rolesOf(t, folder)
		if len(roles) == 0 {
			t.Errorf("%s has no role", folder)
		}
		for _, r := range roles {
			for _, rule := range r.Rules {
				groups, resources := strings.Join(rule.APIGroups, " "), strings.Join(rule.Resources, " ")
				words := slices.Concat(rule.Verbs, rule.APIGroups, rule.Resources, rule.NonResourceURLs)
				if strings.Join([]string{r.Name, groups, resources}, " ") == exception {
					words, excepted = slices.Concat(rule.Verbs, rule.NonResourceURLs), true
				}
				for _, word := range words {
					if strings.Contains(word, "*") || slices.Contains([]string{"escalate", "bind", "impersonate"}, word) {
						t.Errorf("%s gives %q: %s", r.Name, word, fmt.Sprint(rule))
					}
				}
			}
		}
	}
	if !excepted {
		t.Error("no role is excepted: remove the exception")
	}
}

// rolesOf returns the Roles and ClusterRoles of a folder of config.
func rolesOf(t *testing.T, folder string) []rbacv1.ClusterRole {
	t.Helper()
	objects, err := controlplane.Manifests(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	var roles []rbacv1.ClusterRole
	for _, o := range objects {
		if o.GetKind() != "Role" && o.GetKind() != "ClusterRole" {
			continue
		}
		var role rbacv1.ClusterRole
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &role); err != nil {
			t.Fatal(err)
		}
		roles = append(roles, role)
	}
	return roles
}
