package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/canary"
)

// TestDownloads reads manifests from a server. Errors contain neither the password nor the query of the URL.
func TestDownloads(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ok.yaml":
			_, _ = io.WriteString(w, "apiVersion: bootstrap.machineadm.io/v1alpha1\nkind: MachineBootstrapConfig\n"+
				"metadata: {name: a}\nspec: {os: {distribution: debian}}\n")
		case "/endless.yaml":
			line := []byte(strings.Repeat("# "+canary.Mark, 1000) + "\n")
			for r.Context().Err() == nil {
				if _, err := w.Write(line); err != nil {
					return
				}
			}
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	signed := "http://user:" + canary.Mark + "@" + host
	cases := map[string]struct {
		reason, url string
		code        int
		want        string
	}{
		"ok": {"a server returns manifests", signed + "/ok.yaml?signature=" + canary.Mark, 0, "1 machine: 0 errors"},
		"missing": {
			"the status is the cause",
			signed + "/no.yaml?s=" + canary.Mark,
			1,
			"/no.yaml: the server responds with 404",
		},
		"endless": {"a hostile server sends forever", signed + "/endless.yaml", 1, "/endless.yaml: more than 16 MiB"},
		"refused": {"no server", "http://127.0.0.1:1/a?s=" + canary.Mark, 1, "http://127.0.0.1:1/a: "},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var out, errs strings.Builder
			args := []string{"validate", "--kubernetes-version", "v1.36.3", "--quiet", "-f", tc.url}
			code := run(args, strings.NewReader(""), &out, &errs)
			printed := out.String() + errs.String()
			if code != tc.code || !strings.Contains(printed, tc.want) || strings.Contains(printed, canary.Mark) {
				t.Errorf("%s: exit code %d\n%s", tc.reason, code, printed)
			}
		})
	}
}
