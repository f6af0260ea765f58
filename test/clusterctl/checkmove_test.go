package clusterctl_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/test/programs"
)

// referring is a cluster whose objects refer to Secrets and ConfigMaps. The names of those that clusterctl moves begin
// with "moves-", of the others with "stays-". No controller runs.
const referring = `
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
  storageRef: {apiGroup: bootstrap.machineadm.io, kind: S3BootstrapStorage, name: bucket}
  machine:
    files:
    - {path: /a, contentFrom: {secret: {name: moves-by-label, key: k}}}
    - {path: /b, contentFrom: {configMap: {name: moves-by-label, key: k}}}
    - {path: /c, contentFrom: {secret: {name: moves-by-hierarchy, key: k}}}
    - {path: /d, contentFrom: {secret: {name: moves-with-cluster, key: k}}}
    - {path: /e, contentFrom: {configMap: {name: moves-with-machine, key: k}}}
    - {path: /f, contentFrom: {secret: {name: demo-etcd, key: k}}}
    - {path: /g, contentFrom: {secret: {name: stays-alone, key: k}}}
    - {path: /h, contentFrom: {configMap: {name: stays-with-owner, key: k}}}
    - {path: /i, contentFrom: {configMap: {name: demo-ca, key: k}}}
    - {path: /j, contentFrom: {secret: {name: other-ca, key: k}}}
    - {path: /k, contentFrom: {secret: {name: stays-missing, key: k}}}
    - {path: /l, contentFrom: {secret: {name: optional, key: k, optional: true}}}
---
apiVersion: bootstrap.machineadm.io/v1alpha1
kind: S3BootstrapStorage
metadata: {name: bucket}
spec: {bucket: bucket, region: eu-west-1, credentials: {secretName: stays-with-storage}}
---
apiVersion: bootstrap.machineadm.io/v1alpha1
kind: TrustedCAsConfig
metadata: {name: cas}
spec: {trustedCAs: [{name: site, contentFrom: {configMap: {name: stays-with-plugin, key: k}}}]}
---
{apiVersion: v1, kind: Secret, metadata: {name: moves-by-label, labels: {clusterctl.cluster.x-k8s.io/move: ""}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: moves-by-label, labels: {clusterctl.cluster.x-k8s.io/move: "no"}}}
---
apiVersion: v1
kind: Secret
metadata: {name: moves-by-hierarchy, labels: {clusterctl.cluster.x-k8s.io/move-hierarchy: ""}}
---
apiVersion: v1
kind: Secret
metadata:
  name: moves-with-cluster
  ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, name: demo, uid: ^demo}]
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: moves-with-machine
  ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: m1, uid: ^m1}]
---
{apiVersion: v1, kind: Secret, metadata: {name: demo-etcd}}
---
{apiVersion: v1, kind: Secret, metadata: {name: stays-alone}}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: stays-with-owner
  ownerReferences: [{apiVersion: v1, kind: Secret, name: stays-alone, uid: ^stays-alone}]
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: demo-ca}}
---
{apiVersion: v1, kind: Secret, metadata: {name: other-ca}}
---
{apiVersion: v1, kind: Secret, metadata: {name: stays-with-storage}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: stays-with-plugin}}
`

// TestCheckMoveAgreesWithClusterctl compares the findings of machineadmctl check-move with what the real clusterctl
// moves, and then labels what the findings name.
func TestCheckMoveAgreesWithClusterctl(t *testing.T) {
	r := release(t)
	ctx, c := management(t)
	managementEnvironment().install(t, r, "--bootstrap machineadm")
	const namespace = "referring"
	fill(ctx, t, c, namespace, referring)
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := c.WriteKubeconfig(kubeconfig); err != nil {
		t.Fatal(err)
	}
	moved := map[string]bool{}
	for _, name := range saved(t, r.move(t, c, namespace)) {
		moved[name] = true
	}
	wanted := []string{
		"ConfigMap/demo-ca", "ConfigMap/stays-with-owner", "ConfigMap/stays-with-plugin",
		"Secret/other-ca", "Secret/stays-alone", "Secret/stays-missing", "Secret/stays-with-storage",
	}
	remedies := checkMove(t, 1, "-n", namespace, "--kubeconfig", kubeconfig)
	if diff := cmp.Diff(wanted, slices.Sorted(maps.Keys(remedies))); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	for name := range remedies {
		if moved[name] {
			t.Errorf("clusterctl moves %s", name)
		}
	}
	for _, name := range []string{
		"Secret/moves-by-label", "ConfigMap/moves-by-label", "Secret/moves-by-hierarchy",
		"Secret/moves-with-cluster", "ConfigMap/moves-with-machine", "Secret/demo-etcd",
	} {
		if !moved[name] {
			t.Errorf("clusterctl does not move %s", name)
		}
	}
	kubectl(t, kubeconfig, remedies)
	if left := checkMove(t, 0, "-n", namespace, "--kubeconfig", kubeconfig); len(left) != 1 {
		t.Errorf("with the labels there are still findings: %v", left)
	}
	checkMove(t, 3, "-n", namespace, "--kubeconfig", kubeconfig, "--strict")
	for _, name := range saved(t, r.move(t, c, namespace)) {
		delete(remedies, name)
	}
	if diff := cmp.Diff([]string{"Secret/stays-missing"}, slices.Sorted(maps.Keys(remedies))); diff != "" {
		t.Errorf("clusterctl still leaves behind (-want +got):\n%s", diff)
	}
}

// checkMove runs the real machineadmctl check-move, and returns the remedies by the kind and name of the objects.
func checkMove(t *testing.T, code int, args ...string) map[string]string {
	t.Helper()
	program, err := programs.Build(t.Context(), "machineadmctl")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, append([]string{"check-move", "-o", "json"}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	if cmd.ProcessState.ExitCode() != code {
		t.Fatalf("machineadmctl check-move: exit code %d, want %d\n%s", cmd.ProcessState.ExitCode(), code, &stderr)
	}
	var result struct {
		Findings []struct{ Object, Message, Remedy string }
	}
	if err := json.Unmarshal(stdout.Bytes(), &result); err != nil {
		t.Fatalf("%v\n%s", err, &stdout)
	}
	remedies := map[string]string{}
	for _, f := range result.Findings {
		words := strings.Fields(f.Message)
		i := slices.IndexFunc(words, func(w string) bool { return w == "Secret" || w == "ConfigMap" })
		if i < 0 {
			t.Fatalf("the message names no object: %s", f.Message)
		}
		remedies[words[i]+"/"+strings.TrimSuffix(words[i+1], ":")] = f.Remedy
	}
	return remedies
}

// kubectl runs the remedies that are commands.
func kubectl(t *testing.T, kubeconfig string, remedies map[string]string) {
	t.Helper()
	program, err := programs.Script(t.Context(), "tool.sh", "kubectl")
	if err != nil {
		t.Fatal(err)
	}
	for name, remedy := range remedies {
		args, isCommand := strings.CutPrefix(remedy, "label it: kubectl ")
		if !isCommand {
			continue
		}
		cmd := exec.CommandContext(t.Context(), program, append([]string{"--kubeconfig", kubeconfig},
			strings.Fields(args)...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %s: %v\n%s", name, remedy, err, out)
		}
	}
}
