package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

// opener decrypts a document if its URI names the machine after #, and returns the configuration that is named before
// it.
type opener struct{ requested []string }

func (o *opener) Decrypt(_ context.Context, c indirect.EncryptedConfig, machine string) ([]byte, error) {
	o.requested = append(o.requested, machine)
	name, owner, _ := strings.Cut(c.PassphraseURI, "#")
	if owner != machine {
		return nil, ports.ErrUndecryptable
	}
	return []byte(name), nil
}

// encrypted returns a valid document; n makes it differ from others.
func encrypted(uri string, n byte) indirect.EncryptedConfig {
	return indirect.EncryptedConfig{
		Provider: "file", PassphraseURI: uri, Ciphertext: make([]byte, 17), Salt: make([]byte, 16),
		IV:              append(make([]byte, 11), n),
		CipherAlgorithm: "aes-256-gcm", DigestAlgorithm: "sha-512", KeyDerivationAlgorithm: "pbkdf2", Iterations: 50_000,
	}
}

func TestResolveEncrypted(t *testing.T) {
	remote := func(uri string) document.Value { return indirect.RemoteConfig{Provider: "test", URI: uri} }
	file := machine.File{Path: "/a"}
	mine := indirect.MachineIdentity{Machine: "m"}
	pinned := indirect.MachineIdentity{Machine: "m", Encryption: indirect.KeyName{Provider: "file", Key: "r#m"}}
	many := []document.Value{mine}
	for i := range 65 {
		many = append(many, encrypted("r#m", byte(i)))
	}
	cases := map[string]struct {
		reason         string
		configurations codec
		files          int
		finding        string
		err            error
	}{
		"inline": {
			"the userdata holds all",
			codec{"c": {mine, encrypted("r#m", 0)}, "r": {file}},
			1, "",
			nil,
		},
		"fetched": {"userdata is a stub", codec{
			"c": {mine, remote("o")}, "o": {encrypted("r#m", 0)},
			"r": {file},
		}, 1, "", nil},
		"combined": {"the proposal's empty heading", codec{
			"c": {mine, file, remote("o"), encrypted("r#m", 0)},
			"o": {file, encrypted("r#m", 1)}, "r": {file},
		}, 4, "", nil},
		"after it": {
			"the order does not count",
			codec{"c": {encrypted("r#m", 0), mine}, "r": {file}},
			1, "",
			nil,
		},
		"another's": {"an object was replaced by another machine's", codec{
			"c": {mine, remote("o")},
			"o": {encrypted("r#other", 0)}, "r": {file},
		}, 0, "", ports.ErrUndecryptable},
		"nobody's": {
			"data that is bound to nothing",
			codec{"c": {encrypted("r#", 0)}, "r": {file}},
			0,
			"write a MachineIdentity", nil,
		},
		"fetched identity": {
			"who stores objects chooses the machine",
			codec{"c": {remote("o")}, "o": {mine, encrypted("r#m", 0)}, "r": {file}},
			0, "only the configuration that the machine was started with may contain", nil,
		},
		"decrypted identity": {
			"the same",
			codec{"c": {mine, encrypted("r#m", 0)}, "r": {mine, file}},
			0,
			"only the configuration that the machine was started with may contain", nil,
		},
		"two identities": {"which one?", codec{"c": {mine, mine, file}}, 0, "a second MachineIdentity", nil},
		"bad identity":   {"", codec{"c": {indirect.MachineIdentity{}, file}}, 0, "machine: is required", nil},
		"pinned": {"the right key", codec{
			"c": {pinned, remote("o")}, "o": {encrypted("r#m", 0)},
			"r": {file},
		}, 1, "", nil},
		"pinned, another key": {"who stores objects has keys, too", codec{
			"c": {pinned, remote("o")},
			"o": {encrypted("s#m", 0)}, "s": {file},
		}, 0, "the key is not the one", nil},
		"pinned, clear text": {
			"who stores objects needs no key for that",
			codec{"c": {pinned, remote("o")}, "o": {file}},
			0, "is not encrypted", nil,
		},
		"pinned, clear at last": {"nor here", codec{
			"c": {pinned, remote("o")}, "o": {encrypted("r#m", 0)},
			"r": {remote("p")}, "p": {file},
		}, 0, "is not encrypted", nil},
		"pinned, clear userdata": {"userdata is trusted", codec{"c": {pinned, file}}, 1, "", nil},
		"bad header": {
			"it is not even tried",
			codec{"c": {mine, indirect.EncryptedConfig{}}},
			0,
			"salt: is required", nil,
		},
		"too many": {"each takes its time", codec{"c": many, "r": {file}}, 0, "", errors.ErrUnsupported},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w, o := newWorld(c.configurations), &opener{}
			s, err := agent.New(agent.Dependencies{
				Host: w.host, Detector: w, Facts: w, Journal: w.journal, Codec: w.codec, Source: w, Decrypter: o,
				Clock: w, Publisher: w,
				Expanders: []ports.Expander{plain{}},
			})
			if err != nil {
				t.Fatal(err)
			}
			p, err := s.Plan(t.Context(), agent.Request{Data: []byte("c")})
			if (err != nil) != (c.err != nil) || errors.Is(c.err, ports.ErrUndecryptable) && !errors.Is(err, c.err) {
				t.Fatalf("%s: %v", c.reason, err)
			}
			if !strings.Contains(p.Findings.String(), c.finding) || c.finding == "" && len(p.Findings) > 0 {
				t.Errorf("%s: findings %s", c.reason, p.Findings)
			}
			if diff := cmp.Diff(c.files, len(p.Steps)); diff != "" {
				t.Errorf("%s: %s", c.reason, diff)
			}
		})
	}
}

func TestEncryptedNeedsAnUnwrapper(t *testing.T) {
	w := newWorld(codec{"c": {indirect.MachineIdentity{Machine: "m"}, encrypted("r#m", 0)}})
	if _, err := w.service(t).Plan(t.Context(), agent.Request{Data: []byte("c")}); !errors.Is(err, ports.ErrNoProvider) {
		t.Error(fmt.Sprint(err))
	}
}
