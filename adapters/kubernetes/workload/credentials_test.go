package workload

import (
	"crypto/x509"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

func TestEtcdCredentials(t *testing.T) {
	cluster := ports.Key{Namespace: "default", Name: "c1"}
	now := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	complete := memory.Certificates{Assume: true}
	ca, err := complete.Find(t.Context(), cluster, node.PurposeEtcdCA)
	if err != nil {
		t.Fatal(err)
	}
	withoutKey := node.KeyPair{Certificate: ca.Certificate}
	cases := map[string]struct {
		reason string
		pairs  map[node.Purpose]node.KeyPair
		want   error
		text   string
	}{
		"CA": {pairs: map[node.Purpose]node.KeyPair{node.PurposeEtcdCA: ca}},
		"client of the user": {
			reason: "the key of the CA is not in the management cluster",
			pairs:  map[node.Purpose]node.KeyPair{node.PurposeEtcdCA: withoutKey, node.PurposeEtcdClient: ca},
		},
		"no key": {
			reason: "the user must learn which Secret to create", text: "create Secret c1-apiserver-etcd-client",
			pairs: map[node.Purpose]node.KeyPair{node.PurposeEtcdCA: withoutKey},
		},
		"no CA": {want: ports.ErrNoCertificate, pairs: map[node.Purpose]node.KeyPair{}},
		"not a certificate": {
			want:  ports.ErrInvalidCertificate,
			pairs: map[node.Purpose]node.KeyPair{node.PurposeEtcdCA: {Certificate: []byte("x"), Key: ca.Key}},
		},
		"not a key": {
			reason: "the library quotes the text", want: ports.ErrInvalidCertificate,
			pairs: map[node.Purpose]node.KeyPair{node.PurposeEtcdCA: {
				Certificate: ca.Certificate, Key: secret.FromString("canary7q9zk2xw5v"),
			}},
		},
		"long key": {
			reason: "its use would take minutes", text: "use a shorter one",
			pairs: map[node.Purpose]node.KeyPair{node.PurposeEtcdCA: {
				Certificate: ca.Certificate, Key: secret.FromString(strings.Repeat("x", budget.PrivateKey+1)),
			}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			certificates := &memory.Certificates{}
			for purpose, pair := range tc.pairs {
				certificates.Put(cluster, purpose, pair)
			}
			config, err := etcdCredentials(t.Context(), certificates, cluster, now)
			if tc.want == nil && tc.text == "" {
				if err != nil || len(config.Certificates) != 1 {
					t.Errorf("error %v: %s", err, tc.reason)
				}
				return
			}
			if tc.want != nil && !errors.Is(err, tc.want) || err == nil || !strings.Contains(err.Error(), tc.text) ||
				strings.Contains(err.Error(), "canary7q9zk2xw5v") {
				t.Errorf("error %v: %s", err, tc.reason)
			}
		})
	}
}

// TestClientCertificateIsShortLived verifies that a client certificate which leaks is of little use.
func TestClientCertificateIsShortLived(t *testing.T) {
	now := time.Now()
	config, err := etcdCredentials(t.Context(), &memory.Certificates{Assume: true}, ports.Key{Name: "c1"}, now)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(config.Certificates[0].Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	if usages := leaf.ExtKeyUsage; leaf.NotAfter.Sub(now) > time.Hour || len(usages) != 1 ||
		usages[0] != x509.ExtKeyUsageClientAuth {
		t.Errorf("it expires at %s, with usages %v", leaf.NotAfter, leaf.ExtKeyUsage)
	}
}
