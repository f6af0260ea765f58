package convert

import (
	"maps"
	"math"
	"slices"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

func (c *converter) controlPlane(s *v1alpha1.ControlPlaneConfigSpec, p report.Path) {
	if s == nil {
		return
	}
	doc := node.ControlPlaneConfig{
		APIServer: c.apiServer(s.APIServer, p.Field("apiServer")), ControllerManager: component(s.ControllerManager),
		CoreDNS: addon(s.CoreDNS), ImageRepository: s.ImageRepository,
	}
	if k := s.Scheduler; k != nil {
		doc.Scheduler = component(&k.ComponentSpec)
		c.mapPath(p.Field("schedulerConfig"), p.Field("scheduler").Field("config"))
		doc.SchedulerConfig = c.content(p.Field("scheduler").Field("config"), k.Config)
	}
	if k := s.KubeProxy; k != nil {
		doc.KubeProxy = node.Addon{Disabled: k.Disabled}
		if k.Config != nil {
			c.mapPath(p.Field("kubeProxyConfig"), p.Field("kubeProxy").Field("config"))
			doc.KubeProxyConfig = c.tree(p.Field("kubeProxy").Field("config"), k.Config.Raw)
		}
	}
	if k := s.Certificates; k != nil {
		doc.Certificates = node.Certificates{
			Algorithm: node.KeyAlgorithm(k.Algorithm), ValidityDays: int(k.ValidityDays), CAValidityDays: int(k.CAValidityDays),
		}
	}
	if s.Etcd != nil {
		c.mapPath(p.Field("localEtcd"), p.Field("etcd").Field("local"))
		c.mapPath(p.Field("externalEtcd"), p.Field("etcd").Field("external"))
		doc.LocalEtcd, doc.ExternalEtcd = localEtcd(s.Etcd.Local), externalEtcd(s.Etcd.External)
	}
	for i, name := range slices.Sorted(maps.Keys(s.FeatureGates)) {
		at := p.Field("featureGates").Index(i)
		c.mapPath(at, p.Field("featureGates").Key(name))
		c.mapPath(at.Field("name"), p.Field("featureGates").Key(name))
		doc.FeatureGates = append(doc.FeatureGates, node.FeatureGate{Name: name, Enabled: s.FeatureGates[name]})
	}
	doc.BootstrapTokens = c.initTokens(s.BootstrapTokens, p.Field("bootstrapTokens"))
	c.virtualIP(s.VirtualIP, p.Field("virtualIP"))
	c.staticPods(s.StaticPods, p.Field("staticPods"))
	c.add(p, doc)
}

// initTokens leaves out tokens whose Secret is missing.
func (c *converter) initTokens(list []v1alpha1.InitTokenSpec, p report.Path) []node.InitToken {
	var out []node.InitToken
	for i, t := range list {
		from := p.Index(i).Field("tokenFrom")
		token, found := c.resolve(from.Field("secret"), "Secret", t.TokenFrom.Secret)
		if !found {
			continue
		}
		c.mapPath(p.Index(len(out)), p.Index(i))
		c.mapPath(p.Index(len(out)).Field("token"), from)
		out = append(out, node.InitToken{
			Token: line(secret.New(token)), Description: t.Description, TTLSeconds: number(t.TTLSeconds),
			Usages: slices.Clone(t.Usages), Groups: slices.Clone(t.Groups),
		})
	}
	return out
}

func (c *converter) virtualIP(s *v1alpha1.VirtualIPSpec, p report.Path) {
	if s == nil {
		return
	}
	doc := node.VirtualIP{Address: s.Address, Interface: s.Interface, Image: s.Image}
	c.mapPath(p.Field("asn"), p.Field("bgp").Field("asn"))
	c.mapPath(p.Field("peers"), p.Field("bgp").Field("peers"))
	if s.BGP != nil {
		doc.ASN = asn(s.BGP.ASN)
		for _, peer := range s.BGP.Peers {
			doc.Peers = append(doc.Peers, node.BGPPeer{Address: peer.Address, ASN: asn(peer.ASN)})
		}
	}
	c.add(p, doc)
}

// asn returns the number, or 0 if it is not one of an autonomous system.
func asn(number int64) uint32 {
	if number < 0 || number > math.MaxUint32 {
		return 0
	}
	return uint32(number)
}

func (c *converter) staticPods(pods []v1alpha1.StaticPodSpec, p report.Path) {
	for i, pod := range pods {
		c.mapPath(p.Index(i).Field("manifest"), p.Index(i).Field("content"))
		if got, ok := c.text(p.Index(i), "content", pod.Content, pod.ContentFrom); ok {
			c.add(p.Index(i), node.StaticPod{Name: pod.Name, Manifest: got.bytes})
		}
	}
}

func (c *converter) apiServer(s *v1alpha1.APIServerSpec, p report.Path) node.APIServer {
	if s == nil {
		return node.APIServer{}
	}
	return node.APIServer{
		Component: component(&s.ComponentSpec), CertSANs: slices.Clone(s.CertSANs), Audit: c.audit(s.Audit, p.Field("audit")),
		EncryptionAtRest:      c.secretFrom(p.Field("encryptionAtRest"), s.EncryptionAtRest),
		AuthenticationWebhook: c.secretFrom(p.Field("authenticationWebhook"), s.AuthenticationWebhook),
		Authentication:        c.content(p.Field("authentication"), s.Authentication),
		Authorization:         c.content(p.Field("authorization"), s.Authorization),
		Admission:             c.content(p.Field("admission"), s.Admission),
	}
}

// audit returns nil without a policy: the API server then records no events. Like a missing optional policy, an empty
// one is left out, because kubeadm's configuration does not contain it (see nameOnly).
func (c *converter) audit(a *v1alpha1.AuditSpec, p report.Path) *node.Audit {
	if a == nil {
		return nil
	}
	policy, found := c.text(p.Field("policy"), "content", a.Policy.Content, a.Policy.ContentFrom)
	if !found {
		return nil
	}
	if len(policy.bytes) == 0 && isOptional(a.Policy.ContentFrom) {
		c.found(report.Warningf(p.Field("policy").Field("contentFrom"),
			"the policy is empty and optional, so the API server has no audit log").To("set the policy, or remove audit"))
		return nil
	}
	return &node.Audit{
		Policy: policy.bytes, LogPath: a.LogPath,
		MaxAgeDays: int(a.MaxAgeDays), MaxBackups: int(a.MaxBackups), MaxSizeMB: int(a.MaxSizeMB),
	}
}

func component(s *v1alpha1.ComponentSpec) node.Component {
	if s == nil {
		return node.Component{}
	}
	out := node.Component{Args: args(s.ExtraArgs), Env: env(s.ExtraEnvs)}
	for _, v := range s.ExtraVolumes {
		out.Volumes = append(out.Volumes, node.Volume{
			Name: v.Name, HostPath: v.HostPath, MountPath: v.MountPath, ReadOnly: v.ReadOnly, PathType: v.PathType,
		})
	}
	return out
}

func args(list []v1alpha1.Arg) []node.Arg {
	var out []node.Arg
	for _, a := range list {
		out = append(out, node.Arg{Name: a.Name, Value: document.Text(a.Value)})
	}
	return out
}

func env(list []v1alpha1.EnvVar) []node.Env {
	var out []node.Env
	for _, e := range list {
		out = append(out, node.Env{Name: e.Name, Value: e.Value})
	}
	return out
}

func addon(s *v1alpha1.AddonSpec) node.Addon {
	if s == nil {
		return node.Addon{}
	}
	return node.Addon{Disabled: s.Disabled, ImageRepository: s.ImageRepository, ImageTag: s.ImageTag}
}

func localEtcd(s *v1alpha1.LocalEtcdSpec) *node.LocalEtcd {
	if s == nil {
		return nil
	}
	return &node.LocalEtcd{
		ImageRepository: s.ImageRepository, ImageTag: s.ImageTag, DataDir: s.DataDir, Args: args(s.ExtraArgs),
		Env:            env(s.ExtraEnvs),
		ServerCertSANs: slices.Clone(s.ServerCertSANs), PeerCertSANs: slices.Clone(s.PeerCertSANs),
	}
}

func externalEtcd(s *v1alpha1.ExternalEtcdSpec) *node.ExternalEtcd {
	if s == nil {
		return nil
	}
	return &node.ExternalEtcd{
		Endpoints: slices.Clone(s.Endpoints), CAFile: s.CAFile, CertFile: s.CertFile,
		KeyFile: s.KeyFile,
	}
}
