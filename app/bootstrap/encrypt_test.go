package bootstrap_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
)

// TestWithoutKey holds that what a key management service says is a condition, and worth another attempt, and that nothing is
// published.
func TestWithoutKey(t *testing.T) {
	cases := map[string]struct {
		reason string
		err    error
		want   bootstrap.Outcome
	}{
		"away":        {"it comes back by itself", ports.ErrKeysUnavailable, bootstrap.Waiting{}},
		"refusing":    {"somebody lets us in", ports.ErrKeyRefused, bootstrap.Stalled{}},
		"no plugin":   {"somebody installs it", ports.ErrNoProvider, bootstrap.Stalled{}},
		"other error": {"the log tells", errors.New("disk full"), nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			var identity string
			w.Service.Render = func(_ context.Context, _ []document.Document, target osprofile.Target, _ delivery.Format) (bootstrap.Rendered, error) {
				identity = target.Delivery.Identity
				return bootstrap.Rendered{}, fmt.Errorf("encrypt: %w", c.err)
			}
			outcome, err := w.Produce(t.Context(), request())
			if !errors.Is(err, c.err) || fmt.Sprintf("%T", outcome) != fmt.Sprintf("%T", c.want) {
				t.Errorf("got %T, %v: %s", outcome, err, c.reason)
			}
			if identity != "default/m1/u1" || w.payload("m1") != "" {
				t.Errorf("for %q, published %q", identity, w.payload("m1"))
			}
		})
	}
}
