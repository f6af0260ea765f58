package node

import (
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

func (c NodeConfig) checkDiscovery(p report.Path) report.Report {
	switch {
	case c.Role == RoleInit && c.Discovery == nil:
		return nil
	case c.Role == RoleInit:
		return report.Report{report.Errorf(p, "a machine with the role Init does not discover a cluster").To("leave it out")}
	case c.Discovery == nil:
		return report.Report{report.Errorf(p, "discovery is required for a machine that joins").
			To("set a token and CA certificate hashes, or a kubeconfig")}
	case c.Discovery.HasKubeconfig():
		return append(c.Discovery.checkKubeconfig(p), checkAbsolute(p.Field("caCertPath"), c.Discovery.CACertPath)...)
	}
	r := append(c.Discovery.checkToken(p), checkAbsolute(p.Field("caCertPath"), c.Discovery.CACertPath)...)
	if c.Discovery.APIServerEndpoint == "" && c.Cluster.Endpoint == "" {
		r = append(r, report.Errorf(p.Field("apiServerEndpoint"),
			"neither apiServerEndpoint nor the cluster's endpoint is set").To("set one of them"))
	}
	return r
}

// checkKubeconfig returns findings for settings of a token together with a kubeconfig, and for two kubeconfigs.
func (d Discovery) checkKubeconfig(p report.Path) report.Report {
	r := checkAbsolute(p.Field("kubeconfigPath"), d.KubeconfigPath)
	if !d.Token.IsZero() || len(d.CACertHashes) > 0 || d.UnsafeSkipCAVerification {
		r = append(r, report.Errorf(p, "a token and a kubeconfig are set").To("give one of them"))
	}
	if !d.Kubeconfig.IsZero() && d.KubeconfigPath != "" {
		r = append(r, report.Errorf(p.Field("kubeconfigPath"), "kubeconfig is given as well").To("remove one of them"))
	}
	return append(r, checkTokenText(p.Field("tlsBootstrapToken"), d.TLSBootstrapToken)...)
}

// checkTokenText returns a finding for a token that is not one. It does not quote the token.
func checkTokenText(p report.Path, token secret.Value) report.Report {
	if token.IsZero() || isToken(string(token.Reveal())) {
		return nil
	}
	return report.Report{report.Errorf(p, "this is not a bootstrap token").To("write six lower-case letters " +
		"and digits, a dot, and sixteen more")}
}

func (d Discovery) checkToken(p report.Path) report.Report {
	var r report.Report
	if d.Token.IsZero() {
		r = append(r, report.Errorf(p.Field("token"), "the token is not set").To("set a bootstrap token"))
	}
	r = append(r, checkTokenText(p.Field("token"), d.Token)...)
	for i, h := range d.CACertHashes {
		if !isPin(h) {
			r = append(r, report.Errorf(p.Field("caCertHashes").Index(i), "%q is not a pin of a public key", h).To(
				"write sha256: and 64 hexadecimal digits"))
		}
	}
	if !d.TLSBootstrapToken.IsZero() {
		r = append(r, report.Errorf(p.Field("tlsBootstrapToken"), "kubelet's token is for discovery by a kubeconfig").
			To("leave it out, or set token"))
	}
	switch {
	case d.UnsafeSkipCAVerification && len(d.CACertHashes) > 0:
		r = append(r, report.Errorf(p.Field("unsafeSkipCAVerification"), "caCertHashes are given as well").
			To("remove one of them"))
	case d.UnsafeSkipCAVerification:
		r = append(r, report.Warningf(p.Field("unsafeSkipCAVerification"),
			"the machine trusts any server that answers at the endpoint, and gives its token to it").
			To("leave it out, and the pins of the cluster's CA are used"))
	case len(d.CACertHashes) == 0:
		r = append(r, report.Errorf(p.Field("caCertHashes"), "without a pin the machine would trust any API server").
			To("set sha256:HEX of the CA's public key"))
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
		return report.Report{report.Errorf(p, "%q is not host:port", s).To("write it as 192.0.2.1:6443 or api.example:6443")}
	}
	return nil
}

// isHost reports whether s is an IP address or a DNS name, in any case.
func isHost(s string) bool {
	if isSubdomain(strings.ToLower(s)) {
		return true
	}
	_, err := netip.ParseAddr(s)
	return err == nil
}
