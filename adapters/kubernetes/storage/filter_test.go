package storage_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// TestObjectsOfAnotherControllerAreLeftAlone verifies that one of several controllers in a cluster only reconciles its
// own objects: it would refuse objects that another one can store.
func TestObjectsOfAnotherControllerAreLeftAlone(t *testing.T) {
	cases := map[string]struct {
		reason, filter, label string
		taken                 bool
	}{
		"no filter":        {reason: "it looks at everything", label: "a", taken: true},
		"its own":          {reason: "the label is set", filter: "a", label: "a", taken: true},
		"another's":        {reason: "the label is set", filter: "b", label: "a"},
		"without an owner": {reason: "who has a filter looks at what has the label", filter: "a"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.request("one")
			w.labelled(requestKey("m1-stored"), &corev1.Secret{}, tc.label)
			w.labelled(requestKey("bucket"), &v1alpha1.S3BootstrapStorage{}, tc.label)
			w.buckets.WatchFilter, w.requests.WatchFilter = tc.filter, tc.filter
			if s := w.storage(); (len(s.Finalizers) > 0) != tc.taken || s.Status.Ready != tc.taken {
				t.Errorf("%s: the storage: %v, %v", tc.reason, s.Finalizers, s.Status)
			}
			s, err := w.reconcile()
			if err != nil || storagecontract.Answered(s) != tc.taken || storagecontract.Problem(s) != "" {
				t.Errorf("%s: answered %v, problem %q, error %v", tc.reason, storagecontract.Answered(s),
					storagecontract.Problem(s), err)
			}
		})
	}
}

// labelled sets the label of watch filters on an object.
func (w *world) labelled(at client.ObjectKey, o client.Object, label string) {
	w.Helper()
	if err := w.Get(w.Context(), at, o); err != nil {
		w.Fatal(err)
	}
	labels := o.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	if label != "" {
		labels[clusterv1.WatchLabel] = label
	}
	o.SetLabels(labels)
	if err := w.Update(w.Context(), o); err != nil {
		w.Fatal(err)
	}
}
