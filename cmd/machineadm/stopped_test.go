//go:build linux && !unit

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/onsi/gomega"

	"github.com/machineadm/machineadm/adapters/nodecli"
	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// slowly takes its time when it runs for the first time.
const slowly = "[ -e /srv/begun ]&&exit\n: >/srv/begun\nsleep 60\n"

// TestStopped ends the agent as a service manager does while the machine shuts down: that is no failure, and the next
// run goes on. Only a kubeadm that was cut off is not run again.
func TestStopped(t *testing.T) {
	at := program(t)
	long := []document.Value{file("/srv/a", 1), machine.Command{Phase: document.PhasePre, Script: slowly}}
	cases := map[string]struct {
		reason string
		signal os.Signal
		values []document.Value
		code   int
		prints string
	}{
		"pre": {"the command runs again", syscall.SIGTERM, long, nodecli.ExitOK, "Succeeded: 1 of 2 steps"},
		"terminal": {
			"the command would run on without the agent", syscall.SIGHUP, long, nodecli.ExitOK, "Succeeded: 1 of 2 steps",
		},
		"kubeadm": {
			"what it left is unknown", syscall.SIGTERM, joining(), nodecli.ExitFailed,
			"an earlier run was interrupted here",
		},
	}
	// An agent inherits that a signal is ignored, but not that it is handled.
	handled := make(chan os.Signal, 1)
	signal.Notify(handled, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(handled) })
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBox(t, at)
			b.put(t, "/etc/systemd/system/kubelet.service",
				"[Service]\nExecStart=/usr/bin/kubelet\n[Install]\nWantedBy=multi-user.target\n", 0o644)
			b.put(t, "/usr/local/sbin/kubeadm", "#!/bin/sh\n"+slowly, 0o755)
			configuration := encoded(t, c.values...)
			if code, output := b.stopped(t, configuration, c.signal); code != nodecli.ExitStopped || !strings.Contains(output,
				"machineadm: Stopped: ") {
				t.Errorf("exit code %d and\n%s", code, output)
			}
			for _, trace := range []string{
				filepath.Join(record.Linux(b.root).State, record.FailureFile),
				filepath.Join(record.Linux(b.root).Sentinel, record.PublicFailureFile),
			} {
				if _, err := os.Stat(trace); err == nil {
					t.Errorf("there is %s", trace)
				}
			}
			if code, output := b.run(t, configuration, "apply", "--resume", "--path", "-"); code != c.code ||
				!strings.Contains(output, c.prints) {
				t.Errorf("%s: exit code %d and\n%s", c.reason, code, output)
			}
		})
	}
}

func (b box) put(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(b.root+path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// stopped applies the configuration, and sends the signal once a step takes its time.
func (b box) stopped(t *testing.T, configuration string, stop os.Signal) (code int, messages string) {
	t.Helper()
	var output bytes.Buffer
	cmd := exec.CommandContext(t.Context(), b.program, "apply", "--path", "-", "--root", b.root)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(configuration), &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	gomega.NewWithT(t).Eventually(func() error {
		_, err := os.Stat(b.root + "/srv/begun")
		return err
	}, 10*time.Minute).Should(gomega.Succeed())
	if err := cmd.Process.Signal(stop); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode(), output.String()
}

// TestClosedOutput applies a configuration over a connection that breaks, so that no program reads the output.
func TestClosedOutput(t *testing.T) {
	b := newBox(t, program(t))
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), b.program, "apply", "--path", "-", "--root", b.root)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(encoded(t, file("/srv/a", 1))), write, write
	if err := errors.Join(cmd.Run(), write.Close()); err != nil {
		t.Errorf("the agent ended: %v", err)
	}
	if _, err := os.Stat(filepath.Join(record.Linux(b.root).Sentinel, record.SentinelFile)); err != nil {
		t.Error(err)
	}
}
