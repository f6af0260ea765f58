//go:build linux

package linux_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

func (d debianHost) put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(d.root+path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.root+path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (d debianHost) get(path string) string {
	data, err := os.ReadFile(d.root + path)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// try applies an operation to a machine without earlier operations.
func (d debianHost) try(t *testing.T, op action.Operation) error {
	t.Helper()
	o, err := d.Capture(t.Context(), op)
	if err != nil {
		return err
	}
	return d.Apply(t.Context(), op, o)
}

// TestFetchGoesThroughTheProxy downloads from a server that only a proxy reaches. The proxy requires a password.
func TestFetchGoesThroughTheProxy(t *testing.T) {
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Host+" "+r.Header.Get("Proxy-Authorization"))
		_, _ = w.Write([]byte("through"))
	}))
	defer proxy.Close()
	dir := t.TempDir()
	h := open(t, dir)
	env := "HTTP_PROXY=\"http://u:p\\$1@" + strings.TrimPrefix(proxy.URL, "http://") +
		"\"\nhttp_proxy=\"\"\nNO_PROXY=\"10.0.0.0/8\"\n"
	carryOut(t, h, write("/etc/machineadm/proxy.env", env))
	carryOut(t, h, action.FetchFile{Path: "/f", URL: "http://mirror.test/f", SHA256: digest("through")})
	if diff := cmp.Diff([]string{"mirror.test Basic dTpwJDE="}, asked); diff != "" {
		t.Error(diff)
	}
}

func TestFetchFails(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	cases := map[string]struct {
		reason, url, want string
	}{
		"not found": {"a refusal is final, and no credential is shown", strings.Replace(server.URL, "//", "//u:c4n4ry@",
			1) + "/x?c4n4ry", "the server answers 404"},
		"no such file": {"a file is one of the machine's tree", "file:///etc/hostname", "no such file"},
		"no address":   {"", "http://[", "the address cannot be read"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			err := open(t, t.TempDir()).Apply(t.Context(), action.FetchFile{Path: "/f", URL: c.url, SHA256: digest("")},
				journal.Original{})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "c4n4ry") {
				t.Errorf("%s: got %v, want %q", c.reason, err, c.want)
			}
		})
	}
}

// TestFetchErrorsQuoteNoRedirect checks that an error contains no part of an invalid, signed redirect URL, which the
// library quotes.
func TestFetchErrorsQuoteNoRedirect(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://[?signature=canary7q9zk2xw5v")
		w.WriteHeader(http.StatusFound)
	}))
	defer server.Close()
	// The context ends between two attempts.
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	err := open(t, t.TempDir()).Apply(ctx, action.FetchFile{Path: "/f", URL: server.URL, SHA256: digest("")},
		journal.Original{})
	if err == nil || !strings.Contains(err.Error(), "Location") || strings.Contains(err.Error(), "canary7q9zk2xw5v") {
		t.Error(err)
	}
}

func script(text string) action.RunCommand {
	return action.RunCommand{Name: "test", Script: text, When: document.PhasePre}
}

// TestCommandsLeaveProcesses runs a command whose background process holds the output open. The bootstrap must
// continue.
func TestCommandsLeaveProcesses(t *testing.T) {
	d := newDebian(t, "bookworm")
	if err := d.try(t, script("echo before\nsleep 60 & echo $! >/srv/pid\n")); err != nil {
		t.Fatal(err)
	}
	pid := strings.TrimSpace(d.get("/srv/pid"))
	if out, err := exec.CommandContext(t.Context(), "kill", pid).CombinedOutput(); err != nil {
		t.Errorf("the process ended with the command: %v %s", err, out)
	}
	d.put(t, "/run/machineadm/status.json", "{}")
	if err := d.try(t, script("cat /proc/$$/environ >/srv/environment")); err != nil ||
		d.get("/run/machineadm/status.json") != "{}" {
		t.Errorf("the status is %q, error %v", d.get("/run/machineadm/status.json"), err)
	}
	if left, err := os.ReadDir(d.root + "/run/machineadm"); err != nil || len(left) != 1 {
		t.Errorf("%v is left, error %v", left, err)
	}
	if got := d.get("/srv/environment"); strings.Contains(got, "MACHINEADM") || !strings.Contains(got, "HOME=/root") {
		t.Errorf("the command sees %q", got)
	}
}

// TestCommandsEndWithTheAgent checks that all processes of a command end when the agent stops, and that the error is
// not a failure of the command.
func TestCommandsEndWithTheAgent(t *testing.T) {
	d := newDebian(t, "bookworm")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- d.Apply(ctx, script("sleep 600 & echo $! >/srv/pid.new && mv /srv/pid.new /srv/pid\nwait"),
			journal.Original{})
	}()
	for d.get("/srv/pid") == "" || strings.Contains(d.get("/srv/pid"), "no such file") {
		time.Sleep(time.Millisecond)
	}
	stop()
	err := <-ended
	var failed *ports.CommandError
	if !errors.Is(err, context.Canceled) || errors.As(err, &failed) {
		t.Errorf("got %v", err)
	}
	// A zombie process has an empty command line.
	pid := strings.TrimSpace(d.get("/srv/pid"))
	if line, err := os.ReadFile("/proc/" + pid + "/cmdline"); err == nil && len(line) > 0 {
		t.Errorf("the process lives on: %q", line)
	}
}

// TestAccountsOfOthers checks that existing accounts keep their numbers, that home directories survive a reset, and
// that root follows no links of users.
func TestAccountsOfOthers(t *testing.T) {
	d := newDebian(t, "bookworm")
	number := 1
	for name, op := range map[string]action.Operation{
		"group": action.EnsureGroup{Group: machine.Group{Name: "users", GID: &number}},
		"user":  action.EnsureUser{User: machine.User{Name: "nobody", UID: &number}},
	} {
		if err := d.try(t, op); err == nil || !strings.Contains(err.Error(), "and not 1; files belong to") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	d.put(t, "/srv/app/data", "precious")
	o := carryOut(t, d.Host, action.EnsureUser{User: machine.User{Name: "app", Home: "/srv/app"}})
	if err := d.Revert(t.Context(), o); err != nil || d.get("/srv/app/data") != "precious" {
		t.Errorf("the home directory that was there has %q, error %v", d.get("/srv/app/data"), err)
	}
	carryOut(t, d.Host, action.EnsureUser{User: machine.User{Name: "eve"}})
	if err := os.Symlink("/etc", d.root+"/home/eve/.ssh"); err != nil {
		t.Fatal(err)
	}
	err := d.try(t, action.EnsureUser{User: machine.User{Name: "eve", SSHAuthorizedKeys: []string{"ssh-ed25519 AAAA"}}})
	if err == nil || !strings.Contains(err.Error(), "/home/eve/.ssh is a symbolic link") {
		t.Errorf("a link led root to %v", err)
	}
}

func TestInstalledPackages(t *testing.T) {
	d := newDebian(t, "bookworm")
	unless, skip := "", false
	install := func(names ...string) string {
		t.Helper()
		c, err := d.Diff(t.Context(), action.InstallPackages{
			PackagesConfig: machine.PackagesConfig{Install: names}, Unless: unless, SkipUnknown: skip,
		}, journal.Original{})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(c.Lines, "\n")
	}
	if got := install("chrony", "sudo", "sudo=1.9.*"); got != "" {
		t.Errorf("got %q of packages that are there", got)
	}
	if diff := cmp.Diff("+ package no-such-package\n+ package sudo=0", install("no-such-package", "sudo=0")); diff != "" {
		t.Error(diff)
	}
	if got := install("sudo/trixie", "python3-*"); got != "+ package sudo/trixie\n+ package python3-*" {
		t.Errorf("got %q of packages that cannot be queried", got)
	}
	skip = true
	if got := install("sudo/trixie", "python3-*", "no-such-package"); got != "+ package no-such-package" {
		t.Errorf("got %q after the installation", got)
	}
	unless = "no-such-program"
	if got := install("no-such-package"); got != "+ package no-such-package" {
		t.Errorf("got %q without the program", got)
	}
	unless = "sudo"
	if got := install("no-such-package"); got != "" {
		t.Errorf("got %q with the program", got)
	}
	const status = "/var/lib/dpkg/status"
	d.put(t, status, strings.Replace(d.get(status), "Package: sudo\nStatus: install ok installed",
		"Package: sudo\nStatus: install ok unpacked", 1))
	if got := install("sudo"); got != "+ package sudo" {
		t.Errorf("got %q after an interrupted installation", got)
	}
}

func TestTableOfFileSystems(t *testing.T) {
	d := newDebian(t, "bookworm")
	d.put(t, "/etc/fstab", "# mine\n/dev/old /data ext4 defaults 0 2\nproc /proc proc defaults 0 0")
	o := carryOut(t, d.Host, action.MountFilesystem{Mount: machine.Mount{
		Source: "LABEL=d", Path: "/data",
		Options: []string{"noatime"},
	}})
	if diff := cmp.Diff("# mine\nLABEL=d /data auto noatime 0 2\nproc /proc proc defaults 0 0\n",
		d.get("/etc/fstab")); diff != "" {
		t.Error(diff)
	}
	if err := d.Revert(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("# mine\n/dev/old /data ext4 defaults 0 2\nproc /proc proc defaults 0 0",
		d.get("/etc/fstab")); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(d.root + "/data"); err == nil {
		t.Error("the mount point is left")
	}
}

// TestExistingSwap checks that an existing swap file stays, including after a reset.
func TestExistingSwap(t *testing.T) {
	d := newDebian(t, "bookworm")
	d.put(t, "/swap", "swapped")
	o := carryOut(t, d.Host, action.EnableSwap{Swap: machine.Swap{Path: "/swap", SizeMiB: 1}})
	if err := d.Revert(t.Context(), o); err != nil || d.get("/swap") != "swapped" {
		t.Errorf("the swap file holds %q, error %v", d.get("/swap"), err)
	}
	chattr := "#!/bin/sh\necho \"$* $(stat -c %s \"$2\")\" >/calls\nexit 1\n"
	if err := os.WriteFile(d.root+"/usr/local/bin/chattr", []byte(chattr), 0o700); err != nil {
		t.Fatal(err)
	}
	o = carryOut(t, d.Host, action.EnableSwap{Swap: machine.Swap{Path: "/more/swap", SizeMiB: 1}})
	if got := d.get("/calls"); got != "+C /more/.swap.machineadm-new 0\n" {
		t.Errorf("copy-on-write is disabled by %q; btrfs needs that before the file has content", got)
	}
	if got := d.get("/more/swap"); len(got) != 1<<20 || !strings.Contains(got, "SWAPSPACE2") {
		t.Errorf("the swap file has %d bytes", len(got))
	}
	if err := d.Revert(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(d.root + "/more"); err == nil {
		t.Error("the directory of the swap file is left")
	}
}

// loop creates a loop device and returns its path.
func loop(t *testing.T) string {
	t.Helper()
	image := filepath.Join(t.TempDir(), "disk")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 64<<20); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "losetup", "--find", "--show", "--partscan", image).CombinedOutput()
	if err != nil {
		t.Fatalf("losetup: %v\n%s", err, out)
	}
	device := strings.TrimSpace(string(out))
	t.Cleanup(func() {
		if out, err := exec.Command("losetup", "--detach", device).CombinedOutput(); err != nil {
			t.Errorf("losetup: %v\n%s", err, out)
		}
	})
	return device
}
