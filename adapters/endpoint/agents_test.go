package endpoint

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

func directory(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func sum(text string) string {
	d := sha256.Sum256([]byte(text))
	return hex.EncodeToString(d[:])
}

func TestAgents(t *testing.T) {
	agents, err := ReadAgents(directory(t, map[string]string{
		"machineadm-linux-amd64": "new", "machineadm-linux-amd64-v0.1.0": "old", "machineadm-linux-arm64": "arm",
		"machineadm-windows-amd64.exe": "win",
		"README":                       "no program", "machineadm-linux-amd64.sig": "no program",
	}))
	if err != nil {
		t.Fatal(err)
	}
	registry := prometheus.NewRegistry()
	metrics, err := NewMetrics(registry)
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, func(o *Options) { o.Agents, o.Metrics = agents, metrics })
	defer s.stop()
	cases := map[string]struct {
		reason, path, text string
		want               int
	}{
		"current": {reason: "it is for machines to come", path: "/agent/linux/amd64", text: "new", want: 200},
		"pinned":  {reason: "the userdata pins it", path: "/agent/linux/amd64?sha256=" + sum("new"), text: "new", want: 200},
		"older": {
			reason: "the controller became newer meanwhile", path: "/agent/linux/amd64?sha256=" + sum("old"),
			text: "old", want: 200,
		},
		"arm":     {reason: "another architecture", path: "/agent/linux/arm64", text: "arm", want: 200},
		"windows": {reason: "another system", path: "/agent/windows/amd64", text: "win", want: 200},
		"another": {reason: "that is gone", path: "/agent/linux/amd64?sha256=" + sum("gone"), want: 404},
		"mixed up": {reason: "that is a program of another architecture", path: "/agent/linux/amd64?sha256=" +
			sum("arm"), want: 404},
		"no file": {reason: "there is no such program", path: "/agent/linux/s390x", want: 404},
		"path":    {reason: "no other file is served", path: "/agent/linux/..%2FREADME", want: 404},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			answer := s.send(t, http.MethodGet, c.path, "", nil)
			if answer.code != c.want || answer.text != c.text && c.want == 200 {
				t.Errorf("%s: %d %q", c.reason, answer.code, answer.text)
			}
			if tag := answer.header.Get("ETag"); c.want == 200 && tag != `"`+sum(c.text)+`"` {
				t.Errorf("ETag %s", tag)
			}
		})
	}
	if got := agents.Current("linux", "amd64"); got != sum("new") {
		t.Errorf("current: %s", got)
	}
	if got := agents.Current("plan9", "amd64"); got != "" {
		t.Errorf("current of nothing: %s", got)
	}
}

func TestAgentIsSentInParts(t *testing.T) {
	agents, err := ReadAgents(directory(t, map[string]string{"machineadm-linux-amd64": "0123456789"}))
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, func(o *Options) { o.Agents = agents })
	defer s.stop()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+s.server.Address()+
		"/agent/linux/amd64", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Range", "bytes=4-5")
	answer, err := s.client.Do(r)
	if err != nil || answer.StatusCode != http.StatusPartialContent || answer.ContentLength != 2 {
		t.Fatalf("a download goes on where it was cut off: %v, %v", answer, err)
	}
	if err := answer.Body.Close(); err != nil {
		t.Error(err)
	}
}

func TestInvalidAgentReleases(t *testing.T) {
	if _, err := ReadAgents(directory(t, map[string]string{"README": ""})); err == nil || !strings.Contains(err.Error(),
		"no file such as") {
		t.Errorf("an empty directory: %v", err)
	}
	if _, err := ReadAgents(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("no directory")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "machineadm-linux-amd64"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadAgents(dir); err == nil {
		t.Error("a directory is no program")
	}
}
