package plugincontract

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/external"
	"sigs.k8s.io/controller-runtime/pkg/client"

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
	k.wait(t, "a "+o.GetKind()+" is ready, of its own generation, and controls the Secret that status.secretName names in its namespace",
		func(ctx context.Context) bool { s = k.secret(ctx, o); return s != nil })
	return s
}

// documents holds that the Secret has documents, and that the status is what the contract asks for.
func documents(t *testing.T, k Kind) {
	t.Helper()
	o := k.create(t, k.Plugin(), "conformance-documents")
	text := k.text(t, k.settled(t, o))
	docs, findings := codec.Codec{}.Decode(text)
	for _, d := range docs {
		if d.Kind() != node.KindNode { // The cluster has yet to add to it.
			findings = append(findings, d.Check()...)
		}
	}
	if findings.HasErrors() {
		t.Errorf("what stands under the key %s is no machine configuration:\n%s", v1alpha1.PluginDocumentsKey, findings)
	}
	judged := k.judge(t, o)
	if judged.State != composition.Ready {
		t.Errorf("machineadm's controller would say %s: %s", judged.State, judged.Message)
	}
	for _, name := range append(judged.Before, judged.After...) {
		if kind, rest, found := strings.Cut(name, "/"); !found || kind == "" || rest == "" || strings.Contains(rest, "/") {
			t.Errorf("%q does not name a plugin: write kind/name", name)
		}
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

// judge reads the resource as machineadm's controller does.
func (k Kind) judge(t *testing.T, o *unstructured.Unstructured) composition.Found {
	t.Helper()
	body, err := json.Marshal(o.Object)
	if err != nil {
		t.Fatal(err)
	}
	status, err := convert.PluginStatus(body)
	if err != nil {
		t.Fatal(err)
	}
	return status.Judge()
}

// change holds that another spec gives other documents.
func change(t *testing.T, k Kind) {
	t.Helper()
	o := k.create(t, k.Plugin(), "conformance-change")
	before := k.text(t, k.settled(t, o))
	k.update(t, o, k.Change)
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

// lostSecret holds that a Secret that somebody removed is made again.
func lostSecret(t *testing.T, k Kind) {
	t.Helper()
	o := k.create(t, k.Plugin(), "conformance-lost-secret")
	s := k.settled(t, o)
	if err := k.Client.Delete(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	k.wait(t, "the Secret is made again", func(ctx context.Context) bool {
		again := k.secret(ctx, o)
		return again != nil && again.UID != s.UID && bytes.Equal(again.Data[v1alpha1.PluginDocumentsKey], s.Data[v1alpha1.PluginDocumentsKey])
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

// pause holds that nothing happens while the resource is paused, and that it goes on afterwards.
func pause(t *testing.T, k Kind) {
	t.Helper()
	o := k.Plugin()
	o.SetAnnotations(map[string]string{clusterv1.PausedAnnotation: ""})
	o = k.create(t, o, "conformance-pause")
	for range 20 {
		if s := k.secret(t.Context(), o); s != nil {
			t.Fatalf("a paused %s was worked on", o.GetKind())
		}
		time.Sleep(100 * time.Millisecond)
	}
	k.update(t, o, func(o *unstructured.Unstructured) { o.SetAnnotations(nil) })
	k.settled(t, o)
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
		OwnerRef:    &metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID, Controller: &yes},
	})
	if err != nil {
		t.Fatal(err)
	}
	o.SetGroupVersionKind(k.Plugin().GroupVersionKind())
	o = k.create(t, o, "conformance-instance")
	k.settled(t, o)
	if c := metav1.GetControllerOf(o); c == nil || c.UID != owner.UID {
		t.Error("the plugin's controller took the owner reference away")
	}
	var found bool
	if err := k.Client.Get(t.Context(), client.ObjectKeyFromObject(o), o); err == nil {
		_, found = o.GetLabels()[clusterv1.ClusterNameLabel]
	}
	if !found {
		t.Error("the plugin's controller took the cluster's label away")
	}
}
