package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestAwait(t *testing.T) {
	left := 3
	if err := await(t.Context(), time.Microsecond, time.Hour, func(context.Context) (string, error) {
		if left--; left == 0 {
			return "", nil
		}
		return fmt.Sprintf("%d are left", left), nil
	}); err != nil {
		t.Error(err)
	}

	stopped, stop := context.WithCancel(t.Context())
	stop()
	failure := errors.New("the log cannot be read")
	for name, c := range map[string]struct {
		ctx  context.Context //nolint:containedctx // the context of the case
		err  error
		want string
	}{
		"no progress":    {t.Context(), nil, "no progress for 1ms: 7 tokens are left"},
		"the end":        {stopped, nil, "context canceled: 7 tokens are left"},
		"a failed check": {t.Context(), failure, failure.Error()},
	} {
		err := await(c.ctx, time.Microsecond, time.Millisecond, func(context.Context) (string, error) {
			return "7 tokens are left", c.err
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
