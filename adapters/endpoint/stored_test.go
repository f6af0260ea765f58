package endpoint

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/secret"
)

// slow is a storage that gives nothing before it is told to.
type slow struct {
	asked, given chan struct{}
}

func (s slow) Fetch(context.Context, string, time.Time, string) (secret.Value, error) {
	s.asked <- struct{}{}
	<-s.given
	return secret.FromString("stored"), nil
}

// TestStoredIsTriedAgainUnderLoad holds that who comes when too much is under way is told so by a code that all try again after.
func TestStoredIsTriedAgainUnderLoad(t *testing.T) {
	const address = "/stored/a/pool-stored/" + "0000?expires=1&signature=x"
	storage := slow{asked: make(chan struct{}), given: make(chan struct{})}
	s := start(t, func(o *Options) { o.Stored = storage })
	defer s.stop()
	var machines sync.WaitGroup
	for range storedAtOnce {
		machines.Go(func() {
			if answer := s.send(t, http.MethodGet, address, "", nil); answer.code != http.StatusOK || answer.text != "stored" {
				t.Errorf("%d %q", answer.code, answer.text)
			}
		})
	}
	for range storedAtOnce {
		<-storage.asked
	}
	answer := s.send(t, http.MethodGet, address, "", nil)
	if answer.code != http.StatusServiceUnavailable || answer.header.Get("Retry-After") == "" {
		t.Errorf("one more: %d, %v", answer.code, answer.header)
	}
	close(storage.given)
	machines.Wait()
	go func() { <-storage.asked }()
	if answer := s.send(t, http.MethodGet, address, "", nil); answer.code != http.StatusOK || strings.Contains(s.log.String(), "signature") {
		t.Errorf("after it: %d\n%s", answer.code, s.log)
	}
}
