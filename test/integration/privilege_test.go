package integration_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
)

// permission is a verb, and the resource that it is about: group/version/resource, with its subresource behind it.
// The namespace is not the manager's own.
type permission struct{ verb, resource, reason string }

// needed are the permissions that the manager needs.
func needed() []permission {
	const own = "bootstrap.machineadm.io/v1alpha1/"
	return []permission{
		{"get", own + "machinebootstrapconfigs", "it is what users write"},
		{"list", own + "machinebootstrapconfigs", "it holds them in memory"},
		{"watch", own + "machinebootstrapconfigs", "it learns of changes"},
		{"patch", own + "machinebootstrapconfigs/status", "it reports the progress"},
		{"update", own + "machinebootstrapconfigs/finalizers", "a data Secret keeps its owner from being deleted before it"},
		{"list", own + "containerdconfigs", "a machine is composed of plugins"},
		{"create", own + "containerdconfigs", "plugin templates become plugins of one machine"},
		{"patch", own + "containerdconfigs/status", "it reports that a plugin's Secret exists"},
		{"get", own + "containerdconfigtemplates", "plugins are made of them"},
		{"watch", own + "endpointbootstrapstorages", "it stores what machines fetch from its endpoint"},
		{"get", "cluster.x-k8s.io/v1beta2/clusters", "a machine joins its cluster"},
		{"watch", "cluster.x-k8s.io/v1beta2/clusters", "a machine waits until its cluster is there"},
		{"get", "cluster.x-k8s.io/v1beta2/machines", "a config belongs to a machine"},
		{"watch", "cluster.x-k8s.io/v1beta2/machines", "a machine's name and version come late"},
		{"get", "cluster.x-k8s.io/v1beta2/machinepools", "or to a pool of them"},
		{"get", "v1/secrets", "certificates, and contents that users keep there"},
		{"list", "v1/secrets", "it watches what configs refer to"},
		{"create", "v1/secrets", "bootstrap data is one"},
		{"patch", "v1/secrets", "a pool's token rotates"},
		{"get", "v1/configmaps", "contents that are no secret"},
		{"create", "v1/configmaps", "the init lock is one"},
		{"delete", "v1/configmaps", "the init lock is given back"},
		{"create", "events.k8s.io/v1/events", "users see why"},
		{"create", "authentication.k8s.io/v1/tokenreviews", "readers of its metrics are authenticated"},
		{"create", "authorization.k8s.io/v1/subjectaccessreviews", "and authorised"},
	}
}

// refusedOnes are the permissions that the manager must not have.
func refusedOnes() []permission {
	const own = "bootstrap.machineadm.io/v1alpha1/"
	return []permission{
		{"create", own + "machinebootstrapconfigs", "users and the core make configs"},
		{"update", own + "machinebootstrapconfigs", "a spec is the user's"},
		{"patch", own + "machinebootstrapconfigs", "a spec is the user's"},
		{"delete", own + "machinebootstrapconfigs", "configs go with their machine"},
		{"deletecollection", own + "machinebootstrapconfigs", "or one after the other"},
		{"update", own + "machinebootstrapconfigs/status", "a patch cannot undo what others wrote"},
		{"get", own + "machinebootstrapconfigtemplates", "the core clones them"},
		{"patch", own + "machinebootstrapconfigtemplates", "a template is the user's"},
		{"delete", own + "containerdconfigs", "plugins of a machine go with it, and others are the user's"},
		{"update", own + "containerdconfigs", "a plugin's spec is the user's"},
		{"patch", own + "containerdconfigtemplates", "a template is the user's"},
		{
			"delete",
			"v1/secrets",
			"data goes with its owner; a stolen token of the manager must not wipe out a cluster's keys",
		},
		{"deletecollection", "v1/secrets", "even less at once"},
		{"update", "v1/configmaps", "a lock is made or removed"},
		{"patch", "v1/configmaps", "and what configs refer to is read"},
		{"deletecollection", "v1/configmaps", "there is one lock for a cluster"},
		{"create", "cluster.x-k8s.io/v1beta2/machines", "machines are the core's"},
		{"patch", "cluster.x-k8s.io/v1beta2/machines", "the core links data and machine"},
		{"delete", "cluster.x-k8s.io/v1beta2/machines", "health checks are the core's"},
		{"patch", "cluster.x-k8s.io/v1beta2/machines/status", "the core mirrors our conditions"},
		{"patch", "cluster.x-k8s.io/v1beta2/clusters", "nothing of a cluster is ours"},
		{"update", "cluster.x-k8s.io/v1beta2/clusters/status", "nor its status"},
		{"delete", "cluster.x-k8s.io/v1beta2/clusters", "nor its end"},
		{"patch", "cluster.x-k8s.io/v1beta2/machinepools", "a pool is the core's"},
		{"patch", "cluster.x-k8s.io/v1beta2/machinesets", "replicas are not looked at"},
		{"get", "v1/pods", "it runs no workload in the management cluster"},
		{"create", "v1/pods", "a pod runs as whom it likes"},
		{"create", "v1/pods/exec", "other pods hold other secrets"},
		{"get", "v1/pods/log", "logs contain the data of other programs"},
		{"create", "apps/v1/deployments", "a deployment makes pods"},
		{"patch", "apps/v1/deployments", "not even its own image"},
		{"create", "apps/v1/daemonsets", "on every node even"},
		{"create", "batch/v1/jobs", "a job makes a pod, too"},
		{"get", "v1/nodes", "workload clusters have nodes, and are reached by their own kubeconfig"},
		{"get", "v1/nodes/proxy", "a kubelet runs anything for who reaches it so"},
		{"create", "v1/serviceaccounts/token", "it would get another identity"},
		{"create", "v1/serviceaccounts", "and so with a new one"},
		{"impersonate", "v1/users", "or by impersonation"},
		{"impersonate", "v1/groups", "such as system:masters"},
		{"create", "rbac.authorization.k8s.io/v1/clusterroles", "who makes roles has all"},
		{"create", "rbac.authorization.k8s.io/v1/clusterrolebindings", "who binds them, too"},
		{"escalate", "rbac.authorization.k8s.io/v1/clusterroles", "more than one has oneself"},
		{"bind", "rbac.authorization.k8s.io/v1/clusterroles", "more than one has oneself"},
		{"patch", "rbac.authorization.k8s.io/v1/roles", "nor in a namespace"},
		{"create", "certificates.k8s.io/v1/certificatesigningrequests", "a certificate is an identity"},
		{"update", "certificates.k8s.io/v1/certificatesigningrequests/approval", "nor for others"},
		{
			"create",
			"admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
			"a webhook sees and changes every object",
		},
		{"create", "admissionregistration.k8s.io/v1/validatingwebhookconfigurations", "or refuses it"},
		{"patch", "apiextensions.k8s.io/v1/customresourcedefinitions", "clusterctl installs and upgrades them"},
		{"delete", "apiextensions.k8s.io/v1/customresourcedefinitions", "with a kind all its objects go"},
		{"create", "apiregistration.k8s.io/v1/apiservices", "who serves an API sees its requests"},
		{"create", "v1/namespaces", "a config has its namespace"},
		{"delete", "v1/namespaces", "with it all that is in it would go"},
		{"get", "v1/persistentvolumes", "storage of workloads is none of its business"},
		{"patch", "v1/services", "traffic is not led elsewhere"},
		{"delete", "networking.k8s.io/v1/networkpolicies", "nor let through"},
		{"get", "coordination.k8s.io/v1/leases", "it is elected in its own namespace alone"},
		{"update", "coordination.k8s.io/v1/leases", "and takes no other's place"},
		{"delete", "events.k8s.io/v1/events", "events are not withdrawn"},
		{"get", "/metrics", "the API server's figures are not ours"},
		{"get", "/logs/", "nor its logs"},
	}
}

// account is the ServiceAccount of a manager, and its namespace.
type account struct {
	*environment
	user, namespace string
}

// impersonated returns how the ServiceAccount is impersonated.
func (e account) impersonated() *rest.Config {
	config := rest.CopyConfig(e.Config)
	config.Impersonate = rest.ImpersonationConfig{
		UserName: e.user,
		Groups: []string{
			"system:serviceaccounts",
			"system:serviceaccounts:" + e.namespace,
			"system:authenticated",
		},
	}
	return config
}

// may reports whether the API server lets the manager do it. What can be asked for is asked for, without an effect: the
// API server decides that before it reads what is sent. The verbs that no request has are asked of a review, in the
// manager's own name.
func (e account) may(t *testing.T, namespace string, p permission) bool {
	t.Helper()
	method, suffix := http.MethodGet, ""
	body := "{}"
	switch p.verb {
	case "get", "update", "patch", "delete":
		suffix = "/any"
	case "watch":
		suffix = "?watch=true&timeoutSeconds=1"
	case "list", "create", "deletecollection":
	default:
		return e.reviewed(t, p)
	}
	switch p.verb {
	case "create":
		method = http.MethodPost
	case "update":
		method = http.MethodPut
	case "patch":
		method = http.MethodPatch
	case "delete", "deletecollection":
		method, body = http.MethodDelete, `{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"]}`
	}
	return e.asked(t, method, where(namespace, p.resource, suffix), body)
}

// where returns the path of a request.
func where(namespace, resource, suffix string) string {
	if strings.HasPrefix(resource, "/") {
		return resource
	}
	parts := strings.Split(resource, "/")
	prefix := "/api/v1"
	if parts[0] != "v1" {
		prefix = "/apis/" + parts[0] + "/" + parts[1]
		parts = parts[1:]
	}
	name, sub := parts[1], strings.Join(parts[2:], "/")
	if sub != "" {
		// A subresource is one of an object.
		suffix = "/any/" + sub
	}
	if !wholeCluster(name) {
		prefix += "/namespaces/" + namespace
	}
	return prefix + "/" + name + suffix
}

func wholeCluster(resource string) bool {
	switch resource {
	case "nodes", "namespaces", "persistentvolumes", "clusterroles", "clusterrolebindings", "certificatesigningrequests",
		"mutatingwebhookconfigurations", "validatingwebhookconfigurations", "customresourcedefinitions", "apiservices",
		"tokenreviews",
		"subjectaccessreviews":
		return true
	default:
		return false
	}
}

// asked sends a request that changes nothing, and reports whether it was not forbidden.
func (e account) asked(t *testing.T, method, path, body string) bool {
	t.Helper()
	c, err := rest.HTTPClientFor(e.impersonated())
	if err != nil {
		t.Fatal(err)
	}
	url := "https://" + e.Address() + path
	if method != http.MethodGet {
		url += "?dryRun=All"
	}
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		request.Header.Set("Content-Type", "application/merge-patch+json")
	}
	answer, err := c.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode == http.StatusUnauthorized {
		t.Fatalf("%s %s: the impersonation failed", method, path)
	}
	return answer.StatusCode != http.StatusForbidden
}

// reviewed asks the API server by a SelfSubjectAccessReview.
func (e account) reviewed(t *testing.T, p permission) bool {
	t.Helper()
	c, err := client.New(e.impersonated(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(p.resource, "/")
	group := parts[0]
	if group == "v1" {
		group = ""
	}
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: p.verb, Group: group, Resource: parts[len(parts)-1]},
	}}
	if err := c.Create(t.Context(), review); err != nil {
		t.Fatal(err)
	}
	return review.Status.Allowed
}

// TestLeastPrivilege asks the API server, in the name of the manager's ServiceAccount, for what it needs and for what
// it must not have.
func TestLeastPrivilege(t *testing.T) {
	t.Parallel()
	e := account{shared(), controlplane.ProviderUser, controlplane.ProviderNamespace}
	for _, p := range needed() {
		if !e.may(t, "default", p) {
			t.Errorf("the manager cannot %s %s, and needs to: %s", p.verb, p.resource, p.reason)
		}
	}
	all := refusedOnes()
	if len(all) < 30 {
		t.Errorf("only %d things are looked at", len(all))
	}
	for _, p := range all {
		if e.may(t, "default", p) {
			t.Errorf("the manager can %s %s, and must not: %s", p.verb, p.resource, p.reason)
		}
	}
	for verb, want := range map[string]bool{
		"get": true, "create": true, "update": true, "list": false, "watch": false, "patch": false, "delete": false,
	} {
		lease := permission{verb: verb, resource: "coordination.k8s.io/v1/leases"}
		if e.may(t, controlplane.ProviderNamespace, lease) != want {
			t.Errorf("the manager may %s the lease by which it is elected: %v", verb, !want)
		}
	}
	if e.may(t, "default", permission{verb: "create", resource: "v1/events"}) {
		t.Error("the manager may create events of who leads in another namespace")
	}
}

// TestNothingIsRefusedInTheOwnNamespace fails if a request of the manager in its own namespace is forbidden, such as
// that for the event of its election.
func TestNothingIsRefusedInTheOwnNamespace(t *testing.T) {
	t.Parallel()
	manage(t, "--leader-elect")()
	w := newWorld(t, "own-namespace")
	w.leader("")
	w.Eventually(func() int { return w.elections(t) }).Should(BeNumerically(">", 0), "no event names the leader")
}

// elections returns the number of events that the manager has created in its namespace. A forbidden request there fails
// the test.
func (w *world) elections(t *testing.T) (events int) {
	t.Helper()
	requests, _, err := w.env.Requests(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range requests {
		if r.User != controlplane.ProviderUser || r.Namespace != controlplane.ProviderNamespace {
			continue
		}
		if r.Code == http.StatusForbidden {
			t.Errorf("%s %s/%s is refused", r.Verb, r.Resource, r.Name)
		}
		if r.Resource == "events" && r.Verb == "create" {
			events++
		}
	}
	return events
}
