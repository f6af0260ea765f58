package memory

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// TalosSecrets implements ports.TalosSecrets. It generates secrets from the name of the cluster, so anyone can compute
// them. The zero value is ready to use.
type TalosSecrets struct {
	// Assume makes Find generate missing secrets, as if another bootstrap provider had created them.
	Assume bool
	// Clock returns the time; nil is the beginning of 1970.
	Clock ports.Clock

	mutex   sync.Mutex
	stored  map[ports.Key]storedSecrets
	clients map[ports.Key]storedClient
}

type storedSecrets struct {
	secrets node.TalosSecrets
	// err is returned in place of the secrets.
	err error
}

type storedClient struct {
	endpoints []string
	ca        []byte
	pair      node.KeyPair
	created   int
	foreign   bool
}

// Put stores secrets.
func (s *TalosSecrets) Put(cluster ports.Key, t node.TalosSecrets) {
	s.hold(cluster, storedSecrets{secrets: t})
}

// Break makes reads of the secrets return the error: ErrNotOwned or ErrInvalidTalosSecrets.
func (s *TalosSecrets) Break(cluster ports.Key, err error) { s.hold(cluster, storedSecrets{err: err}) }

func (s *TalosSecrets) hold(cluster ports.Key, h storedSecrets) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.stored == nil {
		s.stored = map[ports.Key]storedSecrets{}
	}
	s.stored[cluster] = h
}

// StealClient makes another owner control the name of the client configuration.
func (s *TalosSecrets) StealClient(cluster ports.Key) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.keep(cluster, storedClient{foreign: true})
}

// Find returns the secrets.
func (s *TalosSecrets) Find(_ context.Context, cluster ports.Key) (node.TalosSecrets, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if h, found := s.stored[cluster]; found {
		return h.secrets, h.err
	}
	if !s.Assume {
		return node.TalosSecrets{}, ports.ErrNoTalosSecrets
	}
	return s.make(cluster)
}

// Ensure returns the secrets, and generates them if there are none.
func (s *TalosSecrets) Ensure(_ context.Context, cluster ports.Key) (node.TalosSecrets, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if h, found := s.stored[cluster]; found {
		return h.secrets, h.err
	}
	return s.make(cluster)
}

func (s *TalosSecrets) make(cluster ports.Key) (node.TalosSecrets, error) {
	created, err := node.NewTalosSecrets(seeded("talos "+cluster.String()), s.now())
	if err != nil {
		return created, fmt.Errorf("compute Talos secrets: %w", err)
	}
	if s.stored == nil {
		s.stored = map[ports.Key]storedSecrets{}
	}
	s.stored[cluster] = storedSecrets{secrets: created}
	return created, nil
}

// EnsureClient creates or updates the client configuration <cluster>-talosconfig.
func (s *TalosSecrets) EnsureClient(ctx context.Context, cluster ports.Key, addresses []string,
) (ports.TalosClient, error) {
	secrets, err := s.Find(ctx, cluster)
	if err != nil {
		return ports.TalosClient{}, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c := s.clients[cluster]
	if c.foreign {
		return ports.TalosClient{}, ports.ErrNotOwned
	}
	c.endpoints, c.ca = slices.Clone(addresses), secrets.OSCA.Certificate
	expires, ok := node.TalosClientExpires(c.pair, secrets.OSCA)
	if !ok || expires.Sub(s.now()) < node.TalosClientValidity/2 {
		c.created++
		c.pair, err = node.NewTalosClient(secrets.OSCA, seeded(fmt.Sprintf("client %d of %s", c.created, cluster)), s.now())
	}
	s.keep(cluster, c)
	return ports.TalosClient{Name: cluster.Name + "-talosconfig", Key: "talosconfig"}, err
}

// Client returns the client configuration of a cluster: the addresses of the machines, their CA, and the client
// certificate.
func (s *TalosSecrets) Client(cluster ports.Key) (endpoints []string, ca []byte, pair node.KeyPair) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c := s.clients[cluster]
	return c.endpoints, c.ca, c.pair
}

func (s *TalosSecrets) keep(cluster ports.Key, c storedClient) {
	if s.clients == nil {
		s.clients = map[ports.Key]storedClient{}
	}
	s.clients[cluster] = c
}

func (s *TalosSecrets) now() time.Time {
	if s.Clock == nil {
		return time.Unix(0, 0).UTC()
	}
	return s.Clock.Now()
}

// seeded returns bytes that depend on the seed alone.
func seeded(seed string) *Entropy { return &Entropy{block: sha256.Sum256([]byte(seed))} }
