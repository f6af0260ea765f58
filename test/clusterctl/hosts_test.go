package clusterctl_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/machineadm/machineadm/test/programs"
)

// movedHosts is a cluster with a machine on a host, a host that a user must return to the pool, and the SSH key of
// both, which its user has labelled. No controller runs.
const movedHosts = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: demo}
spec:
  infrastructureRef: {apiGroup: infrastructure.machineadm.io, kind: HostCluster, name: demo}
  controlPlaneEndpoint: {host: 127.0.0.1, port: 6443}
---
apiVersion: infrastructure.machineadm.io/v1alpha1
kind: HostCluster
metadata:
  name: demo
  ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, name: demo, uid: ^demo, controller: true}]
spec: {controlPlaneEndpoint: {host: 127.0.0.1, port: 6443}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Machine
metadata:
  name: m1
  labels: {cluster.x-k8s.io/cluster-name: demo}
  ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, name: demo, uid: ^demo, controller: true}]
spec:
  clusterName: demo
  version: v1.36.3
  bootstrap: {dataSecretName: data}
  infrastructureRef: {apiGroup: infrastructure.machineadm.io, kind: HostMachine, name: m1}
---
apiVersion: infrastructure.machineadm.io/v1alpha1
kind: HostMachine
metadata:
  name: m1
  finalizers: [hostmachine.infrastructure.machineadm.io]
  ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: m1, uid: ^m1, controller: true}]
spec:
  providerID: machineadm-hosts:///moved-hosts/m1
  claim: {id: 0b4e1c1e-0000-4000-8000-000000000001, hostName: h1, sentAt: "2026-11-22T10:00:00Z"}
---
apiVersion: infrastructure.machineadm.io/v1alpha1
kind: Host
metadata: {name: h1, finalizers: [host.infrastructure.machineadm.io]}
spec:
  address: 192.0.2.1
  hostKeys: [ssh-ed25519 AAAA]
  sshKeyRef: {name: ssh}
  claim: {id: 0b4e1c1e-0000-4000-8000-000000000001, machineName: m1}
---
apiVersion: infrastructure.machineadm.io/v1alpha1
kind: Host
metadata: {name: h2}
spec:
  address: 192.0.2.2
  hostKeys: [ssh-ed25519 AAAA]
  sshKeyRef: {name: ssh}
  unavailable: {reason: ResetFailed, message: install the host again}
---
apiVersion: v1
kind: Secret
metadata:
  name: ssh
  labels: {infrastructure.machineadm.io/ssh-key: "true", clusterctl.cluster.x-k8s.io/move: ""}
stringData: {ssh-privatekey: key}
`

// TestHostsContractMove has the real clusterctl gather hosts and machines, with everything that no controller can
// observe again: claims, provider IDs and marks.
func TestHostsContractMove(t *testing.T) {
	r := release(t)
	ctx, c := management(t)
	managementEnvironment().install(t, r, "--bootstrap machineadm", "--infrastructure machineadm-hosts")
	const namespace = "moved-hosts"
	want := fill(ctx, t, c, namespace, movedHosts)
	out := r.move(t, c, namespace)
	if diff := cmp.Diff(want, saved(t, out)); diff != "" {
		t.Errorf("moved (-want +got):\n%s", diff)
	}
	const claim = "0b4e1c1e-0000-4000-8000-000000000001"
	for file, fields := range map[string][]string{
		"HostMachine_moved-hosts_m1": {claim, "2026-11-22T10:00:00Z", "machineadm-hosts:///moved-hosts/m1"},
		"Host_moved-hosts_h1":        {claim},
		"Host_moved-hosts_h2":        {"ResetFailed"},
	} {
		text, err := os.ReadFile(filepath.Join(out, file+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range fields {
			if !strings.Contains(string(text), field) {
				t.Errorf("%s does not contain %s", file, field)
			}
		}
	}
}

// TestHostsComponents checks that the components of hosts have the image of the other provider, and run only the
// controllers of hosts.
func TestHostsComponents(t *testing.T) {
	r := rendered(t)
	path := filepath.Join(filepath.Dir(r.config), "infrastructure-machineadm-hosts", version)
	objects := manifests(t, filepath.Join(path, "infrastructure-components.yaml"))
	pod := deployment(t, objects, "machineadm-hosts-controller-manager").Spec.Template.Spec
	other := manager(t, components(t, r, "")).Spec.Template.Spec
	if got, want := pod.Containers[0].Image, other.Containers[0].Image; got != want {
		t.Errorf("the image is %s, want %s", got, want)
	}
	if !slices.Contains(pod.Containers[0].Args, "--controllers=hosts") {
		t.Errorf("the arguments are %q", pod.Containers[0].Args)
	}
	for _, o := range objects {
		if got := o.GetLabels()["cluster.x-k8s.io/provider"]; got != "infrastructure-machineadm-hosts" {
			t.Errorf("%s %s belongs to the provider %q", o.GetKind(), o.GetName(), got)
		}
	}
	if _, err := os.Stat(filepath.Join(path, "metadata.yaml")); err != nil {
		t.Error(err)
	}
}

// withoutMachines returns the content of objects without the settings of machines.
func withoutMachines(objects []*unstructured.Unstructured) (all []map[string]any) {
	for _, o := range objects {
		content := o.DeepCopy().Object
		unstructured.RemoveNestedField(content, "spec", "bootstrap", "machine")
		unstructured.RemoveNestedField(content, "spec", "template", "spec", "machine")
		all = append(all, content)
	}
	return all
}

// TestHostsTemplate generates clusters of hosts as the guide does, and checks that the API server accepts them and that
// the guide lists each variable.
func TestHostsTemplate(t *testing.T) {
	r := release(t)
	ctx, c := management(t)
	managementEnvironment().install(t, r, "--bootstrap machineadm", "--control-plane machineadm",
		"--infrastructure machineadm-hosts")
	generate := []string{
		"generate", "cluster", "demo", "--infrastructure", "machineadm-hosts:" + version, "--target-namespace", "default",
		"--kubernetes-version", "v1.36.3", "--worker-machine-count", "1",
	}
	const required = "CONTROL_PLANE_ENDPOINT_HOST"
	if _, stderr, err := r.output(t, nil, generate...); err == nil || !strings.Contains(stderr, required) {
		t.Errorf("without %s: error %v\n%s", required, err, stderr)
	}
	out, stderr, err := r.output(t, []string{required + "=192.0.2.1"}, generate...)
	if err != nil {
		t.Fatal(err, stderr)
	}
	fresh := decode(t, out)
	flavor := append(slices.Clip(generate), "--flavor", "image")
	out, stderr, err = r.output(t, []string{required + "=192.0.2.1"}, flavor...)
	if err != nil {
		t.Fatal(err, stderr)
	}
	image := decode(t, out)
	if diff := cmp.Diff(withoutMachines(fresh), withoutMachines(image)); diff != "" {
		t.Errorf("the flavors differ in more than the settings of the machines:\n%s", diff)
	}
	accepts(ctx, t, c, slices.Concat(fresh, image))

	page, err := os.ReadFile(filepath.Join(programs.Root(), "docs/guides/ssh-hosts.md"))
	if err != nil {
		t.Fatal(err)
	}
	out, stderr, err = r.output(t, nil, append(generate[:7:7], "--list-variables")...)
	if err != nil {
		t.Fatal(err, stderr)
	}
	for name := range variablesOf(string(out), "") {
		if common := []string{
			"CLUSTER_NAME", "NAMESPACE", "KUBERNETES_VERSION", "WORKER_MACHINE_COUNT", "CONTROL_PLANE_MACHINE_COUNT",
		}; !slices.Contains(common, name) && !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("the guide does not list %s", name)
		}
	}
}
