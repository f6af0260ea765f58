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
	"github.com/machineadm/machineadm/test/page"
	"github.com/machineadm/machineadm/test/programs"
)

// guideCommands returns the commands of a guide without some of its sections: the one that starts the clusters, and the
// others.
func guideCommands(t *testing.T, name string, omitted ...string) (start, others string) {
	t.Helper()
	start, others, _ = strings.Cut(page.Commands(guide(t, name), omitted...), "\n")
	return start, others
}

func guide(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(programs.Root(), "docs/guides", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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
	start, others := guideCommands(t, "laptop.md")
	kubectl, err := controlplane.Tool(t.Context(), "kubectl")
	if err != nil {
		t.Fatal(err)
	}
	demo := interruptible(t, start)
	transcript := startDemo(t, demo)
	contains(t, transcript, "all 7 nodes are Ready", "hello from a Pod on demo-control-plane-",
		"hello from a Pod on demo-flatcar\n", "demo-control-plane patched",
		`a Node with name "demo-flatcar" and status "Ready" already exists`, "demo-duplicate: Gone")
	if strings.Contains(transcript, failedStep) {
		t.Errorf("a step failed:\n%s", transcript)
	}
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

// interruptible returns a command of which Cancel does what Ctrl-C does.
func interruptible(t *testing.T, script string) *exec.Cmd {
	t.Helper()
	c := shell(t.Context(), script)
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGINT) }
	return c
}

// TestSSHGuideIsExecuted runs the commands of the guide for hosts over SSH, for a reader without hosts. The hosts have
// real SSH servers, systemd, containerd, kubelet and kubeadm.
func TestSSHGuideIsExecuted(t *testing.T) {
	start, others := guideCommands(t, "ssh-hosts.md", "Requirements", "Install the providers", "Prepare the hosts")
	demo := interruptible(t, start)
	contains(t, startDemo(t, demo), "host-3 answers at 10.86.0.12:22", "CONTROL_PLANE=10.86.0.10", "WORKER=10.86.0.11")
	// The reader saves files in the clone, and this test elsewhere.
	root, directory := programs.Root(), t.TempDir()
	for _, file := range regexp.MustCompile("(?s)```sh ([a-z.]+)\n(.*?)```").FindAllStringSubmatch(
		guide(t, "ssh-hosts.md"), -1) {
		if err := os.WriteFile(filepath.Join(directory, file[1]), []byte(file[2]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	others = strings.NewReplacer("$PWD/", root+"/",
		" demo/", " "+root+"/demo/", "=demo/", "="+root+"/demo/", "hack/", root+"/hack/", "config/", root+"/config/",
	).Replace(others)
	reader := shell(t.Context(), others)
	reader.Dir = directory
	output, err := reader.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, output)
	}
	contains(t, string(output), "node/host-1 condition met", "node/host-2 condition met",
		"node/host-3 condition met", `cluster.x-k8s.io "demo" deleted`)
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
