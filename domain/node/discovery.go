package node

import (
	"net"
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/report"
)

var (
	// tokenPattern matches a bootstrap token.
	tokenPattern = regexp.MustCompile(`^[a-z0-9]{6}\.[a-z0-9]{16}$`)
	// pinPattern matches values of kubeadm's --discovery-token-ca-cert-hash.
	pinPattern = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
)

func (c NodeConfig) checkDiscovery(p report.Path) report.Report {
	switch {
	case c.Role == RoleInit && c.Discovery == nil:
		return nil
	case c.Role == RoleInit:
		return report.Report{report.Errorf(p, "a machine that starts a cluster has none to discover").To("leave it out")}
	case c.Discovery == nil:
		return report.Report{report.Errorf(p, "a machine that joins needs a discovery")}
	case !c.Discovery.Kubeconfig.IsZero():
		return c.Discovery.checkKubeconfig(p)
	}
	r := c.Discovery.checkToken(p)
	if c.Discovery.APIServerEndpoint == "" && c.Cluster.Endpoint == "" {
		r = append(r, report.Errorf(p.Field("apiServerEndpoint"), "neither it nor the cluster's endpoint is known"))
	}
	return r
}

// checkKubeconfig returns a finding if a token is set together with a kubeconfig.
func (d Discovery) checkKubeconfig(p report.Path) report.Report {
	if d.Token.IsZero() && len(d.CACertHashes) == 0 {
		return nil
	}
	return report.Report{report.Errorf(p, "a cluster is discovered by a token or by a kubeconfig").To("give one of them")}
}

func (d Discovery) checkToken(p report.Path) report.Report {
	var r report.Report
	if !tokenPattern.Match(d.Token.Reveal()) {
		r = append(r, report.Errorf(p.Field("token"), "this is no bootstrap token"))
	}
	for i, h := range d.CACertHashes {
		if !pinPattern.MatchString(h) {
			r = append(r, report.Errorf(p.Field("caCertHashes").Index(i), "%q is no pin", h).To(
				"write sha256: and 64 hexadecimal digits"))
		}
	}
	if len(d.CACertHashes) == 0 {
		r = append(r, report.Errorf(p.Field("caCertHashes"), "without a pin any API server would be trusted"))
	}
	return append(r, checkEndpoint(p.Field("apiServerEndpoint"), d.APIServerEndpoint)...)
}

func checkEndpoint(p report.Path, s string) report.Report {
	if s == "" {
		return nil
	}
	host, port, err := net.SplitHostPort(s)
	n, convErr := strconv.Atoi(port)
	if err != nil || convErr != nil || n < 1 || n > 65535 || !isHost(host) {
		return report.Report{report.Errorf(p, "%q is no host:port", s)}
	}
	return nil
}

// isHost reports whether s is an IP address or a DNS name, in any case.
func isHost(s string) bool {
	if _, err := netip.ParseAddr(s); err == nil {
		return true
	}
	return len(s) <= maxSubdomain && subdomainPattern.MatchString(strings.ToLower(s))
}
