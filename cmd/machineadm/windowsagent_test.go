package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/nodecli"
	"github.com/machineadm/machineadm/adapters/record"
	system "github.com/machineadm/machineadm/adapters/system/windows"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/test/scenarios"
	"github.com/machineadm/machineadm/test/windows"
	"github.com/machineadm/machineadm/test/windowsmachine"
)

// windowsBoots is a Windows machine in memory that runs the agent of this program.
type windowsBoots struct {
	*windowsmachine.Machine
	t      *testing.T
	output bytes.Buffer
}

// open returns the machine as machine_windows.go does, with the directories on the drive of the double.
func (w *windowsBoots) open(nodecli.Setup) (*nodecli.Machine, error) {
	at := record.Directories{
		State: filepath.Join(w.Drive, "ProgramData/machineadm"), Run: filepath.Join(w.Drive, "run/machineadm"),
		Sentinel: filepath.Join(w.Drive, "run/cluster-api"),
	}
	journal := record.NewJournal(at)
	host := w.Host(journal.Originals())
	service, err := agent.New(agent.Dependencies{
		Host: host, Detector: host, Facts: host, Journal: journal, Codec: codec.Codec{}, Locator: codec.Codec{},
		Clock: clock{}, Publisher: record.Publisher{Directories: at}, Expanders: plugins.Builtin(),
		Resumption: system.Resumption{Host: host}, Version: "test",
	})
	return &nodecli.Machine{
		Service: service, Status: func() ([]byte, error) { return record.ReadText(at) }, StatusReader: record.Codec{},
		Lock: host.ProtectState, Close: func() error { return nil },
	}, err
}

// boot runs the agent until it ends, or until Windows restarts and stops it.
func (w *windowsBoots) boot(args []string) int {
	ctx, stop := context.WithCancel(w.t.Context())
	defer stop()
	w.Restarted = stop
	userdata := nodecli.Windows()
	userdata.Drive = w.Drive
	return nodecli.Run(ctx, nodecli.Options{
		Out: &w.output, Err: &w.output, In: strings.NewReader(""), Open: w.open, Userdata: userdata,
		Program: delivery.WindowsAgentPath,
	}, args)
}

// file returns a file of the drive, or empty.
func (w *windowsBoots) file(name string) string {
	data, err := os.ReadFile(filepath.Join(w.Drive, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Fatal(err)
	}
	return string(data)
}

var wordPattern = regexp.MustCompile(`'((?:[^']|'')*)'|(\S+)`)

// called returns the arguments with which a script starts the agent.
func (w *windowsBoots) called(script string) []string {
	w.t.Helper()
	command, isCall := strings.CutPrefix(strings.TrimPrefix(script, "\ufeff"), "& ")
	var words []string
	for _, m := range wordPattern.FindAllStringSubmatch(command, -1) {
		words = append(words, strings.ReplaceAll(m[1], "''", "'")+m[2])
	}
	if !isCall || len(words) < 2 || words[0] != delivery.WindowsAgentPath {
		w.t.Fatalf("this is no call of the agent: %q", script)
	}
	return words[1:]
}

// programOf returns the program of a userdata of Windows.
func programOf(t *testing.T, format string, data []byte) windows.Program {
	t.Helper()
	packed := ""
	if m := regexp.MustCompile(`Install-Program '([^']+)'`).FindSubmatch(data); m != nil {
		packed = string(m[1])
	}
	if format == string(delivery.FormatUnattend) {
		root, err := windows.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		packed = root.At("Machineadm/Program").Text
	}
	text, err := windows.Unpack(packed)
	if err != nil {
		t.Fatal(err)
	}
	program, err := windows.ReadProgram(text)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// TestUserdataOfWindowsStartsTheAgent takes the userdata of a scenario, as both formats render it, and runs the agent
// on a double with the configuration and the arguments of the userdata. Windows restarts for the name and for the
// domain. After each restart the program that the agent has installed starts it again.
func TestUserdataOfWindowsStartsTheAgent(t *testing.T) {
	for _, format := range []delivery.Format{delivery.FormatCloudbaseInit, delivery.FormatUnattend} {
		t.Run(string(format), func(t *testing.T) {
			golden := scenarios.One(t, string(format), "windows-agent", "windows-server-2022")
			w := bootedFrom(t, programOf(t, string(format), golden.Data))
			w.checkResult()
			w.checkLaterBoot()
			w.checkSecrets()
		})
	}
}

// bootedFrom boots a machine with the program's configuration until the agent has no more reason to restart Windows.
func bootedFrom(t *testing.T, program windows.Program) *windowsBoots {
	t.Helper()
	w := &windowsBoots{Machine: windowsmachine.New(t), t: t}
	w.DomainPassword = `c4n4ry J0in <&'">`
	for _, name := range []string{"kubelet", "wuauserv", "usosvc"} {
		w.Services[name] = &windowsmachine.Service{StartType: "Manual", Status: "Stopped"}
	}
	configuration, written := program.File(delivery.WindowsConfigurationPath)
	at := filepath.Join(w.Drive, "ProgramData/machineadm/machineadm_config.yaml")
	err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, configuration, 0o600))
	if err != nil || !written || len(program.Scripts) == 0 {
		t.Fatalf("the userdata writes a configuration: %v, %v", written, err)
	}
	call := program.Scripts[len(program.Scripts)-1]
	var codes []int
	for boot := 0; boot == 0 || codes[boot-1] == nodecli.ExitStopped; boot++ {
		codes = append(codes, w.boot(w.called(call)))
		if w.file("ProgramData/machineadm/agent.ps1") == "" || !w.Registered {
			t.Fatalf("nothing starts the agent at the next start of Windows: %s", w.output.String())
		}
		call = w.file("ProgramData/machineadm/agent.ps1")
		if len(codes) > 9 {
			break
		}
	}
	want := []int{nodecli.ExitStopped, nodecli.ExitStopped, nodecli.ExitOK}
	if diff := cmp.Diff(want, codes); diff != "" || w.Restarts != 2 {
		t.Fatalf("%d restarts; exit codes (-want +got):\n%s\n%s", w.Restarts, diff, w.output.String())
	}
	return w
}

// checkResult checks what the agent has applied, each step once.
func (w *windowsBoots) checkResult() {
	w.t.Helper()
	computer := map[string]string{
		"name": "win-node-1", "timeZone": "W. Europe Standard Time", "locale": "de-DE", "domain": "corp.example",
	}
	if diff := cmp.Diff(computer, w.Computer); diff != "" {
		w.t.Errorf("the computer (-want +got):\n%s", diff)
	}
	if s := w.Services["spooler"]; s.StartType != "Disabled" || s.Status != "Stopped" {
		w.t.Errorf("the service is %+v", *s)
	}
	if w.Groups["app"] == nil || w.Users["Administrator"].Password != "c4n4ry Adm1n" || w.Users["ops"] != nil {
		w.t.Errorf("groups %v, users %v", w.Groups, w.Users)
	}
	scripts := strings.Join(w.Scripts, "\n---\n")
	if n := strings.Count(scripts, "'join', '--config'"); n != 1 {
		w.t.Errorf("kubeadm join ran %d times:\n%s", n, scripts)
	}
	if w.file("run/cluster-api/bootstrap-success.complete") == "" ||
		w.file("run/cluster-api/bootstrap-failure.json") != "" {
		w.t.Error("there is no sentinel, or a failure beside it")
	}
	if w.file("ProgramData/machineadm/machineadm_config.yaml") != "" {
		w.t.Error("the configuration is still there")
	}
	boot := w.file("ProgramData/machineadm/boot/0001.ps1")
	if boot != "\ufeffSet-NetFirewallProfile -Profile Domain -Enabled False" {
		w.t.Errorf("later starts run %q", boot)
	}
}

// checkLaterBoot checks that a later start of Windows writes the sentinel again, and changes nothing else.
func (w *windowsBoots) checkLaterBoot() {
	w.t.Helper()
	sentinel := filepath.Join(w.Drive, "run/cluster-api/bootstrap-success.complete")
	if err := os.Remove(sentinel); err != nil {
		w.t.Fatal(err)
	}
	ran := slices.Clone(w.Scripts)
	args := w.called(w.file("ProgramData/machineadm/agent.ps1"))
	if code := w.boot(args); code != nodecli.ExitOK || w.Restarts != 2 || !slices.Equal(ran, w.Scripts) {
		w.t.Errorf("%q: exit code %d, %d restarts, ran %q", args, code, w.Restarts, w.Scripts[len(ran):])
	}
	if _, err := os.Stat(sentinel); err != nil {
		w.t.Error(err)
	}
}

// checkSecrets checks that passwords are in no argument, no output and no public file.
func (w *windowsBoots) checkSecrets() {
	w.t.Helper()
	public := w.output.String() + strings.Join(w.Arguments, "\n") + w.file("ProgramData/machineadm/agent.ps1") +
		w.file("ProgramData/machineadm/bootstrap.ps1") + w.file("ProgramData/machineadm/status.json")
	err := filepath.WalkDir(filepath.Join(w.Drive, "run"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		public += string(data)
		return err
	})
	if err != nil || strings.Contains(strings.ToLower(public), "c4n4ry") {
		w.t.Errorf("a secret is in an argument, an output or a file: %v", err)
	}
}

// TestHostileConfigurationOnWindows verifies that the agent refuses names and paths that are commands or devices, names
// the field, and starts no program.
func TestHostileConfigurationOnWindows(t *testing.T) {
	for name, c := range map[string]struct{ document, want string }{
		"user":         {"kind: User\nspec: {name: \"a'; calc; '\"}", "documents[0].spec.name"},
		"subshell":     {`{kind: User, spec: {name: "$(calc)"}}`, "documents[0].spec.name"},
		"backtick":     {"kind: Group\nspec: {name: \"a`calc\"}", "documents[0].spec.name"},
		"line":         {`{kind: Group, spec: {name: "a\ncalc"}}`, "documents[0].spec.name"},
		"service":      {`{kind: Unit, spec: {name: "a'; calc.service", enabled: true}}`, "documents[0].spec.name"},
		"device":       {`{kind: File, spec: {path: 'C:\k\NUL', content: a}}`, "documents[0].spec.path"},
		"device's dir": {`{kind: File, spec: {path: 'C:\con\a', content: a}}`, "documents[0].spec.path"},
		"quotes":       {`{kind: File, spec: {path: 'C:\"a"', content: a}}`, "documents[0].spec.path"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &windowsBoots{Machine: windowsmachine.New(t), t: t}
			text := strings.Replace(c.document, "kind:", "apiVersion: machineadm.io/v1alpha1, kind:", 1)
			if !strings.HasPrefix(c.document, "{") {
				text = "apiVersion: machineadm.io/v1alpha1\n" + c.document
			}
			path := filepath.Join(t.TempDir(), "config.yaml")
			if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			code := w.boot([]string{"check", "--path", path})
			if code != nodecli.ExitFailed || !strings.Contains(w.output.String(), c.want) {
				t.Errorf("exit code %d: %s", code, w.output.String())
			}
			if len(w.Scripts) > 0 || strings.Contains(strings.Join(w.Arguments, "\n"), "calc") {
				t.Errorf("started %q, %q", w.Arguments, w.Scripts)
			}
		})
	}
}
