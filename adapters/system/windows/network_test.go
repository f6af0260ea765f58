package windows_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/ports"
)

func property(name, value string) string {
	return name + "=" + base64.StdEncoding.EncodeToString([]byte(value)) + "\r\n"
}

// TestDownloadsUseTheProxyOfTheMachine downloads while the machine's environment has a proxy that the agent's does not
// have, as after the phase that configures the proxy.
func TestDownloadsUseTheProxyOfTheMachine(t *testing.T) {
	var requested string
	proxy := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		requested = r.URL.String()
		_, _ = rw.Write([]byte("program"))
	}))
	defer proxy.Close()
	w := newWorld(t)
	w.output = property("HTTP_PROXY", proxy.URL) + property("HTTPS_PROXY", "") + property("NO_PROXY", "10.0.0.0/8")
	sum := sha256.Sum256([]byte("program"))
	op := action.FetchFile{Path: `C:\f`, URL: "http://127.0.0.2.invalid/f", SHA256: hex.EncodeToString(sum[:])}
	if _, err := w.do(t, op); err != nil || requested != op.URL {
		t.Errorf("%v; the proxy received a request for %q", err, requested)
	}
	if len(w.scripts) != 1 || !strings.HasSuffix(w.scripts[0], "\nShow-Proxy\n") {
		t.Errorf("got %d scripts", len(w.scripts))
	}
}

// TestAddressOfTheDefaultRoute takes the address from Windows: the first private address of all interfaces can be that
// of a network of containers.
func TestAddressOfTheDefaultRoute(t *testing.T) {
	w := newWorld(t)
	w.output = property("address", "198.51.100.7")
	if got, err := w.Lookup(t.Context(), document.FactPrivateIPv4); got != "198.51.100.7" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	w.output = property("address", "")
	if got, err := w.Lookup(t.Context(), document.FactPrivateIPv4); !errors.Is(err, ports.ErrNoFact) {
		t.Errorf("got %q, %v without a default route", got, err)
	}
}
