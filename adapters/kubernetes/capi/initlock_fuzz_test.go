package capi

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

// FuzzLockHolder reads arbitrary contents of a lock, since users can change it.
func FuzzLockHolder(f *testing.F) {
	f.Add(`{"machineName":"m"}`)
	hostile.Seed(func(text string) { f.Add(text) })
	f.Fuzz(func(t *testing.T, text string) {
		memory.Below(t, memory.Parse, func() {
			lockHolder(&corev1.ConfigMap{Data: map[string]string{lockInformationKey: text}})
		})
	})
}
