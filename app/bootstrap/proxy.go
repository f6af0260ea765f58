package bootstrap

import (
	"net/netip"
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// localKubelet is the minor version of Kubernetes since which kubelet of a control plane machine connects to the API
// server of its own machine (kubeadm's feature gate ControlPlaneKubeletLocalMode).
const localKubelet = 33

// withDirect adds what the machine must reach directly to the exceptions of its proxies. Without them, kubelet connects
// to the API server through the proxy: Go itself exempts only loopback addresses. A finding reports that the address of
// the machine itself, which is not known here, may be missing.
func (p *production) withDirect(docs []document.Document) ([]document.Document, report.Report) {
	network := p.request.Cluster.Network
	direct := network.DirectServices()
	if !p.description.Target.Profile.Family.ExemptsCluster() {
		direct = append(network.DirectHosts(), direct...)
	}
	var findings report.Report
	for i, d := range docs {
		switch v := d.Value.(type) {
		case machine.ProxyConfig:
			findings = append(findings, p.checkOwnAddress(v, d.Source.Path)...)
			docs[i].Value = v.WithDirect(direct)
		case machine.ContainerdConfig:
			v.Proxy = withDirect(v.Proxy, direct)
			docs[i].Value = v
		case machine.CRIOConfig:
			v.Proxy = withDirect(v.Proxy, direct)
			docs[i].Value = v
		}
	}
	return docs, findings
}

// withDirect returns a changed copy of the separate proxy of a container runtime, or nil if there is none.
func withDirect(c *machine.ProxyConfig, direct []string) *machine.ProxyConfig {
	if c == nil {
		return nil
	}
	changed := c.WithDirect(direct)
	return &changed
}

// checkOwnAddress returns a warning if kubelet connects to the address of its machine and no exception can contain it.
func (p *production) checkOwnAddress(c machine.ProxyConfig, at report.Path) report.Report {
	version, _ := node.ParseVersion(p.request.Machine.Version)
	if !p.role.IsControlPlane() || p.talos != nil || version.Minor < localKubelet || c.HTTPSProxy.IsZero() ||
		slices.ContainsFunc(c.NoProxy, isAddress) {
		return nil
	}
	return report.Report{report.Warningf(at.Field("noProxy"), "kubelet of a control plane machine connects to the "+
		"address of the machine, and the list contains no network").
		To("add the network of the machines, such as 10.0.0.0/16")}
}

// isAddress reports whether an exception of a proxy is an address, a network, or all.
func isAddress(s string) bool {
	_, notNetwork := netip.ParsePrefix(s)
	_, notAddress := netip.ParseAddr(s)
	return s == machine.ProxyNothing || notNetwork == nil || notAddress == nil
}
