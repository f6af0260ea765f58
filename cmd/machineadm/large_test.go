//go:build linux && !unit

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/adapters/nodecli"
	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

const (
	// largeSize is the size of a kubelet, in bytes.
	largeSize = 150 << 20
	// maxPeak is how much memory the agent may use, in KiB, and maxJournal the size of its journal in bytes.
	maxPeak    = 64 << 10
	maxJournal = 64 << 10
)

// large returns bytes that no compression shortens.
func large(seed byte) io.Reader { return io.LimitReader(rand.NewChaCha8([32]byte{seed}), largeSize) }

func digestOf(t *testing.T, r io.Reader) string {
	t.Helper()
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func digestOfFile(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	return digestOf(t, f)
}

func putLarge(t *testing.T, path string, seed byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(f, large(seed)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// replaceKubelet is a configuration that downloads a large kubelet. A command then records the agent's peak memory.
func replaceKubelet(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/kubelet" {
			_, _ = io.Copy(w, large(2))
		}
	}))
	t.Cleanup(server.Close)
	return encoded(t,
		machine.KubernetesConfig{Provision: machine.ProvisionDownload, Artifacts: []machine.Artifact{
			{Name: "kubelet", URL: server.URL + "/kubelet", SHA256: digestOf(t, large(2))},
			{Name: "kubeadm", URL: server.URL + "/kubeadm", SHA256: hex.EncodeToString(sha256.New().Sum(nil))},
		}},
		machine.Command{
			Phase:  document.PhasePost,
			Script: "sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\) kB/\\1/p' /proc/$PPID/status >/srv/peak\n",
		},
	)
}

// TestLargeFile replaces a kubelet: the agent holds neither the old nor the new one in memory, and reset restores the
// old one.
func TestLargeFile(t *testing.T) {
	b := newBox(t, program(t))
	b.mount(t, "proc", "/proc", "proc", 0, "")
	kubelet, state := filepath.Join(b.root, "/usr/local/bin/kubelet"), record.Linux(b.root).State
	putLarge(t, kubelet, 1)
	before := digestOfFile(t, kubelet)

	if code, output := b.run(t, replaceKubelet(t), "apply", "--path", "-"); code != nodecli.ExitOK {
		t.Fatalf("apply: exit code %d and\n%s", code, output)
	}
	if digestOfFile(t, kubelet) != digestOf(t, large(2)) {
		t.Error("the kubelet was not replaced")
	}
	text, err := os.ReadFile(b.root + "/srv/peak")
	var peak int
	_, scanned := fmt.Sscan(string(text), &peak)
	t.Logf("peak memory: %d KiB", peak)
	if err != nil || scanned != nil || peak > maxPeak {
		t.Errorf("peak memory: got %d KiB, want at most %d; errors %v, %v", peak, maxPeak, err, scanned)
	}
	journal, err := os.Stat(filepath.Join(state, record.JournalFile))
	if err != nil || journal.Size() > maxJournal {
		t.Errorf("journal: got %+v, want at most %d bytes; error %v", journal, maxJournal, err)
	}
	originals, err := os.Stat(filepath.Join(state, record.OriginalsDir))
	if err != nil || originals.Mode().Perm() != 0o700 {
		t.Errorf("originals: got %+v, want mode 0700; error %v", originals, err)
	}

	if code, output := b.run(t, "", "reset"); code != nodecli.ExitOK {
		t.Fatalf("reset: exit code %d and\n%s", code, output)
	}
	if after := digestOfFile(t, kubelet); after != before {
		t.Errorf("after reset the kubelet has the SHA-256 %s, want %s", after, before)
	}
	if _, err := os.Stat(filepath.Join(state, record.OriginalsDir)); err == nil {
		t.Error("reset left the originals")
	}
}
