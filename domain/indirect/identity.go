package indirect

import (
	"unicode"
	"unicode/utf8"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// MachineIdentity identifies the machine that a configuration is for. It is valid only in the configuration that the
// machine was started with: fetched or decrypted configuration cannot choose its machine. Encrypted configuration is
// bound to it.
type MachineIdentity struct {
	// Machine identifies the machine, such as namespace/name/UID. It is never used for another machine.
	Machine string `json:"machine"`
	// Encryption is the only key that may encrypt configuration for the machine. If it is set, fetched configuration must
	// be encrypted.
	Encryption KeyName `json:"encryption,omitempty"`
}

// KeyName names a key of a provider.
type KeyName struct {
	// Provider is the provider of EncryptedConfig, such as aws-kms.
	Provider string `json:"provider"`
	// Key is the name of the key, as KeyOf returns it. Default: any key of the provider.
	Key string `json:"key,omitempty"`
}

// maxIdentity is the maximum length of a machine's identity in bytes. It suffices for namespace/name/UID.
const maxIdentity = 1024

// Kind returns KindIdentity.
func (MachineIdentity) Kind() document.Kind { return KindIdentity }

// Check returns error findings for an invalid identity, and for a key without a provider.
func (i MachineIdentity) Check(p report.Path) report.Report {
	r := required(p.Field("machine"), i.Machine)
	if len(i.Machine) > maxIdentity || !printable(i.Machine) {
		r = append(r, report.Errorf(p.Field("machine"), "it is not the identity of a machine").To(
			"use at most %d printable characters",
			maxIdentity))
	}
	if i.Encryption.Provider == "" && i.Encryption.Key != "" {
		r = append(r, report.Errorf(p.Field("encryption").Field("provider"), "it is required with key").To("set it"))
	}
	return r
}

func printable(s string) bool {
	for _, r := range s {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// Admits returns an error finding if the configuration is encrypted with another key than the identity requires. p is
// the path of the configuration.
func (i MachineIdentity) Admits(c EncryptedConfig, p report.Path) report.Report {
	want := i.Encryption
	switch {
	case i.Machine == "":
		return report.Report{report.Errorf(p, "the configuration does not identify this machine, and encrypted "+
			"configuration is for one machine").
			To("write a %s before it", KindIdentity)}
	case want.Provider != "" && c.Provider != want.Provider:
		return report.Report{report.Errorf(p.Field("provider"), "%q is not the provider that this machine requires",
			c.Provider).To("encrypt the configuration with the key in MachineIdentity")}
	case want.Key != "" && KeyOf(c.PassphraseURI) != want.Key:
		return report.Report{report.Errorf(p.Field("passphraseURI"),
			"the key is not the one that this machine requires").To("encrypt the configuration with the key in MachineIdentity")}
	default:
		return nil
	}
}
