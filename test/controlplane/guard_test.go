package controlplane_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/machineadm/machineadm/test/controlplane"
)

// abandonedDir names the folder in which the process that is to be killed starts its control plane.
const abandonedDir = "CONTROLPLANE_ABANDONED_DIR"

// abandon starts a control plane, prints its address and waits to be killed: it is the process that
// TestServersDieWithTheirStarter starts, and TestMain turns to it when the folder is named.
func abandon(dir string) int {
	c, err := controlplane.Start(context.Background(), controlplane.Options{Dir: dir})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(c.Address())
	select {}
}

func TestServersDieWithTheirStarter(t *testing.T) {
	g := NewWithT(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), abandonedDir+"="+t.TempDir())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(cmd.Start()).To(Succeed())
	lines := bufio.NewScanner(out)
	started := lines.Scan()
	address := lines.Text()
	g.Expect(cmd.Process.Kill()).To(Succeed())
	_ = cmd.Wait()
	g.Expect(started).To(BeTrue())
	g.Expect(net.ResolveTCPAddr("tcp", address)).NotTo(BeNil(), "what it printed: %s", address)

	g.Eventually(func() bool { return dialable(address) }).WithTimeout(patience).Should(BeFalse())
}

func TestServersEndWithTheContext(t *testing.T) {
	g := NewWithT(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var c *controlplane.ControlPlane
	var err error
	endsThread(t, func() { c, err = controlplane.Start(ctx, controlplane.Options{Dir: t.TempDir()}) })
	g.Expect(err).NotTo(HaveOccurred())
	g.Consistently(func() bool { return dialable(c.Address()) }).WithTimeout(300 * time.Millisecond).Should(BeTrue())
	endsThread(t, func() { err = c.RestartAPIServer() })
	g.Expect(err).NotTo(HaveOccurred())
	g.Consistently(func() bool { return dialable(c.Address()) }).WithTimeout(300 * time.Millisecond).Should(BeTrue())

	cancel()
	g.Eventually(func() bool { return dialable(c.Address()) }).WithTimeout(patience).Should(BeFalse())
	g.Expect(c.Stop()).To(MatchError(controlplane.ErrNotSearched))
}

func TestProcessesOutliveTheThread(t *testing.T) {
	g := NewWithT(t)
	var process *controlplane.Process
	var err error
	endsThread(t, func() {
		process, err = controlplane.StartProcess(context.Background(), t.TempDir()+"/log", "sleep", "300")
	})
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() { _ = process.Stop() })
	g.Consistently(process.Running).WithTimeout(300 * time.Millisecond).Should(BeTrue())
}

// endsThread calls the function on a thread, and waits until the thread has ended, as that of a test does that leaves
// it in another namespace.
func endsThread(t *testing.T, call func()) {
	t.Helper()
	// The first thread of a process never ends; once it was locked, no other attempt gets it.
	thread := os.Getpid()
	for thread == os.Getpid() {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			runtime.LockOSThread()
			if thread = syscall.Gettid(); thread != os.Getpid() {
				call()
			}
		}()
		<-ended
	}
	NewWithT(t).Eventually(fmt.Sprintf("/proc/self/task/%d", thread)).WithTimeout(patience).ShouldNot(BeADirectory())
}

// dialable reports whether something listens at the address.
func dialable(address string) bool {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}
