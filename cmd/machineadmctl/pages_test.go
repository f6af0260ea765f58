package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/golden"
)

// executedPages are the pages whose commands TestPagesAreExecuted runs.
func executedPages() []string {
	return []string{
		"README.md", "docs/os-profiles.md", "docs/control-plane-plans.md", "docs/guides/convert.md",
		"docs/guides/clusterclass.md", "docs/guides/machine-pools.md", "docs/guides/air-gap.md",
		"docs/guides/private-registries.md", "docs/guides/troubleshooting.md",
		"docs/guides/describe-a-machine.md", "docs/guides/autoscaler.md", "docs/guides/gpu-nodes.md",
	}
}

// TestPagesAreExecuted writes the files of a page, which are blocks "yaml NAME", runs its commands, which are lines
// "$ machineadmctl …" in blocks "console", and compares their output. A command can end with a filter, such as "| head
// -n 5". Commands of other programs stay as they are.
func TestPagesAreExecuted(t *testing.T) {
	for _, page := range executedPages() {
		t.Run(page, func(t *testing.T) {
			path, err := filepath.Abs(filepath.Join("../..", page))
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			executed := execute(t, strings.Split(string(text), "\n"))
			golden.File(t, path, []byte(strings.Join(executed, "\n")))
		})
	}
}

var examplePattern = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// TestDocsExamplesRender renders each example of a machine in a document.
func TestDocsExamplesRender(t *testing.T) {
	found := 0
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "testdata/scenarios/*/*.md"} {
		pages, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range examplePattern.FindAllStringSubmatch(string(text), -1) {
				if !strings.Contains(m[1], "kind: MachineBootstrapConfig") {
					continue
				}
				found++
				var errs strings.Builder
				code := run(strings.Fields("render -f - --kubernetes-version v1.36.3"), strings.NewReader(m[1]), io.Discard, &errs)
				if code != 0 {
					t.Errorf("%s: %s\nof\n%s", page, &errs, m[1])
				}
			}
		}
	}
	if found == 0 {
		t.Error("no page has an example")
	}
}

// execute returns the lines with the current output of the commands.
func execute(t *testing.T, lines []string) []string {
	t.Helper()
	var out, block []string
	open := ""
	for _, line := range lines {
		fence, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && open == "":
			open, block = fence+" ", nil
			out = append(out, line)
		case isFence:
			out = append(append(out, finished(t, strings.Fields(open), block)...), line)
			open = ""
		case open != "":
			block = append(block, line)
		default:
			out = append(out, line)
		}
	}
	return out
}

// finished writes the file or runs the commands of a block, and returns its lines.
func finished(t *testing.T, info, block []string) []string {
	t.Helper()
	switch {
	case len(info) == 2 && info[0] == "yaml":
		if err := os.WriteFile(info[1], []byte(strings.Join(block, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	case len(info) == 1 && info[0] == "console":
		var out []string
		ours := false
		for _, line := range block {
			command, begins := strings.CutPrefix(line, "$ machineadmctl ")
			ours = begins || ours && !strings.HasPrefix(line, "$ ")
			switch {
			case begins:
				out = append(append(out, line), printed(t, command)...)
			case !ours:
				out = append(out, line)
			}
		}
		return out
	}
	return block
}

// printed returns the lines that a command prints on either output, findings first. Its filter reads the standard
// output.
func printed(t *testing.T, command string) []string {
	t.Helper()
	var errs strings.Builder
	var out bytes.Buffer
	command, filter, filtered := strings.Cut(command, " | ")
	run(strings.Fields(command), strings.NewReader(""), &out, &errs)
	if filtered {
		shell := exec.CommandContext(t.Context(), "sh", "-c", filter)
		shell.Stdin = bytes.NewReader(out.Bytes())
		lines, err := shell.Output()
		if err != nil {
			t.Fatalf("%s: %v", filter, err)
		}
		out = *bytes.NewBuffer(lines)
	}
	text := strings.TrimSuffix(errs.String()+out.String(), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
