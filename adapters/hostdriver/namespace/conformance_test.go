//go:build linux && !unit

package namespace_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/hostdriver/namespace"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/debian"
)

func TestMain(m *testing.M) {
	if code, requested := namespace.Main(os.Args); requested {
		os.Exit(code)
	}
	if len(os.Args) == 3 && os.Args[1] == bootArgument {
		if err := bootMachine(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// world is a driver with a network of its own.
type world struct {
	directory string
	config    namespace.Config

	lock sync.Mutex
	// runs are the numbers of runs by the file that counts them. A released machine has no file.
	runs map[string]int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	network := exec.Command("sleep", "infinity")
	network.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if err := network.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = network.Process.Kill()
		_ = network.Wait()
	})
	w := &world{directory: filepath.Join(t.TempDir(), "machines"), runs: map[string]int{}}
	// The removal of a killed test's directory must not empty the root of all tests.
	debian.Mount(t, debian.Root(t, "bookworm"), filepath.Join(w.directory, "roots/bookworm"), "bind",
		syscall.MS_BIND|syscall.MS_RDONLY, "")
	w.config = namespace.Config{Directory: w.directory, Network: namespace.Network{
		Bridge: "machines0", Namespace: fmt.Sprintf("/proc/%d/ns/net", network.Process.Pid),
		Subnets: []netip.Prefix{netip.MustParsePrefix("10.78.0.0/24"), netip.MustParsePrefix("fd00:78::/64")},
	}}
	return w
}

// counting is a driver that counts the runs of a machine before it removes the file that counts them.
type counting struct {
	*namespace.Driver
	w *world
}

func (c counting) Release(ctx context.Context, target ports.HostTarget, claim string) error {
	c.w.count(target)
	return c.Driver.Release(ctx, target, claim)
}

func (w *world) driver() counting { return counting{namespace.New(w.config), w} }

// glob returns the paths of the claims of the target that match.
func (w *world) glob(target ports.HostTarget, pattern string) []string {
	found, _ := filepath.Glob(filepath.Join(w.directory, "machines", target.Namespace, target.Name, "*", pattern))
	return found
}

func (w *world) count(target ports.HostTarget) int {
	w.lock.Lock()
	defer w.lock.Unlock()
	for _, name := range w.glob(target, "upper/var/runs") {
		if text, err := os.ReadFile(name); err == nil {
			w.runs[name] = bytes.Count(text, []byte("\n"))
		}
	}
	sum := 0
	for _, runs := range w.runs {
		sum += runs
	}
	return sum
}

// data counts its start, and ends as the file "finish" beside the sentinel requires.
const data = `#!/bin/sh
secret=` + portstest.DriverCanary + `
echo run >>/var/runs
until [ -e /run/cluster-api/finish ]; do sleep 0.1; done
failure=$(cat /run/cluster-api/finish)
[ -z "$failure" ] || { echo "$failure"; exit 1; }
echo success >/run/cluster-api/bootstrap-success.complete
`

func TestConforms(t *testing.T) {
	portstest.HostDriver(t, func(t *testing.T) portstest.DriverWorld {
		w := newWorld(t)
		d := w.driver()
		return portstest.DriverWorld{
			HostDriver: d, Formats: d.Formats(), Target: w.target,
			Data: func(*testing.T, ports.HostTarget) ports.HostBoot {
				return ports.HostBoot{Format: ports.HostFormatShell, Data: secret.FromString(data), Hostname: "node-1"}
			},
			Finish: w.finish, Runs: func(_ *testing.T, h ports.HostTarget) int { return w.count(h) }, Reboot: w.reboot,
			Disconnect: func(t *testing.T, _ ports.HostTarget) { rename(t, w.directory, w.directory+".away") },
			Connect:    func(t *testing.T, _ ports.HostTarget) { rename(t, w.directory+".away", w.directory) },
			BreakReset: func(t *testing.T, h ports.HostTarget) {
				debian.Mount(t, "tmpfs", w.glob(h, "volumes")[0]+"/busy", "tmpfs", 0, "")
			},
			Restart: func(*testing.T) ports.HostDriver { return w.driver() }, Visible: w.visible,
		}
	})
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func machineTarget() ports.HostTarget {
	return ports.HostTarget{
		Namespace: "default", Name: "machine-1", Machine: &ports.HostMachineSettings{Root: "roots/bookworm"},
	}
}

// target returns a machine, which is removed after the test.
func (w *world) target(t *testing.T) ports.HostTarget {
	h := machineTarget()
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		if t.Failed() {
			w.log(t, h)
		}
		for _, name := range w.glob(h, "release") {
			_ = os.RemoveAll(name)
		}
		for _, directory := range w.glob(h, "") {
			if err := w.driver().Release(ctx, h, filepath.Base(directory)); err != nil {
				t.Error(err)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(w.directory, "machines", h.Namespace, "*")); len(left) > 0 {
			t.Errorf("machines are left: %q", left)
		}
	})
	return h
}

func (w *world) log(t *testing.T, h ports.HostTarget) {
	for _, name := range append(w.glob(h, "console"), w.glob(h, "upper/var/lib/machineadm-hosts/*")...) {
		text, _ := os.ReadFile(name)
		t.Logf("%s:\n%s", name, text[max(0, len(text)-4000):])
	}
}

// finish writes the file under its final name at once.
func (w *world) finish(t *testing.T, h ports.HostTarget, failure string) {
	t.Helper()
	run := w.glob(h, "run")[0]
	if err := os.WriteFile(run+"/finish.new", []byte(failure), 0o600); err != nil {
		t.Fatal(err)
	}
	rename(t, run+"/finish.new", run+"/finish")
}

// reboot restarts the machine as a user does, if it runs.
func (w *world) reboot(t *testing.T, h ports.HostTarget) {
	t.Helper()
	init, err := w.driver().Process(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	if init == 0 {
		return
	}
	w.enter(t, init, "systemctl", "start", "--no-block", "--job-mode=replace-irreversibly", "reboot.target")
	for len(w.glob(h, "rebooted")) == 0 && t.Context().Err() == nil {
		time.Sleep(50 * time.Millisecond)
	}
}

// enter runs a program in the machine, as soon as it succeeds: systemd answers a moment after its start.
func (w *world) enter(t *testing.T, init int, command ...string) {
	t.Helper()
	args := append([]string{"--target", strconv.Itoa(init), "--mount", "--pid", "--uts", "--ipc", "--net"}, command...)
	for exec.Command("nsenter", args...).Run() != nil {
		if t.Context().Err() != nil {
			t.Fatal(t.Context().Err())
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// visible returns arguments and environments of all processes, and the readable files of the directory.
func (w *world) visible(*testing.T, ports.HostTarget) string {
	var seen strings.Builder
	for _, pattern := range []string{"/proc/[0-9]*/cmdline", "/proc/[0-9]*/environ"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			text, _ := os.ReadFile(name)
			seen.Write(text)
		}
	}
	return seen.String() + w.readable()
}

// readable returns the files of the directory that every user can read.
func (w *world) readable() string {
	var seen strings.Builder
	_ = filepath.WalkDir(filepath.Join(w.directory, "machines"), func(path string, e fs.DirEntry, err error) error {
		// The machine runs, so files disappear.
		if err != nil {
			return fs.SkipDir
		}
		private := e.IsDir() && strings.Contains(path, "/upper/")
		if info, err := e.Info(); err == nil && info.Mode().Perm()&0o005 != 0 {
			private = false
			if info.Mode().IsRegular() {
				text, _ := os.ReadFile(path)
				seen.Write(text)
			}
		}
		if private {
			return fs.SkipDir
		}
		return nil
	})
	return seen.String()
}
