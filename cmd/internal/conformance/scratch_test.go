//go:build !unit

package conformance_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/programs"
)

// The root of the tree, and the limits of the places that a new field and a new kind need before their consumers.
const (
	treeRoot       = "../../.."
	maxFieldPlaces = 3
	maxKindPlaces  = 9
)

// edit inserts a text after an anchor in a file of the tree. Without an anchor it creates the file.
type edit struct{ file, anchor, text string }

// fieldEdits add the field TimeSyncConfig.Fallback.
func fieldEdits() []edit {
	return []edit{
		{
			"domain/machine/timesync.go", "	Pools []string `json:\"pools,omitempty\"`\n",
			"	// Fallback lists servers that are used if no other server answers.\n" +
				"	Fallback []string `json:\"fallback,omitempty\"`\n",
		},
		{
			"adapters/kubernetes/api/v1alpha1/system_types.go", "	Pools []string `json:\"pools,omitempty\"`\n",
			"	// fallback lists servers that are used if no other server answers.\n	// +optional\n" +
				"	Fallback []string `json:\"fallback,omitempty\"`\n",
		},
		{
			"adapters/kubernetes/convert/machine.go", "Pools: slices.Clone(t.Pools),",
			"\n		Fallback: slices.Clone(t.Fallback),",
		},
	}
}

// kindEdits add the kind LoginBanner.
func kindEdits() []edit {
	return []edit{
		{"domain/machine/banner.go", "", `package machine

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// KindLoginBanner is the kind of LoginBanner.
const KindLoginBanner document.Kind = "LoginBanner"

// LoginBanner is the text that users see before they log in.
type LoginBanner struct {
	// Text is the banner.
	Text string ` + "`json:\"text\"`" + `
}

// Kind returns KindLoginBanner.
func (LoginBanner) Kind() document.Kind { return KindLoginBanner }

// Check returns a finding if there is no text.
func (b LoginBanner) Check(p report.Path) report.Report {
	if b.Text == "" {
		return report.Report{report.Errorf(p.Field("text"), "it is empty").To("set the text")}
	}
	return nil
}
`},
		{
			"domain/plan/kinds.go", "	{Zero: machine.File{}, Phase: document.PhaseFile},\n",
			"	{Zero: machine.LoginBanner{}, Phase: document.PhaseFile, Singleton: true},\n",
		},
		{
			"ports/portstest/documentsamples.go", "	if len(all) > 0 {\n		return all\n	}\n",
			"	if kind == machine.KindLoginBanner {\n" +
				"		return []Sample{{\n			Document: machine.LoginBanner{Text: \"conformance\"},\n" +
				"			Expected: literals(\"conformance\"),\n		}}\n	}\n",
		},
		{
			"adapters/kubernetes/api/v1alpha1/machine_types.go", "	TimeSync *TimeSyncConfigSpec `json:\"timeSync,omitempty\"`\n",
			"	// loginBanner is the text that users see before they log in.\n	// +optional\n" +
				"	LoginBanner string `json:\"loginBanner,omitempty\"`\n",
		},
		{
			"adapters/kubernetes/convert/machine.go", "	c.timeSync(m.TimeSync, p.Field(\"timeSync\"))\n",
			"	if m.LoginBanner != \"\" {\n" +
				"		c.mapPath(p.Field(\"loginBanner\").Field(\"text\"), p.Field(\"loginBanner\"))\n" +
				"		c.add(p.Field(\"loginBanner\"), machine.LoginBanner{Text: m.LoginBanner})\n	}\n",
		},
	}
}

// scratch returns the overlay of a scratch copy of the tree with the edits. The go command caches what it compiles by
// the paths of the copies, among others. With the same edits, a later run therefore compiles nothing.
func scratch(t *testing.T, edits []edit) string {
	t.Helper()
	texts, digest := map[string][]byte{}, sha256.New()
	for _, e := range edits {
		file, err := filepath.Abs(filepath.Join(treeRoot, e.file))
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = []byte(e.text)
		if e.anchor != "" {
			texts[file] = inserted(t, file, e)
		}
		digest.Write(texts[file])
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir, replace := filepath.Join(cache, "machineadm", "scratch", hex.EncodeToString(digest.Sum(nil))), map[string]string{}
	for file, text := range texts {
		replace[file] = filepath.Join(dir, filepath.Base(filepath.Dir(file)), filepath.Base(file))
		store(t, replace[file], text)
	}
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return overlay
}

// store writes a file unless it exists. Other processes never read a part of it.
func store(t *testing.T, path string, text []byte) {
	t.Helper()
	if _, err := os.Stat(path); err == nil {
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = temporary.Write(text)
	if err := errors.Join(err, temporary.Close(), os.Rename(temporary.Name(), path)); err != nil {
		t.Fatal(err)
	}
}

func inserted(t *testing.T, file string, e edit) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Count(text, []byte(e.anchor)) != 1 {
		t.Fatalf("%s contains the anchor %q not exactly once", e.file, e.anchor)
	}
	return bytes.Replace(text, []byte(e.anchor), []byte(e.anchor+e.text), 1)
}

// goTest runs tests of the scratch copy and returns their output.
func goTest(t *testing.T, overlay, run string, packages ...string) (output string, passed bool) {
	t.Helper()
	args := append([]string{"test", "-vet=off", "-ldflags=-s", "-overlay", overlay, "-run", run}, packages...)
	c := exec.CommandContext(t.Context(), "go", args...)
	c.Dir, c.Env = treeRoot, append(os.Environ(), programs.LinkCacheOf(t.Name())...)
	out, err := c.CombinedOutput()
	return string(out), err == nil
}

var (
	listItem   = regexp.MustCompile(`(?m)^[0-9]+\. (?:.|\n   )*`)
	quotedFile = regexp.MustCompile("`([a-z0-9/_]+(?:\\.go)?/?)`")
)

// documented returns the files and folders that the numbered list below a heading of CONTRIBUTING.md names, one for
// each item.
func documented(t *testing.T, heading string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(treeRoot, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n"+heading+"\n")
	if !found {
		t.Fatalf("CONTRIBUTING.md has no section %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var files []string
	for _, item := range listItem.FindAllString(section, -1) {
		if m := quotedFile.FindStringSubmatch(item); m != nil {
			files = append(files, m[1])
		}
	}
	return files
}

// checkPlaces compares the edits with the documented places: each edit is in one of them, in the same order.
func checkPlaces(t *testing.T, heading string, edits []edit, most int) {
	t.Helper()
	places := documented(t, heading)
	if len(places) != len(edits) || len(places) > most {
		t.Fatalf("%s lists %d places, %d are needed and at most %d are allowed: %q", heading, len(places), len(edits), most,
			places)
	}
	for i, e := range edits {
		if !strings.HasPrefix(e.file, strings.TrimSuffix(places[i], "/")) {
			t.Errorf("%s, item %d is %s; the edit is in %s", heading, i+1, places[i], e.file)
		}
	}
}

// TestAddingAField adds a field to a scratch copy by the edits that CONTRIBUTING.md lists. The conversion then passes
// it, and the first law names each format and the agent, none of which uses the field yet.
func TestAddingAField(t *testing.T) {
	edits := fieldEdits()
	checkPlaces(t, "## Adding a field", edits, maxFieldPlaces)
	overlay := scratch(t, edits)
	if out, passed := goTest(t, overlay, "^TestEveryFieldIsConverted$/^literal$",
		"./adapters/kubernetes/convert"); !passed {
		t.Errorf("the conversion drops the field:\n%s", out)
	}
	out, passed := goTest(t, overlay, "^(TestFieldsHaveAnEffect|TestEveryFieldIsChanged)$", "./cmd/internal/conformance")
	if passed {
		t.Fatal("no law reports a field that nothing uses")
	}
	t.Log(out)
	for _, c := range consumers(t) {
		_, report, found := strings.Cut(out, "--- FAIL: TestFieldsHaveAnEffect/"+strings.ReplaceAll(c.name, " ", "_")+" ")
		report, _, _ = strings.Cut(report, "--- ")
		if !found || !strings.Contains(report, "TimeSyncConfig.fallback has no effect") {
			t.Errorf("the law does not report the field in %s:\n%s", c.name, out)
		}
	}
	if n := strings.Count(out, "has no effect"); n != len(consumers(t)) {
		t.Errorf("%d reports for %d consumers:\n%s", n, len(consumers(t)), out)
	}
}

// TestAddingAKind adds a kind to a scratch copy by the edits that CONTRIBUTING.md lists. The codec and the conversion
// then pass it, and each format and the agent refuse it with a finding.
func TestAddingAKind(t *testing.T) {
	edits := kindEdits()
	checkPlaces(t, "## Adding a kind", edits, maxKindPlaces)
	overlay := scratch(t, edits)
	out, passed := goTest(t, overlay, "^(TestFieldsHaveAnEffect|TestEveryFieldIsChanged)$", "./cmd/internal/conformance")
	if !passed {
		t.Errorf("the kind is dropped, or its field is not changed:\n%s", out)
	}
	if out, passed := goTest(t, overlay, "^TestEveryFieldIsConverted$/^literal$",
		"./adapters/kubernetes/convert"); !passed {
		t.Errorf("the conversion drops the kind:\n%s", out)
	}
	if slices.ContainsFunc(edits, func(e edit) bool { return strings.HasPrefix(e.file, "adapters/codec") }) {
		t.Error("the codec needs an edit, and it reads the registry")
	}
}
