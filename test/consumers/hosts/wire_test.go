//go:build linux

package hosts_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/hostdriver/ssh"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/test/hosts"
	"github.com/machineadm/machineadm/test/nightly"
)

// wireConn is a connection that is damaged after a number of bytes that it sends.
type wireConn struct {
	net.Conn
	left int
	// damage sends the rest, the first byte of which is damaged.
	damage func(c net.Conn, rest []byte) error
}

// Write sends the bytes. The damaged ones count as sent.
func (c *wireConn) Write(b []byte) (int, error) {
	intact := min(len(b), max(c.left, 0))
	if n, err := c.Conn.Write(b[:intact]); err != nil {
		return n, err
	}
	c.left -= len(b)
	if intact < len(b) {
		if err := c.damage(c.Conn, b[intact:]); err != nil {
			return intact, err
		}
	}
	return len(b), nil
}

// cut closes the connection.
func cut(c net.Conn, _ []byte) error {
	_ = c.Close()
	return net.ErrClosed
}

// corrupt changes a bit.
func corrupt(c net.Conn, rest []byte) error {
	changed := append([]byte{rest[0] ^ 1}, rest[1:]...)
	_, err := c.Write(changed)
	return err
}

// damaged returns a driver whose connections are damaged after a number of bytes. The caller must close it.
func (w *world) damaged(after int, damage func(net.Conn, []byte) error) *ssh.Driver {
	o := w.options
	dial := o.Dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	o.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		return &wireConn{Conn: c, left: after, damage: damage}, err
	}
	return ssh.New(o)
}

// killed breaks the connection of a controller after each number of bytes that it sends, and continues with another.
func killed(t *testing.T, w *world, _ row) {
	w.bootsDamaged(t, cut)
}

// TestCorruptedConnection changes a bit of what the driver sends. SSH protects the messages, so that the call fails and
// is tried again, and the data starts once.
func TestCorruptedConnection(t *testing.T) {
	w := newWorld(t, hosts.NewNetwork(t))
	w.bootsDamaged(t, corrupt)
}

// bootsDamaged boots the data over connections that are damaged at different times, and then over another one.
func (w *world) bootsDamaged(t *testing.T, damage func(net.Conn, []byte) error) {
	t.Helper()
	w.claims(t)
	for sent := 2000; sent < 20000; sent += nightly.Or(1500, 4500) {
		d := w.damaged(sent, damage)
		// A changed length makes the host wait for more.
		ctx, cancel := context.WithTimeout(t.Context(), callTimeout)
		if err := d.Boot(ctx, w.target, claimID, hosts.Script()); err != nil && faultOf(err) != host.FaultUnreachable {
			t.Errorf("after %d bytes: error %v", sent, err)
		}
		cancel()
		d.Close()
	}
	w.boots(t)
	w.reaches(t, host.PhaseRunning)
	w.awaitRun(t)
	w.Finish(t, "")
	w.reaches(t, host.PhaseSucceeded)
	if runs := w.Runs(t); runs != 1 {
		t.Errorf("the data was started %d times", runs)
	}
}

// TestCorruptedFile replaces the data on the disk of the host before it is started. The driver sends it again.
func TestCorruptedFile(t *testing.T) {
	w := newWorld(t, hosts.NewNetwork(t))
	w.claims(t)
	w.Run(t, "umask 077; printf '#!/bin/sh\ntouch /var/lib/corrupted\n' >/var/lib/machineadm-hosts/"+claimID+"/data")
	w.boots(t)
	w.awaitRun(t)
	w.Finish(t, "")
	w.reaches(t, host.PhaseSucceeded)
	w.Run(t, "! test -e /var/lib/corrupted")
}

// awaitRun waits until the script has started.
func (w *world) awaitRun(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); w.Runs(t) == 0; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the data was not started")
		}
	}
}
