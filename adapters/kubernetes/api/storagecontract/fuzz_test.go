package storagecontract_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

// FuzzAnswerOf reads arbitrary answers of a storage controller.
func FuzzAnswerOf(f *testing.F) {
	f.Add(`{"Authorization":"a"}`, "2026-01-02T03:04:05Z")
	hostile.Seed(func(text string) { f.Add(text, text) })
	f.Fuzz(func(t *testing.T, headers, expires string) {
		s := &corev1.Secret{Data: map[string][]byte{storagecontract.HeadersKey: []byte(headers)}}
		s.Annotations = map[string]string{
			storagecontract.DigestAnnotation: "a", storagecontract.StoredAnnotation: "a",
			storagecontract.ExpiresAnnotation: expires,
		}
		memory.Below(t, memory.Parse, func() { _, _, _ = storagecontract.AnswerOf(s) })
	})
}
