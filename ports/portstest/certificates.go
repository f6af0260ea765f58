package portstest

import (
	"regexp"
	"slices"
	"testing"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// Certificates checks an implementation; fresh returns an empty one.
func Certificates(t *testing.T, fresh func(t *testing.T) ports.Certificates) {
	created := []node.Purpose{
		node.PurposeClusterCA, node.PurposeEtcdCA, node.PurposeFrontProxyCA,
		node.PurposeServiceAccount,
	}
	how := node.Certificates{Algorithm: node.ECDSAP256}
	t.Run("missing pairs are reported", func(t *testing.T) {
		certificates := fresh(t)
		_, err := certificates.Find(t.Context(), cluster(), node.PurposeClusterCA)
		want(t, "find", err, ports.ErrNoCertificate)
		_, err = certificates.Pins(t.Context(), cluster())
		want(t, "pins", err, ports.ErrNoCertificate)
	})
	t.Run("what was made is found, complete, and stays", func(t *testing.T) {
		certificates := fresh(t)
		for _, p := range created {
			want(t, "generate", certificates.Generate(t.Context(), cluster(), p, how), nil)
			first, err := certificates.Find(t.Context(), cluster(), p)
			want(t, "find", err, nil)
			if !first.Complete(p, false) {
				t.Errorf("the pair %s is not complete", p)
			}
			want(t, "generate again", certificates.Generate(t.Context(), cluster(), p, how), nil)
			second, err := certificates.Find(t.Context(), cluster(), p)
			want(t, "find again", err, nil)
			if !slices.Equal(first.Certificate, second.Certificate) || !slices.Equal(first.Key.Reveal(), second.Key.Reveal()) {
				t.Errorf("the pair %s was replaced", p)
			}
		}
	})
	t.Run("the CA has pins", func(t *testing.T) {
		certificates := fresh(t)
		want(t, "generate", certificates.Generate(t.Context(), cluster(), node.PurposeClusterCA, how), nil)
		pins, err := certificates.Pins(t.Context(), cluster())
		want(t, "pins", err, nil)
		if len(pins) != 1 || !regexp.MustCompile(`^sha256:[0-9a-f]{64}$`).MatchString(pins[0]) {
			t.Errorf("pins %q, want one of a SHA-256", pins)
		}
	})
	t.Run("a client of a foreign etcd is not made", func(t *testing.T) {
		err := fresh(t).Generate(t.Context(), cluster(), node.PurposeEtcdClient, how)
		want(t, "generate", err, ports.ErrNoCertificate)
	})
}
