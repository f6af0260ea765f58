package endpoint

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
)

// Socket buffer sizes in bytes; the kernel may use twice as much. Without limits, a client that stops reading can hold
// 4 MiB of kernel memory. With large buffers, a client with a slow line also seems to stall, because the kernel accepts
// more data only after a large part was read.
const (
	sendBuffer    = 64 << 10
	receiveBuffer = 32 << 10
)

// limitedListener accepts connections for which the limiter has a slot.
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
			// The connection works without the buffer sizes, too.
			_, _ = tcp.SetWriteBuffer(sendBuffer), tcp.SetReadBuffer(receiveBuffer)
		}
		if s := l.limiter.acquire(conn.RemoteAddr().String(), 1, func() { abort(conn) }); s != nil {
			return connection{Conn: conn, slot: s}, nil
		}
		abort(conn)
	}
}

// abort closes a connection and drops data that the client has not read.
func abort(conn net.Conn) {
	if tcp, is := conn.(*net.TCPConn); is {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// connection is a network connection with a slot.
type connection struct {
	net.Conn
	slot *slot
}

// Close closes the connection and releases its slot.
func (c connection) Close() error {
	c.slot.release()
	return c.Conn.Close()
}

// slotKey is the context key of a connection's slot.
type slotKey struct{}

// withSlot is the server's ConnContext hook: it stores the connection's slot in the context of its requests.
func withSlot(ctx context.Context, conn net.Conn) context.Context {
	if secured, is := conn.(*tls.Conn); is {
		conn = secured.NetConn()
	}
	if c, is := conn.(connection); is {
		return context.WithValue(ctx, slotKey{}, c.slot)
	}
	return ctx
}

// received marks the connection as busy after the whole request was read.
func received(r *http.Request) {
	if s, has := r.Context().Value(slotKey{}).(*slot); has {
		s.busy()
	}
}
