package node

import (
	"net/netip"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/pattern"
	"github.com/machineadm/machineadm/domain/report"
)

// KindVirtualIP is a singleton.
const KindVirtualIP document.Kind = "VirtualIP"

// DefaultVirtualIPImage is the image of kube-vip that announces a virtual IP.
const DefaultVirtualIPImage = "ghcr.io/kube-vip/kube-vip:v0.9.1"

// BGPPeer is a router that accepts announcements.
type BGPPeer struct {
	// Address is the IP address of the router.
	Address string `json:"address"`
	// ASN is the number of its autonomous system.
	ASN uint32 `json:"asn"`
}

// VirtualIP is an address of the API server that one control plane machine has at a time. If the machine fails, another
// one takes over the address. It is announced to the local network with ARP, or with NDP for IPv6, unless ASN and Peers
// are set: then it is announced to routers with BGP.
type VirtualIP struct {
	// Address is an IP address that no machine has: that of the cluster's endpoint.
	Address string `json:"address"`
	// Interface is the name of the network interface that receives the address. It is the same on all control plane
	// machines. Default: that of the default route. With BGP it determines the router ID, and is required.
	Interface string `json:"interface,omitempty"`
	// ASN is the number of the autonomous system of the machines. It requires Peers.
	ASN uint32 `json:"asn,omitempty"`
	// Peers are the routers. They require ASN.
	Peers []BGPPeer `json:"peers,omitempty"`
	// Image is the image of kube-vip. Default: ghcr.io/kube-vip/kube-vip:v0.9.1. Systems that announce the address without
	// kube-vip ignore it.
	Image string `json:"image,omitempty"`
}

// Kind returns KindVirtualIP.
func (VirtualIP) Kind() document.Kind { return KindVirtualIP }

// UsesBGP reports whether the address is announced to routers.
func (v VirtualIP) UsesBGP() bool { return v.ASN != 0 || len(v.Peers) > 0 }

var (
	// interfacePattern matches names that Linux accepts (dev_valid_name in net/core/dev.c) and that need no quoting.
	interfacePattern = pattern.Of(15, `^[A-Za-z0-9][A-Za-z0-9._@-]*$`)
	// imagePattern matches references of images: repository, tag and digest.
	imagePattern = pattern.Of(512, `^[A-Za-z0-9][A-Za-z0-9._:/@-]*$`)
)

// Check returns error findings for values with which the address could not be announced.
func (v VirtualIP) Check(p report.Path) report.Report {
	r := checkAddress(p.Field("address"), v.Address)
	if v.Interface != "" && !interfacePattern.MatchString(v.Interface) {
		r = append(r, report.Errorf(p.Field("interface"), "%q is not the name of a network interface", v.Interface).
			To("use a name such as eth0"))
	}
	if v.Image != "" && !imagePattern.MatchString(v.Image) {
		r = append(r, report.Errorf(p.Field("image"), "%q is not the name of an image", v.Image).
			To("use a name such as %s", DefaultVirtualIPImage))
	}
	if v.UsesBGP() {
		r = append(r, v.checkBGP(p)...)
	}
	return r
}

// checkAddress returns a finding unless the address can be announced.
func checkAddress(p report.Path, address string) report.Report {
	a, err := netip.ParseAddr(address)
	if err != nil || a.Zone() != "" {
		return report.Report{report.Errorf(p, "%q is not an IP address", address).To("write it as 192.0.2.1 or 2001:db8::1")}
	}
	if a.IsUnspecified() || a.IsLoopback() || a.IsMulticast() || a.Is4In6() {
		return report.Report{report.Errorf(p, "%s cannot be the address of an API server", a).
			To("use an unused address of the machines' network")}
	}
	return nil
}

// checkBGP returns findings for missing settings of BGP.
func (v VirtualIP) checkBGP(p report.Path) report.Report {
	var r report.Report
	if v.Interface == "" {
		r = append(r, report.Errorf(p.Field("interface"), "interface is empty").
			To("set the interface whose address is the router ID"))
	}
	if v.ASN == 0 {
		r = append(r, report.Errorf(p.Field("asn"), "asn is 0").To("set the autonomous system of the machines"))
	}
	if len(v.Peers) == 0 {
		r = append(r, report.Errorf(p.Field("peers"), "peers is empty").To("set the address and asn of a router"))
	}
	for i, peer := range v.Peers {
		at := p.Field("peers").Index(i)
		r = append(r, checkAddress(at.Field("address"), peer.Address)...)
		if peer.ASN == 0 {
			r = append(r, report.Errorf(at.Field("asn"), "asn is 0").To("set the autonomous system of the router"))
		}
	}
	return r
}
