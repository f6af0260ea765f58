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

// Carrier writes what agents read.
type Carrier struct {
	Codec ports.Codec
	// Encrypter encrypts it if that is asked for; nil refuses it.
	Encrypter ports.Encrypter
}

// Configuration returns the documents as the agent reads them. Encrypted, they are one document, and the machine's
// identity goes before it. The errors are those of the Encrypter.
func (c Carrier) Configuration(ctx context.Context, docs []document.Document,
	o delivery.Options,
) (secret.Value, error) {
	docs, err := c.sealed(ctx, docs, o)
	if err != nil {
		return secret.Value{}, err
	}
	return c.encode(append(identity(o), docs...))
}

// Stored returns the documents as a storage keeps them: encrypted if that is asked for. Which machine they are for
// stands with what the machine is started with.
func (c Carrier) Stored(ctx context.Context, docs []document.Document, o delivery.Options) (secret.Value, error) {
	docs, err := c.sealed(ctx, docs, o)
	if err != nil {
		return secret.Value{}, err
	}
	return c.encode(docs)
}

// fetching returns what the agent starts with if a storage keeps the rest: where that is, and its digest. A nil
// location stands for one that is not known yet.
func (c Carrier) fetching(o delivery.Options) (secret.Value, error) {
	remote := indirect.RemoteConfig{Provider: "https", URI: "https://storage.invalid/"}
	if l := o.Location; l != nil {
		remote.URI, remote.SHA256, remote.CABundle = string(l.URL.Reveal()), l.SHA256, string(l.CABundle)
		for _, h := range l.Headers {
			remote.Headers = append(remote.Headers, indirect.Header{Name: h.Name, Value: h.Value})
		}
	}
	return c.encode(append(identity(o), document.Document{Value: remote}))
}

// identity is the machine's, if what it reads is encrypted.
func identity(o delivery.Options) []document.Document {
	if o.Encryption.IsZero() {
		return nil
	}
	return []document.Document{{Value: indirect.MachineIdentity{Machine: o.Identity, Encryption: o.Encryption.KeyName()}}}
}

// sealed returns the documents, or the one that they are encrypted in.
func (c Carrier) sealed(ctx context.Context, docs []document.Document,
	o delivery.Options,
) ([]document.Document, error) {
	if o.Encryption.IsZero() {
		return docs, nil
	}
	text, err := c.encode(docs)
	if err != nil {
		return nil, err
	}
	sealed, err := c.Encrypter.Encrypt(ctx, text, o.Identity, o.Encryption)
	if err != nil {
		return nil, fmt.Errorf("encrypt the configuration: %w", err)
	}
	return []document.Document{{Value: sealed}}, nil
}

func (c Carrier) encode(docs []document.Document) (secret.Value, error) {
	text, err := c.Codec.Encode(docs)
	if err != nil {
		return secret.Value{}, fmt.Errorf("serialise the configuration: %w", err)
	}
	return secret.New(text), nil
}

// Check finds what is wrong with how the configuration is to be encrypted. The path is that of the options of the
// delivery.
func (c Carrier) Check(o delivery.Options, at report.Path) report.Report {
	at = at.Field("encryption")
	switch {
	case o.Encryption.IsZero():
		return nil
	case o.Mode != delivery.ModeAgent:
		return report.Report{report.Errorf(at, "an agent decrypts it, and none is asked for").To("set the mode to %s",
			delivery.ModeAgent)}
	case c.Encrypter == nil:
		return report.Report{report.Errorf(at, "this program encrypts nothing").To("leave it out")}
	case o.Identity == "":
		return report.Report{report.Errorf(at, "which machine it is for is not known")}
	default:
		return o.Encryption.Check(at)
	}
}

func hasPassword(d document.Document) bool {
	u, is := d.Value.(machine.User)
	return is && !(u.PasswordHash.IsZero() && u.Password.IsZero())
}

// withoutPasswords returns the plan with users who log in with their keys alone.
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
