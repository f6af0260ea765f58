package endpoint

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/reports"
	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/canary"
)

// reader accepts reports that start with fine. Its errors quote the report, which clients must not see.
type reader struct{}

func (reader) ReadStatus(data []byte) (status.Status, error) {
	if !bytes.HasPrefix(data, []byte("fine")) {
		return status.Status{}, io.ErrUnexpectedEOF
	}
	return status.Status{State: status.StateFailed, Failure: &status.Failure{Cause: string(data)}}, nil
}

// A running server with two machines.
type stand struct {
	server *Server
	client *http.Client
	store  *memory.Reports
	clock  *memory.Clock
	log    *bytes.Buffer
	stop   func()
}

func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

func key(name string) ports.Key { return ports.Key{Namespace: "a", Name: name} }

func owner(name string) ports.Owner { return ports.Owner{Key: key(name), UID: "uid-" + name} }

func start(t *testing.T, change ...func(*Options)) *stand {
	t.Helper()
	return startWith(t, defaultTimeouts(), change...)
}

func startWith(t *testing.T, p timeouts, change ...func(*Options)) *stand {
	t.Helper()
	return startServer(t, func(s *Server) { s.timeouts = p }, change...)
}

func startServer(t *testing.T, prepare func(*Server), change ...func(*Options)) *stand {
	t.Helper()
	s := &stand{store: &memory.Reports{}, clock: &memory.Clock{}, log: &bytes.Buffer{}}
	for _, name := range []string{"one", "two"} {
		s.store.Put(key(name), ports.ReportingMachine{
			Owner: owner(name), Credentials: credential.Grants{{Digest: credential.DigestOf([]byte(canary.Mark + name))}},
			Published: s.clock.Now(),
		})
	}
	pair, pool := certificate(t)
	o := Options{
		Address: "127.0.0.1:0", Certificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &pair, nil },
		Reports: reports.New(reports.Dependencies{Reports: s.store, Reader: reader{}, Clock: s.clock}), Clock: s.clock,
		Log: slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, f := range change {
		f(&o)
	}
	var err error
	if s.server, err = New(o); err != nil {
		t.Fatal(err)
	}
	prepare(s.server)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.server.Start(ctx) }()
	s.client = &http.Client{Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: pool},
		DisableKeepAlives: true,
	}}
	s.stop = func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	return s
}

type reply struct {
	code   int
	header http.Header
	text   string
}

func (s *stand) send(t *testing.T, method, path, shown string, body io.Reader) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "https://"+s.server.Address()+path, body)
	if err != nil {
		t.Fatal(err)
	}
	if shown != "" {
		r.Header.Set("Authorization", "Bearer "+shown)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err := answer.Body.Close(); err != nil {
		t.Error(err)
	}
	if err != nil {
		t.Error(err)
	}
	return reply{code: answer.StatusCode, header: answer.Header, text: string(text)}
}

func TestReports(t *testing.T) {
	s := start(t)
	defer s.stop()
	cases := map[string]struct {
		reason, method, path, shown, body string
		want                              int
	}{
		"wrong credential": {reason: "it is none", path: "/reports/a/one", shown: "x", want: 401},
		"another's": {
			reason: "a machine reports of itself alone", path: "/reports/a/two",
			shown: canary.Mark + "one", want: 401,
		},
		"none": {reason: "nothing is shown", path: "/reports/a/one", want: 401},
		"unknown machine": {
			reason: "it looks the same as a wrong credential", path: "/reports/a/three",
			shown: canary.Mark + "one", want: 401,
		},
		"unknown namespace": {reason: "so does that", path: "/reports/b/one", shown: canary.Mark + "one", want: 401},
		"endless name": {
			reason: "no object has it", path: "/reports/a/" + strings.Repeat("n", 4000),
			shown: canary.Mark + "one", want: 401,
		},
		"reading": {
			reason: "nothing is read back", method: http.MethodGet, path: "/reports/a/one",
			shown: canary.Mark + "one", want: 405,
		},
		"deleting": {
			reason: "nothing is taken back", method: http.MethodDelete, path: "/reports/a/one",
			shown: canary.Mark + "one", want: 405,
		},
		"elsewhere": {reason: "there is nothing else", path: "/", shown: canary.Mark + "one", want: 404},
		"33 KiB": {
			reason: "it is too much", path: "/reports/a/one", shown: canary.Mark + "one",
			body: "fine" + strings.Repeat("x", 33<<10), want: 413,
		},
		"no report": {
			reason: "it sends nothing", path: "/reports/a/one", shown: canary.Mark + "one",
			body: canary.Mark, want: 400,
		},
		"no agent is served": {
			reason: "no client asked for it", method: http.MethodGet, path: "/agent/linux/amd64", want: 404,
		},
		"32 KiB": {
			reason: "that is allowed", path: "/reports/a/one", shown: canary.Mark + "one",
			body: "fine" + strings.Repeat("x", 32<<10-4), want: 204,
		},
		"the other, by a PUT": {
			reason: "both methods do", method: http.MethodPut, path: "/reports/a/two",
			shown: canary.Mark + "two", body: "fine", want: 204,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if c.method == "" {
				c.method = http.MethodPost
			}
			answer := s.send(t, c.method, c.path, c.shown, strings.NewReader(c.body))
			if answer.code != c.want || strings.Contains(answer.text, canary.Mark) || c.want == 401 && answer.text != "" {
				t.Errorf("%s: %d %q", c.reason, answer.code, answer.text)
			}
		})
	}
	if last, _ := s.store.Last(t.Context(), owner("one")); last.Summary == nil {
		t.Error("what was taken is not kept")
	}
}

func TestNoSecretIsLogged(t *testing.T) {
	s := start(t)
	for _, shown := range []string{canary.Mark + "one", canary.Mark + "two", canary.Mark} {
		s.send(t, http.MethodPost, "/reports/a/one", shown, strings.NewReader("fine "+canary.Mark))
		s.send(t, http.MethodPost, "/reports/a/one?credential="+canary.Mark, shown, strings.NewReader(canary.Mark))
	}
	s.stop()
	if text := s.log.String(); strings.Contains(text, canary.Mark) || !strings.Contains(text, "A machine has reported") {
		t.Error(text)
	}
}

// refusal returns everything that a client sees of a response, except the time.
func (r reply) refusal(t *testing.T) string {
	t.Helper()
	header := r.header.Clone()
	header.Del("Date")
	var all bytes.Buffer
	if err := header.Write(&all); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(r.code, all.String(), r.text)
}

func TestRefusalsLookTheSame(t *testing.T) {
	s := start(t)
	defer s.stop()
	wrong := s.send(t, http.MethodPost, "/reports/a/one", "wrong", strings.NewReader("fine"))
	unknown := s.send(t, http.MethodPost, "/reports/a/none", "wrong", strings.NewReader("fine"))
	long := s.send(t, http.MethodPost, "/reports/a/one", strings.Repeat("x", 7<<10), strings.NewReader("fine"))
	s.clock.Advance(delivery.DefaultCredential)
	expired := s.send(t, http.MethodPost, "/reports/a/one", canary.Mark+"one", strings.NewReader("fine"))
	want := wrong.refusal(t)
	for reason, other := range map[string]reply{
		"no such machine": unknown, "a long credential": long,
		"an expired one": expired,
	} {
		if got := other.refusal(t); got != want {
			t.Errorf("%s: %s and not %s", reason, got, want)
		}
	}
}

func TestFloodIsStoppedForOneMachineAlone(t *testing.T) {
	s := start(t)
	defer s.stop()
	codes := map[int]int{}
	for range reportsAtOnce + 10 {
		answer := s.send(t, http.MethodPost, "/reports/a/one", canary.Mark+"one", strings.NewReader("fine"))
		codes[answer.code]++
	}
	for range reportsAtOnce + 10 {
		answer := s.send(t, http.MethodPost, "/reports/a/two", "wrong", strings.NewReader("fine"))
		codes[answer.code]++
	}
	if codes[204] != reportsAtOnce || codes[429] != 10 || codes[401] != reportsAtOnce+10 {
		t.Errorf("answers: %v", codes)
	}
	if answer := s.send(t, http.MethodPost, "/reports/a/two", canary.Mark+"two",
		strings.NewReader("fine")); answer.code != http.StatusNoContent {
		t.Errorf("strangers took the other's turn: %d", answer.code)
	}
	s.clock.Advance(5 * time.Second)
	if answer := s.send(t, http.MethodPost, "/reports/a/one", canary.Mark+"one",
		strings.NewReader("fine")); answer.code != http.StatusNoContent {
		t.Errorf("later it may report again: %d", answer.code)
	}
}

func TestSilentMachinesAreForgotten(t *testing.T) {
	r, now := newRates(reportsPerSecond, reportsAtOnce), time.Unix(1_800_000_000, 0)
	r.allow("one", now)
	r.allow("two", now.Add(r.whole()))
	if _, known := r.known["one"]; known || len(r.known) != 1 {
		t.Errorf("remembered: %v", r.known)
	}
}

func TestSlowSendersAreCutOff(t *testing.T) {
	s := startWith(t, timeouts{
		header: 300 * time.Millisecond, request: 600 * time.Millisecond, download: time.Second,
		shutdown: time.Minute,
	})
	defer s.stop()
	for name, begin := range map[string]string{
		"nothing":       "",
		"half a header": "POST /reports/a/one HTTP/1.1\r\nHost: x\r\nX-Slow: ",
		"half a body": "POST /reports/a/one HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + canary.Mark + "one\r\n" +
			"Content-Length: 100\r\n\r\nfine",
	} {
		t.Run(name, func(t *testing.T) {
			transport, ok := s.client.Transport.(*http.Transport)
			if !ok {
				t.Fatal("another transport")
			}
			conn, err := tls.Dial("tcp", s.server.Address(), transport.TLSClientConfig)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			if _, err := io.WriteString(conn, begin); err != nil {
				t.Fatal(err)
			}
			// The server closes the connection; otherwise the test would not end.
			text, _ := io.ReadAll(conn)
			if strings.Contains(string(text), "204") {
				t.Errorf("taken: %s", text)
			}
		})
	}
	if last, _ := s.store.Last(t.Context(), owner("one")); last.Summary != nil {
		t.Error("half a report was kept")
	}
}

func TestOldTLSIsRefused(t *testing.T) {
	s := start(t)
	defer s.stop()
	conn, err := tls.Dial("tcp", s.server.Address(), &tls.Config{
		InsecureSkipVerify: true, MinVersion: tls.VersionTLS10,
		MaxVersion: tls.VersionTLS11,
	}) //nolint:gosec // the test requires it
	if err == nil {
		_ = conn.Close()
		t.Error("TLS 1.1 was spoken")
	}
}

func TestAddressInUseIsAnError(t *testing.T) {
	s := start(t)
	defer s.stop()
	if _, err := New(Options{Address: s.server.Address(), Clock: s.clock}); err == nil {
		t.Error("two servers at one address")
	}
}
