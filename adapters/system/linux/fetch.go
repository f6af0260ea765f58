//go:build linux

package linux

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/machineadm/machineadm/adapters/internal/httpclient"
	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// More limits of a download are in linuxcmd.
const (
	// pause is the time between the first two attempts. Later pauses are longer, because the network of a machine may
	// come up late.
	pause = 2 * time.Second
	// largest is the maximum size of a file in bytes. It exceeds any real download and keeps a server from filling the
	// disk.
	largest = 8 << 30
)

// pace limits how slow a download may be.
type pace struct {
	// window is the period in which a server must send the bytes of least.
	window time.Duration
	least  int64
	// longest is the timeout for all attempts of a download together.
	longest time.Duration
}

// usualPace returns the limits of linuxcmd.
func usualPace() pace {
	window := linuxcmd.DownloadWindow
	return pace{
		window: window, least: int64(window.Seconds()) * linuxcmd.DownloadRate, longest: linuxcmd.DownloadTimeout,
	}
}

// download is a file that is fetched and verified by its digest.
type download struct {
	tree *tree
	action.FetchFile
	pace pace
}

func (d download) capture(context.Context) (journal.Original, error) { return d.tree.state(d.Path) }

func (d download) digest() (hash.Hash, string) {
	if d.SHA256 != "" {
		return sha256.New(), d.SHA256
	}
	return sha512.New(), d.SHA512
}

func (d download) diff(context.Context, journal.Original) ([]string, error) {
	actual, err := d.tree.state(d.Path)
	if err != nil {
		return nil, err
	}
	if actual.Directory {
		return nil, fmt.Errorf("%s is a directory", d.Path)
	}
	lines := attributeLines(d.Path, actual, journal.Original{Exists: true, Mode: d.Mode.Or(machine.DefaultFileMode)})
	if !actual.Exists {
		return lines, nil
	}
	sum, want := d.digest()
	got := ""
	if actual.Regular() {
		got, err = d.tree.digest(d.Path, sum)
	}
	if got != want {
		lines = append(lines, fmt.Sprintf("~ %s: from %s", d.Path, d.From()))
	}
	return lines, err
}

// apply downloads to a temporary file, and renames it only if the digest matches.
func (d download) apply(ctx context.Context, _ journal.Original) error {
	client, err := d.client()
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	ctx, cancel := d.pace.bound(ctx)
	defer cancel()
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval = pause
	var last error
	_, err = backoff.Retry(ctx, func() (struct{}, error) {
		last = d.attempt(ctx, client)
		return struct{}{}, last
	}, backoff.WithBackOff(pauses), backoff.WithMaxTries(1+linuxcmd.DownloadRetries), backoff.WithMaxElapsedTime(0))
	if err != nil {
		// The error of the last attempt is more specific than the timeout.
		return fmt.Errorf("fetch %s: %w", d.From(), last)
	}
	return nil
}

// client returns the HTTP client. A file URL needs neither the proxy nor the trusted certificates.
func (d download) client() (*http.Client, error) {
	if strings.HasPrefix(d.URL, "file:") {
		return &http.Client{}, nil
	}
	return d.tree.client()
}

func (d download) attempt(ctx context.Context, client *http.Client) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	body, err := d.open(ctx, client)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	sum, want := d.digest()
	checked := &verifiedReader{from: io.LimitReader(body, largest), sum: sum, want: want}
	defer d.pace.watch(&checked.read, cancel)()
	err = d.tree.write(ctx, d.Path, checked, d.Mode.Or(machine.DefaultFileMode), 0, 0)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return cause
	}
	if err != nil && !checked.failed {
		// Another attempt would fail in the same way.
		return backoff.Permanent(err)
	}
	return err
}

// bound returns a context with the timeout for all attempts.
func (p pace) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, p.longest, fmt.Errorf("the download took longer than %s", p.longest))
}

// watch cancels a download that reads too few bytes in a window. The returned function stops the watch.
func (p pace) watch(read *atomic.Int64, cancel context.CancelCauseFunc) (stop func()) {
	ticker, ended := time.NewTicker(p.window), make(chan struct{})
	go func() {
		defer ticker.Stop()
		for before := int64(0); ; {
			select {
			case <-ended:
				return
			case <-ticker.C:
			}
			now := read.Load()
			if now-before < p.least {
				cancel(fmt.Errorf("the server sent %d bytes in %s, and fewer than %d are too slow", now-before, p.window, p.least))
				return
			}
			before = now
		}
	}()
	return func() { close(ended) }
}

// open requests the URL and returns the response body.
func (d download) open(ctx context.Context, client *http.Client) (io.ReadCloser, error) {
	u, err := url.Parse(d.URL)
	if err != nil {
		return nil, backoff.Permanent(errors.New("the address cannot be read"))
	}
	if u.Scheme == "file" {
		f, err := d.tree.open(u.Path, true)
		if err != nil {
			return nil, backoff.Permanent(err)
		}
		return f, nil
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.URL, http.NoBody)
	if err != nil {
		return nil, backoff.Permanent(errors.New("the address cannot be read"))
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, httpclient.WithoutURL(err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, errors.Join(answer(response), response.Body.Close())
	}
	return response.Body, nil
}

// answer returns the error for a response without the file. Client errors other than 408 and 429 are permanent.
func answer(r *http.Response) error {
	err := fmt.Errorf("the server answers %s", r.Status)
	wait := r.StatusCode == http.StatusRequestTimeout || r.StatusCode == http.StatusTooManyRequests
	if r.StatusCode >= http.StatusInternalServerError || wait {
		return err
	}
	return backoff.Permanent(err)
}

// verifiedReader reads the source and fails at its end if the digest does not match.
type verifiedReader struct {
	from io.Reader
	sum  hash.Hash
	want string
	read atomic.Int64
	// failed reports whether reading the source failed.
	failed bool
}

func (v *verifiedReader) Read(p []byte) (int, error) {
	n, err := v.from.Read(p)
	_, _ = v.sum.Write(p[:n])
	v.read.Add(int64(n))
	if !errors.Is(err, io.EOF) {
		v.failed = v.failed || err != nil
		return n, err
	}
	if got := hex.EncodeToString(v.sum.Sum(nil)); got != v.want {
		return n, backoff.Permanent(fmt.Errorf("the digest is %s and not %s", got, v.want))
	}
	return n, io.EOF
}
