//go:build linux && !unit

package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/test/canary"
)

// TestConfigurationGoesThroughTheProxy fetches a configuration that only the machine's proxy reaches. The userdata has
// written the proxy's file before the agent starts.
func TestConfigurationGoesThroughTheProxy(t *testing.T) {
	site := "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec: {path: /etc/example, content: fetched}\n"
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, site)
	}))
	t.Cleanup(server.Close)
	requests := make(chan string, 100)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests <- r.Method + " " + r.Host + " " + r.Header.Get("Proxy-Authorization")
		tunnel(w, server.Listener.Addr().String())
	}))
	t.Cleanup(proxy.Close)

	root := t.TempDir()
	for _, dir := range []string{"etc/machineadm", "var/lib", "run"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	address := "http://u:" + canary.Mark + "@" + proxy.Listener.Addr().String()
	env := fmt.Sprintf("HTTPS_PROXY=%q\nNO_PROXY=\"10.0.0.0/8\"\n", address)
	if err := os.WriteFile(filepath.Join(root, "etc/machineadm/proxy.env"), []byte(env), 0o600); err != nil {
		t.Fatal(err)
	}
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	// The server's certificate is for this host, which has no server at this port.
	config := encoded(t, indirect.RemoteConfig{
		Provider: "https", URI: "https://example.com:1/site.yaml", CABundle: string(authority),
	})
	// Without the proxy, the agent tries for ten minutes.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program(t), "apply", "--root", root, "--path", "-", "--phase", "file")
	cmd.Stdin = strings.NewReader(config)
	output, failed := cmd.CombinedOutput()
	content, err := os.ReadFile(filepath.Join(root, "etc/example"))
	if failed != nil || string(content) != "fetched" {
		t.Errorf("%v, %q, %v\n%s", failed, content, err, output)
	}
	close(requests)
	var got []string
	for r := range requests {
		got = append(got, r)
	}
	credential := base64.StdEncoding.EncodeToString([]byte("u:" + canary.Mark))
	if diff := cmp.Diff([]string{"CONNECT example.com:1 Basic " + credential}, got); diff != "" {
		t.Error(diff)
	}
	log, err := os.ReadFile(filepath.Join(root, "var/log/machineadm.log"))
	if strings.Contains(string(output)+string(log), canary.Mark) {
		t.Errorf("the proxy's password is shown: %v\n%s%s", err, output, log)
	}
}

// tunnel connects the client of a CONNECT request with the server at the address.
func tunnel(w http.ResponseWriter, address string) {
	server, err := net.Dial("tcp", address)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer func() { _ = server.Close() }()
	client, buffered, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer func() { _ = client.Close() }()
	_, _ = io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
	go func(from *bufio.Reader) {
		_, _ = io.Copy(server, from)
		_ = server.Close()
	}(buffered.Reader)
	_, _ = io.Copy(client, server)
}
