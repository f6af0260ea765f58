package agent

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/report"
)

// link is a document that refers to the configuration that contains the next link.
type link struct {
	// name describes the document in messages.
	name      string
	encrypted bool
	// source is the URI from which it was fetched; it may contain a credential.
	source string
}

// identify reads the identity of the machine from the configuration that the machine was started with, and returns the
// other documents. Configuration that was fetched or decrypted must not set it: it could be that of another machine.
func (r *resolver) identify(docs []document.Document, chain []link) []document.Document {
	identities := 0
	rest := make([]document.Document, 0, len(docs))
	for _, d := range docs {
		identity, is := d.Value.(indirect.MachineIdentity)
		if !is {
			rest = append(rest, d)
			continue
		}
		identities++
		found := d.Check()
		switch {
		case len(chain) > 0:
			found = report.Report{report.Errorf(d.Source.Path,
				"only the configuration that the machine was started with may contain a %s", d.Kind()).
				To("remove it")}
		case identities > 1:
			found = report.Report{report.Errorf(d.Source.Path, "a second %s", d.Kind()).To("leave one out")}
		case !found.HasErrors():
			r.identity = identity
		}
		r.findings = append(r.findings, found...)
	}
	return rest
}

// check returns the findings of a document that refers to configuration, and verifies that the configuration is for
// this machine.
func (r *resolver) check(d document.Document) report.Report {
	found := d.Check()
	if c, is := d.Value.(indirect.EncryptedConfig); is {
		found = append(found, r.identity.Admits(c, d.Source.Path)...)
	}
	return found
}

// exposed reports whether a document was fetched in clear text although the machine accepts only encrypted
// configuration. Anyone who can write to the place that it was fetched from could have written it.
func (r *resolver) exposed(chain []link) bool {
	return r.identity.Encryption.Provider != "" && len(chain) > 0 && !chain[len(chain)-1].encrypted
}
