package plugincontract

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/external"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/node"
)

// settled waits until the resource is ready and returns its Secret.
func (k Kind) settled(t *testing.T, o *unstructured.Unstructured) *corev1.Secret {
	t.Helper()
	var s *corev1.Secret
	k.wait(t, "a "+o.GetKind()+" is ready, of its own generation, and controls the Secret that "+
		"status.secretName names in its namespace",
		func(ctx context.Context) bool { s = k.secret(ctx, o); return s != nil })
	return s
}

// documents holds that the Secret has documents, and that the status is what the contract asks for.
func documents(t *testing.T, k Kind) {
	t.Helper()
	o := k.create(t, k.Plugin(), "conformance-documents")
	secret := k.settled(t, o)
	k.secretFirst(t, secret, o)
	text := k.text(t, secret)
	docs, findings := codec.Codec{}.Decode(t.Context(), text)
	for _, d := range docs {
		if d.Kind() != node.KindNode { // The cluster has yet to add to it.
			findings = append(findings, d.Check()...)
		}
	}
	if findings.HasErrors() {
		t.Errorf("the key %s does not contain a machine configuration:\n%s", v1alpha1.PluginDocumentsKey, findings)
	}
	observed := k.evaluate(t, o)
	if observed.State != composition.Ready {
		t.Errorf("machineadm's controller would report %s: %s", observed.State, observed.Message)
	}
	for _, name := range append(observed.Before, observed.After...) {
		if kind, rest, found := strings.Cut(name, "/"); !found || kind == "" || rest == "" || strings.Contains(rest, "/") {
			t.Errorf("%q does not name a plugin: write kind/name", name)
		}
	}
}

// secretFirst checks that the Secret was written before the status referred to it, by etcd's revisions.
func (k Kind) secretFirst(t *testing.T, s *corev1.Secret, o *unstructured.Unstructured) {
	t.Helper()
	order, err := resourceversion.CompareResourceVersion(s.ResourceVersion, o.GetResourceVersion())
	if err != nil {
		t.Fatal(err)
	}
	if order > 0 {
		t.Errorf("a %s was ready before its Secret was written", o.GetKind())
	}
}

func (k Kind) text(t *testing.T, s *corev1.Secret) []byte {
	t.Helper()
	text, found := s.Data[v1alpha1.PluginDocumentsKey]
	if !found {
		t.Fatalf("the Secret has no key %s", v1alpha1.PluginDocumentsKey)
	}
	return text
}

// evaluate reads the resource as machineadm's controller does.
func (k Kind) evaluate(t *testing.T, o *unstructured.Unstructured) composition.Observed {
	t.Helper()
	body, err := json.Marshal(o.Object)
	if err != nil {
		t.Fatal(err)
	}
	status, err := convert.PluginStatus(body)
	if err != nil {
		t.Fatal(err)
	}
	return status.Evaluate()
}

// change holds that another spec gives other documents.
func change(t *testing.T, k Kind) {
	t.Helper()
	o := k.create(t, k.Plugin(), "conformance-change")
	before := k.text(t, k.settled(t, o))
	k.update(t, o, k.Change)
	k.follows(t, o, before)
}

// follows waits until the documents are others.
func (k Kind) follows(t *testing.T, o *unstructured.Unstructured, before []byte) {
	t.Helper()
	k.wait(t, "the documents follow the spec", func(ctx context.Context) bool {
		s := k.secret(ctx, o)
		return s != nil && !bytes.Equal(before, s.Data[v1alpha1.PluginDocumentsKey])
	})
}

func (k Kind) update(t *testing.T, o *unstructured.Unstructured, edit func(*unstructured.Unstructured)) {
	t.Helper()
	k.wait(t, "the resource takes a change", func(ctx context.Context) bool {
		if k.get(ctx, o) != nil {
			return false
		}
		edit(o)
		return k.Client.Update(ctx, o) == nil
	})
}

// lostSecret checks that a deleted Secret is created again.
func lostSecret(t *testing.T, k Kind) {
	t.Helper()
	o := k.create(t, k.Plugin(), "conformance-lost-secret")
	s := k.settled(t, o)
	if err := k.Client.Delete(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	k.wait(t, "the Secret is made again", func(ctx context.Context) bool {
		again := k.secret(ctx, o)
		return again != nil && again.UID != s.UID && bytes.Equal(again.Data[v1alpha1.PluginDocumentsKey],
			s.Data[v1alpha1.PluginDocumentsKey])
	})
}

// lostStatus holds that the status is rebuilt, as it has to be after a move, and that the Secret is found again.
func lostStatus(t *testing.T, k Kind) {
	t.Helper()
	o := k.create(t, k.Plugin(), "conformance-lost-status")
	s := k.settled(t, o)
	k.wait(t, "the status can be removed", func(ctx context.Context) bool {
		if k.get(ctx, o) != nil {
			return false
		}
		unstructured.RemoveNestedField(o.Object, "status")
		return k.Client.Status().Update(ctx, o) == nil
	})
	if again := k.settled(t, o); again.UID != s.UID {
		t.Errorf("after a move there would be two Secrets, %s and %s", s.Name, again.Name)
	}
}

// template holds that what machineadm makes of a template becomes ready, and goes with the machine's description.
func template(t *testing.T, k Kind) {
	t.Helper()
	from := k.create(t, k.Template(), "conformance-template")
	owner := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: k.Namespace, Name: "conformance-owner"}}
	if err := k.Client.Create(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.Client.Delete(context.WithoutCancel(t.Context()), owner) })
	yes := true
	o, err := external.GenerateTemplate(&external.GenerateTemplateInput{
		Template: from.DeepCopy(), Namespace: k.Namespace, Name: "conformance-instance", ClusterName: "conformance",
		TemplateRef: &corev1.ObjectReference{APIVersion: from.GetAPIVersion(), Kind: from.GetKind(), Name: from.GetName()},
		OwnerRef: &metav1.OwnerReference{
			APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID,
			Controller: &yes,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	o.SetGroupVersionKind(k.Plugin().GroupVersionKind())
	o = k.create(t, o, "conformance-instance")
	k.settled(t, o)
	k.kept(t, o, owner.UID, clusterv1.ClusterNameLabel)
}

// marks checks that owner references and labels of others stay, clusterctl's among them.
func marks(t *testing.T, k Kind) {
	t.Helper()
	owner := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: k.Namespace, Name: "conformance-owner-of-marks"}}
	if err := k.Client.Create(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.Client.Delete(context.WithoutCancel(t.Context()), owner) })
	o := k.Plugin()
	o.SetLabels(map[string]string{otherLabel: ""})
	o.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID}})
	o = k.create(t, o, "conformance-marks")
	k.settled(t, o)
	k.kept(t, o, owner.UID, otherLabel)
}

// otherLabel is a label of another controller.
const otherLabel = "conformance.machineadm.io/kept"

func (k Kind) kept(t *testing.T, o *unstructured.Unstructured, owner types.UID, label string) {
	t.Helper()
	if err := k.get(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(o.GetOwnerReferences(), func(r metav1.OwnerReference) bool { return r.UID == owner }) {
		t.Error("the plugin's controller took the owner reference away")
	}
	if _, found := o.GetLabels()[label]; !found {
		t.Errorf("the plugin's controller took the label %s away", label)
	}
}
