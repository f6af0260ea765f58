package migrate

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// items returns the objects of a List, such as the output of "kubectl get", as documents. It returns the manifest
// itself if that is not a List with objects of Cluster API.
func (d *manifest) items() []*manifest {
	items := d.field().get("items").items()
	if d.kind() != "List" || d.group() != "" || !slices.ContainsFunc(items, isClusterAPI) {
		return []*manifest{d}
	}
	var out []*manifest
	for _, item := range items {
		m := &manifest{ledger: newLedger("document", d.offset), body: "---\n", masked: d.masked, changed: true}
		m.document = &node{Kind: yaml.DocumentNode, Content: []*node{item.node}}
		m.setRoot(item.node)
		out = append(out, m)
	}
	d.add(d.field(), Note, "the objects of the List are separate documents now")
	out[0].lines = append(d.lines, out[0].lines...)
	return out
}

func isClusterAPI(object field) bool {
	group := groupOf(object)
	return group == clusterGroup || strings.HasSuffix(group, "."+clusterGroup)
}

// hasCreator reports whether a controller created the object of a cluster, and adds a note about it. Such an object is
// not converted: its controller creates another one from converted manifests.
func (d *manifest) hasCreator() bool {
	metadata := d.field().get("metadata")
	creators := []string{"Machine", "MachineSet", "MachineDeployment", "KubeadmControlPlane"}
	created := slices.ContainsFunc(metadata.get("ownerReferences").items(), func(owner field) bool {
		return slices.Contains(creators, owner.get("kind").text())
	})
	_, converted := kindOf(d.group(), d.kind())
	if !created && !metadata.get("labels", topologyOwned).exists() || !converted && d.group() != clusterGroup {
		return false
	}
	d.add(metadata, Note, "the object was copied, because a controller created it; convert what it was created from")
	return true
}

// topologyOwned is the label of the objects that the controller of topologies creates.
const topologyOwned = "topology.cluster.x-k8s.io/owned"

// lastApplied is the annotation with the object that kubectl applied.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// removeLiveMetadata removes the metadata that an object has only in a cluster. The API server refuses a new object
// with a resourceVersion. A finalizer of Cluster API has no controller that would remove it from the converted object.
func (d *manifest) removeLiveMetadata() {
	metadata := d.field().get("metadata")
	var removed []string
	for _, name := range []string{
		"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
		"selfLink", "managedFields", "ownerReferences",
	} {
		if f := metadata.get(name); f.exists() {
			remove(metadata.node, name)
			if f.node.Tag != "!!null" {
				removed = append(removed, name)
			}
		}
	}
	if finalizers := metadata.get("finalizers"); finalizers.exists() {
		before := len(finalizers.node.Content)
		finalizers.node.Content = slices.DeleteFunc(finalizers.node.Content, func(n *node) bool {
			return strings.Contains(n.Value, clusterGroup)
		})
		removed = removedFrom(metadata, finalizers, before, removed)
	}
	if annotations := metadata.get("annotations"); annotations.get(lastApplied).exists() {
		before := len(annotations.node.Content)
		remove(annotations.node, lastApplied)
		removed = removedFrom(metadata, annotations, before, removed)
	}
	if len(removed) > 0 {
		d.add(metadata, Note, "%s: what the API server, kubectl and controllers set was removed",
			strings.Join(removed, ", "))
	}
}

// removedFrom adds the name of the field if it has become shorter, and removes it from the metadata if it is empty.
func removedFrom(metadata, f field, before int, names []string) []string {
	if len(f.node.Content) == before {
		return names
	}
	if len(f.node.Content) == 0 {
		remove(metadata.node, f.key.Value)
	}
	return append(names, f.key.Value)
}
