package endpoint

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
)

// What the system keeps for each connection of what was sent and not read yet, by the client and by the server; it may
// keep twice as much. Without a limit a client that reads quickly at first, and then no more, has it keep 4 MiB of the
// server's memory; and a client with a slow line seems to stall, since the system takes more only once a large part of
// that is read.
const (
	sendBuffer    = 64 << 10
	receiveBuffer = 32 << 10
)

// limitedListener accepts the connections for which the limiter has a slot.
type limitedListener struct {
	net.Listener
	limiter *clientLimiter
}

// Accept returns the next connection that gets a slot.
func (l limitedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if tcp, is := conn.(*net.TCPConn); is {
			// Without them the connection works as well.
			_, _ = tcp.SetWriteBuffer(sendBuffer), tcp.SetReadBuffer(receiveBuffer)
		}
		if s := l.limiter.acquire(conn.RemoteAddr().String(), 1, func() { abort(conn) }); s != nil {
			return connection{Conn: conn, slot: s}, nil
		}
		abort(conn)
	}
}

// abort ends a connection and drops what the client has not read.
func abort(conn net.Conn) {
	if tcp, is := conn.(*net.TCPConn); is {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// connection is a connection that holds a slot.
type connection struct {
	net.Conn
	slot *slot
}

// Close ends the connection and releases its slot.
func (c connection) Close() error {
	c.slot.release()
	return c.Conn.Close()
}

// slotKey is the key of a connection's slot in the context of its request.
type slotKey struct{}

// withSlot is the hook by which the server's requests know the slot of their connection.
func withSlot(ctx context.Context, conn net.Conn) context.Context {
	if secured, is := conn.(*tls.Conn); is {
		conn = secured.NetConn()
	}
	if c, is := conn.(connection); is {
		return context.WithValue(ctx, slotKey{}, c.slot)
	}
	return ctx
}

// received marks that the whole request was read, so that the connection is idle no more.
func received(r *http.Request) {
	if s, has := r.Context().Value(slotKey{}).(*slot); has {
		s.busy()
	}
}
