//go:build linux && !unit

package main

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
)

// box is a Debian of its own and the program that is run on it.
type box struct{ root, program string }

func newBox(t *testing.T, program string) box {
	t.Helper()
	return box{root: debian.New(t, "bookworm").Mount(t), program: program}
}

// mount mounts inside the box until the test ends.
func (b box) mount(t *testing.T, source, path, kind string, flags uintptr, data string) {
	t.Helper()
	debian.Mount(t, source, b.root+path, kind, flags, data)
}

// program returns the path of the agent, which runs in other systems, too.
func program(t *testing.T) string {
	t.Helper()
	path, err := programs.Build(t.Context(), "machineadm")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs the program on the box.
func (b box) run(t *testing.T, stdin string, args ...string) (code int, output string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), b.program, append(args, "--root", b.root)...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func encoded(t *testing.T, values ...document.Value) string {
	t.Helper()
	docs := make([]document.Document, len(values))
	for i, v := range values {
		docs[i].Value = v
	}
	data, err := codec.Codec{}.Encode(docs)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// half lists files that were begun and not completed.
func (b box) half(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, dir := range []string{"/etc", "/srv", "/usr/local", "/var/lib/machineadm"} {
		err := filepath.WalkDir(b.root+dir, func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, "machineadm-new") {
				found = append(found, path)
			}
			return err
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	return found
}

type failing struct {
	reason string
	// with changes the machine before.
	with   func(t *testing.T, b box)
	values []document.Value
	want   record.Failure
}

func file(path string, size int) machine.File {
	return machine.File{Path: path, Content: document.Text(strings.Repeat("x", size))}
}

func joining() []document.Value {
	return []document.Value{
		machine.KubernetesConfig{Provision: machine.ProvisionImage},
		node.NodeConfig{
			Role: node.RoleWorker, KubernetesVersion: "v1.33.1",
			Discovery: &node.Discovery{
				APIServerEndpoint: "10.0.0.1:6443", Token: secret.FromString("abcdef.0123456789abcdef"),
				CACertHashes: []string{"sha256:" + strings.Repeat("0", 64)},
			},
		},
	}
}

func failures(server string) map[string]failing {
	read := func(t *testing.T, b box) {
		t.Helper()
		b.mount(t, "tmpfs", "/srv", "tmpfs", syscall.MS_RDONLY, "")
	}
	return map[string]failing{
		"pre-command": {
			reason: "the first failure ends the bootstrap, and its last output is the cause",
			values: []document.Value{machine.Command{Phase: document.PhasePre, Script: "echo abcdef.0123456789abcdef\necho no " +
				"disk today >&2\nexit 7"}, machine.Command{Phase: document.PhasePost, Script: "touch /srv/post"}},
			want: record.Failure{
				Phase: "pre", Step: "documents[0].spec", ExitCode: 7, Cause: "exit code 7: no disk today",
				Log: "[redacted]\nno disk today",
			},
		},
		"no kubeadm": {
			reason: "the image has none", values: joining(),
			with: func(t *testing.T, b box) {
				t.Helper()
				unit := "[Service]\nExecStart=/usr/bin/kubelet\n[Install]\nWantedBy=multi-user.target\n"
				if err := os.WriteFile(b.root+"/etc/systemd/system/kubelet.service", []byte(unit), 0o644); err != nil {
					t.Fatal(err)
				}
			},
			want: record.Failure{Phase: "join", Step: "documents[1].spec", ExitCode: 127, Cause: "kubeadm"},
		},
		"no kubelet": {
			reason: "the image has no unit of it", values: joining(),
			want: record.Failure{Phase: "unit", Step: "documents[0].spec", ExitCode: 1, Cause: "kubelet.service"},
		},
		"wrong digest": {
			reason: "what came is not what was asked for",
			values: []document.Value{machine.KubernetesConfig{
				Provision: machine.ProvisionDownload,
				Artifacts: []machine.Artifact{
					{Name: "kubelet", URL: server + "/kubelet?c4n4ry", SHA256: strings.Repeat("0", 64)},
					{Name: "kubeadm", URL: server + "/kubeadm", SHA256: strings.Repeat("0", 64)},
				},
			}},
			want: record.Failure{Phase: "file", Step: "documents[0].spec", Cause: "the digest is"},
		},
		"full disk": {
			reason: "a file does not fit; the other, written at the same time, is not on that disk",
			with: func(t *testing.T, b box) {
				t.Helper()
				b.mount(t, "tmpfs", "/srv", "tmpfs", 0, "size=64k")
			},
			values: []document.Value{file("/etc/a", 100), file("/srv/b", 200<<10)},
			want:   record.Failure{Phase: "file", Step: "documents[1].spec", Cause: "no space left on device"},
		},
		"full disk of the state": {
			reason: "not even the journal fits, and the directories that a reboot clears contain the failure",
			with: func(t *testing.T, b box) {
				t.Helper()
				b.mount(t, "tmpfs", "/var/lib/machineadm", "tmpfs", 0, "size=4k")
				if err := os.WriteFile(b.root+"/var/lib/machineadm/x", make([]byte, 4096), 0o600); err != nil {
					t.Fatal(err)
				}
			},
			values: []document.Value{file("/srv/a", 100)},
			want:   record.Failure{Phase: "start", Cause: "no space left on device"},
		},
		"read-only target": {
			reason: "nothing can be written there", with: read, values: []document.Value{file("/srv/a", 1)},
			want: record.Failure{Phase: "file", Step: "documents[0].spec", Cause: "read-only file system"},
		},
		"mistake": {
			reason: "nothing is changed", values: []document.Value{file("/srv/a", 1), file("relative", 1)},
			want: record.Failure{Phase: "start", Cause: "documents[1].spec.path"},
		},
	}
}

// TestFailures has bootstraps fail: each leaves a record that names phase and cause, nothing half-written, and no
// sentinel.
func TestFailures(t *testing.T) {
	at := program(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_,
			_ = w.Write([]byte("junk"))
	}))
	defer server.Close()
	for name, c := range failures(server.URL) {
		t.Run(name, func(t *testing.T) {
			b := newBox(t, at)
			if c.with != nil {
				c.with(t, b)
			}
			code, output := b.run(t, encoded(t, c.values...), "apply", "--path", "-")
			if code != 1 || !strings.Contains(output, c.want.Cause) {
				t.Errorf("%s: exit code %d and\n%s", c.reason, code, output)
			}
			b.failed(t, c.want)
			if left := b.half(t); len(left) > 0 {
				t.Errorf("half-written: %v", left)
			}
			if log, _ := os.ReadFile(b.root + "/var/log/machineadm.log"); strings.Contains(string(log)+output,
				"0123456789abcdef") || strings.Contains(output, "c4n4ry") {
				t.Errorf("a secret is in\n%s\n%s", log, output)
			}
		})
	}
}

// failed compares the record of a failure with the wanted one.
func (b box) failed(t *testing.T, want record.Failure) {
	t.Helper()
	d := record.Linux(b.root)
	if _, err := os.Stat(filepath.Join(d.Sentinel, record.SentinelFile)); err == nil {
		t.Error("there is a sentinel of success")
	}
	data, err := os.ReadFile(filepath.Join(d.Sentinel, record.PublicFailureFile))
	if err != nil {
		t.Fatal(err)
	}
	var got record.Failure
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Phase != want.Phase || got.Step != want.Step || got.ExitCode != want.ExitCode || !strings.Contains(got.Cause,
		want.Cause) || !strings.Contains(got.Log, want.Log) {
		t.Errorf("the record is %s", data)
	}
}

// TestCheckReportsMissingRequirements has an image without Kubernetes, and a reader who knows.
func TestCheckReportsMissingRequirements(t *testing.T) {
	b := newBox(t, program(t))
	config := encoded(t, joining()...)
	code, output := b.run(t, config, "check", "--path", "-")
	for _, name := range []string{"Program-kubeadm", "Program-kubelet"} {
		if code != 1 || !strings.Contains(output, "lacking: "+name+": ") {
			t.Errorf("exit code %d and no %s in\n%s", code, name, output)
		}
	}
	code, output = b.run(t, config, "check", "--path", "-", "--ignore", "program-kubeadm,Program-kubelet",
		"--ignore", "all")
	if code != 0 || !strings.Contains(output, "ignored: Program-kubeadm") {
		t.Errorf("exit code %d and\n%s", code, output)
	}
	if _, err := os.Stat(b.root + "/var/lib/machineadm"); err == nil {
		t.Error("a look left something behind")
	}
}

// TestStatusInEachOutput asks what became of a machine, for people and for programs.
func TestStatusInEachOutput(t *testing.T) {
	b := newBox(t, program(t))
	if code, output := b.run(t, "", "status"); code != 1 || !strings.Contains(output, "has not run on this machine") {
		t.Errorf("before: exit code %d and\n%s", code, output)
	}
	config := encoded(t, file("/srv/a", 1), machine.Command{Phase: document.PhasePost, Script: "true"})
	for _, want := range []string{"2 of 2 steps changed something", "nothing was done"} {
		if code, output := b.run(t, config, "apply", "--path", "-"); code != 0 || !strings.Contains(output, want) {
			t.Fatalf("exit code %d and\n%s", code, output)
		}
	}
	var published record.Status
	_, output := b.run(t, "", "status", "-o", "json")
	if err := json.Unmarshal([]byte(output), &published); err != nil || published.State != "Succeeded" ||
		published.Changes != 2 ||
		published.Kind != record.Kind {
		t.Errorf("error %v in %s", err, output)
	}
	var again record.Status
	_, output = b.run(t, "", "status", "-o", "yaml")
	if err := yaml.UnmarshalStrict([]byte(output), &again); err != nil || !cmp.Equal(published, again) {
		t.Errorf("error %v in %s", err, output)
	}
	if code, output := b.run(t, "", "status", "-o", "xml"); code != 2 || !strings.Contains(output, "use json or yaml") {
		t.Errorf("exit code %d and\n%s", code, output)
	}
	if code, output := b.run(t, "", "status"); code != 0 || !strings.Contains(output, "run documents[1].spec") {
		t.Errorf("exit code %d and\n%s", code, output)
	}
}

// TestResetIsExact holds the tree after a reset to the one before, but for the agent's own places.
func TestResetIsExact(t *testing.T) {
	b := newBox(t, program(t))
	before := b.tree(t)
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	ca := machine.TrustedCA{Name: "corp", PEM: pem.EncodeToMemory(&pem.Block{
		Type:  "CERTIFICATE",
		Bytes: server.Certificate().Raw,
	})}
	config := encoded(t, machine.TrustedCAsConfig{CAs: []machine.TrustedCA{ca}}, machine.Group{Name: "m-g"},
		machine.User{Name: "m-u", Groups: []string{"m-g"}, Sudo: "ALL=(ALL) ALL"}, file("/etc/hostname", 3),
		machine.File{Path: "/etc/fstab", Append: true, Content: document.Text("# x\n")}, machine.Unit{
			Name:    "m.service",
			Content: document.Text("[Service]\nExecStart=/bin/true\n"),
		})
	if code, output := b.run(t, config, "apply", "--path", "-"); code != 0 {
		t.Fatalf("exit code %d and\n%s", code, output)
	}
	const bundle = "/etc/ssl/certs/ca-certificates.crt"
	if after := b.tree(t); !strings.Contains(after[bundle], string(ca.PEM)) || strings.Contains(before[bundle],
		string(ca.PEM)) {
		t.Error("the CA is not trusted, or was before")
	}
	if code, output := b.run(t, "", "reset"); code != 0 {
		t.Fatalf("exit code %d and\n%s", code, output)
	}
	if diff := cmp.Diff(before, b.tree(t)); diff != "" {
		t.Error(diff)
	}
	if code, output := b.run(t, "", "status"); code != 1 || !strings.Contains(output, "has not run") {
		t.Errorf("exit code %d and\n%s", code, output)
	}
}

// tree returns the files that a configuration changes, without the backup copies of the programs for accounts.
func (b box) tree(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, dir := range []string{"/etc", "/home", "/srv", "/usr/local", "/opt"} {
		err := filepath.WalkDir(b.root+dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || strings.HasSuffix(path, "-") || strings.HasSuffix(path, ".pwd.lock") {
				return err
			}
			info, err := e.Info()
			data, _ := os.ReadFile(path)
			files[strings.TrimPrefix(path, b.root)] = fmt.Sprint(info.Mode(), string(data))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}
