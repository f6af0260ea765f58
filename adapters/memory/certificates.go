package memory

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

type pairKey struct {
	cluster ports.Key
	purpose node.Purpose
}

// Certificates implements ports.Certificates. It generates ECDSA P-256 key pairs from the name of the cluster, so
// anyone can compute them. The zero value is ready to use.
type Certificates struct {
	// Assume makes Find generate missing pairs, as if a control plane provider had created them.
	Assume bool

	mutex sync.Mutex
	pairs map[pairKey]node.KeyPair
}

// Put stores a pair.
func (c *Certificates) Put(cluster ports.Key, p node.Purpose, pair node.KeyPair) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.pairs == nil {
		c.pairs = map[pairKey]node.KeyPair{}
	}
	c.pairs[pairKey{cluster, p}] = pair
}

// Remove removes a pair, as a user does.
func (c *Certificates) Remove(cluster ports.Key, p node.Purpose) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(c.pairs, pairKey{cluster, p})
}

// Find returns the pair.
func (c *Certificates) Find(ctx context.Context, cluster ports.Key, p node.Purpose) (node.KeyPair, error) {
	pair, found := c.get(cluster, p)
	if !found && c.Assume {
		if err := c.Generate(ctx, cluster, p, node.Certificates{}); err != nil {
			return pair, err
		}
		pair, found = c.get(cluster, p)
	}
	switch {
	case !found:
		return pair, ports.ErrNoCertificate
	case len(pair.Certificate) == 0:
		return pair, ports.ErrInvalidCertificate
	}
	return pair, nil
}

func (c *Certificates) get(cluster ports.Key, p node.Purpose) (node.KeyPair, bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	pair, found := c.pairs[pairKey{cluster, p}]
	return pair, found
}

// Pins returns the pins of the CA.
func (c *Certificates) Pins(ctx context.Context, cluster ports.Key) ([]string, error) {
	pair, err := c.Find(ctx, cluster, node.PurposeClusterCA)
	if err != nil {
		return nil, err
	}
	var pins []string
	for rest := pair.Certificate; ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ports.ErrInvalidCertificate, err)
		}
		sum := sha256.Sum256(certificate.RawSubjectPublicKeyInfo)
		pins = append(pins, "sha256:"+hex.EncodeToString(sum[:]))
	}
	if len(pins) == 0 {
		return nil, ports.ErrInvalidCertificate
	}
	return pins, nil
}

// Generate generates a pair unless there is one.
func (c *Certificates) Generate(_ context.Context, cluster ports.Key, p node.Purpose, _ node.Certificates) error {
	if _, found := c.get(cluster, p); found {
		return nil
	}
	if p == node.PurposeEtcdClient {
		return ports.ErrNoCertificate
	}
	pair, err := compute(cluster.String()+" "+string(p), p == node.PurposeServiceAccount)
	if err != nil {
		return fmt.Errorf("compute a key pair: %w", err)
	}
	c.Put(cluster, p, pair)
	return nil
}

// compute derives a key pair from a seed. Without random bytes ECDSA signs as RFC 6979 specifies, hence
// deterministically.
func compute(seed string, bare bool) (node.KeyPair, error) {
	scalar := sha256.Sum256([]byte(seed))
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), scalar[:])
	if err != nil {
		return node.KeyPair{}, err
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return node.KeyPair{}, err
	}
	public, kind, err := publicPart(key, bare)
	if err != nil {
		return node.KeyPair{}, err
	}
	return node.KeyPair{Certificate: encode(kind, public), Key: secret.New(encode("EC PRIVATE KEY", private))}, nil
}

func publicPart(key *ecdsa.PrivateKey, bare bool) (der []byte, kind string, err error) {
	if bare {
		der, err = x509.MarshalPKIXPublicKey(&key.PublicKey)
		return der, "PUBLIC KEY", err
	}
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(0), Subject: pkix.Name{CommonName: "kubernetes"},
		NotBefore: time.Unix(0, 0), NotAfter: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
		KeyUsage: x509.KeyUsageKeyEncipherment | x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		IsCA:     true, BasicConstraintsValid: true,
	}
	der, err = x509.CreateCertificate(nil, authority, authority, &key.PublicKey, key)
	return der, "CERTIFICATE", err
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
