package main

import (
	"strings"
	"testing"
)

const classManifests = `apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: example}
spec:
  infrastructure:
    templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: AWSClusterTemplate, name: example}
  controlPlane:
    templateRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlaneTemplate, name: example}
  workers:
    machineDeployments:
    - class: workers
      bootstrap:
        templateRef: {apiVersion: bootstrap.machineadm.io/v1alpha1, kind: MachineBootstrapConfigTemplate, name: example}
      infrastructure:
        templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: AWSMachineTemplate, name: example}
  patches:
  - {name: pool, definitions: []}
  - {name: zone, definitions: []}
---
apiVersion: bootstrap.machineadm.io/v1alpha1
kind: MachineBootstrapConfigTemplate
metadata: {name: example}
spec: {template: {spec: {os: {distribution: ubuntu}, machine: {kubernetes: {provision: Image}}}}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: demo}
spec:
  topology:
    classRef: {name: example}
    version: v1.36.3
    workers: {machineDeployments: [{class: workers, name: gold}]}
`

// TestPatchesOfClasses checks that a user learns which patches of a ClusterClass the output does not contain.
func TestPatchesOfClasses(t *testing.T) {
	const note = "info: the patches of the ClusterClass example are not applied here: pool, zone; check the " +
		"templates that Cluster API creates for the Cluster, which have the label topology.cluster.x-k8s.io/owned"
	patches := classManifests[strings.Index(classManifests, "  patches:\n"):strings.Index(classManifests, "---\n")]
	for _, command := range []string{"validate", "render"} {
		for manifests, want := range map[string]bool{
			classManifests: true, strings.Replace(classManifests, patches, "", 1): false,
		} {
			code, out, errs := runScenario(t, []byte(manifests), command, "-f", "-")
			if code != 0 || strings.Contains(string(out)+string(errs), note) != want {
				t.Errorf("%s: exit code %d, want the note: %t\n%s", command, code, want, errs)
			}
		}
	}
}
