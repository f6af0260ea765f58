package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const (
	// callers is the package that the test checks: the agent's command line, which is small and calls cobra.
	callers = "./adapters/nodecli"
	cobra   = "github.com/spf13/cobra"
)

// planted writes a database with one entry, for a function of cobra, and returns its directory.
func planted(t *testing.T, symbol, specific string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	const (
		modified = "2026-01-02T00:00:00Z"
		entry    = `{"id":"GO-0000-0001","modified":"` + modified + `"}`
	)
	plant(t, dir, "index/db.json", `{"modified":"`+modified+`"}`)
	plant(t, dir, "index/modules.json", `[{"path":"`+cobra+`","vulns":[`+entry+`]}]`)
	plant(t, dir, "index/vulns.json", `[`+entry+`]`)
	plant(t, dir, "ID/GO-0000-0001.json", fmt.Sprintf(`{"schema_version":"1.3.1","id":"GO-0000-0001","modified":%q,
		"published":%[1]q,"summary":"planted","details":"planted","affected":[{"package":{"name":%q,"ecosystem":"Go"},
		"ranges":[{"type":"SEMVER","events":[{"introduced":"0"}]}],
		"ecosystem_specific":{"imports":[{"path":%[2]q,"symbols":[%q]}]}}]%s}`, modified, cobra, symbol, specific))
	return dir
}

// TestVulncheckFindsPlantedEntries runs govulncheck with entries for a function that the agent calls and for one that
// it links and does not call; and with an entry on which govulncheck panics, which must not pass as a check.
func TestVulncheckFindsPlantedEntries(t *testing.T) {
	t.Chdir("../..")
	readSources(t)
	const whole = `,"database_specific":{"url":"https://pkg.go.dev/vuln/GO-0000-0001"}`
	cases := map[string]struct{ symbol, specific, want, said string }{
		"called": {
			symbol:   "Command.ExecuteContext",
			specific: whole, want: "are called", said: "nodecli.Run calls cobra.Command.ExecuteContext",
		},
		"uncalled": {
			symbol:   "Command.GenBashCompletionFileV2",
			specific: whole, said: "1 vulnerability in packages you import",
		},
		"panic": {symbol: "Command.ExecuteContext", want: "govulncheck", said: "GO-0000-0001"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			err := run(t.Context(), []string{"vulncheck", "-db", "file://" + planted(t, c.symbol, c.specific), callers}, &out)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q\n%s", err, c.want, &out)
			}
			for _, want := range []string{"last modified 2026-01-02", c.said} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("the output does not contain %q:\n%s", want, &out)
				}
			}
		})
	}
}

// TestDatabases holds that the fallback serves when the database cannot be reached, and that it is told when nothing
// was checked.
func TestDatabases(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"modified":"2026-02-03T00:00:00Z"}`)
	}))
	defer up.Close()
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	dir := planted(t, "f", "")
	cases := map[string]struct {
		reason, db, fallback, want string
	}{
		"reachable":   {reason: "the public one is newer", db: up.URL, fallback: dir, want: up.URL},
		"directory":   {reason: "somebody names it", db: "file://" + dir, want: "file://" + dir},
		"unreachable": {reason: "there is a copy", db: down.URL, fallback: dir, want: "file://" + dir},
		"none":        {reason: "nothing can be checked", db: down.URL},
		"no copy":     {reason: "nothing can be checked", db: down.URL, fallback: t.TempDir()},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d, err := openDatabase(t.Context(), c.db, c.fallback)
			if d.url != c.want || (err == nil) != (c.want != "") {
				t.Errorf("%s: %q, %v", c.reason, d.url, err)
			}
		})
	}
	for _, optional := range []bool{false, true} {
		var out bytes.Buffer
		args := []string{"vulncheck", "-db", down.URL, "-fallback", "", fmt.Sprintf("-optional=%v", optional)}
		err := run(t.Context(), args, &out)
		if (err == nil) != optional || !strings.Contains(out.String(), "NOT CHECKED") {
			t.Errorf("-optional=%v: %v\n%s", optional, err, &out)
		}
	}
}
