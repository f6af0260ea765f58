package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// otherObjects is a worker, whose version and whose cluster are in other objects.
const otherObjects = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: a}
spec:
  clusterNetwork:
    pods: {cidrBlocks: [10.244.0.0]}
  controlPlaneEndpoint: {host: "https://10.86.0.10", port: 6443}
---
apiVersion: bootstrap.machineadm.io/v1alpha1
kind: MachineBootstrapConfig
metadata: {name: w, labels: {cluster.x-k8s.io/cluster-name: a}}
spec: {os: {distribution: ubuntu, version: "24.04"}, machine: {kubernetes: {provision: Image}}}
`

// TestMistakesInOtherObjects checks that findings name the fields of the Cluster, and the flag for the version.
func TestMistakesInOtherObjects(t *testing.T) {
	code, out, errs := runScenario(t, []byte(otherObjects), "validate", "-f", "-", "--kubernetes-version", "v1.36.3")
	for _, want := range []string{
		`stdin:7:3: error: spec.controlPlaneEndpoint: "[https://10.86.0.10]:6443" is not host:port`,
		`stdin:6:25: error: spec.clusterNetwork.pods.cidrBlocks[0]: "10.244.0.0" is not a CIDR`,
	} {
		if code == 0 || strings.Count(string(out), want) != 1 {
			t.Errorf("%q is not there once: code %d\n%s%s", want, code, out, errs)
		}
	}
	file := filepath.Join(t.TempDir(), "worker.yaml")
	if err := os.WriteFile(file, []byte(otherObjects), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errs = runScenario(t, nil, "diff", "--from", file, "-f", file)
	const want = "the machine has no Kubernetes version; set spec.version of the Machine, or give --kubernetes-version"
	if code != 2 || !strings.Contains(string(errs), want) {
		t.Errorf("no %q: code %d\n%s", want, code, errs)
	}
}

// TestGroups checks that a kind of machineadm in a misspelled group has a suggestion, and a kind of another provider
// has none.
func TestGroups(t *testing.T) {
	const manifest, hint = "kind: MachineBootstrapConfig\nmetadata: {name: m}\nspec: {}\n", "did you mean "
	const group = "bootstrap.machineadm.io"
	const machine = packageManifest + "---\nkind: SysctlConfig\nmetadata: {name: s}\nspec: {}\napiVersion: "
	for name, c := range map[string]struct{ reason, in, want string }{
		"misspelled": {
			"letters are exchanged", "apiVersion: bootstrap.machineadm.oi/v1alpha1\n" + manifest,
			`stdin:1: apiVersion: "bootstrap.machineadm.oi" has no kind MachineBootstrapConfig; ` + hint +
				"bootstrap.machineadm.io/v1alpha1?",
		},
		"Cluster API": {
			"the group of the kubeadm provider", "apiVersion: bootstrap.cluster.x-k8s.io/v1beta2\n" + manifest,
			hint + "bootstrap.machineadm.io/v1alpha1?",
		},
		"beside a machine": {
			"a plugin", machine + "bootstrap.machinadm.io/v1alpha1\n",
			`stdin:13:13: error: apiVersion: "bootstrap.machinadm.io" has no kind SysctlConfig; ` + hint +
				"bootstrap.machineadm.io/v1alpha1?",
		},
		"before a plugin": {
			"the plugin is right", "apiVersion: bootstrap.machineadm.oi/v1alpha1\n" + manifest +
				"---\napiVersion: bootstrap.machineadm.io/v1alpha1\nkind: SysctlConfig\nmetadata: {name: s}\nspec: {}\n",
			`stdin:1: apiVersion: "bootstrap.machineadm.oi" has no kind MachineBootstrapConfig; ` + hint +
				"bootstrap.machineadm.io/v1alpha1?",
		},
		"template of a reference": {
			"the object has the kind and the name",
			strings.Replace(workersOf("a", "alice"), group+"/", "bootstrap.machinadm.io/", 1),
			`stdin:14: apiVersion: "bootstrap.machinadm.io" has no kind MachineBootstrapConfigTemplate; ` + hint +
				"bootstrap.machineadm.io/v1alpha1?",
		},
		"reference": {
			"the object is right", strings.Replace(workersOf("a", "alice"), group+",", "bootstrap.machinadm.io,", 1),
			`spec.template.spec.bootstrap.configRef.apiGroup: "bootstrap.machinadm.io" has no kind ` +
				"MachineBootstrapConfigTemplate; " + hint + "bootstrap.machineadm.io?",
		},
		"another provider": {"its kinds may have the same names", machine + "plugins.example.com/v1\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, out, errs := runScenario(t, []byte(c.in), "validate", "-f", "-")
			got := string(out) + string(errs)
			if c.want == "" && strings.Contains(got, hint) || !strings.Contains(got, c.want) {
				t.Errorf("%s: want %q, got:\n%s", c.reason, c.want, got)
			}
		})
	}
}
