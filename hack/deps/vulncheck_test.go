//go:build !unit

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/test/nightly"
)

const (
	// callers is the package that the test checks: the agent's command line, which is small and calls cobra.
	callers = "./adapters/nodecli"
	cobra   = "github.com/spf13/cobra"
)

// entry is a vulnerability that a test plants: in a function of a package.
type entry struct{ module, pkg, symbol, specific string }

// planted writes a database with one entry and returns its directory. The time of modification is the given one.
func planted(t *testing.T, e entry, modified time.Time) (dir string) {
	t.Helper()
	dir = t.TempDir()
	at := modified.UTC().Format(time.RFC3339)
	vuln := `{"id":"GO-0000-0001","modified":"` + at + `"}`
	plant(t, dir, "index/db.json", `{"modified":"`+at+`"}`)
	plant(t, dir, "index/modules.json", `[{"path":"`+standardLibrary+`"},{"path":"`+e.module+`","vulns":[`+vuln+`]}]`)
	plant(t, dir, "index/vulns.json", `[`+vuln+`]`)
	plant(t, dir, "ID/GO-0000-0001.json", fmt.Sprintf(`{"schema_version":"1.3.1","id":"GO-0000-0001","modified":%q,
		"published":%[1]q,"summary":"planted","details":"planted","affected":[{"package":{"name":%q,"ecosystem":"Go"},
		"ranges":[{"type":"SEMVER","events":[{"introduced":"0"}]}],
		"ecosystem_specific":{"imports":[{"path":%q,"symbols":[%q]}]}}]%s}`, at, e.module, e.pkg, e.symbol, e.specific))
	return dir
}

// TestVulncheckFindsPlantedEntries runs govulncheck with entries for a function that the agent calls, for one that it
// calls on Windows alone, and for one that it links and does not call; and with entries that end govulncheck, which
// must not pass as a check.
func TestVulncheckFindsPlantedEntries(t *testing.T) {
	t.Chdir("../..")
	readSources(t)
	const (
		whole    = `,"database_specific":{"url":"https://pkg.go.dev/vuln/GO-0000-0001"}`
		services = "golang.org/x/sys/windows/svc"
	)
	called := entry{cobra, cobra, "Command.ExecuteContext", whole}
	cases := map[string]struct {
		entry        entry
		remove       string
		packages     string
		want, output string
	}{
		"called": {entry: called, want: "are called", output: "nodecli.Run calls cobra.Command.ExecuteContext"},
		"called on Windows": {
			entry:    entry{"golang.org/x/sys", services, "IsWindowsService", whole},
			packages: "./cmd/machineadm", want: "windows/amd64: functions with known vulnerabilities are called",
			output: "calls svc.IsWindowsService",
		},
		"uncalled": {
			entry:  entry{cobra, cobra, "Command.GenBashCompletionFileV2", whole},
			output: "1 vulnerability in packages you import",
		},
		"panic":      {entry: entry{cobra, cobra, "Command.ExecuteContext", ""}, want: "govulncheck", output: "GO-0000-0001"},
		"cut off":    {entry: called, remove: "ID/GO-0000-0001.json", want: "run govulncheck", output: "GO-0000-0001"},
		"no package": {entry: called, packages: "./nothing/...", want: "run govulncheck", output: "nothing"},
	}
	for name, c := range nightly.Cases(t, cases, "called", "no package") {
		t.Run(name, func(t *testing.T) {
			dir := planted(t, c.entry, time.Now())
			if c.remove != "" {
				if err := os.Remove(filepath.Join(dir, c.remove)); err != nil {
					t.Fatal(err)
				}
			}
			var out bytes.Buffer
			err := run(t.Context(), []string{"vulncheck", "-db", "file://" + dir, cmp.Or(c.packages, callers)}, &out)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q\n%s", err, c.want, &out)
			}
			for _, want := range []string{"last modified 20", c.output} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("the output does not contain %q:\n%s", want, &out)
				}
			}
		})
	}
}

// TestVulncheckNeedsTheWholeDatabase holds that a server that fails while govulncheck runs is an error.
func TestVulncheckNeedsTheWholeDatabase(t *testing.T) {
	t.Chdir("../..")
	readSources(t)
	up := httptest.NewServer(http.FileServer(http.Dir(planted(t, entry{module: cobra}, time.Now()))))
	defer up.Close()
	var out bytes.Buffer
	// It has no compressed files, which govulncheck reads.
	err := run(t.Context(), []string{"vulncheck", "-db", up.URL, "-fallback", "", "-optional", callers}, &out)
	if err == nil || !strings.Contains(err.Error(), "run govulncheck") {
		t.Errorf("error %v\n%s", err, &out)
	}
}

// TestDatabases holds that the fallback serves when the database cannot be used, and that it is reported when nothing
// was checked.
func TestDatabases(t *testing.T) {
	serve := func(dir string) *httptest.Server {
		server := httptest.NewServer(http.FileServer(http.Dir(dir)))
		t.Cleanup(server.Close)
		return server
	}
	dir, old := planted(t, entry{}, time.Now()), planted(t, entry{}, time.Now().Add(-maxAge-time.Hour))
	up, stale := serve(dir), serve(old)
	down := serve(dir)
	down.Close()
	timeless, empty := planted(t, entry{}, time.Now()), planted(t, entry{}, time.Now())
	plant(t, timeless, "index/db.json", "{}")
	plant(t, empty, "index/modules.json", "[]")
	half := planted(t, entry{}, time.Now())
	if err := os.Remove(filepath.Join(half, "index", "modules.json")); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		reason, db, fallback, want string
	}{
		"reachable":    {reason: "the public one is newer", db: up.URL, fallback: dir, want: up.URL},
		"directory":    {reason: "the user names it", db: "file://" + dir, want: "file://" + dir},
		"unreachable":  {reason: "there is a copy", db: down.URL, fallback: dir, want: "file://" + dir},
		"stale":        {reason: "the copy is newer", db: stale.URL, fallback: dir, want: "file://" + dir},
		"none":         {reason: "nothing can be checked", db: down.URL},
		"no copy":      {reason: "nothing can be checked", db: down.URL, fallback: t.TempDir()},
		"old copy":     {reason: "it lacks the newest entries", db: down.URL, fallback: old},
		"without time": {reason: "it may be old", db: "file://" + timeless},
		"empty":        {reason: "it finds nothing in anything", db: "file://" + empty},
		"half a copy":  {reason: "it finds nothing in anything", db: "file://" + half},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d, err := openDatabase(t.Context(), c.db, c.fallback, maxAge)
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
