package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Storage implements ports.Storage, and serves the objects over HTTP.
type Storage struct {
	// Base is the URL of ServeHTTP without a trailing slash.
	Base  string
	Clock ports.Clock
	// Fail is the error of Put and Delete, or nil if they succeed.
	Fail error

	mutex   sync.Mutex
	objects map[string]secret.Value
}

// Put stores the data.
func (s *Storage) Put(_ context.Context, name string, data secret.Value) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.Fail != nil {
		return s.Fail
	}
	if s.objects == nil {
		s.objects = map[string]secret.Value{}
	}
	s.objects[name] = data
	return nil
}

// Locate returns a URL with a signature that ServeHTTP verifies. It is not cryptographically secure.
func (s *Storage) Locate(_ context.Context, name string, lifetime time.Duration) (delivery.Location, error) {
	expires := s.Clock.Now().Add(lifetime)
	url := fmt.Sprintf("%s/%s?until=%d&signature=%s", s.Base, name, expires.UnixMilli(), sign(name, expires.UnixMilli()))
	return delivery.Location{URL: secret.FromString(url), Expires: expires}, nil
}

// Delete removes the data.
func (s *Storage) Delete(_ context.Context, name string) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.Fail != nil {
		return s.Fail
	}
	delete(s.objects, name)
	return nil
}

// Names returns the names of all objects, unsorted.
func (s *Storage) Names() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var names []string
	for name := range s.objects {
		names = append(names, name)
	}
	return names
}

// ServeHTTP serves an object to requests with a URL of Locate.
func (s *Storage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	until, err := strconv.ParseInt(r.URL.Query().Get("until"), 10, 64)
	if err != nil || r.URL.Query().Get("signature") != sign(name, until) || s.Clock.Now().UnixMilli() >= until {
		http.Error(w, "denied", http.StatusForbidden)
		return
	}
	s.mutex.Lock()
	data, found := s.objects[name]
	s.mutex.Unlock()
	if !found {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(data.Reveal())
}

func sign(name string, until int64) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", name, until))
	return hex.EncodeToString(sum[:])
}
