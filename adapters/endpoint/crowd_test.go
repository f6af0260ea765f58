package endpoint

import (
	"bufio"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/machineadm/machineadm/test/canary"
)

// The addresses of this machine from which the tests come.
const (
	here  = "127.0.0.1"
	there = "127.0.0.2"
)

// enduring waits longer than any test takes, so that nothing ends by itself.
func enduring() patience { return patience{header: time.Hour, request: time.Hour, download: time.Hour} }

// from returns a client that comes from the address.
func (s *stand) from(t *testing.T, address string) *stand {
	t.Helper()
	transport, ok := s.client.Transport.(*http.Transport)
	if !ok {
		t.Fatal("another transport")
	}
	other := *s
	changed := transport.Clone()
	changed.DialContext = dialer(address).DialContext
	other.client = &http.Client{Transport: changed}
	return &other
}

func dialer(address string) *net.Dialer {
	return &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
}

// idle opens a connection that says nothing.
func (s *stand) idle(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := dialer(address).DialContext(t.Context(), "tcp", s.server.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// reports says whether a report is taken; the error is that of a connection that was cut.
func (s *stand) reports(t *testing.T) (int, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+s.server.Address()+"/reports/a/two", strings.NewReader("fine"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+canary.Mark+"two")
	answer, err := s.client.Do(r)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}

func TestOneAddressHoldsItsShareAlone(t *testing.T) {
	metrics, err := NewMetrics(prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	s := startWith(t, enduring(), func(o *Options) { o.PerSource, o.Metrics = 3, metrics })
	var held []net.Conn
	for range 3 {
		held = append(held, s.idle(t, here))
	}
	if code, err := s.from(t, here).reports(t); err == nil {
		t.Errorf("a fourth connection of one address was served: %d", code)
	}
	if code, err := s.from(t, there).reports(t); code != http.StatusNoContent {
		t.Errorf("the other address is shut out: %d, %v", code, err)
	}
	if n := testutil.ToFloat64(metrics.away.WithLabelValues("connection")); n != 1 {
		t.Errorf("turned away: %v", n)
	}
	// The server learns of it by and by; without that the test would not end.
	_ = held[0].Close()
	for code := 0; code != http.StatusNoContent; code, _ = s.from(t, here).reports(t) {
	}
	for _, conn := range held {
		_ = conn.Close()
	}
	s.stop()
}

func TestWhoHoldsMostGivesWay(t *testing.T) {
	s := startServer(t, func(s *Server) { s.patience, s.connections = enduring(), newCrowd(4, 4, nil) })
	var held []net.Conn
	for range 4 {
		held = append(held, s.idle(t, here))
	}
	if code, err := s.from(t, there).reports(t); code != http.StatusNoContent {
		t.Errorf("all places were taken by one address: %d, %v", code, err)
	}
	// The newest was cut; the test ends because of that.
	if n, err := held[3].Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	for _, conn := range held {
		_ = conn.Close()
	}
	s.stop()
}

// download asks for the agent and reads the answer's head alone.
func (s *stand) download(t *testing.T, address string) (reply, net.Conn) {
	t.Helper()
	transport, ok := s.client.Transport.(*http.Transport)
	if !ok {
		t.Fatal("another transport")
	}
	conn, err := tls.DialWithDialer(dialer(address), "tcp", s.server.Address(), transport.TLSClientConfig)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := io.WriteString(conn, "GET /agent/linux/amd64 HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	// Its body would be read first.
	answer.Body = http.NoBody
	if err := answer.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return reply{code: answer.StatusCode, header: answer.Header}, conn
}

func TestSlowReadersLeaveRoom(t *testing.T) {
	dir := t.TempDir()
	// It is more than what the kernel keeps for a connection.
	f, err := os.Create(filepath.Join(dir, "machineadm-linux-amd64"))
	if err := errors.Join(err, f.Truncate(64<<20), f.Close()); err != nil {
		t.Fatal(err)
	}
	agents, err := ReadAgents(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := startWith(t, enduring(), func(o *Options) { o.Agents, o.PerSource = agents, 4 })
	var slow []net.Conn
	for range 2 {
		answer, conn := s.download(t, here)
		if slow = append(slow, conn); answer.code != http.StatusOK {
			t.Errorf("a download: %d", answer.code)
		}
	}
	answer, conn := s.download(t, here)
	if answer.code != http.StatusServiceUnavailable || answer.header.Get("Retry-After") == "" {
		t.Errorf("half of an address's connections are for others: %d %v", answer.code, answer.header)
	}
	_ = conn.Close()
	if answer, conn := s.download(t, there); answer.code != http.StatusOK {
		t.Errorf("another address: %d", answer.code)
	} else {
		slow = append(slow, conn)
	}
	if code, err := s.from(t, here).reports(t); code != http.StatusNoContent {
		t.Errorf("a report beside downloads: %d, %v", code, err)
	}
	for _, conn := range slow {
		_ = conn.Close()
	}
	s.stop()
	if strings.Contains(s.log.String(), "Cannot serve") {
		t.Errorf("strangers fill the log: %s", s.log)
	}
}

func TestASlowReaderGivesWay(t *testing.T) {
	c := newCrowd(2, 2, nil)
	one, two := source(here+":1"), source(there+":1")
	var gone []string
	enter := func(from netip.Prefix, name string) (func(), bool) {
		return c.enter(from, func() { gone = append(gone, name) })
	}
	leave, _ := enter(one, "first")
	enter(one, "second")
	if _, in := enter(one, "third"); in {
		t.Error("one source has more than its share")
	}
	other, in := enter(two, "other")
	if !in || !slices.Equal(gone, []string{"second"}) {
		t.Errorf("in: %v, gone: %v", in, gone)
	}
	if _, in := enter(source("[2001:db8::1]:1"), "later"); in || len(gone) != 1 {
		t.Errorf("all have as little as the last would have; gone: %v", gone)
	}
	leave()
	leave()
	other()
	if c.count != 0 || len(c.present) != 0 {
		t.Errorf("remembered: %d, %v", c.count, c.present)
	}
}

func TestSources(t *testing.T) {
	cases := map[string]struct{ reason, a, b string }{
		"ports":     {reason: "a machine has many", a: "192.0.2.1:1", b: "192.0.2.1:2"},
		"networks":  {reason: "who has one address has all of them", a: "[2001:db8::1]:1", b: "[2001:db8::ffff:2]:1"},
		"two sorts": {reason: "the listener shows one as the other", a: "[::ffff:192.0.2.1]:1", b: "192.0.2.1:1"},
		"zones":     {reason: "it is the same network", a: "[fe80::1%eth0]:1", b: "[fe80::2]:1"},
		"no place":  {reason: "what has no address is one source", a: "", b: "@"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if a, b := source(c.a), source(c.b); a != b {
				t.Errorf("%s: %s and %s", c.reason, a, b)
			}
		})
	}
	if source("192.0.2.1:1") == source("192.0.2.2:1") || source("[2001:db8::1]:1") == source("[2001:db8:0:1::1]:1") {
		t.Error("two sources are one")
	}
}

// TestNobodyKeepsAConnection asks as those do who hold connections: for one that stays open.
func TestNobodyKeepsAConnection(t *testing.T) {
	s := startWith(t, enduring())
	defer s.stop()
	transport, ok := s.client.Transport.(*http.Transport)
	if !ok {
		t.Fatal("another transport")
	}
	for name, request := range map[string]string{
		"no credential": "POST /reports/a/one HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
		"no such place": "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"no method":     "GET /reports/a/one HTTP/1.1\r\nHost: x\r\n\r\n",
		"a report":      "POST /reports/a/one HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + canary.Mark + "one\r\nContent-Length: 4\r\n\r\nfine",
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := tls.Dial("tcp", s.server.Address(), transport.TLSClientConfig)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			if _, err := io.WriteString(conn, request); err != nil {
				t.Fatal(err)
			}
			// It ends because the server ends it; without that the test would not.
			text, err := io.ReadAll(conn)
			if err != nil || !strings.Contains(string(text), "\r\nConnection: close\r\n") {
				t.Errorf("%s, %v", text, err)
			}
		})
	}
}
