package host_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/machineadm/machineadm/adapters/pluginhost/host"
)

// TestUnresponsivePluginIsAnError has the plugin's end of the connection give up before this one does, and requests
// that end in other ways.
func TestUnresponsivePluginIsAnError(t *testing.T) {
	errOwn := errors.New("own")
	cases := map[string]struct {
		reason string
		answer error
		want   string
	}{
		"cancelled": {
			"the other end knows the limit, too", status.Error(codes.Canceled, "stream terminated by RST_STREAM"),
			"it did not answer within 1h0m0s",
		},
		"late": {
			"so does who speaks for it", status.Error(codes.DeadlineExceeded, "context deadline exceeded"),
			"it did not answer within 1h0m0s",
		},
		"own":     {"what is no answer of a plugin stays as it is", errOwn, "own"},
		"refused": {"a plugin's own message is shown", status.Error(codes.InvalidArgument, "no such zone"), "no such zone"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			err := host.Within(t.Context(), time.Hour, func(context.Context) error { return c.answer })
			if err == nil || err.Error() != c.want {
				t.Errorf("%v, want %q: %s", err, c.want, c.reason)
			}
		})
	}
}
