package main

import (
	"bytes"
	"testing"
)

const versionManifest = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Machine
metadata:
  name: first
  namespace: default
  labels: {cluster.x-k8s.io/control-plane: "", cluster.x-k8s.io/cluster-name: a}
spec:
  clusterName: a
  version: v1.36.1
  bootstrap: {configRef: {apiGroup: bootstrap.machineadm.io, kind: MachineBootstrapConfig, name: first}}
---
apiVersion: bootstrap.machineadm.io/v1alpha1
kind: MachineBootstrapConfig
metadata: {name: first, namespace: default, labels: {cluster.x-k8s.io/cluster-name: a}}
spec: {os: {distribution: ubuntu}}
---
apiVersion: bootstrap.machineadm.io/v1alpha1
kind: MachineBootstrapConfig
metadata: {name: worker, namespace: default, labels: {cluster.x-k8s.io/cluster-name: a}}
spec:
  os: {distribution: ubuntu}
  machine: {files: [{path: /etc/version, parts: [{text: "control plane "}, {fact: controlPlaneVersion}]}]}
`

// TestFactControlPlaneVersion renders the oldest version of the control plane machines among the manifests, and
// otherwise that of the machine.
func TestFactControlPlaneVersion(t *testing.T) {
	_, worker, _ := bytes.Cut([]byte(versionManifest), []byte("spec: {os: {distribution: ubuntu}}\n---"))
	for want, manifests := range map[string][]byte{
		"control plane v1.36.1": []byte(versionManifest), "control plane v1.36.0": worker,
	} {
		code, out, errs := runScenario(t, manifests, "render", "-f", "-", "--machine", "worker", "--kubernetes-version",
			"v1.36.0")
		if code != 0 || !bytes.Contains(out, []byte(want)) {
			t.Errorf("no %q: code %d\n%s\n%s", want, code, errs, out)
		}
	}
}
