package containerlinux_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/flatcar/ignition/config/v2_3/types"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/machineadm/machineadm/adapters/render/ignitionv2/containerlinux"
	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/test/golden"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

func corpus(t testing.TB) []txtar.File {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/corpus.txtar")
	if err != nil || len(archive.Files) == 0 {
		t.Fatal(err)
	}
	return archive.Files
}

// translate returns the translation of a text, and whether it has one document.
func translate(t testing.TB, text []byte) (types.Config, report.Report, bool) {
	t.Helper()
	documents, err := structured.YAML(t.Context(), text)
	if err != nil || len(documents) != 1 {
		return types.Config{}, nil, false
	}
	c, found := containerlinux.Translate(documents[0], containerlinux.Snippet{Path: "s"})
	return c, found, true
}

// recorded is what the transpiler made of a text: a configuration unless there are errors, and findings as severity,
// place and message.
type recorded struct {
	Config   *types.Config
	Findings []string
}

// differs are the texts of which something else is reported than by the transpiler, and why. Configurations are the
// same.
func differs() map[string]string {
	place := "the place is known"
	version := "the options of a version that is not known are not looked at"
	return map[string]string{
		"anchors": "a merge key is not an unknown key", "docker-none": place, "etcd-fact": place, "etcd-list": place,
		"etcd-scalar": place,
		"etcd-type":   place, "etcd-version-new": version, "etcd-version-old": version, "etcd-version-older": version,
		"etcd-version-short": place, "etcd-version-word": place, "file-mistakes": "the second mistake is reported, too",
		"flannel-kube": place, "flannel-major": "no version of flannel was 1.0.0 then, and its options were ignored",
		"ignition-values": place,
		"keys":            "the key that is meant is in the same finding", "list": place, "passwd-mistakes": place,
		"scalar": place,
		"types":  place,
	}
}

// TestTranspiler holds the translation against what version 0.9.4 of the Container Linux Config Transpiler, which is
// archived, made of the same texts: the configuration, and severities and places of findings.
func TestTranspiler(t *testing.T) {
	data, err := os.ReadFile("testdata/transpiler.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]recorded
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for _, f := range corpus(t) {
		t.Run(f.Name, func(t *testing.T) {
			want, is := all[f.Name]
			c, found, document := translate(t, f.Data)
			if !is || !document {
				t.Fatal("there is no record, or not one document")
			}
			if want.Config != nil && !found.HasErrors() {
				if diff := cmp.Diff(text(t, *want.Config), text(t, c)); diff != "" {
					t.Errorf("-transpiler +translation\n%s", diff)
				}
			}
			ours := make([]string, len(found))
			for i, one := range found {
				ours[i] = fmt.Sprintf("%s %d:%d %s", one.Severity, one.Line, one.Column, one.Message)
			}
			if reason := differs()[f.Name]; slices.Equal(places(want.Findings), places(ours)) == (reason != "") {
				t.Errorf("expected to differ, because %q\ntranspiler  %s\ntranslation %s", reason, want.Findings, ours)
			}
		})
	}
}

// text returns a configuration with the arguments of services in the order of their names.
func text(t *testing.T, c types.Config) string {
	t.Helper()
	for _, u := range c.Systemd.Units {
		for i := range u.Dropins {
			lines := strings.Split(strings.ReplaceAll(u.Dropins[i].Contents, " \\\n", "\n"), "\n")
			slices.Sort(lines)
			u.Dropins[i].Contents = strings.Join(lines, "\n")
		}
	}
	data, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// places returns findings without their messages, sorted.
func places(findings []string) []string {
	var all []string
	for _, f := range findings {
		words := strings.SplitN(f, " ", 3)
		all = append(all, words[0]+" "+words[1])
	}
	slices.Sort(all)
	return all
}

// TestFindings holds the words of findings, and that strict makes errors of all of them.
func TestFindings(t *testing.T) {
	var out strings.Builder
	for _, f := range corpus(t) {
		documents, err := structured.YAML(t.Context(), f.Data)
		if err != nil {
			t.Fatal(err)
		}
		c, found := containerlinux.Translate(documents[0], containerlinux.Snippet{Path: "s"})
		if found.HasErrors() && text(t, c) != text(t, types.Config{}) {
			t.Errorf("%s: a configuration in spite of errors", f.Name)
		}
		_, strict := containerlinux.Translate(documents[0], containerlinux.Snippet{Path: "s", Strict: true})
		if strict.Count(report.Error) != len(strict) || len(found) > 0 && len(strict) == 0 {
			t.Errorf("%s: %s, and with strict %s", f.Name, found, strict)
		}
		fmt.Fprintf(&out, "%s\n  %s\n", f.Name, strings.ReplaceAll(found.String(), "\n", "\n  "))
	}
	golden.Open(t, "testdata/goldens").Compare(t, "findings.txt", []byte(out.String()))
}

// FuzzTranslate holds what a text may cost, and that what is translated is valid to Ignition's own types.
func FuzzTranslate(f *testing.F) {
	for _, one := range corpus(f) {
		f.Add(one.Data)
	}
	for _, one := range hostile.Texts() {
		f.Add([]byte(one.Text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		memory.Below(t, memory.Render, func() {
			c, found, ok := translate(t, text)
			if !ok || found.HasErrors() {
				return
			}
			if again := containerlinux.Validate(c, containerlinux.Snippet{}); again.HasErrors() {
				t.Errorf("the translation is refused: %s", again)
			}
		})
	})
}
