package main

import (
	"strings"
	"testing"
)

// packageManifest is a machine that installs packages from a repository; the rest of it is appended.
const packageManifest = `apiVersion: bootstrap.machineadm.io/v1alpha1
kind: MachineBootstrapConfig
metadata: {name: m}
spec:
  os: {distribution: ubuntu, version: "24.04"}
  node: {}
  machine:
    kubernetes: {provision: Package}
`

// TestWording holds texts of people's output: one error for one mistake, and numbers with their nouns.
func TestWording(t *testing.T) {
	repository := "    packages:\n      repositories:\n      - name: kubernetes\n        url: https://a.example/\n"
	fromImage := strings.Replace(packageManifest, "{provision: Package}", "{}", 1)
	const profile = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: p}\ndata:\n  p: |\n" +
		"    apiVersion: bootstrap.machineadm.io/v1alpha1\n    kind: OSProfile\n    extends: ubuntu\n" +
		"    id: ubuntu\n    provision: Package\n"
	const owner = "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Machine\nmetadata: {name: w}\nspec:\n" +
		"  clusterName: c\n  bootstrap: {configRef: {apiGroup: bootstrap.machineadm.io, kind: MachineBootstrapConfig, " +
		"name: m}}\n  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DockerMachine, name: w}\n---\n"
	plan := strings.Replace(newCluster(planFile(t)), "replicas: 3", "replicas: 1", 1)
	const kubeadm = "apiVersion: bootstrap.cluster.x-k8s.io/v1beta2\nkind: KubeadmConfig\nmetadata: {name: a}\nspec: {}\n"
	for name, c := range map[string]struct {
		args []string
		in   string
		want string
	}{
		"no key": {[]string{"validate"}, packageManifest + repository, "1 machine: 1 error, 0 warnings\n"},
		"no repository": {
			[]string{"validate"},
			packageManifest,
			"spec.machine.kubernetes.provision: the repositories of Ubuntu do not contain the packages kubelet",
		},
		"the image has the repository": {
			[]string{"validate", "--strict"},
			strings.Replace(packageManifest, "version:", "profileFrom: {configMap: {name: p, key: p}}, version:", 1) + profile,
			"1 machine: 0 errors, 0 warnings\n",
		},
		"a worker with a control plane": {
			[]string{"validate"},
			owner + fromImage + "  controlPlane: {}\n",
			"1 machine: 1 error, 0 warnings\n",
		},
		"one replica": {[]string{"plan"}, plan, "default/prod of Cluster prod: v1.36.3, 1 replica"},
		"decisions":   {[]string{"convert"}, kubeadm, "1 changed, 1 decision, 0 without a counterpart, 0 notes"},
		"a plugin without a group": {
			[]string{"validate"},
			fromImage + "  pluginRefs: [{kind: TimeSyncConfig, name: a}]\n",
			"spec.pluginRefs[0].apiGroup: TimeSyncConfig/a: the API group is missing; use bootstrap.machineadm.io\n",
		},
		"a plugin without a group is one error": {
			[]string{"validate"},
			fromImage + "  pluginRefs: [{kind: TimeSyncConfig, name: a}]\n",
			"1 machine: 1 error, 0 warnings\n",
		},
		"a template of plugins without a group is one error": {
			[]string{"validate"},
			fromImage + "  pluginTemplateRefs: [{kind: SysctlConfigTemplate, name: a}]\n",
			"1 machine: 1 error, 0 warnings\n",
		},
		"a plugin of another kind without a group": {
			[]string{"validate"},
			fromImage + "  pluginRefs: [{kind: Gadget, name: a}]\n",
			"spec.pluginRefs[0].apiGroup: Gadget/a: the API group is missing; set the group of the kind, or remove it",
		},
		"a plugin of a similar kind": {
			[]string{"validate"},
			fromImage + "  pluginRefs: [{apiGroup: bootstrap.machineadm.io, kind: TimeSyncConfg, name: a}]\n",
			"TimeSyncConfg/a: a TimeSyncConfg is not a plugin; use a kind of plugins, such as TimeSyncConfig, or remove it",
		},
		"the limit": {[]string{"explain"}, packageManifest, " bytes; the limit is "},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs strings.Builder
			args := append(c.args, "-f", "-")
			if name != "decisions" && name != "one replica" {
				args = append(args, "--kubernetes-version", "v1.36.3")
			}
			watched(args, strings.NewReader(c.in), &out, &errs)
			if got := out.String() + errs.String(); !strings.Contains(got, c.want) || strings.Contains(got, "1 replicas") {
				t.Errorf("got %s, want %q", got, c.want)
			}
		})
	}
}
