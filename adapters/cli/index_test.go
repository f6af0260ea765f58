package cli

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/report"
)

// parsed returns the objects of a text.
func parsed(t *testing.T, text string) []*object {
	t.Helper()
	objects, err := parse("manifests", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// TestStatusReadsObjectsOnce counts how often the objects of many machines are read. The number for each object must
// not depend on the number of machines.
func TestStatusReadsObjectsOnce(t *testing.T) {
	const machines, kinds = 200, 3
	var text strings.Builder
	for i := range machines {
		fmt.Fprintf(&text, `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Machine
metadata: {name: m%[1]d, namespace: a}
spec:
  bootstrap: {configRef: {apiGroup: bootstrap.machineadm.io, kind: MachineBootstrapConfig, name: c%[1]d}}
  infrastructureRef: {apiGroup: example.com, kind: Thing, name: t%[1]d}
---
apiVersion: bootstrap.machineadm.io/v1alpha1
kind: MachineBootstrapConfig
metadata: {name: c%[1]d, namespace: a}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: t%[1]d, namespace: a}
status: {conditions: [{type: Ready, status: "False", reason: R%[1]d}]}
`, i)
	}
	objects, reads := parsed(t, text.String()), 0
	counted := iter.Seq[*object](func(yield func(*object) bool) {
		for _, o := range objects {
			if reads++; !yield(o) {
				return
			}
		}
	})
	list, err := statuses(counted, "")
	if err != nil {
		t.Fatal(err)
	}
	if most := 3 * kinds * machines; reads > most {
		t.Errorf("%d objects are read, at most %d have to be", reads, most)
	}
	for _, m := range list {
		number := strings.TrimPrefix(m.Name, "c")
		if m.Infrastructure == nil || len(m.Infrastructure.Conditions) != 1 ||
			m.Infrastructure.Conditions[0].Reason != "R"+number {
			t.Fatalf("%s has the infrastructure %+v", m.Name, m.Infrastructure)
		}
	}
	if len(list) != machines {
		t.Errorf("%d machines", len(list))
	}
}

// TestReferencesReadNoOtherObjects renames all objects after they have been indexed: a search that reads them again
// does not find them.
func TestReferencesReadNoOtherObjects(t *testing.T) {
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, `---
apiVersion: bootstrap.machineadm.io/v1alpha1
kind: MachineBootstrapConfig
metadata: {name: c%[1]d}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: k%[1]d}
spec: {controlPlaneRef: {apiGroup: controlplane.machineadm.io, kind: MachineadmControlPlane, name: p%[1]d}}
---
apiVersion: controlplane.machineadm.io/v1alpha1
kind: MachineadmControlPlane
metadata: {name: p%[1]d}
`, i)
	}
	m, err := newManifests(parsed(t, text.String()))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range m.objects {
		o.Name = "renamed"
	}
	for i := range 100 {
		cluster, of := fmt.Sprintf("k%d", i), m.clusters[fmt.Sprintf("default/p%d", i)]
		if m.find("cluster.x-k8s.io", "Cluster", "default", cluster) == nil || of != cluster {
			t.Fatalf("%s is not found, or has the cluster %q", cluster, of)
		}
	}
	if m.cluster != "k0" {
		t.Errorf("the first cluster is %q", m.cluster)
	}
}

// TestFindingsReadKeysOnce changes all keys of an object after the first finding about it has been located: a finding
// that reads them again has another place.
func TestFindingsReadKeysOnce(t *testing.T) {
	text := "apiVersion: v1\nkind: A\nmetadata: {name: a}\nspec:\n"
	for i := range 100 {
		text += fmt.Sprintf("  field%d: 1\n", i)
	}
	o := parsed(t, text)[0]
	_ = o.locate("spec.field0")
	var change func(n *yaml.Node)
	change = func(n *yaml.Node) {
		n.Value = ""
		for _, c := range n.Content {
			change(c)
		}
	}
	change(o.node)
	for i := range 100 {
		if at := o.locate(report.Path(fmt.Sprintf("spec.field%d", i))); !at.exact || at.line != i+5 {
			t.Fatalf("field %d is in line %d, %v", i, at.line, at.exact)
		}
	}
}
