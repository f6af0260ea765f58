//go:build linux

package planes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"

	"github.com/go-logr/logr"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/machineadm/machineadm/test/programs"
)

// insideVariable is the environment variable of a process that Main has started.
const insideVariable = "MACHINEADM_PLANES_INSIDE"

// Main runs the tests in new namespaces of network, mounts and processes, and returns the exit code. All processes in
// them end with the tests. More programs of hack/tool.sh can be obtained before.
func Main(m *testing.M, tools ...string) int {
	if os.Getenv(insideVariable) == "" {
		return outside(tools)
	}
	if err := prepareNamespaces(); err != nil {
		fmt.Fprintln(os.Stderr, "planes: prepare the namespaces:", err)
		return 1
	}
	ctrl.SetLogger(logr.Discard())
	return m.Run()
}

// outside starts this program again in new namespaces. It obtains what these cannot, because they have no network.
func outside(tools []string) int {
	if err := obtain(context.Background(), tools); err != nil {
		fmt.Fprintln(os.Stderr, "planes:", err)
		return 1
	}
	// The kernel ends the child with this thread.
	runtime.LockOSThread()
	child := exec.Command(os.Args[0], os.Args[1:]...)
	child.Env = append(os.Environ(), insideVariable+"=1")
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID, Pdeathsig: syscall.SIGKILL,
	}
	err := child.Run()
	var failed *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &failed):
		return max(failed.ExitCode(), 1)
	default:
		fmt.Fprintln(os.Stderr, "planes: start the namespaces:", err)
		return 1
	}
}

// obtain builds programs and installs packages.
func obtain(ctx context.Context, more []string) error {
	if _, err := programs.Script(ctx, "packages.sh", "runc", "kmod", "gcc", "libc6-dev", "util-linux"); err != nil {
		return err
	}
	if _, err := programs.Script(ctx, "roots.sh", "bookworm"); err != nil {
		return err
	}
	tools := []string{
		"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubeadm", "kubelet", "kube-vip",
		"containerd", "containerd-shim-runc-v2", "cni-bridge", "cni-host-local", "cni-loopback", "capi-core-manager",
		"kubectl", "versitygw", "age", "age-keygen", "etcdutl",
	}
	if _, err := programs.Script(ctx, "tool.sh", append(tools, more...)...); err != nil {
		return err
	}
	for _, name := range []string{"machineadm", "machineadm-controller", "machineadmctl"} {
		if _, err := programs.Build(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// prepareNamespaces mounts what belongs to the namespaces, and enables loopback.
func prepareNamespaces() error {
	loopback, err := netlink.LinkByName("lo")
	if err != nil {
		return err
	}
	return errors.Join(
		netlink.LinkSetUp(loopback),
		unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""),
		unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""),
	)
}
