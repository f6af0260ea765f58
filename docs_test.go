package machineadm_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/golden"
)

var (
	linkPattern    = regexp.MustCompile(`\]\(([^)#:\s]+)(#[^)]*)?\)`)
	codePattern    = regexp.MustCompile("`([^`\n]+)`")
	adrPattern     = regexp.MustCompile(`docs/adr/[0-9a-z-]+\.md`)
	targetPattern  = regexp.MustCompile(`^make ([a-z0-9-]+)`)
	commandPattern = regexp.MustCompile(`(?m)^(?:\$ | {4})(make [a-z0-9-]+)`)
	makefileTarget = regexp.MustCompile(`(?m)^([a-z0-9-]+):.*## `)
)

// documents returns the texts of all pages for people.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "testdata/scenarios/*/*.md"} {
		paths, _ := filepath.Glob(pattern)
		for _, p := range paths {
			text, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			texts[p] = string(text)
		}
	}
	return texts
}

func exists(path string) bool {
	matches, err := filepath.Glob(path)
	return err == nil && len(matches) > 0
}

// TestDocsLeadSomewhere finds links, paths and decisions that do not exist.
func TestDocsLeadSomewhere(t *testing.T) {
	// Directories that git ignores, such as that of the demo, come and go.
	out, err := exec.Command("git", "ls-tree", "--name-only", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	tree := strings.Fields(string(out))
	for name, text := range documents(t) {
		// Code may contain a regular expression such as [a](b).
		for _, m := range linkPattern.FindAllStringSubmatch(codePattern.ReplaceAllString(text, ""), -1) {
			if !exists(filepath.Join(filepath.Dir(name), m[1])) {
				t.Errorf("%s: the link %s leads nowhere", name, m[1])
			}
		}
		for _, adr := range adrPattern.FindAllString(text, -1) {
			if !exists(adr) {
				t.Errorf("%s: there is no %s", name, adr)
			}
		}
		for _, m := range codePattern.FindAllStringSubmatch(text, -1) {
			if first, _, _ := strings.Cut(m[1], "/"); slices.Contains(tree, first) && missing(m[1]) {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
}

// missing reports whether the code looks like a path of this tree and is none.
func missing(code string) bool {
	return strings.Contains(code, "/") && !strings.ContainsAny(code, " =(@$<{…") && !exists(strings.TrimSuffix(code, "/"))
}

// TestDocsNameTargets finds commands of make that the Makefile does not have, and targets without a word of help.
func TestDocsNameTargets(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	targets := map[string]bool{}
	for _, m := range makefileTarget.FindAllStringSubmatch(string(makefile), -1) {
		targets[m[1]] = true
	}
	for name, text := range documents(t) {
		commands := append(codePattern.FindAllStringSubmatch(text, -1), commandPattern.FindAllStringSubmatch(text, -1)...)
		for _, m := range commands {
			if target := targetPattern.FindStringSubmatch(m[1]); target != nil && !targets[target[1]] {
				t.Errorf("%s: the Makefile has no target %s", name, target[1])
			}
		}
	}
}

// TestDocsValidateObjectsOfAClusterWithoutSecrets expects --allow-missing where the objects come from kubectl, whose
// output contains neither Secrets nor ConfigMaps.
func TestDocsValidateObjectsOfAClusterWithoutSecrets(t *testing.T) {
	pattern := regexp.MustCompile(`(?m)^\$ kubectl .* get .*>\S+\n\$ machineadmctl validate .*`)
	found := 0
	for name, text := range documents(t) {
		for _, commands := range pattern.FindAllString(text, -1) {
			found++
			if !strings.Contains(commands, " --allow-missing ") {
				t.Errorf("%s: validate reports the Secrets that kubectl does not print:\n%s", name, commands)
			}
		}
	}
	if found == 0 {
		t.Error("no page validates the output of kubectl")
	}
}

// TestDocsNameTests holds that each test that the documents name is there.
func TestDocsNameTests(t *testing.T) {
	out, err := exec.Command("git", "grep", "-hoE", `^func Test[A-Za-z0-9]+`, "--", "*_test.go").Output()
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		tests[strings.TrimPrefix(strings.TrimSpace(line), "func ")] = true
	}
	for name, text := range documents(t) {
		for _, m := range codePattern.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(m[1], "Test") && !strings.Contains(m[1], " ") && !tests[m[1]] {
				t.Errorf("%s: there is no test %s", name, m[1])
			}
		}
	}
}

// TestDocsHaveAPageForEachFormat holds docs/formats and the folders of the renderers together.
func TestDocsHaveAPageForEachFormat(t *testing.T) {
	pages, _ := filepath.Glob("docs/formats/*.md")
	described := map[string]bool{}
	for _, p := range pages {
		if filepath.Base(p) == "README.md" {
			continue // the table of all formats
		}
		described[strings.ReplaceAll(strings.TrimSuffix(filepath.Base(p), ".md"), "-", "")] = true
	}
	folders, _ := filepath.Glob("adapters/render/*")
	for _, f := range folders {
		if name := filepath.Base(f); name != "internal" && !described[name] {
			t.Errorf("docs/formats has no page for %s", f)
		}
		delete(described, filepath.Base(f))
	}
	for name := range described {
		t.Errorf("docs/formats describes %s, and adapters/render has no such folder", name)
	}
}

// TestDocsListDecisions compares docs/adr/README.md with the titles of the decisions. UPDATE=1 rewrites it.
func TestDocsListDecisions(t *testing.T) {
	paths, _ := filepath.Glob("docs/adr/0*.md")
	var b strings.Builder
	b.WriteString(
		"# Decisions\n\nA test generates this list from the titles. Numbers that are missing were not used.\n\n" +
			"| number | decision |\n|---|---|\n",
	)
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(string(text), "\n")
		number, title, found := strings.Cut(strings.TrimPrefix(head, "# "), ": ")
		if file := filepath.Base(p); number != "NNNN" {
			if !found || !strings.HasPrefix(file, number+"-") {
				t.Errorf("%s: the first line %q must be: # number: decision", p, head)
			}
			fmt.Fprintf(&b, "| [%s](%s) | %s |\n", number, file, title)
		}
	}
	golden.File(t, "docs/adr/README.md", []byte(b.String()))
}

// TestDocsIndexListsEachPage finds pages that docs/README.md does not link to.
func TestDocsIndexListsEachPage(t *testing.T) {
	index, err := os.ReadFile("docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	linked := map[string]bool{"README.md": true}
	for _, m := range linkPattern.FindAllStringSubmatch(string(index), -1) {
		linked[m[1]] = true
	}
	for _, pattern := range []string{"docs/*.md", "docs/guides/*.md", "docs/formats/*.md", "docs/reference/README.md"} {
		paths, _ := filepath.Glob(pattern)
		for _, p := range paths {
			if name := strings.TrimPrefix(p, "docs/"); !linked[name] {
				t.Errorf("docs/README.md does not link to %s", name)
			}
		}
	}
}
