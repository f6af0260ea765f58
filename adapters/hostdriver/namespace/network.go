//go:build linux

package namespace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"path"
	"slices"
	"strconv"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/place"
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

// leasesDirectory contains a link for each leased number, with the path of the machine's directory. A namespace cannot
// have this name.
const leasesDirectory = place.MachinesDirectory + "/.addresses"

// The numbers of the machines in each subnet. The first ones are left to the user.
const (
	firstNumber = 10
	lastNumber  = 1 << 16
)

// interfaceName is the name of the machine's interface.
const interfaceName = "eth0"

// lease returns the addresses of the machine with the directory, which it has until free.
func lease(b *place.Directory, subnets []netip.Prefix, directory string) ([]netip.Prefix, error) {
	if err := b.MkdirAll(leasesDirectory, 0o700); err != nil {
		return nil, err
	}
	for number := firstNumber; ; number++ {
		addresses, err := numbered(subnets, number)
		if err != nil {
			return nil, err
		}
		// Creating a link is atomic, also together with its target.
		name := path.Join(leasesDirectory, strconv.Itoa(number))
		if err := b.Symlink(directory, name); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if holder, err := b.Readlink(name); err == nil && holder == directory {
			return addresses, nil
		}
	}
}

// free returns the addresses of the machine with the directory.
func free(b *place.Directory, directory string) error {
	leases, err := fs.ReadDir(b.FS(), leasesDirectory)
	if err != nil {
		return place.IgnoreMissing(err)
	}
	for _, l := range leases {
		name := path.Join(leasesDirectory, l.Name())
		if holder, err := b.Readlink(name); err != nil || holder != directory {
			continue
		}
		if err := b.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// numbered returns the addresses with the number in each subnet.
func numbered(subnets []netip.Prefix, number int) ([]netip.Prefix, error) {
	var addresses []netip.Prefix
	for _, subnet := range subnets {
		a := nth(subnet, number)
		if !a.IsValid() {
			return nil, fmt.Errorf("%s has no free address; use a larger subnet or delete machines", subnet)
		}
		addresses = append(addresses, netip.PrefixFrom(a, subnet.Bits()))
	}
	return addresses, nil
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
	sum := sha256.Sum256([]byte(m.UUID))
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
