package capi_test

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

// talosWorld is an API server with two clusters.
type talosWorld struct {
	client.Client
	t       *testing.T
	clock   *memory.Clock
	entropy *memory.Entropy
}

func newTalosWorld(t *testing.T) *talosWorld {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, clusterv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatalf("add to scheme: %v", err)
		}
	}
	builder := fake.NewClientBuilder().WithScheme(scheme)
	for _, name := range []string{"c1", "c2"} {
		meta := metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name)}
		builder = builder.WithObjects(&clusterv1.Cluster{ObjectMeta: meta})
	}
	clock := memory.NewClock(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))
	return &talosWorld{Client: builder.Build(), t: t, clock: clock, entropy: &memory.Entropy{}}
}

func talosCluster() ports.Key { return ports.Key{Namespace: "default", Name: "c1"} }

func (w *talosWorld) open() ports.TalosSecrets {
	return capi.NewTalosSecrets(capi.TalosOptions{
		Client: w, Secrets: capi.NewObjectReader(w, w), Clock: w.clock, Entropy: w.entropy,
	})
}

func (w *talosWorld) secret(name string) *corev1.Secret {
	w.t.Helper()
	s := &corev1.Secret{}
	if err := w.Get(context.Background(), client.ObjectKey{Namespace: "default", Name: name}, s); err != nil {
		w.t.Fatalf("get Secret %s: %v", name, err)
	}
	return s
}

// steal creates a Secret that another object controls.
func (w *talosWorld) steal(name string) {
	w.t.Helper()
	yes := true
	err := w.Create(context.Background(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: name, Labels: map[string]string{clusterv1.ClusterNameLabel: "c1"},
		OwnerReferences: []metav1.OwnerReference{{
			APIVersion: "apps/v1", Kind: "Deployment", Name: "c1", UID: "other",
			Controller: &yes,
		}},
	}})
	if err != nil {
		w.t.Fatalf("create Secret %s: %v", name, err)
	}
}

func (w *talosWorld) change(name string, change func(*corev1.Secret)) {
	w.t.Helper()
	s := w.secret(name)
	change(s)
	if err := w.Update(context.Background(), s); err != nil {
		w.t.Fatalf("update Secret %s: %v", name, err)
	}
}

func TestTalosSecretsConform(t *testing.T) {
	portstest.TalosSecrets(t, func(t *testing.T) portstest.TalosSecretsStore {
		w := newTalosWorld(t)
		return portstest.TalosSecretsStore{
			Open: w.open, Advance: w.clock.Advance,
			Client: func(c ports.TalosClient) portstest.TalosClientConfig {
				read := convert.DecodeTalosConfig(t.Context(), w.secret(c.Name).Data[c.Key])
				return portstest.TalosClientConfig{Endpoints: read.Endpoints, CA: read.CA, Client: read.Pair}
			},
			Steal: func() { w.steal("c1-talos") }, StealClient: func() { w.steal("c1-talosconfig") },
			Spoil: func() {
				w.change("c1-talos", func(s *corev1.Secret) { s.Data = map[string][]byte{"bundle": []byte("{}")} })
			},
		}
	})
}

func TestTalosSecretsBelongToTheCluster(t *testing.T) {
	w := newTalosWorld(t)
	if _, err := w.open().Ensure(t.Context(), talosCluster()); err != nil {
		t.Fatalf("ensure: %v", err)
	}
	if _, err := w.open().EnsureClient(t.Context(), talosCluster(), nil); err != nil {
		t.Fatalf("ensure client: %v", err)
	}
	for _, name := range []string{"c1-talos", "c1-talosconfig"} {
		s := w.secret(name)
		if s.Type != clusterv1.ClusterSecretType || s.Labels[clusterv1.ClusterNameLabel] != "c1" {
			t.Errorf("%s: type %s, labels %v", name, s.Type, s.Labels)
		}
		if len(s.OwnerReferences) != 1 || s.OwnerReferences[0].Kind != "Cluster" || s.OwnerReferences[0].Name != "c1" {
			t.Errorf("%s: owners %v, want the cluster", name, s.OwnerReferences)
		}
	}
}

// TestForeignTalosconfigIsNotReplaced verifies which client configurations are updated and which are not changed.
func TestForeignTalosconfigIsNotReplaced(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*corev1.Secret)
		ours   bool
	}{
		"ours": {reason: "it belongs to the cluster", change: func(*corev1.Secret) {}, ours: true},
		"restored": {
			reason: "a backup lost the owner", change: func(s *corev1.Secret) { s.OwnerReferences = nil },
			ours: true,
		},
		"somebody's": {reason: "it has no owner", change: func(s *corev1.Secret) {
			s.OwnerReferences,
				s.Labels = nil, nil
		}},
		"another cluster's": {reason: "the owner is another cluster", change: func(s *corev1.Secret) {
			s.OwnerReferences[0].Name = "c2"
		}},
		"moved": {
			reason: "a move gives the cluster another UID",
			change: func(s *corev1.Secret) { s.OwnerReferences[0].UID = "x" }, ours: true,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newTalosWorld(t)
			if _, err := w.open().Ensure(t.Context(), talosCluster()); err != nil {
				t.Fatalf("ensure: %v", err)
			}
			if _, err := w.open().EnsureClient(t.Context(), talosCluster(), nil); err != nil {
				t.Fatalf("ensure client: %v", err)
			}
			w.change("c1-talosconfig", tc.change)
			_, err := w.open().EnsureClient(t.Context(), talosCluster(), []string{"192.0.2.1"})
			if (err == nil) != tc.ours {
				t.Errorf("error %v: %s", err, tc.reason)
			}
		})
	}
}

func TestUnchangedTalosconfigIsNotWritten(t *testing.T) {
	w := newTalosWorld(t)
	if _, err := w.open().Ensure(t.Context(), talosCluster()); err != nil {
		t.Fatalf("ensure: %v", err)
	}
	version := ""
	for range 3 {
		if _, err := w.open().EnsureClient(t.Context(), talosCluster(), []string{"192.0.2.1"}); err != nil {
			t.Fatalf("ensure client: %v", err)
		}
		s := w.secret("c1-talosconfig")
		if version != "" && s.ResourceVersion != version {
			t.Error("it was written again")
		}
		version = s.ResourceVersion
	}
}
