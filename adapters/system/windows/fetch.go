package windows

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/cenkalti/backoff/v5"
	"golang.org/x/net/http/httpproxy"

	"github.com/machineadm/machineadm/adapters/internal/httpclient"
	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

const (
	// largest is how large a file may be, in bytes: far above any, and far below what fills a disk unseen.
	largest = 8 << 30
	// patience is how long a download may take.
	patience = 30 * time.Minute
	attempts = 4
	// connect is how long a connection and its TLS handshake may take, and answers how long a server may take to answer.
	connect, answers = 30 * time.Second, time.Minute
)

// download is a file that is fetched and whose digest is checked.
type download struct {
	*Host
	action.FetchFile
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
	if actual.Exists {
		sum, want := d.digest()
		if got, err := d.tree.digest(d.Path, sum); got == want || err != nil {
			return nil, err
		}
	}
	return []string{fmt.Sprintf("~ %s: from %s", d.Path, d.From())}, nil
}

// apply fetches into a file beside the place, which the file takes only if the digest vouches for it.
func (d download) apply(ctx context.Context, _ journal.Original) error {
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := d.attempt(ctx)
		if errors.Is(err, errDigest) {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithMaxTries(attempts), backoff.WithMaxElapsedTime(0))
	if err != nil {
		return fmt.Errorf("fetch %s: %w", d.From(), err)
	}
	return nil
}

func (d download) attempt(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	body, err := d.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	sum, want := d.digest()
	return d.tree.write(ctx, d.Path, &verifiedReader{from: io.LimitReader(body, largest), sum: sum, want: want},
		windowscmd.IsPrivate(d.Mode.Or(machine.DefaultFileMode)))
}

// open opens the address for reading; a file's is file:///C:/....
func (d download) open(ctx context.Context) (io.ReadCloser, error) {
	u, err := url.Parse(d.URL)
	if err != nil {
		return nil, errors.New("the address cannot be read")
	}
	if u.Scheme == "file" {
		name, err := below(u.Path[min(1, len(u.Path)):])
		if err != nil {
			return nil, err
		}
		return d.tree.root.Open(name)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.URL, http.NoBody)
	if err != nil {
		return nil, errors.New("the address cannot be read")
	}
	client, err := d.client(ctx)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, httpclient.WithoutURL(err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("the server answers %s", response.Status), response.Body.Close())
	}
	return response.Body, nil
}

// Proxy returns the function that selects the proxy for a request: that of the machine's environment, or that of the
// agent's. It reads the machine's environment each time, because an earlier phase or the userdata may have configured
// the proxy since the agent started.
func (h *Host) Proxy(ctx context.Context) (func(*http.Request) (*url.URL, error), error) {
	p, err := h.ask(ctx, "look for the proxy", "Show-Proxy")
	if err != nil {
		return nil, err
	}
	if p.one("HTTP_PROXY")+p.one("HTTPS_PROXY") == "" {
		return http.ProxyFromEnvironment, nil
	}
	choose := (&httpproxy.Config{
		HTTPProxy: p.one("HTTP_PROXY"), HTTPSProxy: p.one("HTTPS_PROXY"), NoProxy: p.one("NO_PROXY"),
	}).ProxyFunc()
	return func(r *http.Request) (*url.URL, error) { return choose(r.URL) }, nil
}

// client returns an HTTP client with the machine's proxy.
func (h *Host) client(ctx context.Context) (*http.Client, error) {
	proxy, err := h.Proxy(ctx)
	if err != nil {
		return nil, err
	}
	return &http.Client{CheckRedirect: httpclient.CheckRedirect, Transport: &http.Transport{
		Proxy: proxy, ForceAttemptHTTP2: true,
		DialContext:         (&net.Dialer{Timeout: connect}).DialContext,
		TLSHandshakeTimeout: connect, ResponseHeaderTimeout: answers,
	}}, nil
}

// errDigest means that the address serves another file.
var errDigest = errors.New("digest mismatch")

// verifiedReader passes on what it reads, and at the end fails if the digest differs.
type verifiedReader struct {
	from io.Reader
	sum  hash.Hash
	want string
}

// Read implements io.Reader. It fails at the end of the data if the digest is wrong.
func (v *verifiedReader) Read(p []byte) (int, error) {
	n, err := v.from.Read(p)
	_, _ = v.sum.Write(p[:n])
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	if got := hex.EncodeToString(v.sum.Sum(nil)); got != v.want {
		return n, fmt.Errorf("%w: %s and not %s", errDigest, got, v.want)
	}
	return n, io.EOF
}
