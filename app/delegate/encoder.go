package delegate

import (
	"context"
	"fmt"
	"slices"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Encoder writes the configuration of agents.
type Encoder struct {
	Codec ports.Codec
	// Encrypter encrypts the configuration. Without one, encryption is refused.
	Encrypter ports.Encrypter
}

// Start returns the configuration with which the agent starts: the documents, or the location of the stored ones.
func (e Encoder) Start(ctx context.Context, docs []document.Document, o delivery.Options) (secret.Value, error) {
	if !o.Storage.IsZero() {
		return e.remote(o)
	}
	return e.Configuration(ctx, docs, o)
}

// Configuration returns the documents in the agent's format. Encrypted documents become one document, after a document
// with the machine's identity. The errors are those of the Encrypter.
func (e Encoder) Configuration(ctx context.Context, docs []document.Document, o delivery.Options,
) (secret.Value, error) {
	docs, err := e.encrypted(ctx, docs, o)
	if err != nil {
		return secret.Value{}, err
	}
	return e.encode(append(identity(o), docs...))
}

// StoredDocuments returns the documents for a storage, encrypted if the options request it. They do not contain the
// machine's identity, which is part of the configuration with which the agent starts.
func (e Encoder) StoredDocuments(ctx context.Context, docs []document.Document, o delivery.Options,
) (secret.Value, error) {
	docs, err := e.encrypted(ctx, docs, o)
	if err != nil {
		return secret.Value{}, err
	}
	return e.encode(docs)
}

// remote returns the configuration that names the location of the stored documents. A placeholder replaces a location
// that is not known yet.
func (e Encoder) remote(o delivery.Options) (secret.Value, error) {
	remote := indirect.RemoteConfig{Provider: "https", URI: "https://storage.invalid/"}
	if l := o.Location; l != nil {
		remote.URI, remote.SHA256, remote.CABundle = string(l.URL.Reveal()), l.SHA256, string(l.CABundle)
		for _, h := range l.Headers {
			remote.Headers = append(remote.Headers, indirect.Header{Name: h.Name, Value: h.Value})
		}
	}
	return e.encode(append(identity(o), document.Document{Value: remote}))
}

// identity returns the document with the machine's identity, or none if the configuration is not encrypted.
func identity(o delivery.Options) []document.Document {
	if o.Encryption.IsZero() {
		return nil
	}
	return []document.Document{{Value: indirect.MachineIdentity{Machine: o.Identity, Encryption: o.Encryption.KeyName()}}}
}

// encrypted returns the document that contains the encrypted documents, or the documents if they are not encrypted.
func (e Encoder) encrypted(ctx context.Context, docs []document.Document, o delivery.Options,
) ([]document.Document, error) {
	if o.Encryption.IsZero() {
		return docs, nil
	}
	text, err := e.encode(docs)
	if err != nil {
		return nil, err
	}
	encrypted, err := e.Encrypter.Encrypt(ctx, text, o.Identity, o.Encryption)
	if err != nil {
		return nil, fmt.Errorf("encrypt the configuration: %w", err)
	}
	return []document.Document{{Value: encrypted}}, nil
}

func (e Encoder) encode(docs []document.Document) (secret.Value, error) {
	text, err := e.Codec.Encode(docs)
	if err != nil {
		return secret.Value{}, fmt.Errorf("serialise the configuration: %w", err)
	}
	return secret.New(text), nil
}

// Check validates the encryption of the configuration. The path is that of the delivery options.
func (e Encoder) Check(o delivery.Options, at report.Path) report.Report {
	if o.Encryption.IsZero() {
		return nil
	}
	at = at.Field("encryption")
	switch {
	case o.Mode != delivery.ModeAgent:
		return report.Report{report.Errorf(at, "only the agent decrypts configuration").To("set %s to %s",
			"spec.delivery.mode", delivery.ModeAgent)}
	case e.Encrypter == nil:
		return report.Report{report.Errorf(at, "this program does not encrypt configuration").To("remove it")}
	case o.Identity == "":
		return report.Report{report.Errorf(at, "the machine's identity is not known")}
	default:
		return o.Encryption.Check(at)
	}
}

func hasPassword(d document.Document) bool {
	u, is := d.Value.(machine.User)
	return is && !(u.PasswordHash.IsZero() && u.Password.IsZero())
}

// withoutPasswords returns the plan with users who can log in only with their keys.
func withoutPasswords(p plan.Plan) plan.Plan {
	p.Documents, p.Steps = slices.Clone(p.Documents), slices.Clone(p.Steps)
	for i, d := range p.Documents {
		if u, is := d.Value.(machine.User); is {
			p.Documents[i].Value = withoutPassword(u)
		}
	}
	for i, s := range p.Steps {
		if u, is := s.Do.(action.EnsureUser); is {
			p.Steps[i].Do = action.EnsureUser{User: withoutPassword(u.User)}
		}
	}
	return p
}

func withoutPassword(u machine.User) machine.User {
	u.PasswordHash, u.Password = secret.Value{}, secret.Value{}
	return u
}
