package convert

import (
	"cmp"
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
		Discovery:    c.discovery(n.Discovery, p.Field("discovery")),
		Registration: c.registration(n, p),
		Kubelet:      c.kubelet(n.Kubelet, p.Field("kubelet")),
		AdvertiseAddress: c.value(p, "advertiseAddress", n.AdvertiseAddress, "advertiseAddressParts",
			n.AdvertiseAddressParts),
		BindPort:        int(n.BindPort),
		CertificatesDir: n.CertificatesDir,
		Patches:         c.patches(n.Patches, p.Field("patches")),

		PatchesDirectory: n.PatchesDirectory,
		SkipPhases:       slices.Clone(n.SkipPhases),
		Timeouts:         timeouts(n.Timeouts),
		Verbosity:        int(n.Verbosity),
	})
}

func (c *converter) registration(n *v1alpha1.NodeConfigSpec, p report.Path) node.Registration {
	at := p.Field("registration")
	c.mapPath(at, p)
	reg := node.Registration{
		Name: c.value(p, "name", n.Name, "nameParts", n.NameParts), CRISocket: n.CRISocket,
		IgnorePreflightErrors: slices.Clone(n.IgnorePreflightErrors), ImagePullPolicy: n.ImagePullPolicy,
	}
	if n.ImagePullSerial != nil {
		serial := *n.ImagePullSerial
		reg.ImagePullSerial = &serial
	}
	for _, l := range c.keyed(p, "label", n.Labels, n.LabelParts, at.Field("labels")) {
		reg.Labels = append(reg.Labels, node.Label(l))
	}
	annotationParts := make([]v1alpha1.LabelParts, len(n.AnnotationParts))
	for i, a := range n.AnnotationParts {
		annotationParts[i] = v1alpha1.LabelParts(a)
	}
	for _, a := range c.keyed(p, "annotation", n.Annotations, annotationParts, at.Field("annotations")) {
		reg.Annotations = append(reg.Annotations, node.Annotation(a))
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

// keyed is a label or an annotation.
type keyed struct {
	Key   string
	Value document.Content
}

// keyed returns the labels or annotations of the fields p.kinds and p.kindParts, sorted by key. at is the path of the
// list in the document.
func (c *converter) keyed(p report.Path, kind string, texts map[string]string, listed []v1alpha1.LabelParts,
	at report.Path,
) []keyed {
	type given struct {
		keyed
		path, value report.Path
	}
	all := make([]given, 0, len(texts)+len(listed))
	for key, value := range texts {
		path := p.Field(kind + "s").Key(key)
		all = append(all, given{keyed{key, document.Text(value)}, path, path})
	}
	for i, l := range listed {
		path := p.Field(kind + "Parts").Index(i)
		value := path.Field("parts")
		all = append(all, given{keyed{l.Key, c.publicParts(l.Parts, value, maxPublic)}, path, value})
	}
	slices.SortFunc(all, func(a, b given) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.path, b.path))
	})
	values := make([]keyed, len(all))
	for i, g := range all {
		c.mapPath(at.Index(i), g.path)
		c.mapPath(at.Index(i).Field("value"), g.value)
		values[i] = g.keyed
	}
	return values
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
		value := c.value(p.Field("extraArgs").Index(i), "value", a.Value, "parts", a.Parts)
		out.Args = append(out.Args, node.Arg{Name: a.Name, Value: value})
	}
	return out
}

func (c *converter) discovery(d *v1alpha1.DiscoverySpec, p report.Path) *node.Discovery {
	if d == nil {
		return nil
	}
	c.mapPath(p.Field("token"), p.Field("tokenFrom"))
	c.mapPath(p.Field("tlsBootstrapToken"), p.Field("tlsBootstrapTokenFrom"))
	return &node.Discovery{
		APIServerEndpoint: d.APIServerEndpoint, CACertHashes: slices.Clone(d.CACertHashes),
		UnsafeSkipCAVerification: d.UnsafeSkipCAVerification, CACertPath: d.CACertPath,
		Token:      line(c.secretFrom(p.Field("tokenFrom"), d.TokenFrom)),
		Kubeconfig: c.secretFrom(p.Field("kubeconfig"), d.Kubeconfig), KubeconfigPath: d.KubeconfigPath,
		TLSBootstrapToken: line(c.secretFrom(p.Field("tlsBootstrapTokenFrom"), d.TLSBootstrapTokenFrom)),
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
