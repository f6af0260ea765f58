package indirect_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
)

// TestRemoteConfigKnowsItsSecrets removes from an error the parts of a request that the server repeats, whole and in
// pieces.
func TestRemoteConfigKnowsItsSecrets(t *testing.T) {
	c := indirect.RemoteConfig{
		Provider: "https", URI: "https://me:canary-password@host/a/b?region=here&X-Amz-Signature=canary0123#token=canary4567",
		Headers: []indirect.Header{{Name: "Authorization", Value: secret.FromString("Bearer canary-header")}},
	}
	redactor := secret.NewRedactor(c.Secrets()...)
	for _, message := range []string{
		c.URI, "signature canary0123 is wrong", "token canary4567 is wrong", "user me:canary-password",
		"the password canary-password",
		"sent Authorization: Bearer canary-header",
	} {
		if clean := redactor.Clean(message); strings.Contains(clean, "canary") {
			t.Errorf("%q shows a secret", clean)
		}
	}
	if clean := redactor.Clean(c.URI); !strings.HasPrefix(clean, "https://") || !strings.Contains(clean, "@host/a/b?") {
		t.Errorf("the place is shown: %q", clean)
	}
	for _, plain := range []string{"", "shelf", "shelf://a", "https://host/a", "https://host/a?"} {
		if found := (indirect.RemoteConfig{URI: plain}).Secrets(); len(found) > 0 {
			t.Errorf("%q has %d secrets", plain, len(found))
		}
	}
}
