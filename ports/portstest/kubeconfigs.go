package portstest

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// Kubeconfig is a stored kubeconfig.
type Kubeconfig struct {
	Server string
	CA     []byte
	Client node.KeyPair
}

// KubeconfigStore is a cluster with a CA and without a kubeconfig.
type KubeconfigStore struct {
	Kubeconfigs ports.Kubeconfigs
	// ControlPlane describes the control plane.
	ControlPlane ports.ControlPlane
	// Read returns the kubeconfig, or nil if there is none.
	Read func(t *testing.T) *Kubeconfig
	// CA returns the CA of the cluster, and ReplaceCA generates another one.
	CA        func(t *testing.T) node.KeyPair
	ReplaceCA func(t *testing.T)
	// RemoveCA deletes the CA.
	RemoveCA func(t *testing.T)
	// Foreign stores a kubeconfig of the user, with the server.
	Foreign func(t *testing.T, server string)
	// Advance advances the clock.
	Advance func(time.Duration)
}

// Kubeconfigs checks an implementation.
func Kubeconfigs(t *testing.T, fresh func(t *testing.T) KubeconfigStore) {
	t.Run("it is created once", func(t *testing.T) {
		s := fresh(t)
		first := s.ensure(t)
		if first.Server != "https://"+s.ControlPlane.Network.Endpoint || !bytes.Equal(first.CA, s.CA(t).Certificate) {
			t.Errorf("the server is %s, and the CA\n%s", first.Server, first.CA)
		}
		s.checkSame(t, first)
	})
	t.Run("it follows the endpoint", func(t *testing.T) {
		s := fresh(t)
		s.ensure(t)
		s.ControlPlane.Network.Endpoint = "[2001:db8::1]:8443"
		if moved := s.ensure(t); moved.Server != "https://[2001:db8::1]:8443" {
			t.Errorf("the server is %s", moved.Server)
		}
	})
	t.Run("it follows the CA", func(t *testing.T) {
		s := fresh(t)
		first := s.ensure(t)
		s.ReplaceCA(t)
		replaced := s.ensure(t)
		if !bytes.Equal(replaced.CA, s.CA(t).Certificate) || replaced.Client.Key.Equal(first.Client.Key) {
			t.Error("the kubeconfig has the CA or the client of before")
		}
		s.checkSame(t, replaced)
	})
	t.Run("it is renewed in the second half of its validity", func(t *testing.T) { fresh(t).checkRenewal(t) })
	t.Run("a kubeconfig of the user stays", func(t *testing.T) {
		s := fresh(t)
		s.Foreign(t, "https://user.example:6443")
		if kept := s.ensure(t); kept.Server != "https://user.example:6443" {
			t.Errorf("the server is %s", kept.Server)
		}
	})
	t.Run("without a CA there is none", func(t *testing.T) {
		s := fresh(t)
		s.RemoveCA(t)
		want(t, "ensure", s.Kubeconfigs.Ensure(t.Context(), s.ControlPlane), ports.ErrNoCertificate)
		if s.Read(t) != nil {
			t.Error("there is a kubeconfig")
		}
	})
	t.Run("without an endpoint there is none", func(t *testing.T) {
		s := fresh(t)
		s.ControlPlane.Network.Endpoint = ""
		want(t, "ensure", s.Kubeconfigs.Ensure(t.Context(), s.ControlPlane), nil)
		if s.Read(t) != nil {
			t.Error("there is a kubeconfig")
		}
	})
}

func (s KubeconfigStore) ensure(t *testing.T) Kubeconfig {
	t.Helper()
	want(t, "ensure", s.Kubeconfigs.Ensure(t.Context(), s.ControlPlane), nil)
	stored := s.Read(t)
	if stored == nil {
		t.Fatal("there is no kubeconfig")
	}
	return *stored
}

func (s KubeconfigStore) checkRenewal(t *testing.T) {
	t.Helper()
	first := s.ensure(t)
	s.Advance(170 * 24 * time.Hour)
	s.checkSame(t, first)
	s.Advance(30 * 24 * time.Hour)
	if renewed := s.ensure(t); renewed.Client.Key.Equal(first.Client.Key) {
		t.Error("it was not renewed")
	}
}

func (s KubeconfigStore) checkSame(t *testing.T, first Kubeconfig) {
	t.Helper()
	if diff := cmp.Diff(first, s.ensure(t), sameSecrets()); diff != "" {
		t.Errorf("it was changed (-want +got):\n%s", diff)
	}
}
