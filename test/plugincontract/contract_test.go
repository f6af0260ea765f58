package plugincontract_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/plugincontract"
)

// group is that of the kinds here.
var group = schema.GroupVersion{Group: "conformance.example.com", Version: "v1"}

// The environment of the suite's own process: what a controller that breaks the contract is held to fails there, and
// not here.
const (
	kubeconfigVariable = "CONTRACT_KUBECONFIG"
	kindVariable       = "CONTRACT_KIND"
	flawVariable       = "CONTRACT_FLAW"
)

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	flag.Parse()
	// The cases wait more than they work.
	if err := flag.Set("test.parallel", "4"); err != nil {
		fmt.Fprintln(os.Stderr, "plugincontract:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// TestSuiteFindsWhatBreaksTheContract holds a controller that breaks one item of the contract to the suite, which has
// to fail in the case that is about it. One that breaks none passes.
func TestSuiteFindsWhatBreaksTheContract(t *testing.T) {
	c := server(t)
	cases := map[string]struct {
		item int
		kind string
		flaw flaw
		// finds is the case of the suite that fails, with the message, or empty for none.
		finds, message string
	}{
		"nothing":                    {},
		"nothing, without templates": {kind: "Single"},
		"of no namespace":            {item: 1, kind: "Unscoped", finds: "definition", message: "is not namespaced"},
		"no status of its own": {
			item: 1, kind: "Statusless", finds: "definition",
			message: "has no subresource status",
		},
		"left behind":           {kind: "Unmoved", finds: "definition", message: "leaves a Unmoved behind"},
		"too little permission": {kind: "Unread", finds: "permission", message: "the controller may get unreads"},
		"too much permission": {
			kind: "Overwritten", finds: "permission",
			message: "the controller may update overwrittens",
		},
		"not ready":              {item: 2, flaw: "not ready", finds: "documents", message: "waited in vain"},
		"of an older generation": {item: 2, flaw: "of an older generation", finds: "change", message: "waited in vain"},
		"failed and ready": {
			item: 2, flaw: "failed and ready", finds: "documents",
			message: "controller would report Failed",
		},
		"an order without a plugin": {
			item: 2, flaw: "an order without a plugin", finds: "documents",
			message: "does not name a plugin",
		},
		"a Secret elsewhere": {item: 2, flaw: "a Secret elsewhere", finds: "documents", message: "waited in vain"},
		"a Secret without an owner": {
			item: 3, flaw: "a Secret without an owner", finds: "documents",
			message: "waited in vain",
		},
		"a Secret that is only owned": {
			item: 3, flaw: "a Secret that is only owned", finds: "documents",
			message: "waited in vain",
		},
		"a Secret of another owner": {
			item: 3, flaw: "a Secret of another owner", finds: "documents",
			message: "waited in vain",
		},
		"another key": {item: 4, flaw: "another key", finds: "documents", message: "no key documents"},
		"no documents": {
			item: 4, flaw: "no documents", finds: "documents",
			message: "does not contain a machine configuration",
		},
		"a bad document": {
			item: 4, flaw: "a bad document", finds: "documents",
			message: "does not contain a machine configuration",
		},
		"ready first": {
			item: 5, flaw: "ready first", finds: "documents",
			message: "was ready before its Secret",
		},
		"a Secret of any name": {
			item: 5, flaw: "a Secret of any name", finds: "lost status",
			message: "there would be two Secrets",
		},
		"no look at changes": {item: 4, flaw: "no look at changes", finds: "change", message: "waited in vain"},
		"no look at the Secret": {
			item: 5, flaw: "no look at the Secret", finds: "lost Secret",
			message: "the Secret is made again",
		},
		"no look at the status": {item: 5, flaw: "no look at the status", finds: "lost status", message: "waited in vain"},
		"no look at the annotation": {
			item: 6, flaw: "no look at the annotation", finds: "paused resource",
			message: "a new resource gets no Secret",
		},
		"no look at the cluster": {
			item: 6, flaw: "no look at the cluster", finds: "paused cluster",
			message: "a new resource gets no Secret",
		},
		"pause of new ones": {
			item: 6, flaw: "pause of new ones alone", finds: "paused cluster",
			message: "a resource's Secret stays as it is",
		},
		"no end of a cluster's pause": {
			item: 6, flaw: "no end of a cluster's pause", finds: "paused cluster",
			message: "waited in vain",
		},
		"no owner references": {
			item: 7, flaw: "no owner references", finds: "marks",
			message: "took the owner reference away",
		},
		"no labels":                  {item: 7, flaw: "no labels", finds: "marks", message: "took the label"},
		"no labels, of a template's": {item: 7, flaw: "no labels", finds: "template", message: "took the label"},
	}
	held := map[int]bool{0: true}
	i := 0
	for name, tc := range cases {
		held[tc.item] = true
		i++
		namespace := fmt.Sprintf("suite-%d", i)
		if err := c.EnsureNamespace(t.Context(), namespace); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, failed := suite(t, c, namespace, tc.kind, tc.flaw, tc.finds)
			if failed != (tc.finds != "") || !strings.Contains(out, tc.message) || tc.finds != "" && !strings.Contains(out,
				"FAIL: TestSuite/"+strings.ReplaceAll(tc.finds, " ", "_")) {
				t.Errorf("item %d: failed: %t\n%s", tc.item, failed, out)
			}
		})
	}
	for item := range 8 {
		if !held[item] {
			t.Errorf("nothing breaks item %d", item)
		}
	}
}

// suite runs TestSuite, or one of its cases, in a process of its own.
func suite(t *testing.T, c *controlplane.ControlPlane, namespace, kind string, f flaw, only string) (string, bool) {
	t.Helper()
	if kind == "" {
		kind = "Sample"
	}
	run := "^TestSuite$"
	if only != "" {
		run += "/^" + strings.ReplaceAll(only, " ", "_") + "$"
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run="+run, "-test.v", "-test.count=1", "-test.parallel=4")
	cmd.Env = append(os.Environ(), kubeconfigVariable+"="+filepath.Join(c.Dir, "admin.kubeconfig"), kindVariable+"="+kind,
		flawVariable+"="+string(f), "CONTRACT_NAMESPACE="+namespace)
	out, err := cmd.CombinedOutput()
	if !strings.Contains(string(out), "=== RUN   TestSuite") {
		t.Fatalf("the suite was not run: %v\n%s", err, out)
	}
	return string(out), err != nil
}

// TestSuite is the suite as an author runs it, with the kind, the controller and the API server of the environment.
// Without these there is nothing to hold to the contract.
func TestSuite(t *testing.T) {
	path := os.Getenv(kubeconfigVariable)
	if path == "" {
		return
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		t.Fatal(err)
	}
	config.QPS = -1
	admin, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	kind, namespace, f := os.Getenv(kindVariable), os.Getenv("CONTRACT_NAMESPACE"), flaw(os.Getenv(flawVariable))
	go (&controller{Client: admin, namespace: namespace, kind: kind, flaw: f}).run(context.WithoutCancel(t.Context()))
	k := plugincontract.Kind{
		Client: admin, Namespace: namespace, Patience: 10 * time.Minute,
		Plugin: func() *unstructured.Unstructured { return object(kind, map[string]any{"message": "hello"}) },
		Change: func(o *unstructured.Unstructured) { o.Object["spec"] = map[string]any{"message": "goodbye"} },
	}
	if f != "" || kind == "Unread" {
		k.Patience = 5 * time.Second
	}
	if kind == "Sample" {
		k.Template = func() *unstructured.Unstructured {
			return object("SampleTemplate",
				map[string]any{"template": map[string]any{"spec": map[string]any{"message": "hello"}}})
		}
	}
	plugincontract.Test(t, k)
}

func object(kind string, spec map[string]any) *unstructured.Unstructured {
	o := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	o.SetGroupVersionKind(group.WithKind(kind))
	return o
}

// server starts an API server with Cluster API's kinds and those here.
func server(t *testing.T) *controlplane.ControlPlane {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	c, err := controlplane.Start(ctx, controlplane.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := c.InstallCoreCRDs(ctx, controlplane.Core114()); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteKubeconfig(filepath.Join(c.Dir, "admin.kubeconfig")); err != nil {
		t.Fatal(err)
	}
	reads := []string{"get", "list", "watch", "create"}
	for kind, verbs := range map[string][]string{
		"Sample": reads, "SampleTemplate": reads, "Single": reads, "Unscoped": reads, "Statusless": reads, "Unmoved": reads,
		"Unread": nil, "Overwritten": append(reads, "update"),
	} {
		if err := c.Apply(ctx, definition(kind)); err != nil {
			t.Fatal(err)
		}
		permit(t, c, kind, verbs)
	}
	return c
}

func definition(kind string) *unstructured.Unstructured {
	plural, scope, labels := strings.ToLower(kind)+"s", "Namespaced",
		map[string]string{"clusterctl.cluster.x-k8s.io/move-hierarchy": ""}
	version := map[string]any{
		"name": group.Version, "served": true, "storage": true, "subresources": map[string]any{"status": map[string]any{}},
		"schema": map[string]any{"openAPIV3Schema": map[string]any{
			"type":                                 "object",
			"x-kubernetes-preserve-unknown-fields": true,
		}},
	}
	switch kind {
	case "Unscoped":
		scope = "Cluster"
	case "Statusless":
		delete(version, "subresources")
	case "Unmoved":
		labels = nil
	}
	o := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{
		"group": group.Group, "scope": scope, "versions": []any{version},
		"names": map[string]any{"kind": kind, "listKind": kind + "List", "plural": plural, "singular": strings.ToLower(kind)},
	}}}
	o.SetGroupVersionKind(schema.GroupVersionKind{
		Group: "apiextensions.k8s.io", Version: "v1",
		Kind: "CustomResourceDefinition",
	})
	o.SetName(plural + "." + group.Group)
	o.SetLabels(labels)
	return o
}

// permit gives machineadm's controller rights on a kind.
func permit(t *testing.T, c *controlplane.ControlPlane, kind string, verbs []string) {
	t.Helper()
	if len(verbs) == 0 {
		return
	}
	name := metav1.ObjectMeta{Name: strings.ToLower(kind) + "-plugins"}
	role := &rbacv1.ClusterRole{ObjectMeta: name, Rules: []rbacv1.PolicyRule{{
		APIGroups: []string{group.Group}, Resources: []string{strings.ToLower(kind) + "s"}, Verbs: verbs,
	}}}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: name, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name.Name},
		Subjects: []rbacv1.Subject{{
			Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName,
			Name: plugincontract.DefaultController,
		}},
	}
	for _, o := range []client.Object{role, binding} {
		if err := c.Client.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
}
