//go:build linux

package namespace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"slices"
	"time"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/adapters/internal/atomicfile"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// Network is the network of all machines of a driver: one bridge of this host, at which each machine has an address of
// each subnet. The machines reach each other and this host; the driver sets no rules for other networks.
type Network struct {
	// Bridge is the name of the bridge, which the driver creates.
	Bridge string
	// Subnets are one of IPv4, one of IPv6, or both. The first address of each is the bridge's and the machines' gateway.
	Subnets []netip.Prefix
	// Nameservers are the DNS servers of the machines.
	Nameservers []netip.Addr
	// Namespace is the path of the network namespace of the bridge; empty for that of the controller.
	Namespace string
}

// The files of all machines of a driver.
const (
	leasesFile     = "machines/addresses.json"
	leasesLockFile = "machines/addresses.lock"
)

// The numbers of the machines in each subnet. The first ones are left to the user.
const (
	firstNumber = 10
	lastNumber  = 1 << 16
)

// interfaceName is the name of the machine's interface.
const interfaceName = "eth0"

// lease returns the addresses of the claim, which it keeps until free.
func (d *Driver) lease(ctx context.Context, base *directory, id string) ([]netip.Prefix, error) {
	var addresses []netip.Prefix
	err := changeLeases(ctx, base, func(leases map[string]int) error {
		used := make(map[int]bool, len(leases))
		for _, number := range leases {
			used[number] = true
		}
		number, leased := leases[id]
		for number = max(number, firstNumber); !leased && used[number]; {
			number++
		}
		leases[id] = number
		for _, subnet := range d.config.Network.Subnets {
			a := nth(subnet, number)
			if !a.IsValid() {
				return fmt.Errorf("%s has no free address; use a larger subnet or delete machines", subnet)
			}
			addresses = append(addresses, netip.PrefixFrom(a, subnet.Bits()))
		}
		return nil
	})
	return addresses, err
}

// free returns the addresses of the claim.
func free(ctx context.Context, base *directory, id string) error {
	return changeLeases(ctx, base, func(leases map[string]int) error {
		delete(leases, id)
		return nil
	})
}

// changeLeases replaces the file of leases by the result of the function.
func changeLeases(ctx context.Context, base *directory, change func(map[string]int) error) error {
	lock, err := base.OpenFile(leasesLockFile, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	for unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		select {
		case <-ctx.Done():
			return &ports.HostError{Fault: host.FaultBusy, Err: ctx.Err()}
		case <-time.After(10 * time.Millisecond):
		}
	}
	leases := map[string]int{}
	text, err := base.ReadFile(leasesFile)
	if err == nil {
		err = json.Unmarshal(text, &leases)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := change(leases); err != nil {
		return err
	}
	text, err = json.Marshal(leases)
	if err != nil {
		return err
	}
	return atomicfile.Replace(base.path+"/"+leasesFile, append(text, '\n'), 0o600)
}

// nth returns the address with the number in the subnet; the zero Addr if the subnet is too small. The last address of
// an IPv4 subnet is for broadcasts.
func nth(subnet netip.Prefix, number int) netip.Addr {
	a := subnet.Masked().Addr()
	for range number {
		a = a.Next()
	}
	if number >= lastNumber || !subnet.Contains(a) || !subnet.Contains(a.Next()) {
		return netip.Addr{}
	}
	return a
}

// handle opens the network namespace of the bridge.
func (n Network) handle() (*netlink.Handle, error) {
	if n.Namespace == "" {
		return netlink.NewHandle()
	}
	namespace, err := netns.GetFromPath(n.Namespace)
	if err != nil {
		return nil, err
	}
	defer func() { _ = namespace.Close() }()
	return netlink.NewHandleAt(namespace)
}

// connect connects the network namespace of the process to the bridge, with an interface eth0 without addresses.
func (m *machine) connect(pid int) error {
	h, err := m.Network.handle()
	if err != nil {
		return err
	}
	defer h.Close()
	bridge, err := m.Network.ensureBridge(h)
	if err != nil {
		return fmt.Errorf("create the bridge %s: %w", m.Network.Bridge, err)
	}
	sum := sha256.Sum256([]byte(m.ID))
	port := &netlink.Veth{
		LinkAttrs: netlink.LinkAttrs{
			Name: "ma" + hex.EncodeToString(sum[:6]), MasterIndex: bridge.Attrs().Index, MTU: bridge.Attrs().MTU,
		},
		PeerName: interfaceName, PeerNamespace: netlink.NsPid(pid),
	}
	// The interface of the boot before goes with its namespace, a moment after the namespace's last process.
	if old, err := h.LinkByName(port.Name); err == nil {
		_ = h.LinkDel(old)
	}
	if err := h.LinkAdd(port); err != nil {
		return fmt.Errorf("connect the machine to %s: %w", m.Network.Bridge, err)
	}
	return h.LinkSetUp(port)
}

// ensureBridge creates the bridge with its addresses, unless it exists.
func (n Network) ensureBridge(h *netlink.Handle) (netlink.Link, error) {
	if err := h.LinkAdd(&netlink.Bridge{LinkAttrs: netlink.LinkAttrs{Name: n.Bridge}}); err != nil &&
		!errors.Is(err, unix.EEXIST) {
		return nil, err
	}
	bridge, err := h.LinkByName(n.Bridge)
	if err != nil {
		return nil, err
	}
	if bridge.Type() != "bridge" {
		return nil, errors.New("another interface has this name; use another name")
	}
	for _, subnet := range n.Subnets {
		if err := addAddress(h, bridge, netip.PrefixFrom(nth(subnet, 1), subnet.Bits())); err != nil {
			return nil, err
		}
	}
	return bridge, h.LinkSetUp(bridge)
}

// addAddress adds an address, which is usable at once.
func addAddress(h *netlink.Handle, link netlink.Link, a netip.Prefix) error {
	address := &netlink.Addr{IPNet: &net.IPNet{
		IP: a.Addr().AsSlice(), Mask: net.CIDRMask(a.Bits(), a.Addr().BitLen()),
	}}
	if a.Addr().Is6() {
		address.Flags = unix.IFA_F_NODAD
	}
	if err := h.AddrAdd(link, address); err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("add the address %s: %w", a, err)
	}
	return nil
}

// configure configures the network of the machine, in which the caller runs.
func (m *machine) configure() error {
	h, err := netlink.NewHandle()
	if err != nil {
		return err
	}
	defer h.Close()
	for _, name := range []string{"lo", interfaceName} {
		link, err := h.LinkByName(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := h.LinkSetUp(link); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if name == "lo" {
			continue
		}
		for _, a := range m.Addresses {
			if err := addAddress(h, link, a); err != nil {
				return err
			}
			gateway := &netlink.Route{LinkIndex: link.Attrs().Index, Gw: nth(a, 1).AsSlice()}
			if err := h.RouteAdd(gateway); err != nil {
				return fmt.Errorf("add the route to %s: %w", nth(a, 1), err)
			}
		}
	}
	return nil
}

// ips returns the addresses as text, sorted.
func (m *machine) ips() []string {
	texts := make([]string, 0, len(m.Addresses))
	for _, a := range m.Addresses {
		texts = append(texts, a.Addr().String())
	}
	slices.Sort(texts)
	return texts
}
