package s3

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
)

// AnyHost among Options.Hosts stands for every host whose addresses are of another machine.
const AnyHost = "*"

// errNear means that an address is of this machine or of its link, where things listen that trust whoever reaches them.
var errNear = errors.New("the address is of this machine or its link")

// guarded reports whether connections to the endpoint are to be held to addresses of other machines. An endpoint whose host is not among
// those that it may name is an error.
func (o Options) guarded() (bool, error) {
	if o.Endpoint == "" || o.Hosts == nil {
		return false, nil
	}
	u, err := url.Parse(o.Endpoint)
	if err != nil || u.Hostname() == "" {
		return false, errors.New("the endpoint is no URL")
	}
	host := u.Hostname()
	if slices.ContainsFunc(o.Hosts, func(one string) bool { return strings.EqualFold(one, host) }) {
		return false, nil
	}
	address, err := netip.ParseAddr(host)
	near := err == nil && isNear(address) || strings.EqualFold(host, "localhost")
	if near || !slices.Contains(o.Hosts, AnyHost) {
		return false, fmt.Errorf("the controller does not speak with the endpoint's host %s; have --storage-endpoints name it", host)
	}
	return true, nil
}

// isPlatforms reports whether a platform has a service for the machine itself at the address, its metadata and credentials among them. Those at
// link-local addresses need not be named.
func isPlatforms(a netip.Addr) bool {
	switch a.WithZone("").String() {
	case "fd00:ec2::254": // AWS: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
	case "fd20:ce::254": // Google Cloud: as GCE_METADATA_HOST in https://github.com/GoogleCloudPlatform/k8s-config-connector, operator/pkg/controllers
	case "168.63.129.16": // Azure: https://learn.microsoft.com/en-us/azure/virtual-network/what-is-ip-address-168-63-129-16
	case "100.100.100.200": // Alibaba Cloud: https://www.alibabacloud.com/help/doc-detail/141788.htm
	case "192.0.0.192": // Oracle: https://docs.oracle.com/en/cloud/cloud-at-customer/occ-get-started/retrieve-predefined-instance-metadata.html
	default:
		return false
	}
	return true
}

// isNear reports whether the address is of this machine, or of what is on its link: loopback, link-local, which is where most platforms
// have their metadata services, those of the others, multicast, or none at all.
func isNear(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsMulticast() || a.IsUnspecified() || a.Is4() && a.As4()[0] == 0 ||
		isPlatforms(a)
}

// guard lets connections be made to addresses of other machines alone. It sees the address that is connected to, whatever a name led to.
func guard(d *net.Dialer) {
	d.Control = func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || isNear(to.Addr()) {
			return errNear
		}
		return nil
	}
}
