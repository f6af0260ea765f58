package node

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/secret"
)

// The lengths of a bootstrap token's halves (kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens).
const (
	tokenIDLength     = 6
	tokenSecretLength = 16
)

// TokenOwner names for whom a token is: the cluster that is joined, and the object that asks for the machine's data.
// All machines of one cluster may ask at once; each gets a token of its own.
type TokenOwner struct{ Namespace, Cluster, Config string }

// String returns namespace/cluster/config, as a token's Secret carries it.
func (o TokenOwner) String() string { return o.Namespace + "/" + o.Cluster + "/" + o.Config }

// TokenID returns the public half of the owner's token. It is a hash of the names and a counter, so that a retry, or
// another manager after a move, finds the existing token. The counter grows when the ID belongs to another owner, and
// when a token is rotated.
func (o TokenOwner) TokenID(counter int) string {
	text := strings.Join([]string{o.Namespace, o.Cluster, o.Namespace, o.Config, strconv.Itoa(counter)}, "\x00")
	return encodeToken(sha256.Sum256([]byte(text)))[:tokenIDLength]
}

// BootstrapToken lets a machine join a cluster for some time.
type BootstrapToken struct {
	// ID is the public half, six lower-case letters and digits.
	ID string
	// Secret is the other half, sixteen of them.
	Secret secret.Value
	// Owner is the machine that the token is for; empty for tokens that machineadm did not create.
	Owner string
	// Expires is when the token stops to work.
	Expires time.Time
}

// Token returns both halves, as kubeadm takes them.
func (t BootstrapToken) Token() secret.Value {
	return secret.New([]byte(t.ID + "." + string(t.Secret.Reveal())))
}

// NewTokenSecret returns a secret half made of 256 random bits.
func NewTokenSecret(random io.Reader) (secret.Value, error) {
	var seed [sha256.Size]byte
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return secret.Value{}, fmt.Errorf("read random bytes: %w", err)
	}
	return secret.FromString(encodeToken(seed)[:tokenSecretLength]), nil
}

// encodeToken writes bytes in the alphabet of tokens, five bits a character, so that each is equally likely.
func encodeToken(b [sha256.Size]byte) string {
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:]))
}
