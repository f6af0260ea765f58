package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// TestTrim checks that the cache holds no copies of Secrets, and that objects that are updated stay complete.
func TestTrim(t *testing.T) {
	full := metav1.ObjectMeta{
		Name: "a", ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubectl"}},
		Annotations: map[string]string{corev1.LastAppliedConfigAnnotation: "{data: …}", "other": "1"},
	}
	metadata, node := &metav1.PartialObjectMetadata{ObjectMeta: *full.DeepCopy()}, &corev1.Node{ObjectMeta: full}
	for _, object := range []any{metadata, node} {
		if _, err := trim(object); err != nil {
			t.Fatal(err)
		}
	}
	want := metav1.ObjectMeta{Name: "a", Annotations: map[string]string{"other": "1"}}
	if diff := cmp.Diff(want, metadata.ObjectMeta); diff != "" {
		t.Error(diff)
	}
	want.Annotations = full.Annotations
	if diff := cmp.Diff(want, node.ObjectMeta); diff != "" || len(node.Annotations) != 2 {
		t.Error(diff)
	}
}

func TestUnrelatedSecretsAreNotCached(t *testing.T) {
	var selector fields.Selector
	for kind, by := range cacheOptions(&options{}).ByObject {
		if _, secret := kind.(*corev1.Secret); secret {
			selector = by.Field
		}
	}
	if selector == nil {
		t.Fatal("all Secrets are cached")
	}
	for kind, want := range map[corev1.SecretType]bool{
		corev1.SecretTypeBootstrapToken: false, "helm.sh/release.v1": false,
		clusterv1.ClusterSecretType: true, corev1.SecretTypeOpaque: true, corev1.SecretTypeSSHAuth: true,
		corev1.SecretTypeServiceAccountToken: true,
	} {
		if got := selector.Matches(fields.Set{"type": string(kind)}); got != want {
			t.Errorf("%s: cached is %t, want %t", kind, got, want)
		}
	}
}
