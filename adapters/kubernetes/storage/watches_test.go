package storage

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// TestProblemUpdatesAreIgnored verifies that a reported problem does not trigger the next attempt, while all other
// changes do.
func TestProblemUpdatesAreIgnored(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*corev1.Secret)
		want   bool
	}{
		"first problem": {"we wrote it", func(s *corev1.Secret) {
			storagecontract.SetProblem(s,
				"the server cannot be reached")
		}, false},
		"another": {"we wrote it, and who wrote is in the managed fields", func(s *corev1.Secret) {
			storagecontract.SetProblem(s, "the server says SlowDown")
			s.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "machineadm"}}
		}, false},
		"digest": {
			"there is something to store",
			func(s *corev1.Secret) { s.Annotations[storagecontract.DigestAnnotation] = "b" }, true,
		},
		"both":      {"there is, whatever the status was before", func(s *corev1.Secret) { s.Annotations = nil }, true},
		"finalizer": {"it was removed", func(s *corev1.Secret) { s.Finalizers = nil }, true},
		"deletion": {
			"its objects go", func(s *corev1.Secret) { s.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} },
			true,
		},
		"nothing": {"all is looked at now and then", func(s *corev1.Secret) { s.ResourceVersion = "1" }, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			before := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
				ResourceVersion: "1", Finalizers: []string{Finalizer},
				Annotations: map[string]string{storagecontract.DigestAnnotation: "a"},
			}}
			after := before.DeepCopy()
			after.ResourceVersion = "2"
			tc.change(after)
			if got := ignoreProblemUpdates().Update(event.UpdateEvent{ObjectOld: before, ObjectNew: after}); got != tc.want {
				t.Errorf("%s: %v", tc.reason, got)
			}
			if len(before.Annotations) != 1 {
				t.Error("what the cache holds was changed")
			}
		})
	}
}

// TestRequestsWakeADeletedStorage verifies that a storage that is being deleted is reconciled when a request that may
// have needed it ends or changes. Other requests of a storage do not matter to it.
func TestRequestsWakeADeletedStorage(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	deleted := metav1.NewTime(time.Unix(1, 0))
	r := &BucketReconciler{Client: fake.NewClientBuilder().WithScheme(scheme).WithObjects(
		&v1alpha1.S3BootstrapStorage{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: "used"}},
		&v1alpha1.S3BootstrapStorage{ObjectMeta: metav1.ObjectMeta{
			Namespace: "n", Name: "deleted", DeletionTimestamp: &deleted, Finalizers: []string{Finalizer},
		}},
	).Build()}
	for name, want := range map[string]int{"deleted": 1, "used": 0, "missing": 0} {
		// The last state of a request without a finalizer has no time of deletion.
		s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: "m1-stored"}}
		storagecontract.Request{
			Storage: storagecontract.Storage{Group: v1alpha1.Group, Kind: v1alpha1.S3StorageKind, Name: name},
			Digest:  strings.Repeat("0", 64),
		}.Write(s, nil)
		if got := r.onSecret(t.Context(), s); len(got) != want || want > 0 && got[0].Name != name {
			t.Errorf("%s: %v", name, got)
		}
	}
}
