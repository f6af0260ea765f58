package windows_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/adapters/system/windows"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
)

// world is a drive, and what was started on it.
type world struct {
	*windows.Host
	drive string
	ran   []string
	// scripts are those of PowerShell as they lay there while they ran.
	scripts []string
	output  string
	code    int
	err     error
}

func (w *world) Run(_ context.Context, argv ...string) ([]byte, int, error) {
	w.ran = append(w.ran, strings.Join(argv, " "))
	if argv[0] == "icacls.exe" {
		return nil, 0, nil
	}
	if data, err := os.ReadFile(filepath.Join(w.drive, "ProgramData/machineadm/step.ps1")); err == nil {
		w.scripts = append(w.scripts, string(data))
	}
	return []byte(w.output), w.code, w.err
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{drive: t.TempDir()}
	h, err := windows.New(w.drive, w, &memory.Originals{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	w.Host = h
	return w
}

// do applies the operation as the agent does, and returns what stood there.
func (w *world) do(t *testing.T, op action.Operation) (journal.Original, error) {
	t.Helper()
	o, err := w.Capture(t.Context(), op)
	if err != nil {
		return o, err
	}
	return o, w.Apply(t.Context(), op, o)
}

func (w *world) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(w.drive, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// files are the paths of all files on the drive.
func (w *world) files(t *testing.T) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(w.drive, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, strings.TrimPrefix(path, w.drive+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// scriptFiles are the paths of all files except for the program that runs scripts.
func (w *world) scriptFiles(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(w.files(t), func(path string) bool { return path == "ProgramData/machineadm/run.ps1" })
}

func TestWriteFile(t *testing.T) {
	w := newWorld(t)
	op := action.WriteFile{File: machine.File{Path: `C:\k\new\a.txt`, Content: document.Text("a\r\n\x00\xff")}}
	o, err := w.do(t, op)
	if err != nil || w.read(t, "k/new/a.txt") != "a\r\n\x00\xff" || len(w.ran) > 0 {
		t.Errorf("%v, ran %v", err, w.ran)
	}
	if change, err := w.Diff(t.Context(), op, o); !change.IsEmpty() || err != nil {
		t.Errorf("a second run changes %v, %v", change, err)
	}
	if diff := cmp.Diff([]string{`C:\k`, `C:\k\new`}, o.NewDirs); diff != "" {
		t.Error(diff)
	}
	if err := w.Revert(t.Context(), o); err != nil || len(w.files(t)) > 0 {
		t.Errorf("reverted: %v, %v", w.files(t), err)
	}
	if _, err := os.Stat(filepath.Join(w.drive, "k")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directories stay: %v", err)
	}
}

func TestAppend(t *testing.T) {
	w := newWorld(t)
	if err := os.WriteFile(filepath.Join(w.drive, "log"), []byte("zero\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	op := action.WriteFile{File: machine.File{Path: "c:/log", Content: document.Text("one\n"), Append: true}}
	o, err := w.do(t, op)
	if err != nil || w.read(t, "log") != "zero\none\n" {
		t.Errorf("%v", err)
	}
	if err := w.Apply(t.Context(), op, o); err != nil || w.read(t, "log") != "zero\none\n" {
		t.Errorf("appended twice: %v", err)
	}
	if err := w.Revert(t.Context(), o); err != nil || w.read(t, "log") != "zero\n" {
		t.Errorf("reverted: %v", err)
	}
}

func TestPrivateFile(t *testing.T) {
	for name, f := range map[string]machine.File{"by mode": {Mode: 0o600}, "by secret": {Secret: true}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			f.Path, f.Content = `C:\k\token`, document.Text("canary3f6d")
			if _, err := w.do(t, action.WriteFile{File: f}); err != nil || w.read(t, "k/token") != "canary3f6d" {
				t.Fatal(err)
			}
			const directory = `icacls.exe C:\ProgramData\machineadm\private /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F `
			if len(w.ran) != 2 || !strings.HasPrefix(w.ran[0], directory) ||
				!strings.HasPrefix(w.ran[1], `icacls.exe C:\ProgramData\machineadm\private\`) ||
				strings.Contains(strings.Join(w.ran, "\n"), "canary") {
				t.Errorf("ran %q", w.ran)
			}
			if diff := cmp.Diff([]string{"k/token"}, w.files(t)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestStateIsPrivate holds that the directory of the journal and the log is protected before anything is in it, and
// that users can read the status and the result and cannot write them: who writes the sentinel fakes a success.
func TestStateIsPrivate(t *testing.T) {
	w := newWorld(t)
	const all = " /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F"
	want := []string{
		`icacls.exe C:\ProgramData\machineadm /setowner *S-1-5-32-544`, `icacls.exe C:\ProgramData\machineadm` + all,
		`icacls.exe C:\run\machineadm /setowner *S-1-5-32-544`,
		`icacls.exe C:\run\machineadm` + all + " *S-1-5-32-545:(OI)(CI)RX",
		`icacls.exe C:\run\cluster-api /setowner *S-1-5-32-544`,
		`icacls.exe C:\run\cluster-api` + all + " *S-1-5-32-545:(OI)(CI)RX",
	}
	if err := w.ProtectState(t.Context()); err != nil || !slices.Equal(w.ran, want) {
		t.Errorf("ran %q, %v", w.ran, err)
	}
	if info, err := os.Stat(filepath.Join(w.drive, "ProgramData", "machineadm")); err != nil || !info.IsDir() {
		t.Errorf("there is no directory: %v", err)
	}
}

func TestPaths(t *testing.T) {
	cases := map[string]struct{ reason, path, want string }{
		"another drive": {path: `D:\a`, want: "not on the drive C:"},
		"posix":         {path: "/etc/a", want: "not on the drive C:"},
		"relative":      {reason: "it means the drive's current directory", path: `C:a`, want: "not on the drive C:"},
		"share":         {path: `\\server\a`, want: "not on the drive C:"},
		"stream":        {reason: "it would be a part of another file", path: `C:\a:b`, want: "no file of the name"},
		"wildcard":      {path: `C:\a*`, want: "no file of the name"},
		"dot":           {reason: "Windows opens another file", path: `C:\a.`, want: "leaves out the end"},
		"blank":         {path: `C:\a \b`, want: "leaves out the end"},
		"drive":         {path: `C:\`, want: "is a directory"},
		"device":        {reason: "Windows opens the device", path: `C:\a\CON`, want: "name of a device"},
		"device's name": {reason: "the extension is of no account", path: `C:\nul.txt`, want: "name of a device"},
		"below one":     {path: `C:\com1\a`, want: "name of a device"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			_, err := w.do(t, action.WriteFile{File: machine.File{Path: tc.path}})
			if err == nil || !strings.Contains(err.Error(), tc.want) || len(w.files(t)) > 0 {
				t.Errorf("the error is %v, want %q: %s", err, tc.want, tc.reason)
			}
		})
	}
}

func TestLinksStayOnTheDrive(t *testing.T) {
	w := newWorld(t)
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(w.drive, "out")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.do(t, action.WriteFile{File: machine.File{Path: `C:\out\a`}}); err == nil {
		t.Error("a link leads off the drive")
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("written: %v", entries)
	}
}

func TestMakeDirectory(t *testing.T) {
	w := newWorld(t)
	o, err := w.do(t, action.MakeDirectory{Path: `C:\a\b`})
	if info, statErr := os.Stat(filepath.Join(w.drive, "a/b")); err != nil || statErr != nil || !info.IsDir() {
		t.Fatal(err, statErr)
	}
	if err := os.WriteFile(filepath.Join(w.drive, "a/other"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := w.Revert(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a/other"}, w.files(t)); diff != "" {
		t.Error(diff)
	}
}

func TestFetchFile(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/astray" {
			rw.Header().Set("Location", "http://[?signature=canary7q9zk2xw5v")
			rw.WriteHeader(http.StatusFound)
			return
		}
		if r.URL.Path != "/kubelet" {
			http.NotFound(rw, r)
			return
		}
		_, _ = rw.Write([]byte("program"))
	}))
	t.Cleanup(server.Close)
	sum := sha256.Sum256([]byte("program"))
	digest := hex.EncodeToString(sum[:])
	cases := map[string]struct{ url, digest, want string }{
		"right": {url: server.URL + "/kubelet", digest: digest},
		"file":  {url: "file:///C:/image/kubelet", digest: digest},
		"digest": {
			url: server.URL + "/kubelet", digest: strings.Repeat("0", 64),
			want: "digest mismatch: " + digest,
		},
		"gone":   {url: server.URL + "/other", digest: digest, want: "the server answers 404"},
		"astray": {url: server.URL + "/astray", digest: digest, want: "Location"},
		"share":  {url: "file:///D:/kubelet", digest: digest, want: "not on the drive C:"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if _, err := w.do(t, action.WriteFile{File: machine.File{
				Path:    `C:\image\kubelet`,
				Content: document.Text("program"),
			}}); err != nil {
				t.Fatal(err)
			}
			op := action.FetchFile{Path: `C:\k\kubelet.exe`, URL: tc.url, SHA256: tc.digest}
			o, err := w.do(t, op)
			if tc.want != "" {
				if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "canary") ||
					len(w.files(t)) != 1 {
					t.Errorf("%v, files %v; want %q", err, w.files(t), tc.want)
				}
				return
			}
			if err != nil || w.read(t, "k/kubelet.exe") != "program" {
				t.Fatal(err)
			}
			if change, err := w.Diff(t.Context(), op, o); !change.IsEmpty() || err != nil {
				t.Errorf("a second run changes %v, %v", change, err)
			}
		})
	}
}

func TestRunCommand(t *testing.T) {
	w := newWorld(t)
	op := action.RunCommand{Name: "greet", Script: "Write-Host 'grüß'", When: document.PhasePre, Undo: "Remove-Item x"}
	o, err := w.do(t, op)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Revert(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	const head = "\xef\xbb\xbf"
	if diff := cmp.Diff([]string{head + "Write-Host 'grüß'", head + "Remove-Item x"}, w.scripts); diff != "" {
		t.Error(diff)
	}
	if text := strings.Join(w.ran, "\n"); strings.Contains(text, "grüß") || len(w.scriptFiles(t)) > 0 {
		t.Errorf("the script is left, or in the arguments: %v\n%s", w.files(t), text)
	}
	// Only this program returns the exit code of the last program that a script ran.
	if last := w.ran[len(w.ran)-1]; !strings.HasSuffix(last, ` -File C:\ProgramData\machineadm\run.ps1 `+
		`C:\ProgramData\machineadm\step.ps1`) || w.read(t, "ProgramData/machineadm/run.ps1") == "" {
		t.Errorf("ran %s", last)
	}
	w.code, w.output = 7, "no such thing"
	var failed *ports.CommandError
	_, err = w.do(t, op)
	if !errors.As(err, &failed) || failed.ExitCode != 7 || string(failed.Output) != "no such thing" ||
		len(w.scriptFiles(t)) > 0 {
		t.Errorf("%v", err)
	}
	w.err = errors.New("no PowerShell")
	if _, err := w.do(t, op); err == nil || err.Error() != "greet: no PowerShell" {
		t.Errorf("%v", err)
	}
}

func TestRestartQuotes(t *testing.T) {
	w := newWorld(t)
	if err := w.Restart(t.Context(), "it's ‘it’"); err != nil || !strings.HasSuffix(w.scripts[0], `-Name 'it''s ‘‘it’’'`) {
		t.Errorf("%v, %q", err, w.scripts)
	}
}

// TestRootIsSystem verifies that the agent accepts the owner that stands for SYSTEM, as the bootstrap program does.
func TestRootIsSystem(t *testing.T) {
	root := machine.Owner{User: "root", Group: "root"}
	w := newWorld(t)
	for _, op := range []action.Operation{
		action.WriteFile{File: machine.File{Path: `C:\a`, Owner: root}}, action.MakeDirectory{Path: `C:\b`, Owner: root},
	} {
		if _, err := w.do(t, op); err != nil {
			t.Error(err)
		}
	}
}

// TestPrivateDirectory verifies that other users cannot read a directory without permissions for them.
func TestPrivateDirectory(t *testing.T) {
	w := newWorld(t)
	if _, err := w.do(t, action.MakeDirectory{Path: `C:\a`}); err != nil || len(w.ran) > 0 {
		t.Errorf("%v, ran %q", err, w.ran)
	}
	if _, err := w.do(t, action.MakeDirectory{Path: `C:\b`, Mode: 0o700}); err != nil ||
		len(w.ran) != 1 || !strings.HasPrefix(w.ran[0], `icacls.exe C:\b /inheritance:r `) {
		t.Errorf("%v, ran %q", err, w.ran)
	}
	if _, err := w.do(t, action.MakeDirectory{Path: `C:\c`, Owner: machine.Owner{User: "ada"}}); err == nil {
		t.Error("the owner is ignored")
	}
}

func TestOwnersAreRefused(t *testing.T) {
	owned := machine.File{Path: `C:\a`, Owner: machine.Owner{User: "ada"}}
	if _, err := newWorld(t).do(t, action.WriteFile{File: owned}); err == nil || !strings.Contains(err.Error(),
		"no owner on Windows") {
		t.Errorf("an owner: %v", err)
	}
}

func TestSurvey(t *testing.T) {
	w := newWorld(t)
	w.output = "Microsoft Windows Server 2022 Datacenter\r\n"
	target, err := w.Detect(t.Context(), osprofile.Target{})
	if err != nil || target.Profile.ID != "windows-server-2022" || target.Architecture == "" {
		t.Errorf("%+v, %v", target, err)
	}
	w.output = "Microsoft Windows 3.11"
	if _, err := w.Detect(t.Context(), osprofile.Target{}); err == nil || !strings.Contains(err.Error(),
		"has no profile") {
		t.Errorf("an unknown one: %v", err)
	}
	started := len(w.ran)
	if again, err := w.Detect(t.Context(), target); err != nil || again.Profile.ID != target.Profile.ID ||
		len(w.ran) != started {
		t.Errorf("the hint is asked again: %v", err)
	}
	if name, err := w.Lookup(t.Context(), document.FactHostname); name == "" || err != nil {
		t.Errorf("the host's name is %q, %v", name, err)
	}
	if _, err := w.Lookup(t.Context(), document.FactZone); !errors.Is(err, ports.ErrNoFact) {
		t.Errorf("the zone: %v", err)
	}
}
