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

// TokenOwner identifies the machine that a token is for: its cluster and its MachineBootstrapConfig. Each machine has
// its own token, so that machines can be prepared concurrently.
type TokenOwner struct{ Namespace, Cluster, Config string }

// String returns namespace/cluster/config, the value in a token's Secret.
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
	// Secret is the secret half, sixteen lower-case letters and digits.
	Secret secret.Value
	// Owner is the machine that the token is for, or empty for tokens that machineadm did not create.
	Owner string
	// Expires is when the token expires.
	Expires time.Time
}

// Token returns id.secret.
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

// encodeToken encodes bytes in the alphabet of tokens, five bits for each character, so that all characters are equally
// likely.
func encodeToken(b [sha256.Size]byte) string {
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:]))
}
