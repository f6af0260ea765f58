package main

import (
	"fmt"
	"strings"
	"testing"
)

// workersOf returns a MachineDeployment and its template, with a user, in a namespace.
func workersOf(namespace, user string) string {
	return fmt.Sprintf(`---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: workers, namespace: %[1]s}
spec:
  clusterName: demo
  template:
    spec:
      clusterName: demo
      version: v1.36.3
      bootstrap: {configRef: {apiGroup: bootstrap.machineadm.io, kind: MachineBootstrapConfigTemplate, name: workers}}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: AWSMachineTemplate, name: workers}
---
apiVersion: bootstrap.machineadm.io/v1alpha1
kind: MachineBootstrapConfigTemplate
metadata: {name: workers, namespace: %[1]s}
spec:
  template:
    spec:
      os: {distribution: ubuntu, version: "24.04"}
      machine: {users: [{name: %[2]s}], kubernetes: {provision: Image}}
`, namespace, user)
}

// TestMachinesOfTheSameName uses the manifests of two clusters, whose machines have the same name in two namespaces.
func TestMachinesOfTheSameName(t *testing.T) {
	manifests := []byte(workersOf("a", "alice") + workersOf("b", "bob"))
	for command, c := range map[string]struct {
		want string
		code int
	}{
		"validate --quiet": {"2 machines: 0 errors", 0},
		"validate --machine workers": {
			"--machine workers: several machines have this name; use one of MachineDeployment/a/workers, " +
				"MachineDeployment/b/workers", 2,
		},
		"render --machine workers":                     {"several machines have this name", 2},
		"render --machine MachineDeployment/workers":   {"several machines have this name", 2},
		"render --machine MachineDeployment/b/workers": {"name: bob", 0},
		"render --all out":                             {"have the same name; give the manifests of one of them", 2},
	} {
		t.Run(command, func(t *testing.T) {
			t.Chdir(t.TempDir())
			args := append(strings.Fields(command), "-f", "-")
			code, out, errs := runScenario(t, manifests, args...)
			if got := string(out) + string(errs); code != c.code || !strings.Contains(got, c.want) {
				t.Errorf("exit code %d, want %d and %q:\n%s", code, c.code, c.want, got)
			}
		})
	}
}
