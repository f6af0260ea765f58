//go:build e2e

package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/vishvananda/netlink"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// guideCommands returns the commands of docs/guides/laptop.md: the one that starts the clusters, and the others.
func guideCommands(t *testing.T) (start, others string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(programs.Root(), "docs/guides/laptop.md"))
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^\$ (.*\n)`).FindAllStringSubmatch(string(page), -1)
	for _, c := range commands[1:] {
		others += c[1]
	}
	return commands[0][1], others
}

// shell returns a command that runs a script in the root of the repository, in a process group of its own.
func shell(ctx context.Context, script string) *exec.Cmd {
	c := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", script)
	c.Dir = programs.Root()
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return c
}

// TestLaptopGuideIsExecuted runs the commands of the guide. It interrupts the first one at the end, as Ctrl-C does, and
// checks that nothing is left.
func TestLaptopGuideIsExecuted(t *testing.T) {
	start, others := guideCommands(t)
	kubectl, err := controlplane.Tool(t.Context(), "kubectl")
	if err != nil {
		t.Fatal(err)
	}
	demo := shell(t.Context(), start)
	demo.Cancel = func() error { return syscall.Kill(-demo.Process.Pid, syscall.SIGINT) }
	transcript := startDemo(t, demo)
	contains(t, transcript, "all 7 nodes are Ready", "hello from a Pod on demo-control-plane-",
		"hello from a Pod on demo-flatcar\n", "demo-control-plane patched",
		`a Node with name "demo-flatcar" and status "Ready" already exists`, "demo-duplicate: Gone")
	guide := shell(t.Context(), "PATH="+filepath.Dir(kubectl)+":$PATH\n"+others)
	output, err := guide.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, output)
	}
	if !strings.Contains(string(output), "phase join: run kubeadm join") {
		t.Errorf("the guide does not show the reason:\n%s", output)
	}
	if err := demo.Cancel(); err != nil {
		t.Fatal(err)
	}
	_ = demo.Wait()
	leavesNothing(t)
}

// TestVirtualMachineServesPods runs the demo with a virtual machine.
func TestVirtualMachineServesPods(t *testing.T) {
	output, err := shell(t.Context(), "make demo DEMO=qemu").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	contains(t, string(output), "all 8 nodes are Ready", "hello from a Pod on demo-virtual-",
		"machinedeployment.cluster.x-k8s.io/demo-virtual scaled")
	leavesNothing(t)
}

// contains checks that the transcript contains the texts.
func contains(t *testing.T, transcript string, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(transcript, want) {
			t.Errorf("the transcript does not contain %q:\n%s", want, transcript)
		}
	}
}

// leavesNothing checks that the demo has removed what it created outside its directory, and the files of machines.
func leavesNothing(t *testing.T) {
	t.Helper()
	for _, name := range []string{"demo/machines", "demo/virtual"} {
		if _, err := os.Stat(filepath.Join(programs.Root(), name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	if _, err := netlink.LinkByName(bridge); err == nil {
		t.Error("the bridge is left")
	}
	if text, err := os.ReadFile(bridgesFile); err == nil && strings.Contains(string(text), allowed) {
		t.Errorf("%s allows the bridge", bridgesFile)
	}
}

// startDemo starts the demo and returns its output up to the message that it continues to run.
func startDemo(t *testing.T, demo *exec.Cmd) string {
	t.Helper()
	output, err := demo.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	demo.Stderr = os.Stderr
	if err := demo.Start(); err != nil {
		t.Fatal(err)
	}
	var transcript strings.Builder
	for lines := bufio.NewScanner(output); lines.Scan(); {
		transcript.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), "still running") {
			go func() { _, _ = io.Copy(io.Discard, output) }()
			return transcript.String()
		}
	}
	t.Fatalf("the demo ended: %v\n%s", demo.Wait(), transcript.String())
	return ""
}
