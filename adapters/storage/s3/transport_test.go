package s3

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/egress"
	"github.com/machineadm/machineadm/domain/secret"
)

type now struct{}

func (now) Now() time.Time { return time.Now() }

func at(t *testing.T, endpoint string, list ...string) Options {
	t.Helper()
	p, err := egress.Parse(list)
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Bucket: "machines", Endpoint: endpoint, PathStyle: true, Clock: now{}, Endpoints: p,
		Keys: &Keys{AccessKeyID: "a", SecretAccessKey: secret.FromString("b")},
	}
}

// service is an HTTP server inside the network that does not speak S3. It records requests and answers arbitrarily.
type service struct {
	*httptest.Server
	mutex sync.Mutex
	seen  []string
}

func newService(t *testing.T, answer http.HandlerFunc) *service {
	t.Helper()
	s := &service{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mutex.Lock()
		s.seen = append(s.seen, r.Method+" "+r.URL.Path+" token="+r.Header.Get("X-Amz-Security-Token")+" body="+string(body))
		s.mutex.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *service) requests() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.seen)
}

func code500(code string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, "<Error><Code>"+code+"</Code></Error>")
	}
}

// port returns the port of a test server.
func port(s *httptest.Server) string {
	return s.URL[strings.LastIndex(s.URL, ":")+1:]
}

// TestInternalServicesAreNotReached has a tenant who points a storage at a service inside the network, by its address
// or by a name that resolves to it. No list that omits the address allows the connection.
func TestInternalServicesAreNotReached(t *testing.T) {
	internal := newService(t, code500("what-an-internal-service-answers"))
	for name, c := range map[string]struct {
		endpoint string
		list     []string
	}{
		"by default":         {internal.URL, []string{"aws"}},
		"any host":           {internal.URL, []string{"*:*", "http://*:*"}},
		"any network":        {internal.URL, []string{"http://0.0.0.0/0:*"}},
		"a name":             {"http://localhost:" + port(internal.Server), []string{"http://*:*"}},
		"a listed name":      {"http://localhost:" + port(internal.Server), []string{"http://localhost:*"}},
		"an embedded form":   {"http://[::ffff:127.0.0.1]:" + port(internal.Server), []string{"http://*:*"}},
		"a listed other one": {internal.URL, []string{"http://127.0.0.2:*"}},
	} {
		o := at(t, c.endpoint, c.list...)
		o.Prefix = "kv/teams/billing/"
		s, err := New(t.Context(), o)
		if err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		put, deleted := s.Put(ctx, "m-stored/0123", secret.FromString("#!/bin/sh\n# text of the tenant\n")),
			s.Delete(ctx, "m-stored/0123")
		cancel()
		if put == nil || deleted == nil || strings.Contains(put.Error()+deleted.Error(), "internal") {
			t.Errorf("%s: %v, %v", name, put, deleted)
		}
	}
	if seen := internal.requests(); len(seen) > 0 {
		t.Errorf("the service was asked %d times:\n%s", len(seen), strings.Join(seen, "\n"))
	}
}

// TestRedirectsAreNotFollowed has a listed server that redirects the controller to another listed server.
func TestRedirectsAreNotFollowed(t *testing.T) {
	internal := newService(t, code500("AccessDenied"))
	for _, status := range []int{http.StatusMovedPermanently, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		listed := newService(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, internal.URL+"/stolen", status)
		})
		o := at(t, listed.URL, "http://127.0.0.1:*")
		s, err := New(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Put(t.Context(), "a", secret.FromString("b")); err == nil || len(listed.requests()) == 0 {
			t.Errorf("%d: %v after %d requests", status, err, len(listed.requests()))
		}
		if err := s.Delete(t.Context(), "a"); err == nil {
			t.Errorf("%d: it was deleted", status)
		}
	}
	if seen := internal.requests(); len(seen) > 0 {
		t.Errorf("the other server was asked:\n%s", strings.Join(seen, "\n"))
	}
}

// TestCodesAreThoseOfS3 verifies that an error does not contain arbitrary text of the server.
func TestCodesAreThoseOfS3(t *testing.T) {
	for answered, want := range map[string]string{
		"InternalError": "the server answers InternalError", "AccessDenied": "AccessDenied",
		"Canary7q9zk2xw5v": "an error code that S3 does not define",
		"":                 "the server answers BadRequest", "accessdenied": "an error code that S3 does not define",
	} {
		server := newService(t, code500(answered))
		s, err := New(t.Context(), at(t, server.URL, "http://127.0.0.1:*"))
		if err != nil {
			t.Fatal(err)
		}
		err = s.Delete(t.Context(), "a")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Canary") {
			t.Errorf("%q: %v", answered, err)
		}
	}
}

// TestDialedAddresses verifies that each address is checked when the connection is opened, whatever name it was
// resolved from.
func TestDialedAddresses(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	for name, c := range map[string]struct {
		list []string
		want error
	}{
		"any host":       {[]string{"http://*:*"}, egress.ErrLocal},
		"exact name":     {[]string{"http://s3.example:9000"}, egress.ErrLocal},
		"a network":      {[]string{"http://s3.example:9000", "http://10.0.0.0/8:9000"}, egress.ErrLocal},
		"the address":    {[]string{"http://s3.example:9000", "http://127.0.0.1:9000"}, nil},
		"another port":   {[]string{"http://s3.example:9000", "http://127.0.0.1:9001"}, egress.ErrLocal},
		"another scheme": {[]string{"http://s3.example:9000", "https://127.0.0.1:9000"}, egress.ErrLocal},
	} {
		_, grant, err := at(t, "http://s3.example:9000", c.list...).check(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var d net.Dialer
		guard(grant)(&d)
		for _, to := range []string{"127.0.0.1:", "localhost:"} {
			conn, err := d.DialContext(t.Context(), "tcp4", to+port(server))
			if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("%s: %s: %v", name, to, err)
			}
			if err == nil {
				_ = conn.Close()
			}
		}
	}
}

// TestRequestsReachTheEndpoint verifies that the guard recognizes the endpoint with any spelling of its name and any
// bucket.
func TestRequestsReachTheEndpoint(t *testing.T) {
	server := newService(t, func(http.ResponseWriter, *http.Request) {})
	for _, host := range []string{"127.0.0.1", "LocalHost"} {
		o := at(t, "http://"+host+":"+port(server.Server), "http://127.0.0.1:*", "http://localhost:*")
		// The bucket equals the first label of the endpoint, as in minio.minio.svc with the bucket minio.
		o.Bucket = "127"
		s, err := New(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Put(t.Context(), "a", secret.FromString("b")); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// TestRequestsStayAtTheEndpoint verifies that a request that the SDK would send to another host is not sent.
func TestRequestsStayAtTheEndpoint(t *testing.T) {
	o := at(t, "https://s3.example", "s3.example", "other.example", "http://s3.example")
	server, grant, err := o.check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, err := o.client(server, grant)
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{
		"https://other.example/machines/a", "http://s3.example/machines/a",
		"https://other.s3.example/a",
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, to, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := c.Do(r)
		if !errors.Is(err, errElsewhere) {
			t.Errorf("%s: %v", to, err)
		}
		if err == nil {
			_ = answer.Body.Close()
		}
	}
}

// TestScanRevealsNothing verifies that a user who may create storages cannot find out whether a port is closed, silent
// or used by another protocol.
func TestScanRevealsNothing(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	go func() {
		for {
			conn, err := other.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte("SSH-2.0-x\r\n"))
			_ = conn.Close()
		}
	}()
	message := map[string][]string{}
	for name, endpoint := range map[string]string{
		"closed": "http://127.0.0.1:1", "silent": "http://" + silent.Addr().String(),
		"no HTTP": "http://" + other.Addr().String(),
		"no TLS":  "https://" + other.Addr().String(),
	} {
		o, log := at(t, endpoint, "127.0.0.1:*", "http://127.0.0.1:*"), &bytes.Buffer{}
		o.Log = slog.New(slog.NewTextHandler(log, nil))
		s, err := New(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		err = s.Delete(ctx, "a")
		cancel()
		if err == nil {
			t.Fatalf("%s: it was reached", name)
		}
		message[err.Error()] = append(message[err.Error()], name)
		if !strings.Contains(log.String(), "cause=") || !strings.Contains(log.String(), endpoint) {
			t.Errorf("%s: the log does not contain the cause: %s", name, log)
		}
	}
	if len(message) != 1 {
		t.Errorf("the errors differ: %v", message)
	}
}
