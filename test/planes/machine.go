//go:build linux

package planes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/onsi/gomega"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/ports"
)

// commandLimit is how long a command on a machine may take on a busy host.
const commandLimit = 10 * time.Minute

// Process returns the first process of a machine, or 0 if it does not run.
func (c *Cluster) Process(m *clusterv1.Machine) int {
	pid, err := c.Host.Driver.Process(c.ctx, ports.HostTarget{
		Namespace: m.Namespace, Name: m.Spec.InfrastructureRef.Name,
	})
	if err != nil {
		return 0
	}
	return pid
}

// Run runs a shell command on a machine and returns its output.
func (c *Cluster) Run(m *clusterv1.Machine, command string) (string, error) {
	pid := c.Process(m)
	if pid == 0 {
		return "", errors.New("the machine does not run")
	}
	ctx, cancel := context.WithTimeout(c.ctx, commandLimit)
	defer cancel()
	enter := exec.CommandContext(ctx, "nsenter", "--target", strconv.Itoa(pid),
		"--mount", "--uts", "--ipc", "--net", "--pid", "--", "/bin/sh", "-c", command)
	enter.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"}
	var out bytes.Buffer
	enter.Stdout, enter.Stderr = &out, &out
	enter.WaitDelay = time.Second
	if err := enter.Run(); err != nil {
		return out.String(), fmt.Errorf("%s on %s: %w\n%s", command, m.Name, err, &out)
	}
	return out.String(), nil
}

// Must runs a shell command on a machine, which must succeed.
func (c *Cluster) Must(m *clusterv1.Machine, command string) string {
	c.t.Helper()
	out, err := c.Run(m, command)
	c.Expect(err).NotTo(gomega.HaveOccurred())
	return out
}

// WriteFile writes a file of a machine.
func (c *Cluster) WriteFile(m *clusterv1.Machine, path string, content []byte, mode os.FileMode) {
	c.t.Helper()
	pid := c.Process(m)
	c.Expect(pid).NotTo(gomega.BeZero(), m.Name)
	c.Expect(os.WriteFile(fmt.Sprintf("/proc/%d/root%s", pid, path), content, mode)).To(gomega.Succeed())
}

// PowerOff ends all processes of a machine at once, as a loss of power does.
func (c *Cluster) PowerOff(m *clusterv1.Machine) {
	c.t.Helper()
	pid := c.Process(m)
	c.Expect(pid).NotTo(gomega.BeZero(), m.Name)
	parent := parentOf(pid)
	c.Expect(parent).To(gomega.BeNumerically(">", 1), m.Name)
	// The supervisor would start the machine again.
	c.Expect(syscall.Kill(parent, syscall.SIGKILL)).To(gomega.Succeed())
	c.Eventually(func() bool { return ended(pid) }).Should(gomega.BeTrue(), m.Name)
}

// ended reports whether a process does not run any more. The test is the first process of its namespace and reaps no
// others, so what it inherits remains as a zombie.
func ended(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	return err != nil || strings.Contains(string(status), "\nState:\tZ")
}

// parentOf returns the parent of a process, or 0.
func parentOf(pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "\nPPid:\t")
	line, _, _ := strings.Cut(rest, "\n")
	parent, err := strconv.Atoi(line)
	if err != nil {
		return 0
	}
	return parent
}

// logs returns the ends of the machine's logs.
func (c *Cluster) logs(m *clusterv1.Machine) string {
	var text strings.Builder
	for _, command := range []string{
		"tail -c1500 /var/log/machineadm*.log /var/lib/machineadm-hosts/log", "cat /var/lib/machineadm/failure.json",
		"journalctl --no-pager -n15 -u kubelet", "ls /var/log/pods",
		"tail -n4 /var/log/pods/kube-system_*/*/*.log | cut -c1-300",
	} {
		out, _ := c.Run(m, command)
		text.WriteString("== " + m.Name + ": " + command + "\n" + out + "\n")
	}
	return text.String()
}
