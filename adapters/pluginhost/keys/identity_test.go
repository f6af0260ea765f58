package keys_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/pluginhost/keys"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/test/programs"
)

// TestPluginHasTheIdentityOfItsProgram starts the plugin of AWS with the variables of EKS Pod Identity. It requests
// credentials from the service that they name, and has no variable with a secret.
func TestPluginHasTheIdentityOfItsProgram(t *testing.T) {
	folder := t.TempDir()
	if err := programs.Install(t.Context(), folder, "machineadm-plugin-encryption-provider-aws-kms"); err != nil {
		t.Fatal(err)
	}
	var requests atomic.Int32
	identity := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "token-of-the-pod" {
			requests.Add(1)
		}
		http.Error(w, "{}", http.StatusForbidden)
	}))
	defer identity.Close()
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("token-of-the-pod"), 0o600); err != nil {
		t.Fatal(err)
	}
	environment := map[string]string{
		"AWS_CONTAINER_CREDENTIALS_FULL_URI":     identity.URL,
		"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": token,
		// With these, the plugin would request no credentials.
		"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "canary7q9zk2xw5v",
	}
	p := keys.Plugins{
		Codec: codec.Codec{}, Folders: []string{folder}, Sockets: t.TempDir(),
		Environment: func(name string) (string, bool) {
			value, found := environment[name]
			return value, found
		},
	}
	key := indirect.KeyName{Provider: "aws-kms", Key: "arn:aws:kms:us-west-2:111122223333:key/a"}
	if _, _, err := p.NewPassphrase(t.Context(), key, "default/m/1"); err == nil || requests.Load() == 0 {
		t.Errorf("%d requests for credentials, %v", requests.Load(), err)
	}
}
