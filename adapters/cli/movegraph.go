package cli

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	capisecret "sigs.k8s.io/cluster-api/util/secret"

	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/report"
)

// The labels of clusterctl on objects and on definitions of kinds. Their values are ignored.
const (
	// discoveryLabel makes clusterctl read the objects of a kind.
	discoveryLabel = "clusterctl.cluster.x-k8s.io"
	// moveLabel moves an object, and moveHierarchyLabel also everything that the object owns.
	moveLabel, moveHierarchyLabel = discoveryLabel + "/move", discoveryLabel + "/move-hierarchy"
)

// moveGraph determines which objects `clusterctl move` moves, by the rules of clusterctl's provider contract.
type moveGraph struct {
	objects map[types.UID]*metav1.PartialObjectMetadata
	// named contains the objects by kind, namespace and name. Objects of files have no UID.
	named map[string]*metav1.PartialObjectMetadata
	// hierarchies are the kinds whose objects move together with everything that they own.
	hierarchies map[schema.GroupKind]bool
}

func newMoveGraph(objects []*metav1.PartialObjectMetadata, hierarchies []schema.GroupKind) moveGraph {
	g := moveGraph{
		objects: map[types.UID]*metav1.PartialObjectMetadata{}, named: map[string]*metav1.PartialObjectMetadata{},
		hierarchies: map[schema.GroupKind]bool{
			{Group: clusterv1.GroupVersion.Group, Kind: clusterv1.ClusterKind}:      true,
			{Group: clusterv1.GroupVersion.Group, Kind: clusterv1.ClusterClassKind}: true,
			{Group: "addons.cluster.x-k8s.io", Kind: "ClusterResourceSet"}:          true,
		},
	}
	for _, kind := range hierarchies {
		g.hierarchies[kind] = true
	}
	for _, o := range objects {
		if o.UID != "" {
			g.objects[o.UID] = o
		}
		g.named[nameInGraph(o.GroupVersionKind().GroupKind(), o.Namespace, o.Name)] = o
	}
	return g
}

func nameInGraph(kind schema.GroupKind, namespace, name string) string {
	return kind.String() + "/" + namespace + "/" + name
}

// core returns a Secret or a ConfigMap, or nil if there is none.
func (g moveGraph) core(kind, namespace, name string) *metav1.PartialObjectMetadata {
	return g.named[nameInGraph(schema.GroupKind{Group: corev1.GroupName, Kind: kind}, namespace, name)]
}

// moves reports whether clusterctl moves a Secret or a ConfigMap.
func (g moveGraph) moves(o *metav1.PartialObjectMetadata) bool {
	_, labelled := o.Labels[moveLabel]
	return labelled || g.inHierarchy(o, map[types.UID]bool{})
}

// inHierarchy reports whether the object, or an owner of it, moves with everything that it owns. The API server accepts
// owners that own each other.
func (g moveGraph) inHierarchy(o *metav1.PartialObjectMetadata, seen map[types.UID]bool) bool {
	if _, labelled := o.Labels[moveHierarchyLabel]; labelled || g.hierarchies[o.GroupVersionKind().GroupKind()] ||
		g.isNamedForCluster(o) {
		return true
	}
	seen[o.UID] = true
	return slices.ContainsFunc(o.OwnerReferences, func(r metav1.OwnerReference) bool {
		owner := g.objects[r.UID]
		return owner != nil && !seen[r.UID] && g.inHierarchy(owner, seen)
	})
}

// isNamedForCluster reports whether a Secret without owners has the name of a certificate or kubeconfig of a Cluster.
func (g moveGraph) isNamedForCluster(o *metav1.PartialObjectMetadata) bool {
	if o.GroupVersionKind().GroupKind() != (schema.GroupKind{Kind: "Secret"}) || len(o.OwnerReferences) > 0 {
		return false
	}
	cluster, _, err := capisecret.ParseSecretName(o.Name)
	return err == nil && g.named[nameInGraph(
		schema.GroupKind{Group: clusterv1.GroupVersion.Group, Kind: clusterv1.ClusterKind}, o.Namespace, cluster)] != nil
}

// referrer is an object that refers to Secrets or ConfigMaps.
type referrer struct {
	metav1.PartialObjectMetadata

	references []convert.FieldReference
	// object is the place in a file; nil for an object of a cluster.
	object *object
}

// finding adds the object, and its place in a file, to a finding about a field.
func (r *referrer) finding(f report.Finding) finding {
	if r.object != nil {
		return r.object.finding(f)
	}
	return finding{
		Severity: f.Severity.String(), Object: strings.Join([]string{r.Kind, r.Namespace, r.Name}, "/"),
		Path: string(f.Path), Message: f.Message, Remedy: f.Remedy,
	}
}

// moveResult is what a check of references found.
type moveResult struct {
	// Referenced is the number of the Secrets and ConfigMaps that objects refer to, and Moved of those that move.
	Referenced int       `json:"referenced"`
	Moved      int       `json:"moved"`
	Findings   []finding `json:"findings"`
}

// check returns a finding for each Secret and ConfigMap that does not move and that an object refers to. The finding
// names the field of a user's object, if there is one, and otherwise that of an object that a controller created.
func (g moveGraph) check(referrers []*referrer) moveResult {
	slices.SortStableFunc(referrers, func(a, b *referrer) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	out, seen := moveResult{Findings: []finding{}}, map[string]bool{}
	for _, r := range referrers {
		for _, ref := range r.references {
			name := r.Namespace + "/" + ref.Kind + "/" + ref.Name
			if seen[name] {
				continue
			}
			seen[name] = true
			o := g.core(ref.Kind, r.Namespace, ref.Name)
			switch {
			case o == nil && ref.Optional:
				continue
			case o == nil:
				out.Findings = append(out.Findings, r.finding(missing(ref)))
			case g.moves(o):
				out.Moved++
			default:
				out.Findings = append(out.Findings, r.finding(leftBehind(r.Namespace, ref)))
			}
			out.Referenced++
		}
	}
	return out
}

// rank is 1 for objects that a controller created, and otherwise 0.
func (r *referrer) rank() int {
	if metav1.GetControllerOf(&r.PartialObjectMetadata) != nil {
		return 1
	}
	return 0
}

// missing returns a finding about a referenced object that does not exist.
func missing(ref convert.FieldReference) report.Finding {
	return report.Warningf(ref.Path, "there is no %s %s that clusterctl could move", ref.Kind, ref.Name).
		To("create it with the label %s, unless no new machine needs it", moveLabel)
}

// leftBehind returns a finding about a referenced object that does not move.
func leftBehind(namespace string, ref convert.FieldReference) report.Finding {
	return report.Errorf(ref.Path, "clusterctl move leaves %s %s behind: it has no label %s, and no Cluster owns it",
		ref.Kind, ref.Name, moveLabel).
		To("label it: kubectl label -n %s %s %s %s=", namespace, strings.ToLower(ref.Kind), ref.Name, moveLabel)
}
