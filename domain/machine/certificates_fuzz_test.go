package machine_test

import (
	"bytes"
	"testing"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

// FuzzCertificates checks texts of users where certificates and keys are expected.
func FuzzCertificates(f *testing.F) {
	for _, line := range []string{
		"-----BEGIN CERTIFICATE-----\n", "-----BEGIN CERTIFICATE-----\n\n", "-----END CERTIFICATE-----\n",
		"-----BEGIN CERTIFICATE-----\na: b\n\n-----END CERTIFICATE-----\n", "-----BEGIN ", "\n-----",
		"-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n", "-----BEGIN CERTIFICATE-----\na:",
	} {
		f.Add([]byte(line))
		f.Add(bytes.Repeat([]byte(line), 256<<10/len(line)))
	}
	hostile.Seed(func(text string) { f.Add([]byte(text)) })
	f.Fuzz(func(t *testing.T, text []byte) {
		memory.Below(t, memory.Parse, func() {
			machine.TrustedCAsConfig{CAs: []machine.TrustedCA{{Name: "a", PEM: text}}}.Check("p")
			tls := &machine.RegistryTLS{CA: text, Certificate: text, Key: secret.New(text)}
			machine.ContainerdConfig{Registries: []machine.Registry{{Host: "a.example", TLS: tls}}}.Check("p")
		})
	})
}
