//go:build linux

package linux_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestProxy reads the proxy of the machine's tree, with its exceptions.
func TestProxy(t *testing.T) {
	const file = "/etc/machineadm/proxy.env"
	dir := t.TempDir()
	h := open(t, dir)
	for _, env := range []string{"", "HTTP_PROXY=\"\"\nHTTPS_PROXY=\"\"\nNO_PROXY=\"a\"\n"} {
		if env != "" {
			put(t, dir, file, env, "")
		}
		if proxy, err := h.Proxy(t.Context()); proxy != nil || err != nil {
			t.Errorf("%q: got a proxy, or %v", env, err)
		}
	}
	env := "HTTPS_PROXY=\"http://u:p\\$@proxy.example:3128\"\nNO_PROXY=\".internal.example,192.0.2.0/24\"\n"
	put(t, dir, file, env, "")
	proxy, err := h.Proxy(t.Context())
	if err != nil || proxy == nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{
		"https://mirror.example/a":          "http://u:p$@proxy.example:3128",
		"https://bucket.internal.example/a": "",
		"https://192.0.2.7/a":               "",
		"http://mirror.example/a":           "",
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		u, err := proxy(r)
		if u != nil {
			got = strings.ReplaceAll(u.String(), "%24", "$")
		}
		if err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", url, got, err, want)
		}
	}
}
