package clusterctl_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// moved is a cluster with a machine that is composed of plugins: one that is shared, one that was created from a
// template, and the same of a foreign kind. "^" in front of a name is the place of the owner's UID; objects without it
// have no owner. No controller runs.
const moved = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: demo}
spec:
  infrastructureRef: {apiGroup: infrastructure.example.com, kind: ExampleCluster, name: demo}
  controlPlaneEndpoint: {host: 127.0.0.1, port: 6443}
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
  bootstrap: {configRef: {apiGroup: bootstrap.machineadm.io, kind: MachineBootstrapConfig, name: m1}}
  infrastructureRef: {apiGroup: infrastructure.example.com, kind: ExampleMachine, name: m1}
---
apiVersion: bootstrap.machineadm.io/v1alpha1
kind: MachineBootstrapConfig
metadata:
  name: m1
  ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: m1, uid: ^m1, controller: true}]
spec:
  os: {distribution: debian}
  pluginRefs:
  - {apiGroup: bootstrap.machineadm.io, kind: TimeSyncConfig, name: shared-time}
  - {apiGroup: plugins.example.com, kind: Motd, name: shared-motd}
  pluginTemplateRefs:
  - {apiGroup: bootstrap.machineadm.io, kind: SysctlConfigTemplate, name: kernel}
  - {apiGroup: plugins.example.com, kind: MotdTemplate, name: greeting}
---
apiVersion: bootstrap.machineadm.io/v1alpha1
kind: TimeSyncConfig
metadata: {name: shared-time}
spec: {servers: [a.example]}
---
apiVersion: v1
kind: Secret
metadata:
  name: documents-of-shared-time
  ownerReferences: [{apiVersion: bootstrap.machineadm.io/v1alpha1, kind: TimeSyncConfig, name: shared-time,
    uid: ^shared-time, controller: true}]
---
apiVersion: plugins.example.com/v1
kind: Motd
metadata: {name: shared-motd}
spec: {message: hello}
---
apiVersion: v1
kind: Secret
metadata:
  name: documents-of-shared-motd
  ownerReferences: [{apiVersion: plugins.example.com/v1, kind: Motd, name: shared-motd,
    uid: ^shared-motd, controller: true}]
---
apiVersion: bootstrap.machineadm.io/v1alpha1
kind: SysctlConfigTemplate
metadata: {name: kernel}
spec: {template: {spec: {sysctls: {vm.swappiness: "7"}}}}
---
apiVersion: plugins.example.com/v1
kind: MotdTemplate
metadata: {name: greeting}
spec: {template: {spec: {message: hello}}}
---
apiVersion: bootstrap.machineadm.io/v1alpha1
kind: SysctlConfig
metadata:
  name: made-kernel
  ownerReferences: [{apiVersion: bootstrap.machineadm.io/v1alpha1, kind: MachineBootstrapConfig, name: m1,
    uid: ^m1, controller: true}]
spec: {sysctls: {vm.swappiness: "7"}}
---
apiVersion: v1
kind: Secret
metadata:
  name: documents-of-made-kernel
  ownerReferences: [{apiVersion: bootstrap.machineadm.io/v1alpha1, kind: SysctlConfig, name: made-kernel,
    uid: ^made-kernel, controller: true}]
---
apiVersion: plugins.example.com/v1
kind: Motd
metadata:
  name: made-greeting
  ownerReferences: [{apiVersion: bootstrap.machineadm.io/v1alpha1, kind: MachineBootstrapConfig, name: m1,
    uid: ^m1, controller: true}]
spec: {message: hello}
---
apiVersion: v1
kind: Secret
metadata:
  name: documents-of-made-greeting
  ownerReferences: [{apiVersion: plugins.example.com/v1, kind: Motd, name: made-greeting,
    uid: ^made-greeting, controller: true}]
`

// TestMoveTakesPluginsAlong has the real clusterctl gather what it would move.
func TestMoveTakesPluginsAlong(t *testing.T) {
	r := release(t)
	ctx, c := management(t)
	foreign, err := controlplane.ReadManifests(filepath.Join(programs.Root(), "test", "foreign", "config",
		"plugin.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(ctx, foreign...); err != nil {
		t.Fatal(err)
	}
	managementEnvironment().install(t, r, "--bootstrap machineadm")
	const namespace = "moved"
	want := fill(ctx, t, c, namespace, moved)
	if diff := cmp.Diff(want, saved(t, r.move(t, c, namespace))); diff != "" {
		t.Errorf("moved (-want +got):\n%s", diff)
	}
}

// move has clusterctl move the objects of a namespace to a directory, and returns it.
func (r repository) move(t *testing.T, c *controlplane.ControlPlane, namespace string) string {
	t.Helper()
	kubeconfig, out := filepath.Join(t.TempDir(), "kubeconfig"), t.TempDir()
	if err := c.WriteKubeconfig(kubeconfig); err != nil {
		t.Fatal(err)
	}
	r.run(t, "move", "--kubeconfig", kubeconfig, "--namespace", namespace, "--to-directory", out)
	return out
}

// label has clusterctl see the core's kinds, which it would have installed itself. Each change of a definition makes
// the API server compile its rules again.
func label(ctx context.Context, t *testing.T, c *controlplane.ControlPlane) {
	t.Helper()
	const name = "clusterctl.cluster.x-k8s.io"
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinitionList"))
	if err := c.Client.List(ctx, list); err != nil {
		t.Fatal(err)
	}
	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"`+name+`":""}}}`))
	for i := range list.Items {
		d := &list.Items[i]
		if _, labelled := d.Labels[name]; labelled || !strings.HasSuffix(d.Name, ".cluster.x-k8s.io") {
			continue
		}
		d.SetGroupVersionKind(apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"))
		if err := c.Client.Patch(ctx, d, patch); err != nil {
			t.Fatal(err)
		}
	}
}

// fill makes the objects of the manifests in a namespace, and returns their names.
func fill(ctx context.Context, t *testing.T, c *controlplane.ControlPlane, namespace, manifests string) []string {
	t.Helper()
	if err := c.EnsureNamespace(ctx, namespace); err != nil {
		t.Fatal(err)
	}
	uids := map[string]types.UID{}
	var names []string
	for _, o := range decode(t, []byte(manifests)) {
		o.SetNamespace(namespace)
		owners := o.GetOwnerReferences()
		for i := range owners {
			owners[i].UID = uids[owners[i].Kind+string(owners[i].UID)]
		}
		o.SetOwnerReferences(owners)
		if err := c.Client.Create(ctx, o); err != nil {
			t.Fatal(err)
		}
		uids[o.GetKind()+"^"+o.GetName()] = o.GetUID()
		names = append(names, o.GetKind()+"/"+o.GetName())
		complete(ctx, t, c, o)
	}
	slices.Sort(names)
	return names
}

// complete sets the status of a cluster and of a machine to provisioned, since clusterctl moves nothing else.
func complete(ctx context.Context, t *testing.T, c *controlplane.ControlPlane, o *unstructured.Unstructured) {
	t.Helper()
	switch o.GetKind() {
	case "Cluster":
		o.Object["status"] = map[string]any{
			"initialization": map[string]any{"infrastructureProvisioned": true, "controlPlaneInitialized": true},
			"conditions": []any{map[string]any{
				"type": "ControlPlaneInitialized", "status": string(metav1.ConditionTrue), "reason": "Initialized", "message": "",
				"lastTransitionTime": "2026-01-01T00:00:00Z",
			}},
		}
	case "Machine":
		o.Object["status"] = map[string]any{"nodeRef": map[string]any{"name": "m1"}}
	default:
		return
	}
	if err := c.Client.Status().Patch(ctx, o, client.Merge); err != nil {
		t.Fatal(err)
	}
}

// saved returns the names of the objects that clusterctl wrote.
func saved(t *testing.T, dir string) []string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		var o struct {
			Kind     string
			Metadata metav1.ObjectMeta
		}
		if err := yaml.Unmarshal(bytes.TrimSpace(text), &o); err != nil {
			t.Fatal(err)
		}
		names = append(names, o.Kind+"/"+strings.TrimSpace(o.Metadata.Name))
	}
	slices.Sort(names)
	return names
}
