package convert

import (
	"maps"
	"slices"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// node converts spec.node. The cluster, not the config, determines the role, the token and the certificates.
func (c *converter) node(n *v1alpha1.NodeConfigSpec, p report.Path) {
	if n == nil {
		return
	}
	c.add(p, node.NodeConfig{
		Discovery:        c.discovery(n.Discovery, p.Field("discovery")),
		Registration:     c.registration(n, p),
		Kubelet:          c.kubelet(n.Kubelet, p.Field("kubelet")),
		AdvertiseAddress: document.Text(n.AdvertiseAddress),
		BindPort:         int(n.BindPort),
		CertificatesDir:  n.CertificatesDir,
		Patches:          c.patches(n.Patches, p.Field("patches")),
		SkipPhases:       slices.Clone(n.SkipPhases),
		Timeouts:         timeouts(n.Timeouts),
		Verbosity:        int(n.Verbosity),
	})
}

func (c *converter) registration(n *v1alpha1.NodeConfigSpec, p report.Path) node.Registration {
	at := p.Field("registration")
	c.mapPath(at, p)
	reg := node.Registration{
		Name: c.value(p, "name", n.Name, n.NameFrom), CRISocket: n.CRISocket,
		IgnorePreflightErrors: slices.Clone(n.IgnorePreflightErrors), ImagePullPolicy: n.ImagePullPolicy,
	}
	if n.ImagePullSerial != nil {
		serial := *n.ImagePullSerial
		reg.ImagePullSerial = &serial
	}
	for i, key := range slices.Sorted(maps.Keys(n.Labels)) {
		c.mapPath(at.Field("labels").Index(i), p.Field("labels").Key(key))
		reg.Labels = append(reg.Labels, node.Label{Key: key, Value: n.Labels[key]})
	}
	if n.Taints == nil {
		return reg
	}
	reg.TaintsSet = true
	for _, t := range *n.Taints {
		reg.Taints = append(reg.Taints, node.Taint{Key: t.Key, Value: t.Value, Effect: node.TaintEffect(t.Effect)})
	}
	return reg
}

func (c *converter) kubelet(k *v1alpha1.KubeletSpec, p report.Path) node.Kubelet {
	if k == nil {
		return node.Kubelet{}
	}
	var out node.Kubelet
	if k.Config != nil {
		out.Config = c.tree(p.Field("config"), k.Config.Raw)
	}
	for i, a := range k.ExtraArgs {
		value := c.value(p.Field("extraArgs").Index(i), "value", a.Value, a.ValueFrom)
		out.Args = append(out.Args, node.Arg{Name: a.Name, Value: value})
	}
	return out
}

func (c *converter) discovery(d *v1alpha1.DiscoverySpec, p report.Path) *node.Discovery {
	if d == nil {
		return nil
	}
	return &node.Discovery{
		APIServerEndpoint: d.APIServerEndpoint, Kubeconfig: c.secretFrom(p.Field("kubeconfig"), d.Kubeconfig),
	}
}

func (c *converter) patches(list []v1alpha1.Patch, p report.Path) []node.Patch {
	var out []node.Patch
	for i, patch := range list {
		if got, ok := c.text(p.Index(i), "content", patch.Content, patch.ContentFrom); ok {
			out = append(out, node.Patch{Target: patch.Target, Type: patch.Type, Content: got.bytes})
		}
	}
	return out
}

func timeouts(t *v1alpha1.Timeouts) node.Timeouts {
	if t == nil {
		return node.Timeouts{}
	}
	return node.Timeouts{
		ControlPlaneComponentHealthCheck: int(t.ControlPlaneComponentHealthCheckSeconds),
		KubeletHealthCheck:               int(t.KubeletHealthCheckSeconds),
		KubernetesAPICall:                int(t.KubernetesAPICallSeconds),
		EtcdAPICall:                      int(t.EtcdAPICallSeconds),
		TLSBootstrap:                     int(t.TLSBootstrapSeconds),
		Discovery:                        int(t.DiscoverySeconds),
	}
}
