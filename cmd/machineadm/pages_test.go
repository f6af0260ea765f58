//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/golden"
)

// TestPageIsExecuted writes the files in a page, "yaml NAME", runs its commands, "$ machineadm …" in a block "console",
// on a machine that has only a name, and compares their output.
func TestPageIsExecuted(t *testing.T) {
	for _, name := range []string{"agent.md", "os-contract.md"} {
		t.Run(name, func(t *testing.T) { executePage(t, "../../docs/"+name) })
	}
}

func executePage(t *testing.T, name string) {
	t.Helper()
	page, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	agent := filepath.Join(folder(t, agentName), agentName)
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("machine/etc", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("machine/etc/os-release", []byte("ID=debian\nVERSION_ID=12\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	golden.File(t, page, []byte(strings.Join(executed(t, agent, strings.Split(string(text), "\n")), "\n")))
}

// executed returns the lines with what the commands print now.
func executed(t *testing.T, agent string, lines []string) []string {
	t.Helper()
	var out, file []string
	block := ""
	for _, line := range lines {
		info, fence := strings.CutPrefix(line, "```")
		name, isFile := strings.CutPrefix(block, "yaml ")
		command, isCommand := strings.CutPrefix(line, "$ machineadm ")
		switch {
		case fence && block == "":
			block, file = info, nil
		case fence:
			if isFile {
				save(t, name, file)
			}
			block = ""
		case block == "console" && isCommand:
			out = append(append(out, line), printed(agent, command)...)
			continue
		case block == "console":
			continue
		default:
			file = append(file, line)
		}
		out = append(out, line)
	}
	return out
}

func save(t *testing.T, name string, lines []string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// printed returns the lines that the agent prints on either output, with fixed durations and times.
func printed(agent, arguments string) []string {
	out, _ := exec.Command(agent, strings.Fields(arguments)...).CombinedOutput()
	text := strings.TrimSuffix(string(out), "\n")
	text = regexp.MustCompile(`\b\d+(\.\d+)?(ms|s)\b`).ReplaceAllString(text, "1ms")
	text = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`).ReplaceAllString(text, "2026-11-21T10:00:00Z")
	text = regexp.MustCompile(`(Changed  )\d+ +`).ReplaceAllString(text, "${1}1   ")
	return strings.Split(text, "\n")
}
