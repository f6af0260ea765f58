package endpoint

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/machineadm/machineadm/test/canary"
)

// The local addresses that the test clients use.
const (
	here  = "127.0.0.1"
	there = "127.0.0.2"
)

// enduring returns timeouts longer than any test, so that no connection times out.
func enduring() timeouts {
	return timeouts{header: time.Hour, request: time.Hour, download: time.Hour, shutdown: time.Minute}
}

// from returns a client that connects from the address.
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

// idle opens a connection that sends nothing.
func (s *stand) idle(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := dialer(address).DialContext(t.Context(), "tcp", s.server.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// reports returns the status code of a report, or the error of a closed connection.
func (s *stand) reports(t *testing.T) (int, error) {
	t.Helper()
	address := "https://" + s.server.Address() + "/reports/a/two"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("fine"))
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
	held := s.idleFrom(t, here, 3)
	if code, err := s.from(t, here).reports(t); err == nil {
		t.Errorf("a fourth connection of one address was served: %d", code)
	}
	if code, err := s.from(t, there).reports(t); code != http.StatusNoContent {
		t.Errorf("the other address is shut out: %d, %v", code, err)
	}
	if n := testutil.ToFloat64(metrics.away.WithLabelValues("connection")); n != 1 {
		t.Errorf("turned away: %v", n)
	}
	// A machine behind the same address gets the slot of the client that has sent nothing for the grace period.
	s.clock.Advance(grace)
	if code, err := s.from(t, here).reports(t); code != http.StatusNoContent {
		t.Errorf("idle clients keep a machine of their address out: %d, %v", code, err)
	}
	s.stopWith(held)
}

// idleFrom opens n connections that send nothing.
func (s *stand) idleFrom(t *testing.T, address string, n int) []net.Conn {
	t.Helper()
	var held []net.Conn
	for range n {
		held = append(held, s.idle(t, address))
	}
	return held
}

// stopWith closes the clients' connections and stops the server.
func (s *stand) stopWith(held []net.Conn) {
	for _, conn := range held {
		_ = conn.Close()
	}
	s.stop()
}

func TestLargestClientIsDisplaced(t *testing.T) {
	s := startServer(t, func(s *Server) { s.timeouts, s.connections.all = enduring(), 4 })
	held := s.idleFrom(t, here, 4)
	if code, err := s.from(t, there).reports(t); code != http.StatusNoContent {
		t.Errorf("all slots were taken by one address: %d, %v", code, err)
	}
	// The longest idle connection was closed; otherwise the test would not end.
	if n, err := held[0].Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	s.stopWith(held)
}

// TestIdleConnectionsAreDisplaced attacks with one connection from each of many addresses, so that no limit per source
// applies. Clients that stop before, during and after the handshake are equally idle.
func TestIdleConnectionsAreDisplaced(t *testing.T) {
	const all = 32
	s := startServer(t, func(s *Server) { s.timeouts, s.connections.all = enduring(), all })
	starts := []string{"", "\x16\x03\x01\x02\x00\x01", "POST /reports/a/two HTTP/1.1\r\nHost: x\r\nX-Slow: "}
	var held []net.Conn
	for i := range all {
		held = append(held, s.begin(t, fmt.Sprintf("127.1.0.%d", i+1), starts[i%len(starts)]))
	}
	for i := range all {
		if code, err := s.from(t, fmt.Sprintf("127.2.0.%d", i+1)).reports(t); code != http.StatusNoContent {
			t.Errorf("machine %d is shut out: %d, %v", i, code, err)
		}
		s.clock.Advance(5 * time.Second)
	}
	s.stopWith(held)
}

// begin opens a connection and sends the text, over TLS if it is HTTP.
func (s *stand) begin(t *testing.T, address, text string) net.Conn {
	t.Helper()
	conn := s.idle(t, address)
	if strings.HasPrefix(text, "POST") {
		secured := tls.Client(conn, s.tlsConfig(t))
		t.Cleanup(func() { _ = secured.Close() })
		conn = secured
	}
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

func (s *stand) tlsConfig(t *testing.T) *tls.Config {
	t.Helper()
	transport, ok := s.client.Transport.(*http.Transport)
	if !ok {
		t.Fatal("another transport")
	}
	known := transport.TLSClientConfig.Clone()
	known.ServerName = here
	return known
}

// download requests the agent and reads only the header of the response.
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
	// Otherwise the body would be read first.
	answer.Body = http.NoBody
	if err := answer.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return reply{code: answer.StatusCode, header: answer.Header}, conn
}

func TestSlowReadersLeaveRoom(t *testing.T) {
	dir := t.TempDir()
	// The file is larger than the socket buffers.
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

// TestConnectionsTimeOut requests keep-alive connections, as an attacker who wants to hold them would.
func TestConnectionsTimeOut(t *testing.T) {
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
		"a report": "POST /reports/a/one HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + canary.Mark + "one\r\n" +
			"Content-Length: 4\r\n\r\nfine",
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
			// The server closes the connection; otherwise the test would not end.
			text, err := io.ReadAll(conn)
			if err != nil || !strings.Contains(string(text), "\r\nConnection: close\r\n") {
				t.Errorf("%s, %v", text, err)
			}
		})
	}
}

// TestShutdownIsBounded verifies that the server stops while a client is connected and sends nothing.
func TestShutdownIsBounded(t *testing.T) {
	limits := enduring()
	limits.shutdown = time.Millisecond
	s := startWith(t, limits)
	conn := s.begin(t, here, "POST /reports/a/two HTTP/1.1\r\nHost: x\r\nX-Slow: ")
	// stop fails the test if the server returns an error.
	s.stop()
	if n, err := conn.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// TestHTTP2IsDisabled verifies that one connection has one request, since streams would bypass the limits per source.
func TestHTTP2IsDisabled(t *testing.T) {
	s := start(t)
	defer s.stop()
	offer := s.tlsConfig(t)
	offer.NextProtos = []string{"h2", "http/1.1"}
	conn, err := tls.Dial("tcp", s.server.Address(), offer)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if chosen := conn.ConnectionState().NegotiatedProtocol; chosen != "http/1.1" {
		t.Errorf("the server chose %q", chosen)
	}
	offer.NextProtos = []string{"h2"}
	if conn, err := tls.Dial("tcp", s.server.Address(), offer); err == nil {
		_ = conn.Close()
		t.Error("a client that speaks HTTP/2 alone was served")
	}
}

// TestConnectionsHaveSmallBuffers verifies that unread data takes little memory, and that a slow reader does not seem
// to stall.
func TestConnectionsHaveSmallBuffers(t *testing.T) {
	l, err := net.Listen("tcp", here+":0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	client, err := dialer(here).DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	conn, err := limitedListener{Listener: l, limiter: newClientLimiter(connectionLimits(), time.Now, nil)}.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	raw, err := conn.(connection).Conn.(*net.TCPConn).SyscallConn() //nolint:forcetypeassert // a panic is a failure
	if err != nil {
		t.Fatal(err)
	}
	for option, limit := range map[int]int{syscall.SO_SNDBUF: 2 * sendBuffer, syscall.SO_RCVBUF: 2 * receiveBuffer} {
		var size int
		var failed error
		if err := raw.Control(func(fd uintptr) {
			size, failed = syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET,
				option)
		}); err != nil {
			t.Fatal(err)
		}
		if failed != nil || size > limit {
			t.Errorf("option %d: %d bytes, %v", option, size, failed)
		}
	}
}

// TestForwardedAddressesAreNotRead attacks with a header that names a different source in each request.
func TestForwardedAddressesAreNotRead(t *testing.T) {
	s := startServer(t, func(s *Server) { s.timeouts, s.connections.each = enduring(), 2 }, func(o *Options) {
		o.PerSource, o.Objects = 1, newShelf(minStoredBytes)
	})
	held := s.readSlowly(t, here)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+s.server.Address()+
		storedPath, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"X-Forwarded-For", "Forwarded", "X-Real-IP"} {
		r.Header.Set(name, "for=192.0.2.1")
	}
	answer, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a source is the client's own claim: %d, %v", answer.StatusCode, err)
	}
	s.stopWith([]net.Conn{held})
}
