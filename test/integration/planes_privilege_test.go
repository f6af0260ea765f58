package integration_test

import (
	"testing"

	"github.com/machineadm/machineadm/test/controlplane"
)

// neededByPlanes are the permissions that the manager of control planes needs.
func neededByPlanes() []permission {
	const own = "controlplane.machineadm.io/v1alpha1/"
	const infrastructure = "infrastructure.machineadm.io/v1alpha1/"
	const standIn = "infrastructure.standin.machineadm.io/v1beta2/"
	return []permission{
		{"get", own + "machineadmcontrolplanes", "it is what users write"},
		{"list", own + "machineadmcontrolplanes", "it holds them in memory"},
		{"watch", own + "machineadmcontrolplanes", "changes are events"},
		{"patch", own + "machineadmcontrolplanes", "the finalizer and the remediation are in the metadata"},
		{"patch", own + "machineadmcontrolplanes/status", "it reports the progress"},
		{"update", own + "machineadmcontrolplanes/finalizers", "Machines keep their owner from being deleted before them"},
		{"watch", "cluster.x-k8s.io/v1beta2/clusters", "the control plane waits for its cluster"},
		{"list", "cluster.x-k8s.io/v1beta2/machinepools", "workers are deleted first"},
		{"list", "cluster.x-k8s.io/v1beta2/machines", "these are the machines"},
		{"create", "cluster.x-k8s.io/v1beta2/machines", "a control plane consists of Machines"},
		{"patch", "cluster.x-k8s.io/v1beta2/machines", "they are changed in place"},
		{"delete", "cluster.x-k8s.io/v1beta2/machines", "and replaced"},
		{"patch", "cluster.x-k8s.io/v1beta2/machines/status", "they have conditions of the control plane"},
		{"watch", "bootstrap.machineadm.io/v1alpha1/machinebootstrapconfigs", "a bootstrap can fail"},
		{"create", "bootstrap.machineadm.io/v1alpha1/machinebootstrapconfigs", "each Machine has one"},
		{"patch", "bootstrap.machineadm.io/v1alpha1/machinebootstrapconfigs", "labels are changed in place"},
		{"delete", "bootstrap.machineadm.io/v1alpha1/machinebootstrapconfigs", "one without a Machine is deleted"},
		{"get", "bootstrap.machineadm.io/v1alpha1/s3bootstrapstorages", "snapshots of etcd are stored there"},
		{"get", infrastructure + "hostmachinetemplates", "machines are cloned from templates"},
		{"watch", infrastructure + "hostmachinetemplates", "their owners are in memory"},
		{"patch", infrastructure + "hostmachinetemplates", "clusterctl moves what a Cluster owns"},
		{"delete", infrastructure + "hostmachinetemplates", "only who may delete an object may be able to change its owners"},
		{"create", infrastructure + "hostmachines", "each Machine has one"},
		{"watch", infrastructure + "hostmachines", "their annotations name the template"},
		{"patch", infrastructure + "hostmachines", "labels are changed in place"},
		{"delete", infrastructure + "hostmachines", "one without a Machine is deleted"},
		{"create", standIn + "standinmachines", "other providers aggregate a role"},
		{"list", "apiextensions.k8s.io/v1/customresourcedefinitions", "their labels name the versions"},
		{"get", "v1/secrets", "certificates, and contents that users store there"},
		{"create", "v1/secrets", "it generates certificates and the kubeconfig"},
		{"update", "v1/secrets", "the kubeconfig is renewed"},
		{"get", "v1/configmaps", "contents that are no secret"},
		{"create", "events.k8s.io/v1/events", "users see why"},
		{"create", "authentication.k8s.io/v1/tokenreviews", "readers of its metrics are authenticated"},
		{"create", "authorization.k8s.io/v1/subjectaccessreviews", "and authorized"},
	}
}

// refusedToPlanes are the permissions that the manager of control planes must not have.
func refusedToPlanes() []permission {
	const own = "controlplane.machineadm.io/v1alpha1/"
	return []permission{
		{"create", own + "machineadmcontrolplanes", "users and the topology controller create them"},
		{"update", own + "machineadmcontrolplanes", "a patch cannot undo what others wrote"},
		{"delete", own + "machineadmcontrolplanes", "the core deletes them"},
		{"get", own + "machineadmcontrolplanetemplates", "the topology controller clones them"},
		{"update", own + "machineadmcontrolplanes/status", "a patch cannot undo what others wrote"},
		{"deletecollection", "cluster.x-k8s.io/v1beta2/machines", "machines are deleted one after the other"},
		{"update", "cluster.x-k8s.io/v1beta2/machines", "an update would undo what the core wrote"},
		{"update", "cluster.x-k8s.io/v1beta2/machines/status", "the core owns the rest of the status"},
		{"patch", "cluster.x-k8s.io/v1beta2/clusters", "a cluster is the user's"},
		{"patch", "cluster.x-k8s.io/v1beta2/clusters/status", "and its status the core's"},
		{"delete", "cluster.x-k8s.io/v1beta2/machinepools", "workers are the core's"},
		{"get", "cluster.x-k8s.io/v1beta2/machinedeployments", "workers are the core's"},
		{"patch", "bootstrap.machineadm.io/v1alpha1/machinebootstrapconfigs/status", "the bootstrap provider writes it"},
		{"deletecollection", "bootstrap.machineadm.io/v1alpha1/machinebootstrapconfigs", "one is deleted by its name"},
		{"get", "bootstrap.machineadm.io/v1alpha1/machinebootstrapconfigtemplates", "workers have templates"},
		{"deletecollection", "infrastructure.machineadm.io/v1alpha1/hostmachines", "one is deleted by its name"},
		{"delete", "v1/secrets", "a stolen token must not wipe out a cluster's keys"},
		{"deletecollection", "v1/secrets", "even less at once"},
		{"create", "v1/configmaps", "the init lock belongs to the bootstrap provider"},
		{"patch", "v1/configmaps", "contents are read"},
		{"delete", "v1/configmaps", "the init lock belongs to the bootstrap provider"},
		{"get", "v1/nodes", "workload clusters have nodes, and are reached by their own kubeconfig"},
		{"create", "v1/pods", "it runs no workload"},
		{"create", "v1/pods/exec", "other Pods have other secrets"},
		{"create", "v1/pods/portforward", "etcd members are those of workload clusters"},
		{"create", "v1/serviceaccounts/token", "it would get another identity"},
		{"impersonate", "v1/users", "or by impersonation"},
		{"create", "rbac.authorization.k8s.io/v1/clusterroles", "a role is a permission"},
		{"create", "rbac.authorization.k8s.io/v1/clusterrolebindings", "and so is a binding"},
		{"escalate", "rbac.authorization.k8s.io/v1/clusterroles", "more than it has itself"},
		{"patch", "apiextensions.k8s.io/v1/customresourcedefinitions", "clusterctl installs them"},
		{"delete", "apiextensions.k8s.io/v1/customresourcedefinitions", "all objects of a kind go with it"},
		{"get", "coordination.k8s.io/v1/leases", "it is elected in its own namespace"},
	}
}

// TestLeastPrivilegeOfControlPlanes asks the API server, in the name of the ServiceAccount of the manager of control
// planes, for what it needs and for what it must not have.
func TestLeastPrivilegeOfControlPlanes(t *testing.T) {
	t.Parallel()
	if _, err := simulated(); err != nil {
		t.Fatal(err)
	}
	if _, err := fleet(); err != nil {
		t.Fatal(err)
	}
	e := account{shared(), controlplane.PlanesUser, controlplane.PlanesNamespace}
	for _, p := range neededByPlanes() {
		if !e.may(t, "default", p) {
			t.Errorf("the manager cannot %s %s, and needs to: %s", p.verb, p.resource, p.reason)
		}
	}
	for _, p := range refusedToPlanes() {
		if e.may(t, "default", p) {
			t.Errorf("the manager can %s %s, and must not: %s", p.verb, p.resource, p.reason)
		}
	}
	if !e.may(t, controlplane.PlanesNamespace, permission{verb: "update", resource: "coordination.k8s.io/v1/leases"}) {
		t.Error("the manager cannot update its lease")
	}
}
