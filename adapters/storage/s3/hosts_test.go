package s3

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/secret"
)

type now struct{}

func (now) Now() time.Time { return time.Now() }

func at(endpoint string, hosts ...string) Options {
	return Options{
		Bucket: "machines", Endpoint: endpoint, PathStyle: true, Clock: now{}, Hosts: hosts,
		Keys: &Keys{AccessKeyID: "a", SecretAccessKey: secret.FromString("b")},
	}
}

func TestEndpointsThatAreAllowed(t *testing.T) {
	cases := map[string]struct {
		reason, endpoint string
		hosts            []string
		want             string
	}{
		"any":          {reason: "that is the default", endpoint: "https://s3.example:9000", hosts: []string{AnyHost}},
		"private":      {reason: "many storages are", endpoint: "https://10.1.2.3", hosts: []string{AnyHost}},
		"named":        {reason: "its administrator has said so", endpoint: "https://S3.example", hosts: []string{"s3.example"}},
		"named nearby": {reason: "so he has", endpoint: "http://127.0.0.1:9000", hosts: []string{AnyHost, "127.0.0.1"}},
		"no list":      {reason: "nobody holds it to any", endpoint: "http://127.0.0.1:9000"},
		"AWS":          {reason: "nobody names a host", hosts: []string{}},
		"another":      {reason: "it is not in the list", endpoint: "https://other.example", hosts: []string{"s3.example"}, want: "other.example"},
		"below":        {reason: "nor is that", endpoint: "https://a.s3.example", hosts: []string{"s3.example"}, want: "a.s3.example"},
		"none":         {reason: "the list is empty", endpoint: "https://s3.example", hosts: []string{}, want: "--storage-endpoints"},
		"loopback":     {reason: "sidecars listen there", endpoint: "http://127.8.9.1:2381", hosts: []string{AnyHost}, want: "--storage-endpoints"},
		"localhost":    {reason: "that is the same", endpoint: "http://Localhost", hosts: []string{AnyHost}, want: "--storage-endpoints"},
		"metadata":     {reason: "the platform's service trusts who reaches it", endpoint: "http://169.254.169.254", hosts: []string{AnyHost}, want: "--storage-endpoints"},
		"elsewhere":    {reason: "not every platform has it on the link", endpoint: "http://[fd00:ec2::254]", hosts: []string{AnyHost}, want: "--storage-endpoints"},
		"IPv6":         {reason: "the same once more", endpoint: "http://[::1]:80", hosts: []string{AnyHost}, want: "--storage-endpoints"},
		"mapped":       {reason: "and again", endpoint: "http://[::ffff:127.0.0.1]", hosts: []string{AnyHost}, want: "--storage-endpoints"},
		"link":         {reason: "and again", endpoint: "http://[fe80::1]", hosts: []string{AnyHost}, want: "--storage-endpoints"},
		"unspecified":  {reason: "it leads here", endpoint: "http://0.0.0.0", hosts: []string{AnyHost}, want: "--storage-endpoints"},
		"no host":      {reason: "there is nobody to ask", endpoint: "http://:80", hosts: []string{AnyHost}, want: "no URL"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := New(t.Context(), at(c.endpoint, c.hosts...))
			if c.hosts == nil {
				o := at(c.endpoint)
				o.Hosts = nil
				_, err = New(t.Context(), o)
			}
			if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.reason, err)
			}
		})
	}
}

// TestNamesLeadToOtherMachines holds that a name does not lead to what its address may not.
func TestNamesLeadToOtherMachines(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	address := server.Listener.Addr().String()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	for host, guarded := range map[string]bool{"s3.example": true, "127.0.0.1": false} {
		client, err := transport(at("http://"+host, AnyHost, "127.0.0.1"))
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range []string{address, "localhost:" + port} {
			conn, err := client.GetDialer().DialContext(t.Context(), "tcp4", to)
			if errors.Is(err, errNear) != guarded {
				t.Errorf("%s: %s: %v", host, to, err)
			}
			if err == nil {
				_ = conn.Close()
			}
		}
	}
}

// TestScanTellsNothing holds that who may make a storage does not learn whether a port is closed, silent, or speaks something else.
func TestScanTellsNothing(t *testing.T) {
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
	said := map[string][]string{}
	for name, endpoint := range map[string]string{
		"closed": "http://127.0.0.1:1", "silent": "http://" + silent.Addr().String(), "no HTTP": "http://" + other.Addr().String(),
		"no TLS": "https://" + other.Addr().String(),
	} {
		o, log := at(endpoint), &bytes.Buffer{}
		o.Hosts, o.Log = nil, slog.New(slog.NewTextHandler(log, nil))
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
		said[err.Error()] = append(said[err.Error()], name)
		if !strings.Contains(log.String(), "cause=") || !strings.Contains(log.String(), endpoint) {
			t.Errorf("%s: the log does not tell why: %s", name, log)
		}
	}
	if len(said) != 1 {
		t.Errorf("one tells them apart: %v", said)
	}
}

func TestNear(t *testing.T) {
	for address, near := range map[string]bool{
		"127.0.0.1": true, "0.1.2.3": true, "169.254.1.1": true, "224.0.0.1": true, "::": true, "ff02::1": true, "::ffff:169.254.169.254": true, "fe80::1%eth0": true,
		"fd00:ec2::254": true, "fd00:ec2::254%eth0": true, "fd20:ce::254": true, "168.63.129.16": true, "::ffff:168.63.129.16": true, "100.100.100.200": true, "192.0.0.192": true,
		"168.63.129.17": false, "fd00:ec2::253": false, "100.100.100.201": false, "192.0.0.193": false,
		"10.0.0.1": false, "192.168.1.1": false, "fd00::1": false, "8.8.8.8": false,
	} {
		if isNear(netip.MustParseAddr(address)) != near {
			t.Error(address)
		}
	}
}
