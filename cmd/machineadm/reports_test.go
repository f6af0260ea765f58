//go:build linux && !unit

package main

import (
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/test/canary"
)

// TestAgentReports has the agent fail, and be started again with what is right: the endpoint hears of both ends, and of
// no secret.
func TestAgentReports(t *testing.T) {
	var mutex sync.Mutex
	var got []status.Status
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		published, unread := record.Codec{}.ReadStatus(body)
		if err != nil || unread != nil || strings.Contains(string(body), canary.Mark) ||
			r.Header.Get("Authorization") != "Bearer shown" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		mutex.Lock()
		defer mutex.Unlock()
		got = append(got, published)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer server.Close()
	b := box{root: t.TempDir(), program: program(t)}
	for _, dir := range []string{"etc/machineadm", "etc/app", "var/lib", "run"} {
		if err := os.MkdirAll(filepath.Join(b.root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	file := filepath.Join(b.root, "etc/machineadm/report")
	if err := os.WriteFile(file, []byte(server.URL+"/reports/a/m\nshown\n"+string(certificate)), 0o600); err != nil {
		t.Fatal(err)
	}
	configuration := func(path string) string {
		return "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec: {path: " + path + ", content: " + canary.Mark +
			", secret: true}\n"
	}
	if code, out := b.run(t, configuration("/etc/app"), "apply", "--path", "-"); code != 1 {
		t.Fatalf("a directory is no file: %d %s", code, out)
	}
	last := func() status.Status {
		mutex.Lock()
		defer mutex.Unlock()
		if len(got) == 0 {
			t.Fatal("nothing was reported")
		}
		return got[len(got)-1]
	}
	if s := last(); s.State != status.StateFailed || s.Failure == nil || s.Failure.Action != "write /etc/app" ||
		s.Failure.Cause == "" {
		t.Errorf("reported %+v", s)
	}
	if code, out := b.run(t, configuration("/etc/app/key"), "apply", "--path", "-"); code != 0 {
		t.Fatalf("%d %s", code, out)
	}
	if s := last(); s.State != status.StateSucceeded || s.Changes() != 1 {
		t.Errorf("reported %+v", s)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the credential has to go")
	}
}
