package bootstrap_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
)

// TestWithoutKey checks that a key management service's error is a condition, and worth another attempt, and that
// nothing is published.
func TestWithoutKey(t *testing.T) {
	cases := map[string]struct {
		reason string
		err    error
		want   error
	}{
		"away":        {"it comes back by itself", ports.ErrKeysUnavailable, bootstrap.WaitingError{}},
		"refusing":    {"until access is granted", ports.ErrKeyRefused, bootstrap.StalledError{}},
		"no plugin":   {"until it is installed", ports.ErrNoProvider, bootstrap.StalledError{}},
		"other error": {"the log contains the error", errors.New("disk full"), nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			var identity string
			w.Service.Render = func(_ context.Context, job plan.Job) (render.Result, error) {
				identity = job.Delivery.Identity
				return render.Result{}, fmt.Errorf("encrypt: %w", c.err)
			}
			outcome, err := result(w.Produce(t.Context(), request()))
			if !errors.Is(err, c.err) || fmt.Sprintf("%T", outcome.Held) != fmt.Sprintf("%T", c.want) {
				t.Errorf("got %T, %v: %s", outcome.Held, err, c.reason)
			}
			if identity != "default/m1/u1" || w.payload("m1") != "" {
				t.Errorf("for %q, published %q", identity, w.payload("m1"))
			}
		})
	}
}

// TestKeysAreNotRevealed holds that a condition is the same whatever a key management service refuses, and that the
// error has its code.
func TestKeysAreNotRevealed(t *testing.T) {
	messages := map[string]bool{}
	for _, code := range []string{
		"AccessDeniedException", "NotFoundException", "DisabledException",
		"KMSInvalidStateException",
	} {
		w := newWorld()
		w.Service.Render = func(context.Context, plan.Job) (render.Result, error) {
			return render.Result{}, fmt.Errorf("%w: GenerateDataKey: %s", ports.ErrKeyRefused, code)
		}
		outcome, err := result(w.Produce(t.Context(), request()))
		stalled, is := as[bootstrap.StalledError](outcome)
		if !is || !strings.HasPrefix(stalled.Message, "spec.delivery.encryption.key: ") ||
			strings.Contains(stalled.Message, "Exception") {
			t.Errorf("%s: %v", code, outcome)
		}
		if err == nil || !strings.Contains(err.Error(), code) {
			t.Errorf("the log lacks %s: %v", code, err)
		}
		messages[stalled.Message] = true
	}
	if len(messages) != 1 {
		t.Errorf("%d messages", len(messages))
	}
}

// TestKeyIdentityIsAllowedByNamespace holds that no key management service is asked for a namespace that the
// administrator has not listed.
func TestKeyIdentityIsAllowedByNamespace(t *testing.T) {
	cases := map[string]struct {
		provider string
		identity func(string) bool
		allowed  bool
	}{
		"by default":        {"aws-kms", nil, false},
		"another":           {"aws-kms", func(n string) bool { return n == "other" }, false},
		"listed":            {"aws-kms", func(n string) bool { return n == "default" }, true},
		"a plugin":          {"example", nil, false},
		"without service":   {"file", nil, true},
		"fetched elsewhere": {"remote", nil, true},
		"no encryption":     {"", nil, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.KeyIdentity = c.identity
			requested := false
			w.Service.Render = func(context.Context, plan.Job) (render.Result, error) {
				requested = true
				return render.Result{}, errors.New("far enough")
			}
			r := request()
			describe := r.Describe
			r.Describe = func(ctx context.Context) (composition.Description, error) {
				d, err := describe(ctx)
				d.Delivery.Encryption.Provider = c.provider
				return d, err
			}
			outcome, _ := result(w.Produce(t.Context(), r))
			stalled, is := as[bootstrap.StalledError](outcome)
			if requested != c.allowed || is == c.allowed || is && !strings.Contains(stalled.Message,
				"--kms-identity-namespaces") {
				t.Errorf("asked %t, %v", requested, outcome)
			}
		})
	}
}
