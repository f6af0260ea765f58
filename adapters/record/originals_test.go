package record_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/ports"
)

var _ ports.Originals = (*record.Originals)(nil)

func saved(t *testing.T, o *record.Originals, content string) string {
	t.Helper()
	digest, err := o.Save(t.Context(), strings.NewReader(content))
	if sum := sha256.Sum256([]byte(content)); err != nil || digest != hex.EncodeToString(sum[:]) {
		t.Fatalf("save %q: got %s, %v", content, digest, err)
	}
	return digest
}

func opened(o *record.Originals, digest string) (string, error) {
	r, err := o.Open(context.Background(), digest)
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(r)
	return string(data), errors.Join(err, r.Close())
}

func TestOriginals(t *testing.T) {
	d := record.Linux(t.TempDir())
	j := record.NewJournal(d)
	digest := saved(t, j.Originals(), "old")
	if again := saved(t, j.Originals(), "old"); again != digest {
		t.Errorf("the same content has two digests, %s and %s", digest, again)
	}
	if got, err := opened(record.NewJournal(d).Originals(), digest); got != "old" || err != nil {
		t.Errorf("another process reads %q, %v", got, err)
	}
	dir := filepath.Join(d.State, record.OriginalsDir)
	for path, want := range map[string]fs.FileMode{d.State: 0o700, dir: 0o700, filepath.Join(dir, digest): 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: got %v, want mode %v; error %v", path, info, want, err)
		}
	}
	if err := j.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after Clear the directory is there: %v", err)
	}
}

// TestOriginalIsNotSaved interrupts copies: nothing is left that could be taken for an original.
func TestOriginalIsNotSaved(t *testing.T) {
	broken := errors.New("read error")
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	cases := map[string]struct {
		reason  string
		ctx     context.Context
		content io.Reader
		want    error
	}{
		"read error": {"half a file is no original", t.Context(), iotest.ErrReader(broken), broken},
		"stopped":    {"a copy of a large file takes time", stopped, strings.NewReader("old"), context.Canceled},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := record.Linux(t.TempDir())
			if _, err := record.NewJournal(d).Originals().Save(c.ctx, c.content); !errors.Is(err, c.want) {
				t.Errorf("%s: got %v, want %v", c.reason, err, c.want)
			}
			left, err := os.ReadDir(filepath.Join(d.State, record.OriginalsDir))
			if len(left) > 0 || err != nil {
				t.Errorf("%s: left %v, %v", c.reason, left, err)
			}
		})
	}
}

func TestOriginalIsDamaged(t *testing.T) {
	d := record.Linux(t.TempDir())
	o := record.NewJournal(d).Originals()
	digest := saved(t, o, "old")
	if err := os.WriteFile(filepath.Join(d.State, record.OriginalsDir, digest), []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := opened(o, digest); err == nil || !strings.Contains(err.Error(), "sha256 mismatch") {
		t.Errorf("got %q, %v", got, err)
	}
	for _, name := range []string{strings.Repeat("0", 64), "../journal.jsonl"} {
		if got, err := opened(o, name); err == nil {
			t.Errorf("%s: got %q, want an error", name, got)
		}
	}
}

// TestOriginalsBeforeAMount mounts another file system over the state directory, as a step can: the originals move to
// it with the journal.
func TestOriginalsBeforeAMount(t *testing.T) {
	d := record.Linux(t.TempDir())
	j := record.NewJournal(d)
	first := saved(t, j.Originals(), "first")
	if err := j.Append(t.Context(), entry("1")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(d.State, d.State+".hidden"); err != nil {
		t.Fatal(err)
	}
	second := saved(t, j.Originals(), "second")
	if err := j.Append(t.Context(), entry("2")); err != nil {
		t.Fatal(err)
	}
	next := record.NewJournal(d)
	if got, err := next.Load(t.Context()); err != nil || len(got) != 2 || got[1].Event != journal.EventStarted {
		t.Errorf("the journal has %v, %v", got, err)
	}
	for digest, want := range map[string]string{first: "first", second: "second"} {
		if got, err := opened(next.Originals(), digest); got != want || err != nil {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
}

// TestOriginalsAreLimited has an original of 8 GiB, which takes no space on the disk.
func TestOriginalsAreLimited(t *testing.T) {
	d := record.Linux(t.TempDir())
	o := record.NewJournal(d).Originals()
	digest := saved(t, o, "old")
	if err := os.Truncate(filepath.Join(d.State, record.OriginalsDir, digest), 8<<30); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Save(t.Context(), strings.NewReader("x")); err == nil || !strings.Contains(err.Error(), "exceed") {
		t.Errorf("got %v, want an error that names the limit", err)
	}
}
