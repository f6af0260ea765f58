package main

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// fault is what the proxy does to a request.
type fault string

// The faults. A request without one is passed on.
const (
	none fault = ""
	// faultConflict answers that the object has changed.
	faultConflict fault = "conflicts"
	// faultTimeout answers that the API server took too long, without asking it.
	faultTimeout fault = "time-outs"
	// faultLost passes the request on, and closes the connection in place of the answer.
	faultLost fault = "lost answers"
	// faultTooMany asks the client to slow down.
	faultTooMany fault = "429s"
	// faultCut ends a watch after a moment.
	faultCut fault = "cut watches"
)

// faults returns all faults, in the order of the table.
func faults() []fault { return []fault{faultConflict, faultTimeout, faultLost, faultTooMany, faultCut} }

// oneIn is how many requests have one with a fault. Watches are always cut.
const oneIn = 12

// deck deals faults in random order: of len(kinds)*oneIn requests, each kind disturbs exactly one. Therefore a short
// run cannot miss a kind by chance.
type deck struct{ kinds, left []fault }

// deal returns the fault of the next request.
func (d *deck) deal(random *rand.Rand) fault {
	if len(d.left) == 0 {
		d.left = append(make([]fault, len(d.kinds)*(oneIn-1)), d.kinds...)
		random.Shuffle(len(d.left), func(i, k int) { d.left[i], d.left[k] = d.left[k], d.left[i] })
	}
	f := d.left[0]
	d.left = d.left[1:]
	return f
}

// proxy is a reverse proxy before the API server that injects faults.
type proxy struct {
	*httptest.Server
	pass *httputil.ReverseProxy

	mutex           sync.Mutex
	random          *rand.Rand
	updates, others deck
	counts          map[fault]int
}

// newProxy starts a proxy before the API server of the configuration. It passes the credentials of clients on, and has
// none.
func newProxy(config *rest.Config, seed uint64) (*proxy, error) {
	transport, err := rest.TransportFor(rest.AnonymousClientConfig(config))
	if err != nil {
		return nil, err
	}
	target, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, err
	}
	p := &proxy{
		random:  rand.New(rand.NewPCG(seed, seed)), //nolint:gosec // not for secrets
		updates: deck{kinds: []fault{faultConflict, faultTimeout, faultLost, faultTooMany}},
		others:  deck{kinds: []fault{faultTimeout, faultLost, faultTooMany}},
		counts:  map[fault]int{},
	}
	p.pass = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }, Transport: transport, FlushInterval: -1,
		ErrorLog: log.New(io.Discard, "", 0),
	}
	// Clients send their tokens only over TLS.
	p.Server = httptest.NewUnstartedServer(p)
	p.Config.ErrorLog = p.pass.ErrorLog // clients that are killed
	p.StartTLS()
	return p, nil
}

// ServeHTTP passes the request on, or injects a fault.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch p.choose(r) {
	case faultConflict:
		refuse(w, http.StatusConflict, metav1.StatusReasonConflict)
	case faultTimeout:
		refuse(w, http.StatusGatewayTimeout, metav1.StatusReasonTimeout)
	case faultTooMany:
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests)
	case faultLost:
		p.pass.ServeHTTP(httptest.NewRecorder(), r)
		hangUp(w)
	case faultCut:
		ctx, cancel := context.WithTimeout(r.Context(), p.moment())
		defer cancel()
		p.pass.ServeHTTP(w, r.WithContext(ctx))
	case none:
		p.pass.ServeHTTP(w, r)
	}
}

// choose returns the fault for the request and counts it. Leases have none: replicas that lose them end, and the run
// ends them often enough.
func (p *proxy) choose(r *http.Request) fault {
	info := describe(r)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	f := none
	switch {
	case info.watch:
		f = faultCut
	case info.lease:
	case info.update:
		f = p.updates.deal(p.random)
	default:
		f = p.others.deal(p.random)
	}
	p.counts[f]++
	return f
}

// moment is how long a watch lives.
func (p *proxy) moment() time.Duration {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return time.Duration(1000+p.random.IntN(5000)) * time.Millisecond
}

// authority returns the certificate by which clients trust the proxy.
func (p *proxy) authority() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.Certificate().Raw})
}

// injected returns how many faults of each kind there were.
func (p *proxy) injected() map[fault]int {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	counts := make(map[fault]int, len(p.counts))
	for _, f := range faults() {
		counts[f] = p.counts[f]
	}
	return counts
}

// requestInfo is what the proxy knows of a request.
type requestInfo struct{ watch, update, lease bool }

func describe(r *http.Request) requestInfo {
	watch := r.URL.Query().Get("watch")
	return requestInfo{
		watch:  watch == "true" || watch == "1",
		update: r.Method == http.MethodPut || r.Method == http.MethodPatch,
		lease:  leases.MatchString(r.URL.Path),
	}
}

func refuse(w http.ResponseWriter, code int32, reason metav1.StatusReason) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(code))
	_ = json.NewEncoder(w).Encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
		Code: code, Reason: reason, Message: "injected",
	})
}

// hangUp closes the connection without an answer.
func hangUp(w http.ResponseWriter) {
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		return
	}
	if conn, _, err := hijacker.Hijack(); err == nil {
		_ = conn.Close()
	}
}
