package bootstrap

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// completeDocuments returns the description's documents with the cluster's settings and the defaults that every node
// needs, and findings about documents that do not fit the role. The description is not changed.
func (p *production) completeDocuments() ([]document.Document, report.Report) {
	docs := slices.Clone(p.description.Documents)
	source := document.Source{
		Object: fmt.Sprintf("MachineBootstrapConfig/%s/%s", p.request.Owner.Namespace, p.request.Owner.Name), Path: "spec",
	}
	docs = edit(docs, source.Under("node"), p.completeNode)
	docs, findings := p.withDirect(docs)
	if p.talos == nil {
		var found report.Report
		docs, found = p.withProviderID(docs)
		findings = append(findings, found...)
		docs = withDefaults(docs, source, p.description.Target.Profile.Family, p.request.Cluster.Network)
	} else {
		docs = append(docs, document.Document{Value: *p.talos, Source: source.Under("os")})
	}
	c, at, found := document.First[node.ControlPlaneConfig](docs)
	if !found {
		return docs, findings
	}
	if !p.role.IsControlPlane() {
		// The expander of the document would report the same mistake.
		docs = slices.DeleteFunc(docs, func(d document.Document) bool { return d.Kind() == c.Kind() })
		return docs, append(findings, report.Errorf(at.Path, "this machine is a worker").To("remove it"))
	}
	if p.role != node.RoleInit && p.talos == nil {
		c.BootstrapTokens = nil // Only the first machine creates them, and the others must not have them.
	}
	n, _, _ := document.First[node.NodeConfig](docs)
	docs = edit(docs, at, func(node.ControlPlaneConfig) node.ControlPlaneConfig {
		return c.WithEtcdFiles(n.CertificatesDir)
	})
	return docs, findings
}

// providerIDArgument is the argument of kubelet with the provider ID of its Node.
const providerIDArgument = "provider-id"

// withProviderID adds the provider ID to the arguments of kubelet, if the infrastructure provider knows it before the
// machine exists. Another value of the user is a finding: Cluster API would not find the Node.
func (p *production) withProviderID(docs []document.Document) ([]document.Document, report.Report) {
	m := p.request.Machine
	id := infrastructure.ProviderID(m.Infrastructure, p.request.Owner.Namespace, m.InfrastructureName)
	n, source, _ := document.First[node.NodeConfig](docs)
	if id == "" {
		return docs, nil
	}
	for i, a := range n.Kubelet.Args {
		if a.Name != providerIDArgument {
			continue
		}
		if value, static := a.Value.Static(); static && string(value) == id {
			return docs, nil
		}
		at := source.Path.Field("kubelet").Field("extraArgs").Index(i)
		return docs, report.Report{report.Errorf(at, "%s is not the provider ID of the machine", providerIDArgument).
			To("remove it, or set it to %s", id)}
	}
	return edit(docs, source, func(n node.NodeConfig) node.NodeConfig {
		n.Kubelet.Args = append(slices.Clone(n.Kubelet.Args), node.Arg{Name: providerIDArgument, Value: document.Text(id)})
		return n
	}), nil
}

// withDefaults adds the settings that every node needs and that general-purpose operating systems lack. Windows has
// neither kernel parameters nor kernel modules.
func withDefaults(docs []document.Document, source document.Source, family osprofile.Family, network node.Cluster,
) []document.Document {
	if family != osprofile.FamilyWindows {
		docs = edit(docs, source.Under("machine", "sysctls"), func(c machine.SysctlConfig) machine.SysctlConfig {
			return withForwarding(c, network)
		})
		docs = edit(docs, source.Under("machine", "kernelModules"), withModules)
	}
	docs = edit(docs, source.Under("machine", "kubernetes"), unchanged[machine.KubernetesConfig])
	return edit(docs, source.Under("machine", "osUpdates"), unchanged[machine.OSUpdatesConfig])
}

// edit changes the first document of type T. If there is none, it changes and appends the zero value.
func edit[T document.Value](docs []document.Document, source document.Source, change func(T) T) []document.Document {
	for i, d := range docs {
		if v, ok := d.Value.(T); ok {
			docs[i].Value = change(v)
			return docs
		}
	}
	var zero T
	return append(docs, document.Document{Value: change(zero), Source: source})
}

func unchanged[T document.Value](v T) T { return v }

func (p *production) completeNode(n node.NodeConfig) node.NodeConfig {
	n.Role = p.role
	n.KubernetesVersion = p.request.Machine.Version
	n.Cluster = p.request.Cluster.Network
	n.Discovery = p.discovery
	n.Certificates = append(slices.Clone(n.Certificates), p.certificates...)
	if p.role == node.RoleWorker {
		n.Registration = uninitialized(n.Registration)
	}
	return n
}

func uninitialized(reg node.Registration) node.Registration {
	for _, t := range reg.Taints {
		if t.Key == node.UninitializedTaint {
			return reg
		}
	}
	reg.Taints = append(slices.Clone(reg.Taints), node.Taint{Key: node.UninitializedTaint, Effect: "NoSchedule"})
	reg.TaintsSet = true
	return reg
}

// withForwarding enables IP forwarding, which traffic between pods of different nodes needs and kubeadm requires. It
// enables that of IPv6 if the cluster uses IPv6. Settings of the user stay.
func withForwarding(c machine.SysctlConfig, network node.Cluster) machine.SysctlConfig {
	c = withSysctl(c, "net.ipv4.ip_forward")
	if usesIPv6(network) {
		c = withSysctl(c, "net.ipv6.conf.all.forwarding", "net.ipv6.conf.default.forwarding")
	}
	return c
}

// withSysctl sets the kernel parameter to 1 unless the configuration sets it or one of the others.
func withSysctl(c machine.SysctlConfig, name string, others ...string) machine.SysctlConfig {
	for _, s := range c.Settings {
		given := strings.ReplaceAll(strings.TrimPrefix(s.Name, "-"), "/", ".")
		if given == name || slices.Contains(others, given) {
			return c
		}
	}
	c.Settings = append(slices.Clone(c.Settings), machine.Sysctl{Name: name, Value: "1"})
	slices.SortStableFunc(c.Settings, func(a, b machine.Sysctl) int { return cmp.Compare(a.Name, b.Name) })
	return c
}

// usesIPv6 reports whether the cluster has a network of IPv6, or an endpoint with an IPv6 address, for which kubeadm
// join requires forwarding (cmd/kubeadm/app/preflight/checks.go: addIPv6Checks).
func usesIPv6(c node.Cluster) bool {
	endpoint, _ := netip.ParseAddrPort(c.Endpoint)
	subnets := slices.Concat(c.PodSubnets, c.ServiceSubnets)
	return endpoint.Addr().Is6() || slices.ContainsFunc(subnets, func(s string) bool {
		prefix, err := netip.ParsePrefix(s)
		return err == nil && prefix.Addr().Is6()
	})
}

// withModules adds the kernel modules that container runtimes and pod networks use.
func withModules(c machine.KernelModulesConfig) machine.KernelModulesConfig {
	c.Modules = slices.Clone(c.Modules)
	for _, name := range []string{"br_netfilter", "overlay"} {
		if !slices.ContainsFunc(c.Modules, func(m machine.KernelModule) bool { return m.Name == name }) {
			c.Modules = append(c.Modules, machine.KernelModule{Name: name})
		}
	}
	return c
}
