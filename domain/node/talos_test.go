package node_test

import (
	"encoding/base64"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
)

func block(kind string) []byte { return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: []byte{1}}) }

// talosSecrets returns secrets that are right, changed by what the case is about.
func talosSecrets(changes ...func(*node.TalosSecrets)) document.Value {
	key := []byte(strings.Repeat("\xff", 32))
	s := node.TalosSecrets{
		OSCA:           node.KeyPair{Certificate: block("CERTIFICATE"), Key: secret.New(block("ED25519 PRIVATE KEY"))},
		TrustdToken:    secret.FromString("abcdef.canary7q9zk2xw5v"),
		BootstrapToken: secret.FromString("bcdefg.canary7q9zk2xw5v"),
		ClusterID:      base64.URLEncoding.EncodeToString(key),
		ClusterSecret:  secret.FromString(base64.StdEncoding.EncodeToString(key)),
		SecretboxKey:   secret.FromString(base64.StdEncoding.EncodeToString(key)),
	}
	for _, change := range changes {
		change(&s)
	}
	return s
}

func TestTalosSecretsCheck(t *testing.T) {
	hold(t, map[string]verdict{
		"right": {value: talosSecrets()},
		"no CA key": {
			reason: "a worker needs none",
			value:  talosSecrets(func(s *node.TalosSecrets) { s.OSCA.Key = secret.Value{} }),
		},
		"empty": {value: node.TalosSecrets{}, want: "osCA.certificate trustdToken bootstrapToken clusterID " +
			"clusterSecret secretboxKey"},
		"no certificate": {
			value: talosSecrets(func(s *node.TalosSecrets) { s.OSCA.Certificate = block("PRIVATE KEY") }),
			want:  "osCA.certificate",
		},
		"no key": {
			value: talosSecrets(func(s *node.TalosSecrets) { s.OSCA.Key = secret.FromString("x") }),
			want:  "osCA.key",
		},
		"tokens": {value: talosSecrets(func(s *node.TalosSecrets) {
			s.TrustdToken, s.BootstrapToken = secret.FromString("abcdef"), secret.FromString("ABCDEF.canary7q9zk2xw5v")
		}), want: "trustdToken bootstrapToken"},
		"wrong alphabet": {value: talosSecrets(func(s *node.TalosSecrets) {
			s.ClusterID, s.ClusterSecret = string(s.ClusterSecret.Reveal()), secret.FromString(s.ClusterID)
		}), want: "clusterID clusterSecret"},
		"short": {value: talosSecrets(func(s *node.TalosSecrets) {
			s.SecretboxKey = secret.FromString("AAAA")
		}), want: "secretboxKey"},
		"line feed": {reason: "the decoder ignores it and Talos may not", value: talosSecrets(func(s *node.TalosSecrets) {
			s.SecretboxKey = secret.New(append(s.SecretboxKey.Reveal()[:44:44], '\n'))
		}), want: "secretboxKey"},
	})
}
