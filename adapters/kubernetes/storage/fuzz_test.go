package storage

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

// FuzzPlaces reads arbitrary values of a storage's annotation, which users can write; the current place is always kept.
func FuzzPlaces(f *testing.F) {
	f.Add(`{"0123":{"bucket":"b"}}`)
	hostile.Seed(func(text string) { f.Add(text) })
	f.Fuzz(func(t *testing.T, text string) {
		s := &v1alpha1.S3BootstrapStorage{}
		s.Annotations = map[string]string{placesAnnotation: text}
		s.Spec.Bucket = "bucket"
		memory.Below(t, memory.Parse, func() {
			if _, err := withPlace(s); err != nil {
				t.Fatal(err)
			}
		})
		if _, known := places(s)[placeOf(s.Spec).id()]; !known {
			t.Errorf("the place of the storage is not in %q", s.Annotations[placesAnnotation])
		}
	})
}
