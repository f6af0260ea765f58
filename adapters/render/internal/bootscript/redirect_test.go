package bootscript_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/delivery"
)

// otherHost is a server that records requests, as a proxy or as the target of a redirect.
type otherHost struct {
	*httptest.Server
	mutex sync.Mutex
	seen  []string
}

func newOtherHost(t *testing.T) *otherHost {
	t.Helper()
	o := &otherHost{}
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.mutex.Lock()
		defer o.mutex.Unlock()
		o.seen = append(o.seen, r.Method+" "+r.RequestURI+" Authorization="+r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(o.Close)
	return o
}

// redirecting returns an endpoint that redirects each report to the other host, and the number of reports.
func redirecting(t *testing.T, code int, to *otherHost) (d *reportServer, requests func() int) {
	t.Helper()
	var mutex sync.Mutex
	n := 0
	// The other host has another name and does not use TLS.
	address := strings.Replace(to.URL, "127.0.0.1", "localhost", 1) + "/stolen"
	d = &reportServer{Server: httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		n++
		http.Redirect(w, r, address, code)
	}))}
	t.Cleanup(d.Close)
	return d, func() int {
		mutex.Lock()
		defer mutex.Unlock()
		return n
	}
}

// useWget puts the wget of another package first in PATH.
func useWget(t *testing.T, name string) {
	t.Helper()
	if out, err := exec.Command("../../../../hack/packages.sh", name).CombinedOutput(); err != nil {
		t.Fatalf("packages.sh: %v\n%s", err, out)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(path, filepath.Join(dir, "wget")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

// TestReportsFollowNoRedirect checks that real clients send the credential to no other host. The endpoint redirects,
// the environment sets a proxy, and the user's configuration enables redirects.
func TestReportsFollowNoRedirect(t *testing.T) {
	for client, follow := range map[string]string{"curl": "location-trusted\n", "wget": "max_redirect = 20\n"} {
		for _, code := range []int{http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
			t.Run(client+" "+strconv.Itoa(code), func(t *testing.T) { checkOtherHost(t, client, code, follow, false) })
		}
		t.Run(client+" and a proxy", func(t *testing.T) {
			checkOtherHost(t, client, http.StatusTemporaryRedirect,
				follow, true)
		})
	}
}

// checkOtherHost reports to an endpoint that redirects, with the user's configuration of the client.
func checkOtherHost(t *testing.T, client string, code int, rc string, proxy bool) {
	t.Helper()
	to, home := newOtherHost(t), t.TempDir()
	d, requests := redirecting(t, code, to)
	if err := os.WriteFile(filepath.Join(home, "."+client+"rc"), []byte(rc), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	if proxy {
		t.Setenv("https_proxy", to.URL)
		t.Setenv("no_proxy", "")
	}
	r := newRoot(t)
	r.runReporting(t, client, nil, d.options(d.authority()))
	if requests() != 1 || len(to.seen) != 0 {
		t.Errorf("the endpoint got %d requests; another host saw %q", requests(), to.seen)
	}
	if !r.exists(bootscript.Sentinel) || r.exists(delivery.ReportPath) {
		t.Error("the bootstrap must end as it does without an endpoint")
	}
}

// TestOtherWgetsSendNoCredential checks that a wget that does not support or implement the options does not send the
// credential.
func TestOtherWgetsSendNoCredential(t *testing.T) {
	for _, name := range []string{"busybox", "wget2"} {
		t.Run(name, func(t *testing.T) {
			useWget(t, name)
			to := newOtherHost(t)
			d, requests := redirecting(t, http.StatusTemporaryRedirect, to)
			r := newRoot(t)
			r.runReporting(t, "wget", nil, d.options(d.authority()))
			if requests() != 0 || len(to.seen) != 0 || !r.exists(bootscript.Sentinel) {
				t.Errorf("the endpoint got %d requests; another host saw %q", requests(), to.seen)
			}
		})
	}
}
