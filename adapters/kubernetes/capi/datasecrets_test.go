package capi_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

func newDataSecrets() (*capi.DataSecrets, client.Client) {
	c := fake.NewClientBuilder().Build()
	kind := schema.GroupVersionKind{Group: "bootstrap.machineadm.io", Version: "v1alpha1", Kind: "MachineBootstrapConfig"}
	return capi.NewDataSecrets(c, c, kind), c
}

func TestDataSecretsConform(t *testing.T) {
	portstest.DataSecrets(t, func(t *testing.T) portstest.DataSecretStore {
		store, c := newDataSecrets()
		return portstest.DataSecretStore{DataSecrets: store, Orphan: func(key ports.Key) {
			s := &corev1.Secret{}
			if err := c.Get(t.Context(), client.ObjectKey(key), s); err != nil {
				t.Fatalf("get: %v", err)
			}
			s.OwnerReferences = nil
			if err := c.Update(t.Context(), s); err != nil {
				t.Fatalf("update: %v", err)
			}
		}}
	})
}

func TestSecretFollowsTheContract(t *testing.T) {
	store, c := newDataSecrets()
	key := ports.Key{Namespace: "default", Name: "m1"}
	data := ports.DataSecret{
		Key: key, Cluster: "c1", Owner: ports.Owner{Key: key, UID: "u1"},
		Payload: delivery.Payload{SecretFormat: delivery.SecretFormatIgnition, Data: secret.FromString("{}")},
	}
	if err := store.Create(t.Context(), data); err != nil {
		t.Fatalf("create: %v", err)
	}
	s := &corev1.Secret{}
	if err := c.Get(t.Context(), client.ObjectKey(key), s); err != nil {
		t.Fatalf("get: %v", err)
	}
	want := map[string][]byte{"value": []byte("{}"), "format": []byte("ignition")}
	if diff := cmp.Diff(want, s.Data); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
	if s.Type != clusterv1.ClusterSecretType || s.Labels[clusterv1.ClusterNameLabel] != "c1" {
		t.Errorf("type %s, labels %v", s.Type, s.Labels)
	}
	if len(s.OwnerReferences) != 1 || s.OwnerReferences[0].Controller == nil || !*s.OwnerReferences[0].Controller {
		t.Errorf("owners %v, want one that controls", s.OwnerReferences)
	}
}

func TestUsersSecretIsNotBootstrapData(t *testing.T) {
	store, c := newDataSecrets()
	key := ports.Key{Namespace: "default", Name: "m1"}
	owner := ports.Owner{Key: key, UID: "u1"}
	theirs := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "m1"}}
	if err := c.Create(t.Context(), theirs); err != nil {
		t.Fatalf("create: %v", err)
	}
	if _, err := store.Find(t.Context(), key, owner); !errors.Is(err, ports.ErrNotOwned) {
		t.Errorf("find: %v, want %v", err, ports.ErrNotOwned)
	}
	if err := store.Repair(t.Context(), key, owner); !errors.Is(err, ports.ErrNotOwned) {
		t.Errorf("repair: %v, want %v", err, ports.ErrNotOwned)
	}
}

func TestDeletedSecretIsNotBootstrapData(t *testing.T) {
	store, c := newDataSecrets()
	key := ports.Key{Namespace: "default", Name: "m1"}
	owner := ports.Owner{Key: key, UID: "u1"}
	if err := store.Create(t.Context(), ports.DataSecret{Key: key, Cluster: "c1", Owner: owner}); err != nil {
		t.Fatalf("create: %v", err)
	}
	s := &corev1.Secret{}
	if err := c.Get(t.Context(), client.ObjectKey(key), s); err != nil {
		t.Fatalf("get: %v", err)
	}
	if err := c.Delete(t.Context(), s); err != nil {
		t.Fatalf("delete: %v", err)
	}
	if _, err := store.Find(t.Context(), key, owner); !errors.Is(err, ports.ErrDataDeleting) {
		t.Errorf("find: %v, want %v", err, ports.ErrDataDeleting)
	}
	err := store.Create(t.Context(), ports.DataSecret{Key: key, Cluster: "c1", Owner: owner})
	if !errors.Is(err, ports.ErrDataDeleting) {
		t.Errorf("create: %v, want %v", err, ports.ErrDataDeleting)
	}
}

func TestDigestsOfAPoolsCredentials(t *testing.T) {
	store, c := newDataSecrets()
	key, now := ports.Key{Namespace: "default", Name: "m1"}, time.Unix(1_800_000_000, 0).UTC()
	data := ports.DataSecret{
		Key: key, Cluster: "c1", Owner: ports.Owner{Key: key, UID: "u1"},
		Credential: credential.Grant{Digest: credential.DigestOf([]byte("1"))},
	}
	if err := store.Create(t.Context(), data); err != nil {
		t.Fatalf("create: %v", err)
	}
	for i, rotation := range []struct {
		at   int
		want string
	}{{0, "1@10 2"}, {5, "1@10 2@15 3"}, {12, "2@15 3@22 4"}} {
		data.Credential = credential.Grant{Digest: credential.DigestOf([]byte(fmt.Sprint(i + 2)))}
		data.Published = now.Add(time.Duration(rotation.at) * time.Second)
		data.PreviousExpiry = data.Published.Add(10 * time.Second)
		if err := store.Replace(t.Context(), data); err != nil {
			t.Fatalf("replace: %v", err)
		}
		s := &corev1.Secret{}
		if err := c.Get(t.Context(), client.ObjectKey(key), s); err != nil {
			t.Fatalf("get: %v", err)
		}
		if got := describeSecret(credential.ParseGrants(s.Annotations[capi.CredentialAnnotation]),
			now); got != rotation.want {
			t.Errorf("after %d rotations a machine that booted before may report: %s, want %s", i+1, got, rotation.want)
		}
	}
}

// TestExpiredCredentialsAreRemoved verifies that a copy of the Secret, from a move or a backup, has no credential
// either.
func TestExpiredCredentialsAreRemoved(t *testing.T) {
	store, c := newDataSecrets()
	key := ports.Key{Namespace: "default", Name: "m1"}
	data := ports.DataSecret{
		Key: key, Cluster: "c1", Machine: "m", Owner: ports.Owner{Key: key, UID: "u1"},
		Credential: credential.Grant{Digest: credential.DigestOf([]byte("1"))},
	}
	if err := errors.Join(store.Create(t.Context(), data), store.Expire(t.Context(), key, data.Owner)); err != nil {
		t.Fatal(err)
	}
	s := &corev1.Secret{}
	if err := c.Get(t.Context(), client.ObjectKey(key), s); err != nil {
		t.Fatal(err)
	}
	_, has := s.Annotations[capi.CredentialAnnotation]
	if has || s.Annotations[capi.MachineAnnotation] != "m" || len(s.OwnerReferences) != 1 {
		t.Errorf("annotations %v, owners %v", s.Annotations, s.OwnerReferences)
	}
}

// describeSecret returns which credentials are valid, and for how many seconds after the given time.
func describeSecret(grants credential.Grants, from time.Time) string {
	var all []string
	for _, text := range []string{"1", "2", "3", "4"} {
		grant, matches := grants.Match([]byte(text))
		if !grant.Expires.IsZero() {
			text += fmt.Sprintf("@%.0f", grant.Expires.Sub(from).Seconds())
		}
		if matches {
			all = append(all, text)
		}
	}
	return strings.Join(all, " ")
}

func TestTimeOfTheDataIsItsSecrets(t *testing.T) {
	created := metav1.NewTime(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))
	c := fake.NewClientBuilder().WithInterceptorFuncs(interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			o.SetCreationTimestamp(created)
			return c.Create(ctx, o, opts...)
		},
	}).Build()
	nothing := fake.NewClientBuilder().Build()
	for name, metadata := range map[string]client.Reader{
		"the cache shows it":             c,
		"the cache does not show it yet": nothing,
	} {
		key := ports.Key{Namespace: "default", Name: strings.ReplaceAll(name, " ", "-")}
		data := ports.DataSecret{
			Key: key, Cluster: "c1", Owner: ports.Owner{Key: key, UID: "u1"},
			Published: created.Add(-time.Hour),
		}
		store := capi.NewDataSecrets(c, metadata, schema.GroupVersionKind{
			Group: "bootstrap.machineadm.io", Version: "v1alpha1", Kind: "MachineBootstrapConfig",
		})
		if err := store.Create(t.Context(), data); err != nil {
			t.Fatalf("create: %v", err)
		}
		if err := store.Replace(t.Context(), data); err != nil {
			t.Fatalf("replace: %v", err)
		}
		if got, err := store.Find(t.Context(), key, data.Owner); err != nil || !got.Published.Equal(created.Time) {
			t.Errorf("%s: published %s, %v", name, got.Published, err)
		}
	}
}

// TestUsersMetadataReplacesNothing publishes data with metadata that no finding has refused: keys of controllers are
// left out, when the Secret is created and when a pool's data is replaced.
func TestUsersMetadataReplacesNothing(t *testing.T) {
	store, c := newDataSecrets()
	key := ports.Key{Namespace: "default", Name: "m1"}
	data := ports.DataSecret{
		Key: key, Cluster: "c1", Machine: "machine-1", Owner: ports.Owner{Key: key, UID: "u1"},
		Token: ports.TokenRef{ID: "abcdef", Counter: 2},
		Metadata: delivery.Metadata{
			Labels: map[string]string{
				"team": "a", clusterv1.ClusterNameLabel: "other", "clusterctl.cluster.x-k8s.io/move": "",
			},
			Annotations: map[string]string{
				"example.com/b": "b", capi.MachineAnnotation: "other", capi.CredentialAnnotation: "x",
				"Kubernetes.IO/service-account.name": "default",
			},
		},
	}
	check := func(team string) {
		s := &corev1.Secret{}
		if err := c.Get(t.Context(), client.ObjectKey(key), s); err != nil {
			t.Fatal(err)
		}
		labels := map[string]string{"team": team, clusterv1.ClusterNameLabel: "c1"}
		annotations := map[string]string{
			"example.com/b":        "b",
			capi.MachineAnnotation: "machine-1",
			capi.TokenAnnotation:   "abcdef",
			capi.CounterAnnotation: "2",
		}
		if diff := cmp.Diff(labels, s.Labels) + cmp.Diff(annotations, s.Annotations); diff != "" {
			t.Errorf("metadata (-want +got):\n%s", diff)
		}
	}
	if err := store.Create(t.Context(), data); err != nil {
		t.Fatal(err)
	}
	check("a")
	data.Metadata.Labels["team"] = "b"
	if err := store.Replace(t.Context(), data); err != nil {
		t.Fatal(err)
	}
	check("b")
}
