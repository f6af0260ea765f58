package machineadm_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// threatModel is the page that follows each secret.
const threatModel = "docs/threat-model.md"

var (
	testPattern   = regexp.MustCompile("`Test[A-Za-z0-9]+`")
	anchorPattern = regexp.MustCompile(`\]\(#([^)]+)\)`)
)

// lifePattern are the items of each section.
var lifePattern = []string{
	"- **Created**: ", "- **Stored**: ", "- **Readable by**: ", "- **Ends**: ", "- **Attackers**: ",
}

// sections returns the texts below the headings of the second level.
func sections(text string) map[string]string {
	found := map[string]string{}
	for _, section := range strings.Split("\n"+text, "\n## ")[1:] {
		title, body, _ := strings.Cut(section, "\n")
		found[title] = body
	}
	return found
}

// anchor is what a link calls a heading.
func anchor(title string) string {
	keep := func(r rune) rune {
		if r == ' ' || r == '-' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}
	return strings.ReplaceAll(strings.Map(keep, strings.ToLower(title)), " ", "-")
}

// TestDocsFollowEachSecret checks that the threat model describes each secret from its creation to its end, and that a
// test proves each promise. TestDocsNameTests checks that the tests exist.
func TestDocsFollowEachSecret(t *testing.T) {
	text, err := os.ReadFile(threatModel)
	if err != nil {
		t.Fatal(err)
	}
	all, secrets, promises := sections(string(text)), 0, 0
	listed := map[string]bool{}
	for _, m := range anchorPattern.FindAllStringSubmatch(all["Who gets what"], -1) {
		listed[m[1]] = true
	}
	for title, body := range all {
		_, table, promising := strings.Cut(body, "| promise | test |\n|---|---|\n")
		if !promising {
			if listed[anchor(title)] {
				t.Errorf("%s: %s promises nothing", threatModel, title)
			}
			continue
		}
		secrets++
		delete(listed, anchor(title))
		for _, word := range lifePattern {
			if !strings.Contains(body, "\n"+word) {
				t.Errorf("%s: %s does not contain %q", threatModel, title, word)
			}
		}
		for line := range strings.Lines(table) {
			if strings.HasPrefix(line, "| ") {
				promises++
			}
			if strings.HasPrefix(line, "| ") && !testPattern.MatchString(line) {
				t.Errorf("%s: %s: no test proves: %s", threatModel, title, line)
			}
		}
	}
	for name := range listed {
		t.Errorf("%s: the table has #%s, and there is no such secret", threatModel, name)
	}
	if secrets < 15 || promises < 60 {
		t.Errorf("%s: %d secrets and %d promises", threatModel, secrets, promises)
	}
}
