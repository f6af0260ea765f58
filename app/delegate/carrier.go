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

// Configuration returns the documents as the agent reads them. Encrypted, they are one document, and the machine's identity goes
// before it. The errors are those of the Encrypter.
func (c Carrier) Configuration(ctx context.Context, docs []document.Document, o delivery.Options) (secret.Value, error) {
	text, err := c.Codec.Encode(docs)
	if err != nil {
		return secret.Value{}, fmt.Errorf("serialise the configuration: %w", err)
	}
	if o.Encryption.IsZero() {
		return secret.New(text), nil
	}
	sealed, err := c.Encrypter.Encrypt(ctx, secret.New(text), o.Identity, o.Encryption)
	if err != nil {
		return secret.Value{}, fmt.Errorf("encrypt the configuration: %w", err)
	}
	identity := indirect.MachineIdentity{Machine: o.Identity, Encryption: o.Encryption.KeyName()}
	if text, err = c.Codec.Encode([]document.Document{{Value: identity}, {Value: sealed}}); err != nil {
		return secret.Value{}, fmt.Errorf("serialise the encrypted configuration: %w", err)
	}
	return secret.New(text), nil
}

// Check finds what is wrong with how the configuration is to be encrypted. The path is that of the options of the delivery.
func (c Carrier) Check(o delivery.Options, at report.Path) report.Report {
	at = at.Field("encryption")
	switch {
	case o.Encryption.IsZero():
		return nil
	case o.Mode != delivery.ModeAgent:
		return report.Report{report.Errorf(at, "an agent decrypts it, and none is asked for").To("set the mode to %s", delivery.ModeAgent)}
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
