package delegate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/app/delegate"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/canary"
)

// values is a codec that writes documents in Go syntax, with their secrets.
type values struct{}

func (values) Encode(docs []document.Document) ([]byte, error) {
	var b strings.Builder
	for _, d := range docs {
		fmt.Fprintf(&b, "%s %+v", d.Kind(), d.Value)
		for _, s := range secret.Collect(d.Value) {
			fmt.Fprintf(&b, " %s", s.Reveal())
		}
		b.WriteString("\n")
	}
	return []byte(b.String()), nil
}

func (values) Decode(context.Context, []byte) ([]document.Document, report.Report) { return nil, nil }

// encrypter records its input.
type encrypter struct {
	text, machine string
	err           error
}

func (e *encrypter) Encrypt(_ context.Context, configuration secret.Value, machine string,
	with delivery.Encryption,
) (indirect.EncryptedConfig, error) {
	e.text, e.machine = string(configuration.Reveal()), machine
	return indirect.EncryptedConfig{Provider: with.Provider, PassphraseURI: "kms://AAA=@" + with.Key}, e.err
}

// mine returns encryption with the key of a service.
func mine() delivery.Encryption { return delivery.Encryption{Provider: "aws-kms", Key: "k"} }

// TestEncrypted verifies that secrets are only in the agent's encrypted configuration.
func TestEncrypted(t *testing.T) {
	p, o := given(), byAgent(delivery.Agent{})
	o.Encryption, o.Identity = mine(), "ns/m/uid"
	admin := machine.User{
		Name: "root2", SSHAuthorizedKeys: []string{"ssh-ed25519 AAAA me"},
		PasswordHash: secret.FromString(canary.Mark),
	}
	p = p.With(document.Document{Value: admin, Source: document.Source{Path: "user root2"}},
		action.Of(action.EnsureUser{User: admin}))
	p = p.With(document.Document{Value: machine.Command{Phase: document.PhasePre, Script: canary.Mark}}, nil)
	e := &encrypter{}
	smaller, moves, err := delegate.Encoder{Codec: values{}, Encrypter: e}.Plan(t.Context(), p, o, "spec.delivery")
	if err != nil || e.machine != "ns/m/uid" {
		t.Fatalf("%v, for %q", err, e.machine)
	}
	message, _ := values{}.Encode(smaller.Documents)
	text := string(message) + fmt.Sprintf("%+v", smaller.Steps)
	for _, s := range smaller.Steps {
		for _, v := range secret.Collect(s.Do) {
			text += string(v.Reveal())
		}
		if w, is := s.Do.(action.WriteFile); is {
			text += string(w.Content.Resolve(func(document.Fact) string { return "" }))
		}
	}
	if strings.Contains(text, canary.Mark) || !strings.Contains(text,
		"MachineIdentity {Machine:ns/m/uid Encryption:{Provider:aws-kms Key:k}}") ||
		!strings.Contains(text, "EncryptedConfig {Provider:aws-kms PassphraseURI:kms://AAA=@k") {
		t.Errorf("the userdata contains %s", text)
	}
	if n := strings.Count(e.text, canary.Mark); n != 2 || !strings.Contains(text, "ssh-ed25519") {
		t.Errorf("%d secrets are encrypted", n)
	}
	if reported := stepsOf(smaller); !strings.Contains(strings.Join(reported, "\n"), "trust proxy") {
		t.Errorf("what reaching the key needs is not there before: %s", reported)
	}
	if moves.Documents[0].Source.Path != "proxy" {
		t.Errorf("the first that moves is %s", moves.Documents[0].Source)
	}
}

func TestEncryptionFails(t *testing.T) {
	o := byAgent(delivery.Agent{})
	o.Encryption, o.Identity = mine(), "m"
	c := delegate.Encoder{Codec: values{}, Encrypter: &encrypter{err: ports.ErrKeysUnavailable}}
	if _, _, err := c.Plan(t.Context(), given(), o, "spec.delivery"); !errors.Is(err, ports.ErrKeysUnavailable) {
		t.Errorf("the error is %v", err)
	}
}

func TestEncoderCheck(t *testing.T) {
	phrase := secret.FromString("sixteen bytes at least")
	cases := map[string]struct {
		reason    string
		encrypter ports.Encrypter
		o         delivery.Options
		want      string
	}{
		"none": {o: delivery.Options{}},
		"good": {encrypter: &encrypter{}, o: delivery.Options{
			Mode: delivery.ModeAgent, Encryption: mine(),
			Identity: "m",
		}},
		"default key": {
			reason: "a KMS plugin has one", encrypter: &encrypter{},
			o: delivery.Options{Mode: delivery.ModeAgent, Encryption: delivery.Encryption{Provider: "kms-v2"}, Identity: "m"},
		},
		"native": {
			encrypter: &encrypter{}, o: delivery.Options{Encryption: mine(), Identity: "m"},
			want: "p.encryption: only the agent decrypts configuration",
		},
		"no encrypter": {
			o:    delivery.Options{Mode: delivery.ModeAgent, Encryption: mine(), Identity: "m"},
			want: "does not encrypt configuration",
		},
		"no identity": {
			encrypter: &encrypter{}, o: delivery.Options{Mode: delivery.ModeAgent, Encryption: mine()},
			want: "the machine's identity is not known",
		},
		"passphrase": {encrypter: &encrypter{}, o: delivery.Options{
			Mode: delivery.ModeAgent, Identity: "m",
			Encryption: delivery.Encryption{Provider: "file", PassphraseURI: "file:///p", Passphrase: phrase},
		}},
		"short": {reason: "it is guessed", encrypter: &encrypter{}, o: delivery.Options{
			Mode:     delivery.ModeAgent,
			Identity: "m", Encryption: delivery.Encryption{
				Provider: "file", PassphraseURI: "file:///p",
				Passphrase: secret.FromString("short"),
			},
		}, want: "p.encryption.passphrase"},
		"no URI": {encrypter: &encrypter{}, o: delivery.Options{
			Mode: delivery.ModeAgent, Identity: "m",
			Encryption: delivery.Encryption{Provider: "remote", Passphrase: phrase},
		}, want: "p.encryption.passphraseURI"},
		"key for file": {encrypter: &encrypter{}, o: delivery.Options{
			Mode: delivery.ModeAgent, Identity: "m",
			Encryption: delivery.Encryption{Provider: "file", Key: "k", PassphraseURI: "file:///p", Passphrase: phrase},
		}, want: "p.encryption.key"},
		"phrase, KMS": {encrypter: &encrypter{}, o: delivery.Options{
			Mode: delivery.ModeAgent, Identity: "m",
			Encryption: delivery.Encryption{Provider: "aws-kms", Key: "k", Passphrase: phrase},
		}, want: "p.encryption.passphraseURI"},
		"few iterations": {encrypter: &encrypter{}, o: delivery.Options{
			Mode: delivery.ModeAgent, Identity: "m",
			Encryption: delivery.Encryption{Provider: "aws-kms", Key: "k", Iterations: 1000},
		}, want: "p.encryption.iterations"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			found := delegate.Encoder{Encrypter: c.encrypter}.Check(c.o, "p").String()
			if c.want == "" && found != "" || !strings.Contains(found, c.want) {
				t.Errorf("found %q: %s", found, c.reason)
			}
		})
	}
}
