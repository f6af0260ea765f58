package ssh

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/machineadm/machineadm/domain/host"
)

const (
	// handshakeTimeout limits the time from the end of dialing to the end of the login.
	handshakeTimeout = 20 * time.Second
	// keepaliveInterval is the time between two requests that show that the host is alive, and keepaliveTimeout the time
	// for its answer.
	keepaliveInterval = 15 * time.Second
	keepaliveTimeout  = 15 * time.Second
)

// connection is a connection after the login.
type connection struct {
	client *ssh.Client
	// hostKey is the key of the host in the form of authorized_keys.
	hostKey string
	// ended is closed when the connection ends, once.
	ended chan struct{}
	once  sync.Once
}

// connect logs in over a network connection, which it closes if it fails.
func (l login) connect(ctx context.Context, transport net.Conn) (*connection, error) {
	stop := context.AfterFunc(ctx, func() { _ = transport.Close() })
	defer stop()
	c := &connection{ended: make(chan struct{})}
	var changed error
	config := &ssh.ClientConfig{
		User: l.user, Auth: []ssh.AuthMethod{ssh.PublicKeys(l.signer)}, HostKeyAlgorithms: l.algorithms(),
		ClientVersion: "SSH-2.0-machineadm",
		HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error {
			c.hostKey = strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key)))
			if !l.accepts(key) {
				changed = fault(host.FaultHostKeyChanged, "the host presents %s; spec.hostKeys has %s",
					ssh.FingerprintSHA256(key), strings.Join(l.fingerprints(), ", "))
			}
			return changed
		},
	}
	conn, channels, requests, err := ssh.NewClientConn(transport, l.endpoint(), config)
	if err != nil {
		return nil, c.refused(ctx, l, changed, err)
	}
	c.client = ssh.NewClient(conn, channels, requests)
	go func() {
		_ = c.client.Wait()
		c.close()
	}()
	go c.keepAlive()
	return c, nil
}

// refused returns the fault of a login that failed.
func (c *connection) refused(ctx context.Context, l login, changed, err error) error {
	var unsupported *ssh.AlgorithmNegotiationError
	switch {
	case changed != nil:
		return changed
	case errors.As(err, &unsupported) && len(l.hostKeys) > 0 && unsupported.What == "host key":
		return fault(host.FaultHostKeyChanged, "the host presents no key of the types of spec.hostKeys, which has %s",
			strings.Join(l.fingerprints(), ", "))
	case errors.As(err, &unsupported):
		// The lists of algorithms in the error are those of the host.
		return fault(host.FaultUnreachable, "the host supports none of the algorithms for %s that machineadm offers%s",
			unsupported.What, inMode())
	case ctx.Err() != nil || c.hostKey == "" || broken(err):
		return unreachable(ctx, "SSH handshake with "+l.endpoint(), err)
	default:
		return fault(host.FaultAuthentication, "the host refuses the user %q with the key %s", l.user,
			ssh.FingerprintSHA256(l.signer.PublicKey()))
	}
}

// close closes the connection. Calls that use it fail.
func (c *connection) close() {
	c.once.Do(func() {
		close(c.ended)
		_ = c.client.Close()
	})
}

// alive reports whether the connection has not ended.
func (c *connection) alive() bool {
	select {
	case <-c.ended:
		return false
	default:
		return true
	}
}

// keepAlive closes the connection if the host does not answer. A request has no timeout of its own.
func (c *connection) keepAlive() {
	ticker := time.NewTicker(keepaliveInterval)
	defer ticker.Stop()
	for {
		select {
		case <-c.ended:
			return
		case <-ticker.C:
		}
		timeout := time.AfterFunc(keepaliveTimeout, c.close)
		_, _, err := c.client.SendRequest("keepalive@openssh.com", true, nil)
		if !timeout.Stop() || err != nil {
			c.close()
			return
		}
	}
}
