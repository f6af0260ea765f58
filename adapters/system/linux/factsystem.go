//go:build linux

package linux

import (
	"cmp"
	"encoding/hex"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
)

// system returns the fact that the running system itself provides.
func (f Facts) system(fact document.Fact, own facts.SystemFact) string {
	switch own {
	case facts.SystemHostname, facts.SystemFQDN:
		name, err := os.Hostname()
		if err != nil || name == facts.NoHostname {
			return ""
		}
		return facts.Shorten(fact, name, false)
	case facts.SystemAddress:
		return firstGlobal()
	case facts.SystemIPv6:
		// The addresses of firstGlobal are those of this thread's network, too. /proc/net has the process's.
		text, err := os.ReadFile("/proc/thread-self/net/if_inet6")
		if err != nil {
			return ""
		}
		return firstIPv6(string(text))
	case facts.SystemNone:
	}
	return ""
}

// firstGlobal returns the first IPv4 address with global scope, in the order of the interfaces.
func firstGlobal() string {
	interfaces, err := net.Interfaces()
	if err != nil {
		return ""
	}
	for _, i := range interfaces {
		addresses, err := i.Addrs()
		if err != nil {
			continue
		}
		for _, a := range addresses {
			if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsGlobalUnicast() {
				return n.IP.String()
			}
		}
	}
	return ""
}

// The columns of /proc/net/if_inet6, and the flags of addresses that do not last: temporary, without duplicate address
// detection, deprecated and tentative (linux/if_addr.h).
const (
	columnIndex, columnScope, columnFlags = 1, 3, 4
	columnsIPv6                           = 6
	globalScope                           = "00"
	transient                             = 0x01 | 0x08 | 0x20 | 0x40
)

// firstIPv6 returns the address of facts.SystemIPv6.
func firstIPv6(table string) string {
	type address struct {
		index byte
		text  string
	}
	var all []address
	for line := range strings.Lines(table) {
		columns := strings.Fields(line)
		if len(columns) != columnsIPv6 || columns[columnScope] != globalScope {
			continue
		}
		index, _ := hex.DecodeString(columns[columnIndex])
		flags, _ := hex.DecodeString(columns[columnFlags])
		bytes, _ := hex.DecodeString(columns[0])
		ip, ok := netip.AddrFromSlice(bytes)
		if !ok || len(index) != 1 || len(flags) != 1 || flags[0]&transient != 0 {
			continue
		}
		all = append(all, address{index[0], ip.String()})
	}
	if len(all) == 0 {
		return ""
	}
	return slices.MinFunc(all, func(a, b address) int {
		return cmp.Or(cmp.Compare(a.index, b.index), strings.Compare(a.text, b.text))
	}).text
}
