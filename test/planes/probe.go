//go:build linux

package planes

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/onsi/gomega"
	"k8s.io/client-go/rest"
)

const (
	// probePeriod is how often a probe requests something, and probeLimit how long a request may take.
	probePeriod = 100 * time.Millisecond
	probeLimit  = 2 * time.Second
)

// Figures are what a client of the API server has seen.
type Figures struct {
	Requests, Failures int
	// Gap is the longest time between two requests that succeeded.
	Gap time.Duration
	// Total is how long the client has run.
	Total time.Duration
}

// String returns the figures as cells of a table.
func (f Figures) String() string {
	return fmt.Sprintf("%d | %d | %.1f s | %.0f s", f.Requests, f.Failures, f.Gap.Seconds(), f.Total.Seconds())
}

// Probe is a client that reads an object from the API server every 100 ms, each time with a new connection to the
// endpoint of the cluster.
type Probe struct {
	cancel context.CancelFunc
	done   chan struct{}
	// figures are complete when done is closed.
	figures Figures
}

// StartProbe starts a probe, which ends with the test.
func (c *Cluster) StartProbe() *Probe {
	c.t.Helper()
	config := c.Kubeconfig()
	config.Timeout = probeLimit
	// HTTP/2 would share a connection.
	config.NextProtos = []string{"http/1.1"}
	transport, err := rest.TransportFor(config)
	c.Expect(err).NotTo(gomega.HaveOccurred())
	ctx, cancel := context.WithCancel(c.ctx)
	p := &Probe{cancel: cancel, done: make(chan struct{})}
	go p.run(ctx, transport, config.Host+"/api/v1/namespaces/kube-public/configmaps/cluster-info")
	c.t.Cleanup(func() { p.Stop() })
	return p
}

// run requests the URL until the context ends.
func (p *Probe) run(ctx context.Context, transport http.RoundTripper, url string) {
	defer close(p.done)
	began := time.Now()
	last := began
	ticker := time.NewTicker(probePeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			p.figures.Total = time.Since(began)
			p.figures.Gap = max(p.figures.Gap, time.Since(last))
			return
		case <-ticker.C:
		}
		p.figures.Requests++
		if request(ctx, transport, url) != nil {
			p.figures.Failures++
			continue
		}
		p.figures.Gap = max(p.figures.Gap, time.Since(last))
		last = time.Now()
	}
}

func request(ctx context.Context, transport http.RoundTripper, url string) error {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	r.Close = true
	response, err := transport.RoundTrip(r)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the status is %s", response.Status)
	}
	return nil
}

// Stop stops the probe and returns its figures.
func (p *Probe) Stop() Figures {
	p.cancel()
	<-p.done
	return p.figures
}
