package node_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/test/golden"
)

const clustersPage = "../../docs/clusters.md"

// TestPageListsForeignControlPlanes writes the table of docs/clusters.md.
func TestPageListsForeignControlPlanes(t *testing.T) {
	text, err := os.ReadFile(clustersPage)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- foreign control planes -->\n", "<!-- end of foreign control planes -->"
	head, rest, found := strings.Cut(string(text), begin)
	_, tail, ends := strings.Cut(rest, end)
	if !found || !ends {
		t.Fatal("the page has no place for the table")
	}
	var b strings.Builder
	b.WriteString(head + begin + "\n| control plane | kinds | remedy | source |\n|---|---|---|---|\n")
	for _, c := range node.ForeignControlPlanes() {
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", c.Name, strings.Join(append(c.Kinds, c.Configs...), "`, `"), c.Remedy,
			c.Source)
	}
	golden.File(t, clustersPage, []byte(b.String()+"\n"+end+tail))
}

// TestForeignControlPlaneKinds keeps kinds out that two rows contain, and those that kubeadm and Talos join.
func TestForeignControlPlaneKinds(t *testing.T) {
	for _, c := range node.ForeignControlPlanes() {
		for _, kind := range append(c.Kinds, c.Configs...) {
			if found, known := node.LookupForeignControlPlane(kind); !known || found.Name != c.Name {
				t.Errorf("%s is looked up as %q", kind, found.Name)
			}
		}
	}
	for _, kind := range []string{"", "KubeadmControlPlane", "KamajiControlPlane", "TalosControlPlane", "KubeadmConfig"} {
		if found, known := node.LookupForeignControlPlane(kind); known {
			t.Errorf("%q is a control plane of %s", kind, found.Name)
		}
	}
}
