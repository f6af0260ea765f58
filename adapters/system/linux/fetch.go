//go:build linux

package linux

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// The patience of a download. A machine's network may come up late.
const (
	attempts = 6
	pause    = 2 * time.Second
)

// download is a file that is fetched and whose digest is checked.
type download struct {
	tree *tree
	action.FetchFile
}

func (d download) capture(context.Context) (journal.Original, error) { return d.tree.capture(d.Path) }

func (d download) digest() (hash.Hash, string) {
	if d.SHA256 != "" {
		return sha256.New(), d.SHA256
	}
	return sha512.New(), d.SHA512
}

func (d download) diff(context.Context, journal.Original) ([]string, error) {
	is, err := d.tree.capture(d.Path)
	if err != nil {
		return nil, err
	}
	sum, want := d.digest()
	_, _ = sum.Write(is.Content)
	lines := attributeLines(d.Path, is, journal.Original{Exists: true, Mode: d.Mode.Or(machine.DefaultFileMode)})
	if is.Exists && hex.EncodeToString(sum.Sum(nil)) != want {
		lines = append(lines, fmt.Sprintf("~ %s: from %s", d.Path, d.URL))
	}
	return lines, nil
}

// apply fetches into memory's buffer only what the digest vouches for: the file takes its place after the check.
func (d download) apply(ctx context.Context, _ journal.Original) error {
	var data []byte
	err := retry(ctx, func() (err error) {
		data, err = fetch(ctx, d.URL)
		return err
	})
	if err != nil {
		return fmt.Errorf("fetch %s: %w", d.URL, err)
	}
	sum, want := d.digest()
	_, _ = sum.Write(data)
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		return fmt.Errorf("fetch %s: the digest is %s and not %s", d.URL, got, want)
	}
	return d.tree.write(d.Path, bytes.NewReader(data), d.Mode.Or(machine.DefaultFileMode), 0, 0)
}

func retry(ctx context.Context, do func() error) error {
	for i := 1; ; i++ {
		err := do()
		if err == nil || i == attempts {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Duration(i) * pause):
		}
	}
}

func fetch(ctx context.Context, from string) ([]byte, error) {
	u, err := url.Parse(from)
	if err != nil {
		return nil, err
	}
	if u.Scheme == "file" {
		return os.ReadFile(u.Path)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answers %s", response.Status)
	}
	return io.ReadAll(response.Body)
}
