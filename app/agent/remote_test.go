package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/indirect"
)

// shelf is a source that has one configuration.
type shelf []byte

func (s shelf) Fetch(context.Context, indirect.RemoteConfig) ([]byte, error) { return s, nil }

func TestFetchedConfigurationIsTheOneThatWasMeant(t *testing.T) {
	sum := sha256.Sum256([]byte("ours"))
	c := indirect.RemoteConfig{Provider: "https", URI: "https://me:canary7q9zk2xw5v@a/b?signature=canary7q9zk2xw5v", SHA256: hex.EncodeToString(sum[:])}
	cases := map[string]struct {
		held string
		want error
	}{"ours": {"ours", nil}, "another's": {"theirs", ErrDigest}, "cut": {"our", ErrDigest}}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := &resolver{Service: &Service{Parts: Parts{Source: shelf(tc.held)}}}
			data, err := r.fetch(t.Context(), c)
			if !errors.Is(err, tc.want) || (err == nil) != (string(data) == "ours") {
				t.Errorf("%q %v", data, err)
			}
			if err != nil && (strings.Contains(err.Error(), "canary") || !strings.Contains(err.Error(), "https://a/b")) {
				t.Errorf("the error %v", err)
			}
		})
	}
}
