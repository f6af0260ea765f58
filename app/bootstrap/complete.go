package bootstrap

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

const defaultCertificatesDir = "/etc/kubernetes/pki"

// UninitializedTaint keeps pods off a worker until Cluster API has set its labels (contract, "Taint Nodes at
// creation").
const UninitializedTaint = "node.cluster.x-k8s.io/uninitialized"

// complete returns the documents with what the cluster adds and the defaults that every node needs, and findings about
// documents that do not go with the role. The given documents are not changed.
func complete(r Request, given Description, f facts, d *node.Discovery) ([]document.Document, report.Report) {
	docs := slices.Clone(given.Documents)
	source := document.Source{Object: fmt.Sprintf("MachineBootstrapConfig/%s/%s", r.Owner.Namespace,
		r.Owner.Name), Path: "spec"}
	docs = edit(docs, source.Under("node"), func(n node.NodeConfig) node.NodeConfig { return completeNode(n, r, f, d) })
	if f.talos == nil {
		docs = withDefaults(docs, source, given.Target.Profile.Family)
	}
	docs = withTalos(docs, source.Under("os"), f.talos)
	c, at, found := document.First[node.ControlPlaneConfig](docs)
	if !found {
		return docs, nil
	}
	if !f.role.IsControlPlane() {
		return docs, report.Report{report.Errorf(at.Path, "this machine is a worker").To("remove it")}
	}
	return edit(docs, at, func(node.ControlPlaneConfig) node.ControlPlaneConfig { return withEtcdFiles(c, docs) }), nil
}

// withDefaults adds what every node needs and an operating system for any purpose does not have by itself.
// Windows has neither kernel parameters nor modules.
func withDefaults(docs []document.Document, source document.Source, family osprofile.Family) []document.Document {
	if family != osprofile.FamilyWindows {
		docs = edit(docs, source.Under("machine", "sysctls"), withForwarding)
		docs = edit(docs, source.Under("machine", "kernelModules"), withModules)
	}
	docs = edit(docs, source.Under("machine", "kubernetes"), same[machine.KubernetesConfig])
	return edit(docs, source.Under("machine", "osUpdates"), same[machine.OSUpdatesConfig])
}

// edit changes the first document of type T, or appends one that is made of the zero value.
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

func same[T document.Value](v T) T { return v }

func completeNode(n node.NodeConfig, r Request, f facts, d *node.Discovery) node.NodeConfig {
	n.Role = f.role
	n.KubernetesVersion = r.Machine.Version
	n.Cluster = r.Cluster.Network
	n.Discovery = d
	n.Certificates = append(slices.Clone(n.Certificates), f.certificates...)
	if f.role == node.RoleWorker {
		n.Registration = uninitialized(n.Registration)
	}
	return n
}

func uninitialized(reg node.Registration) node.Registration {
	for _, t := range reg.Taints {
		if t.Key == UninitializedTaint {
			return reg
		}
	}
	reg.Taints = append(slices.Clone(reg.Taints), node.Taint{Key: UninitializedTaint, Effect: "NoSchedule"})
	reg.TaintsSet = true
	return reg
}

// withForwarding turns on forwarding, without which no pod reaches another node; kubeadm insists on it.
func withForwarding(c machine.SysctlConfig) machine.SysctlConfig {
	const forward, alias = "net.ipv4.ip_forward", "net/ipv4/ip_forward"
	for _, s := range c.Settings {
		if s.Name == forward || s.Name == alias {
			return c
		}
	}
	c.Settings = append(slices.Clone(c.Settings), machine.Sysctl{Name: forward, Value: "1"})
	slices.SortStableFunc(c.Settings, func(a, b machine.Sysctl) int { return cmp.Compare(a.Name, b.Name) })
	return c
}

// withModules loads what container runtimes and pod networks use.
func withModules(c machine.KernelModulesConfig) machine.KernelModulesConfig {
	c.Modules = slices.Clone(c.Modules)
	for _, name := range []string{"br_netfilter", "overlay"} {
		if !slices.ContainsFunc(c.Modules, func(m machine.KernelModule) bool { return m.Name == name }) {
			c.Modules = append(c.Modules, machine.KernelModule{Name: name})
		}
	}
	return c
}

// withEtcdFiles says where the files of an external etcd stand that the cluster's certificates bring.
func withEtcdFiles(c node.ControlPlaneConfig, docs []document.Document) node.ControlPlaneConfig {
	if c.ExternalEtcd == nil {
		return c
	}
	n, _, _ := document.First[node.NodeConfig](docs)
	dir, e := cmp.Or(n.CertificatesDir, defaultCertificatesDir), *c.ExternalEtcd
	e.CAFile = cmp.Or(e.CAFile, path.Join(dir, "etcd", "ca.crt"))
	if e.CertFile == "" {
		e.CertFile, e.KeyFile = path.Join(dir, "apiserver-etcd-client.crt"), path.Join(dir, "apiserver-etcd-client.key")
	}
	c.ExternalEtcd = &e
	return c
}
