package main

import (
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

func TestGarbageIsCollectedEarlyByDefault(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	for _, c := range []struct {
		environment string
		want        int
	}{{"200", 100}, {"", gcPercent}} {
		collectGarbageEarly(c.environment)
		got := debug.SetGCPercent(100)
		if got != c.want {
			t.Errorf("GOGC=%q: %d, want %d", c.environment, got, c.want)
		}
	}
}
