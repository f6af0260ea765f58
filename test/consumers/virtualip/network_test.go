//go:build linux && !unit

package virtualip_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// namespace is a network namespace. It ends with the test.
type namespace struct{ holder *exec.Cmd }

func newNamespace(t *testing.T) namespace {
	t.Helper()
	holder := exec.Command("cat")
	holder.SysProcAttr = &unix.SysProcAttr{Cloneflags: unix.CLONE_NEWNET}
	in, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = holder.Wait()
	})
	n := namespace{holder}
	// kube-vip needs link-local addresses that can be used when it starts, as those of machines that have booted.
	if err := n.inside(func() error {
		return os.WriteFile("/proc/sys/net/ipv6/conf/default/accept_dad", []byte("0"), 0o600)
	}); err != nil {
		t.Fatal(err)
	}
	n.ip(t, "link", "set", "lo", "up")
	return n
}

func (n namespace) path() string { return fmt.Sprintf("/proc/%d/ns/net", n.holder.Process.Pid) }

// ip runs ip(8) in the namespace and returns its output.
func (n namespace) ip(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("nsenter", append([]string{"--net=" + n.path(), "ip"}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("ip %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// connect connects the namespace to the bridge of another one: its interface is eth0.
func (n namespace) connect(t *testing.T, to namespace, port, address string) {
	t.Helper()
	to.ip(t, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", strconv.Itoa(n.holder.Process.Pid))
	to.ip(t, "link", "set", port, "master", "bridge", "up")
	n.ip(t, "address", "add", address, "dev", "eth0", "nodad")
	n.ip(t, "link", "set", "eth0", "up")
}

// inside calls the function on a thread in the namespace, which ends with the call.
func (n namespace) inside(call func() error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		file, err := os.Open(n.path())
		if err != nil {
			done <- err
			return
		}
		defer func() { _ = file.Close() }()
		if err := unix.Setns(int(file.Fd()), unix.CLONE_NEWNET); err != nil {
			done <- err
			return
		}
		done <- call()
	}()
	return <-done
}

// listen listens in the namespace, and calls serve for each connection.
func (n namespace) listen(t *testing.T, address string, serve func(net.Conn)) net.Listener {
	t.Helper()
	var listener net.Listener
	if err := n.inside(func() (err error) {
		listener, err = net.Listen("tcp", address)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(connection)
		}
	}()
	return listener
}

// forward returns a function that copies between a connection and a server outside of all namespaces. It ends with the
// context.
func forward(ctx context.Context, to string) func(net.Conn) {
	return func(from net.Conn) {
		server, err := net.Dial("tcp", to)
		if err != nil {
			_ = from.Close()
			return
		}
		end := func() {
			_ = from.Close()
			_ = server.Close()
		}
		context.AfterFunc(ctx, end)
		go func() {
			_, _ = io.Copy(server, from)
			end()
		}()
		_, _ = io.Copy(from, server)
		end()
	}
}

// ask returns what the server at the address sends, as a client in the namespace sees it.
func (n namespace) ask(address string) (answer string, err error) {
	err = n.inside(func() error {
		connection, err := net.DialTimeout("tcp", address, time.Second)
		if err != nil {
			return err
		}
		defer func() { _ = connection.Close() }()
		if err := connection.SetDeadline(time.Now().Add(time.Second)); err != nil {
			return err
		}
		text, err := io.ReadAll(connection)
		answer = strings.TrimSpace(string(text))
		return err
	})
	return answer, err
}
