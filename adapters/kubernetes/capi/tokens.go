package capi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	bootstrapapi "k8s.io/cluster-bootstrap/token/api"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// TokenOwnerAnnotation on a token's Secret is the owner of the token, as namespace/cluster/config.
const TokenOwnerAnnotation = "bootstrap.machineadm.io/owner"

// nodeGroup is the group whose members kubeadm allows to request kubelet certificates.
const nodeGroup = "system:bootstrappers:kubeadm:default-node-token"

// Clusters provides clients of workload clusters. Cluster API's ClusterCache implements it.
type Clusters interface {
	GetUncachedClient(ctx context.Context, cluster client.ObjectKey) (client.Client, error)
}

// Tokens implements ports.Tokens with Secrets in kube-system of the workload cluster
// (kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens). It reads nothing before it creates a token: the
// API server reports a name that is in use.
type Tokens struct{ clusters Clusters }

// NewTokens returns tokens of the clusters.
func NewTokens(clusters Clusters) *Tokens { return &Tokens{clusters: clusters} }

// Create creates the token.
func (t *Tokens) Create(ctx context.Context, cluster ports.Key, token node.BootstrapToken) error {
	c, err := t.client(ctx, cluster)
	if err != nil {
		return err
	}
	err = c.Create(ctx, tokenSecret(token))
	if apierrors.IsAlreadyExists(err) {
		return ports.ErrTokenExists
	}
	return tokenError("create", token.ID, err)
}

// Find returns the token of that ID.
func (t *Tokens) Find(ctx context.Context, cluster ports.Key, id string) (node.BootstrapToken, error) {
	c, err := t.client(ctx, cluster)
	if err != nil {
		return node.BootstrapToken{}, err
	}
	s := &corev1.Secret{}
	if err := tokenError("get", id, c.Get(ctx, tokenKey(id), s)); err != nil {
		return node.BootstrapToken{}, err
	}
	return readToken(id, s), nil
}

// Extend sets the expiry of the token without reading it first.
func (t *Tokens) Extend(ctx context.Context, cluster ports.Key, id string, expires time.Time) error {
	c, err := t.client(ctx, cluster)
	if err != nil {
		return err
	}
	patch, err := json.Marshal(map[string]any{
		"data": map[string][]byte{bootstrapapi.BootstrapTokenExpirationKey: tokenExpiration(expires)},
	})
	if err != nil {
		return fmt.Errorf("encode the patch of token %s: %w", id, err)
	}
	key := tokenKey(id)
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}
	return tokenError("patch", id, c.Patch(ctx, s, client.RawPatch("application/merge-patch+json", patch)))
}

// Revoke removes the owner's token of that ID.
func (t *Tokens) Revoke(ctx context.Context, cluster ports.Key, id string, owner node.TokenOwner) error {
	c, err := t.client(ctx, cluster)
	if err != nil {
		return err
	}
	s := &corev1.Secret{}
	err = tokenError("get", id, c.Get(ctx, tokenKey(id), s))
	if errors.Is(err, ports.ErrTokenNotFound) || (err == nil && s.Annotations[TokenOwnerAnnotation] != owner.String()) {
		return nil
	}
	if err != nil {
		return err
	}
	err = tokenError("delete", id, c.Delete(ctx, s, client.Preconditions{UID: &s.UID}))
	if errors.Is(err, ports.ErrTokenNotFound) {
		return nil
	}
	return err
}

func (t *Tokens) client(ctx context.Context, cluster ports.Key) (client.Client, error) {
	c, err := t.clusters.GetUncachedClient(ctx, client.ObjectKey(cluster))
	if errors.Is(err, clustercache.ErrClusterNotConnected) {
		return nil, ports.ErrUnreachable
	}
	if err != nil {
		return nil, fmt.Errorf("reach cluster %s: %w", cluster, err)
	}
	return c, nil
}

func tokenError(verb, id string, err error) error {
	if apierrors.IsNotFound(err) {
		return ports.ErrTokenNotFound
	}
	if kube.IsNoAnswer(err) {
		return fmt.Errorf("%w: %s the Secret of token %s: %w", ports.ErrNoAnswer, verb, id, err)
	}
	if err != nil {
		return fmt.Errorf("%s the Secret of token %s: %w", verb, id, err)
	}
	return nil
}

func tokenKey(id string) client.ObjectKey {
	return client.ObjectKey{Namespace: metav1.NamespaceSystem, Name: bootstrapapi.BootstrapTokenSecretPrefix + id}
}

func tokenExpiration(t time.Time) []byte { return []byte(t.UTC().Format(time.RFC3339)) }

func tokenSecret(t node.BootstrapToken) *corev1.Secret {
	key := tokenKey(t.ID)
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: key.Namespace, Name: key.Name, Annotations: map[string]string{TokenOwnerAnnotation: t.Owner},
		},
		Type: bootstrapapi.SecretTypeBootstrapToken,
		Data: map[string][]byte{
			bootstrapapi.BootstrapTokenIDKey:               []byte(t.ID),
			bootstrapapi.BootstrapTokenSecretKey:           t.Secret.Reveal(),
			bootstrapapi.BootstrapTokenExpirationKey:       tokenExpiration(t.Expires),
			bootstrapapi.BootstrapTokenUsageSigningKey:     []byte("true"),
			bootstrapapi.BootstrapTokenUsageAuthentication: []byte("true"),
			bootstrapapi.BootstrapTokenExtraGroupsKey:      []byte(nodeGroup),
			bootstrapapi.BootstrapTokenDescriptionKey:      []byte("created by machineadm for " + t.Owner),
		},
	}
}

func readToken(id string, s *corev1.Secret) node.BootstrapToken {
	t := node.BootstrapToken{
		ID: id, Secret: secret.New(s.Data[bootstrapapi.BootstrapTokenSecretKey]), Owner: s.Annotations[TokenOwnerAnnotation],
	}
	// A token without a valid expiry was not created by machineadm; its expiry stays zero.
	if expires, err := time.Parse(time.RFC3339, string(s.Data[bootstrapapi.BootstrapTokenExpirationKey])); err == nil {
		t.Expires = expires
	}
	return t
}
