package windows_test

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/golden"
	"github.com/machineadm/machineadm/test/scenarios"
)

const (
	outlineDir = "testdata/outlines"
	// minRemovals is how many lines, parameters and conditions the programs have at least.
	minRemovals = 400
)

// outlines returns the outline of each PowerShell program by its syntax tree: the commands with their parameters, and
// the conditions that stop the program. The outline of a program with a syntax error begins with the error.
func outlines(t *testing.T, texts []string) []string {
	t.Helper()
	dir := t.TempDir()
	args := []string{"--outline"}
	for i, text := range texts {
		args = append(args, filepath.Join(dir, fmt.Sprintf("%04d.ps1", i)))
		if err := os.WriteFile(args[i+1], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("../../../hack/powershell.sh", args...)
	command.Stderr = os.Stderr
	// The exit code reports syntax errors.
	out, err := command.Output()
	all := strings.Split("\n"+strings.TrimSuffix(string(out), "\n"), "\nprogram\n")[1:]
	if len(all) != len(texts) {
		t.Fatalf("got %d outlines of %d programs: %v", len(all), len(texts), err)
	}
	return all
}

// embedded returns the PowerShell files that Go code embeds by their paths.
func embedded(t *testing.T) (paths, texts []string) {
	t.Helper()
	for _, pattern := range []string{"adapters/*/*/*.ps1", "adapters/*/*/*/*.ps1"} {
		found, err := filepath.Glob("../../../" + pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no file %s: %v", pattern, err)
		}
		paths = append(paths, found...)
	}
	for i, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
		paths[i] = filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path))
	}
	return paths, texts
}

// TestOutlinesOfFiles compares the outline of each embedded file with its golden.
func TestOutlinesOfFiles(t *testing.T) {
	goldens := golden.Open(t, outlineDir+"/files")
	paths, texts := embedded(t)
	for i, outline := range outlines(t, texts) {
		goldens.Compare(t, paths[i]+".txt", []byte(outline+"\n"))
	}
}

// TestOutlinesOfScenarios compares the outline of each rendered program with its golden: the installer, the program
// that it installs, and the scripts that this program contains. Systems with the same outline share a golden.
func TestOutlinesOfScenarios(t *testing.T) {
	goldens := golden.Open(t, outlineDir+"/scenarios")
	for format, read := range map[string]func(*testing.T, []byte) payload{
		"unattend": answerFile, "cloudbase-init": script,
	} {
		systems := map[string][]string{}
		var payloads []payload
		var texts []string
		for _, g := range scenarios.Of(t, format) {
			p := read(t, g.Data)
			payloads, texts = append(payloads, p), append(texts, p.texts()...)
		}
		outlineOf := abbreviated(t, texts)
		for i, g := range scenarios.Of(t, format) {
			key := g.Scenario + "\n" + payloads[i].outline(outlineOf)
			systems[key] = append(systems[key], g.System)
		}
		for key, names := range systems {
			scenario, outline, _ := strings.Cut(key, "\n")
			goldens.Compare(t, filepath.Join(scenario, format, strings.Join(names, "+")+".txt"), []byte(outline))
		}
	}
}

// texts returns the installer, the program, and the scripts that the program contains.
func (p payload) texts() []string {
	return slices.Concat([]string{p.layout, p.program.Text}, p.program.Embedded(), p.program.Scripts)
}

// outline returns the outlines of the texts, each after a title.
func (p payload) outline(of map[string]string) string {
	titles := []string{"installer", "program", "run.ps1", "program for later starts"}
	if p.startsAgent() {
		titles = titles[:3]
	}
	var b strings.Builder
	for i, text := range p.texts() {
		title := fmt.Sprintf("script %d", i-len(titles)+1)
		if i < len(titles) {
			title = titles[i]
		}
		b.WriteString(title + "\n" + of[text])
	}
	return b.String()
}

// abbreviated returns the outlines of programs by their text. A function of an embedded file is one line with the name
// of the file.
func abbreviated(t *testing.T, texts []string) map[string]string {
	t.Helper()
	names := map[string]string{}
	paths, files := embedded(t)
	for i, outline := range outlines(t, files) {
		for _, block := range topLevel(outline) {
			if head, _, found := strings.Cut(block, "\n"); found && strings.HasPrefix(head, "  function ") {
				names[block] = head + " of " + paths[i] + "\n"
			}
		}
	}
	byText := map[string]string{}
	for i, outline := range outlines(t, texts) {
		var b strings.Builder
		for _, block := range topLevel(outline) {
			b.WriteString(cmp.Or(names[block], block))
		}
		byText[texts[i]] = b.String()
	}
	return byText
}

var firstLine = regexp.MustCompile(`(?m)^  [^ ]`)

// topLevel divides an outline before each statement that is in no block.
func topLevel(outline string) []string {
	var blocks []string
	starts := firstLine.FindAllStringIndex(outline+"\n", -1)
	for i, start := range starts {
		end := len(outline)
		if i+1 < len(starts) {
			end = starts[i+1][0] - 1
		}
		blocks = append(blocks, outline[start[0]:end]+"\n")
	}
	return blocks
}

var (
	parameterPattern = regexp.MustCompile(` -[A-Z][A-Za-z]+\b`)
	conditionPattern = regexp.MustCompile(`(?:if|while|foreach) (\(.*\)) \{`)
	ordinaryLine     = regexp.MustCompile(`^\s*[^\s#})]`)
)

// removals returns a program without each of its lines, parameters and conditions, and what was removed.
func removals(program string) (mutants, removed []string) {
	add := func(start, end int, instead string) {
		mutants = append(mutants, program[:start]+instead+program[end:])
		removed = append(removed, program[start:end])
	}
	at := 0
	for line := range strings.Lines(program) {
		if ordinaryLine.MatchString(line) {
			add(at, at+len(line), "")
			for _, m := range parameterPattern.FindAllStringIndex(line, -1) {
				add(at+m[0], at+m[1], "")
			}
			if m := conditionPattern.FindStringSubmatchIndex(line); m != nil {
				add(at+m[2], at+m[3], "($true)")
			}
		}
		at += len(line)
	}
	return mutants, removed
}

// TestOutlinesShowRemovals removes each line of code, each parameter and each condition from the embedded files and
// from the steps of a rendered program. Each removal changes the outline, so that the comparison with the golden fails.
func TestOutlinesShowRemovals(t *testing.T) {
	paths, texts := embedded(t)
	steps := script(t, scenarios.One(t, "cloudbase-init", "customised", "windows-server-2022").Data).program.Text
	paths, texts = append(paths, "steps"), append(texts, steps[strings.Index(steps, "\nInitialize-State\n"):])
	total := 0
	for i, outline := range outlines(t, texts) {
		mutants, removed := removals(texts[i])
		total += len(mutants)
		for j, other := range outlines(t, mutants) {
			if other == outline {
				t.Errorf("%s: the outline is the same without %q", paths[i], removed[j])
			}
		}
	}
	if total < minRemovals {
		t.Errorf("only %d lines, parameters and conditions were removed", total)
	}
}
