package integration_test

import (
	"testing"

	"github.com/machineadm/machineadm/test/controlplane"
)

// neededByHosts are the permissions that the manager of hosts needs.
func neededByHosts() []permission {
	const own = "infrastructure.machineadm.io/v1alpha1/"
	return []permission{
		{"list", own + "hosts", "it selects one of them"},
		{"patch", own + "hosts", "the claim is in the spec"},
		{"patch", own + "hosts/status", "it reports the last probe"},
		{"watch", own + "hostmachines", "it boots them"},
		{"patch", own + "hostmachines", "the claim and the provider ID are in the spec"},
		{"patch", own + "hostmachines/status", "it reports the progress"},
		{"patch", own + "hostclusters", "the default port of the endpoint is written to the spec"},
		{"patch", own + "hostclusters/status", "it reports the endpoint"},
		{"list", own + "hostmachinetemplates", "it reports their capacity"},
		{"patch", own + "hostmachinetemplates/status", "the autoscaler reads the capacity there"},
		{"watch", "cluster.x-k8s.io/v1beta2/machines", "a machine waits for its data"},
		{"watch", "cluster.x-k8s.io/v1beta2/clusters", "a machine waits for the infrastructure of its cluster"},
		{"get", "bootstrap.machineadm.io/v1alpha1/machinebootstrapconfigs", "their status names the format of the data"},
		{"get", "v1/secrets", "bootstrap data and SSH keys"},
		{"create", "events.k8s.io/v1/events", "users see why"},
		{"create", "authentication.k8s.io/v1/tokenreviews", "readers of its metrics are authenticated"},
		{"create", "authorization.k8s.io/v1/subjectaccessreviews", "and authorized"},
	}
}

// refusedToHosts are the permissions that the manager of hosts must not have.
func refusedToHosts() []permission {
	const own = "infrastructure.machineadm.io/v1alpha1/"
	return []permission{
		{"create", own + "hosts", "users write the inventory"},
		{"delete", own + "hosts", "users write the inventory"},
		{"update", own + "hosts", "a patch cannot undo what others wrote"},
		{"create", own + "hostmachines", "the core creates them"},
		{"delete", own + "hostmachines", "the core deletes them"},
		{"delete", own + "hostclusters", "the core deletes them"},
		{"patch", own + "hostmachinetemplates", "a template is the user's"},
		{"get", own + "hostclustertemplates", "the core clones them"},
		{"list", "v1/secrets", "a Secret is read by its name"},
		{"watch", "v1/secrets", "no Secret is cached"},
		{"create", "v1/secrets", "nothing is stored"},
		{"patch", "v1/secrets", "nothing is changed"},
		{"delete", "v1/secrets", "nothing is deleted"},
		{"get", "v1/configmaps", "nothing refers to one"},
		{"list", "bootstrap.machineadm.io/v1alpha1/machinebootstrapconfigs", "one is read by its name"},
		{"patch", "bootstrap.machineadm.io/v1alpha1/machinebootstrapconfigs", "they belong to another provider"},
		{"patch", "cluster.x-k8s.io/v1beta2/machines", "machines are the core's"},
		{"delete", "cluster.x-k8s.io/v1beta2/machines", "health checks are the core's"},
		{"patch", "cluster.x-k8s.io/v1beta2/clusters", "clusters are the core's"},
		{"create", "v1/pods", "it runs no workload"},
		{"create", "v1/pods/exec", "other pods have other secrets"},
		{"create", "v1/serviceaccounts/token", "it would get another identity"},
		{"impersonate", "v1/users", "or by impersonation"},
		{"create", "rbac.authorization.k8s.io/v1/clusterroles", "a role is a permission"},
		{"create", "rbac.authorization.k8s.io/v1/clusterrolebindings", "and so is a binding"},
		{"patch", "apiextensions.k8s.io/v1/customresourcedefinitions", "clusterctl installs them"},
		{"get", "v1/nodes", "it never connects to a workload cluster"},
		{"get", "coordination.k8s.io/v1/leases", "it is elected in its own namespace"},
	}
}

// TestLeastPrivilegeOfHosts asks the API server, in the name of the ServiceAccount of the manager of hosts, for what it
// needs and for what it must not have.
func TestLeastPrivilegeOfHosts(t *testing.T) {
	t.Parallel()
	if _, err := fleet(); err != nil {
		t.Fatal(err)
	}
	e := account{shared(), controlplane.HostsUser, controlplane.HostsNamespace}
	for _, p := range neededByHosts() {
		if !e.may(t, "default", p) {
			t.Errorf("the manager cannot %s %s, and needs to: %s", p.verb, p.resource, p.reason)
		}
	}
	for _, p := range refusedToHosts() {
		if e.may(t, "default", p) {
			t.Errorf("the manager can %s %s, and must not: %s", p.verb, p.resource, p.reason)
		}
	}
	if !e.may(t, controlplane.HostsNamespace, permission{verb: "update", resource: "coordination.k8s.io/v1/leases"}) {
		t.Error("the manager cannot update its lease")
	}
}
