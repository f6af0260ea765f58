package agent

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/report"
)

// link is a document that stood for the configuration in which the next one stands.
type link struct {
	// name is for people.
	name      string
	encrypted bool
	// source is from where it was fetched; it may hold a credential.
	source string
}

// identify learns from the configuration that the machine was started with which machine this is, and returns the other
// documents. One that was fetched or decrypted cannot say so: it could be another machine's.
func (r *resolver) identify(docs []document.Document, chain []link) []document.Document {
	told := 0
	rest := make([]document.Document, 0, len(docs))
	for _, d := range docs {
		identity, is := d.Value.(indirect.MachineIdentity)
		if !is {
			rest = append(rest, d)
			continue
		}
		told++
		found := d.Check()
		switch {
		case len(chain) > 0:
			found = report.Report{report.Errorf(d.Source.Path,
				"only the configuration that the machine was started with says which machine it is")}
		case told > 1:
			found = report.Report{report.Errorf(d.Source.Path, "a second %s", d.Kind()).To("leave one out")}
		case !found.HasErrors():
			r.identity = identity
		}
		r.findings = append(r.findings, found...)
	}
	return rest
}

// check finds what is wrong with a document that stands for others, and with its being meant for this machine.
func (r *resolver) check(d document.Document) report.Report {
	found := d.Check()
	if c, is := d.Value.(indirect.EncryptedConfig); is {
		found = append(found, r.identity.Admits(c, d.Source.Path)...)
	}
	return found
}

// exposed reports whether a document that stands for itself was fetched in clear text by a machine that was told to
// take encrypted configuration alone. Who writes where it is fetched from could have put it there.
func (r *resolver) exposed(chain []link) bool {
	return r.identity.Encryption.Provider != "" && len(chain) > 0 && !chain[len(chain)-1].encrypted
}
