package main

import (
	"os"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// TestInstalledFlagsOfControlPlanes reads the flags that a release sets for the control plane provider.
func TestInstalledFlagsOfControlPlanes(t *testing.T) {
	text, err := os.ReadFile("../../config/control-plane/manager_patch.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d := &appsv1.Deployment{}
	if err := yaml.Unmarshal(text, d); err != nil {
		t.Fatal(err)
	}
	var args []string
	for _, arg := range d.Spec.Template.Spec.Containers[0].Args {
		if strings.Contains(arg, ":=}") {
			t.Errorf("%s: clusterctl does not install a variable with an empty default", arg)
		}
		args = append(args, variable.ReplaceAllString(arg, "$1"))
	}
	o, err := parse(args)
	if err != nil {
		t.Fatal(err)
	}
	if c := o.controllers; len(c) != 1 || !c.includes(controlPlaneControllers) || !o.leaderElect {
		t.Errorf("got %s, with leader election %v", &c, o.leaderElect)
	}
}

// TestKubeconfigsOfOthersAreNotUsed checks which owners of a kubeconfig the manager of control planes trusts.
func TestKubeconfigsOfOthersAreNotUsed(t *testing.T) {
	for kind, foreign := range map[string]bool{
		"Cluster.cluster.x-k8s.io": false, "MachineadmControlPlane.controlplane.machineadm.io": false,
		"Cluster.example.com": true, "ConfigMap": true,
	} {
		if got, err := isForeign(t.Context(), schema.ParseGroupKind(kind)); err != nil || got != foreign {
			t.Errorf("%s is foreign: %v, %v; want %v", kind, got, err, foreign)
		}
	}
}
