package windows_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
)

// TestDownloadsSendNoReferer has a server redirect a download whose address is signed and names a user.
func TestDownloadsSendNoReferer(t *testing.T) {
	var seen string
	other := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		seen = fmt.Sprint(r.URL, r.Header)
		_, _ = rw.Write([]byte("program"))
	}))
	defer other.Close()
	server := httptest.NewServer(http.RedirectHandler(strings.Replace(other.URL, "127.0.0.1", "localhost", 1)+"/f",
		http.StatusFound))
	defer server.Close()
	address := strings.Replace(server.URL, "//", "//u:canary7q9zk2xw5v@", 1) + "/f?signature=canary7q9zk2xw5v"
	sum := sha256.Sum256([]byte("program"))
	op := action.FetchFile{Path: `C:\f`, URL: address, SHA256: hex.EncodeToString(sum[:])}
	if _, err := newWorld(t).do(t, op); err != nil {
		t.Fatal(err)
	}
	if seen == "" || strings.Contains(seen, "canary") {
		t.Errorf("the other host saw %q", seen)
	}
}
