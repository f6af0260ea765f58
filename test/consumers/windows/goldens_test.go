// Package windows_test has what is written for Windows read by what can be had of its consumers elsewhere: an XML
// parser and the sourced table of components for answer files, the keys that cloudbase-init knows, and the grammar of
// PowerShell for every script. Bytes come back through a reader that takes nothing from the renderers.
package windows_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/scenarios"
	"github.com/machineadm/machineadm/test/windows"
)

// payload is what a golden, or a rendering, brings onto the machine.
type payload struct {
	// layout lays the program out.
	layout  string
	program windows.Program
}

// startsAgent reports whether the agent completes the bootstrap.
func (p payload) startsAgent() bool { return strings.Contains(p.program.Text, " { Invoke-Agent '") }

var packedPattern = regexp.MustCompile(`Install-Program '([A-Za-z0-9+/=]+)'`)

// unpacked reads the program.
func unpacked(t *testing.T, layout, packed string) payload {
	t.Helper()
	text, err := windows.Unpack(packed)
	if err != nil {
		t.Fatal(err)
	}
	program, err := windows.ReadProgram(text)
	if err != nil {
		t.Fatal(err)
	}
	return payload{layout: layout, program: program}
}

// answerFile reads an answer file, and holds it against the table.
func answerFile(t *testing.T, data []byte) payload {
	t.Helper()
	root, err := windows.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	windows.Check(t, root)
	return unpacked(t, root.At("Machineadm/Installer").Text, root.At("Machineadm/Program").Text)
}

// script reads what cloudbase-init runs with the system's own PowerShell.
func script(t *testing.T, data []byte) payload {
	t.Helper()
	text, found := strings.CutPrefix(string(data), "#ps1_sysnative\n")
	m := packedPattern.FindStringSubmatch(text)
	if !found || m == nil {
		t.Fatalf("this is no script that brings a program: %.60q", data)
	}
	return unpacked(t, text, m[1])
}

func TestAnswerFiles(t *testing.T) {
	debian.Packages(t, "libxml2-utils")
	for _, golden := range scenarios.Of(t, "unattend") {
		if out, err := exec.Command("xmllint", "--noout", "--nonet", golden.Path).CombinedOutput(); err != nil ||
			len(out) > 0 {
			t.Errorf("%v\n%s", err, out)
		}
		p := answerFile(t, golden.Data)
		waits, scrubs := strings.Index(p.program.Text, "\nWait-Setup\n"),
			strings.Index(p.program.Text, "{ Remove-AnswerFile }")
		joins := strings.LastIndex(p.program.Text, "Invoke-Step 'join'")
		if waits < 0 || scrubs < waits || joins < scrubs {
			t.Errorf("%s: the program waits at %d, removes answer files at %d and joins at %d", golden.Name(),
				waits, scrubs, joins)
		}
	}
}

// What both formats bring onto a machine is the same: files and scripts.
func TestFormatsApplyTheSame(t *testing.T) {
	for _, golden := range scenarios.Of(t, "unattend") {
		file := golden.Name()
		ours := answerFile(t, golden.Data).program
		other := script(t, scenarios.One(t, "cloudbase-init", golden.Scenario, golden.System).Data).program
		if len(ours.Files) == 0 || len(ours.Scripts) == 0 || len(ours.Files) != len(other.Files) ||
			len(ours.Scripts) != len(other.Scripts) {
			t.Fatalf("%s: %d and %d files, %d and %d scripts", file, len(ours.Files), len(other.Files), len(ours.Scripts),
				len(other.Scripts))
		}
		for path, content := range ours.Files {
			if string(other.Files[path]) != string(content) {
				t.Errorf("%s: %s is another file for cloudbase-init", file, path)
			}
		}
		for i, text := range ours.Scripts {
			if other.Scripts[i] != text {
				t.Errorf("%s: script %d is another one for cloudbase-init", file, i)
			}
		}
	}
}

// TestPowerShell holds every script of every golden against the grammar: the layout, the program, what the program
// starts others with, and the commands of the core plugins and of the scenarios.
func TestPowerShell(t *testing.T) {
	dir, seen := t.TempDir(), map[string]bool{}
	var files []string
	add := func(text string) {
		if seen[text] {
			return
		}
		seen[text] = true
		file := filepath.Join(dir, strings.Repeat("x", len(files)+1)+".ps1")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	doubles, err := os.ReadFile("testdata/doubles.ps1")
	if err != nil {
		t.Fatal(err)
	}
	add(string(doubles))
	var payloads []payload
	for _, golden := range scenarios.Of(t, "unattend") {
		payloads = append(payloads, answerFile(t, golden.Data))
	}
	for _, golden := range scenarios.Of(t, "cloudbase-init") {
		payloads = append(payloads, script(t, golden.Data))
	}
	for _, p := range payloads {
		want := 2
		if p.startsAgent() {
			want = 1
		}
		if len(p.program.Embedded()) != want {
			t.Errorf("the program embeds %d scripts, want run.ps1 and, without an agent, afterwards.ps1",
				len(p.program.Embedded()))
		}
		for _, text := range p.texts() {
			add(text)
		}
	}
	// Standard error also contains the messages of the first download of the grammar.
	var stderr bytes.Buffer
	check := exec.Command("../../../hack/powershell.sh", files...)
	check.Stderr = &stderr
	if out, err := check.Output(); err != nil || len(out) > 0 {
		t.Errorf("%d scripts: %v\n%s%s", len(files), err, out, stderr.Bytes())
	}
	if len(files) < 12 {
		t.Errorf("only %d scripts were read", len(files))
	}
}

// A grammar that takes everything would prove nothing.
func TestPowerShellFindsErrors(t *testing.T) {
	for name, text := range map[string]string{
		"brace": "if ($x) {\n", "quote": "Write-Output 'a\n",
		"parenthesis": "& (Get-Date\n",
	} {
		file := filepath.Join(t.TempDir(), name+".ps1")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("../../../hack/powershell.sh", file).CombinedOutput(); err == nil ||
			!strings.Contains(string(out), name+".ps1:") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
