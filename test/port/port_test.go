package port_test

import (
	"net"
	"testing"

	"github.com/machineadm/machineadm/test/port"
)

// sockets is a tenth of the ports that the kernel chooses from by default: without a reservation, listeners and
// connections would hit hundreds of them.
const sockets = 2800

// TestReservedPortsAreGivenToNoOtherSocket reserves ports, has the kernel choose ports for listeners and connections,
// and then listens at each reserved port, twice.
func TestReservedPortsAreGivenToNoOtherSocket(t *testing.T) {
	reserved := map[string]bool{}
	for range sockets {
		address, err := port.Reserve()
		if err != nil {
			t.Fatal(err)
		}
		if reserved[address] {
			t.Fatalf("%s was reserved twice", address)
		}
		reserved[address] = true
	}
	server := listen(t, "127.0.0.1:0")
	for range sockets {
		l := listen(t, "127.0.0.1:0")
		if reserved[l.Addr().String()] {
			t.Fatalf("the kernel chose %s for a listener", l.Addr())
		}
		_ = l.Close()
		c, err := net.Dial("tcp", server.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if reserved[c.LocalAddr().String()] {
			t.Fatalf("the kernel chose %s for a connection", c.LocalAddr())
		}
		defer func() { _ = c.Close() }()
	}
	for address := range reserved {
		for range 2 {
			_ = listen(t, address).Close()
		}
	}
}

func listen(t *testing.T, address string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}
