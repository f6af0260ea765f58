package kubeadm

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// addControlPlane adds the components, etcd, the addons and the certificates' keys.
func (j *job) addControlPlane(c *clusterConfiguration, p node.ControlPlaneConfig) {
	at := j.controlPlaneSource
	own := j.apiServerSettings(p.APIServer)
	c.APIServer.component = j.component(p.APIServer.Component, own, at.Field("apiServer"))
	c.APIServer.CertSANs = p.APIServer.CertSANs
	c.ControllerManager = j.component(p.ControllerManager, j.flexVolumes(p.ControllerManager),
		at.Field("controllerManager"))
	c.Scheduler = j.component(p.Scheduler, schedulerSettings(p), at.Field("scheduler"))
	c.ImageRepository = p.ImageRepository
	c.Etcd = j.etcd(p)
	j.addGates(c, p.FeatureGates)
	j.checkRootless(p)
	j.addAddons(c, p)
	j.addCertificates(c, p.Certificates)
}

// flexVolumes moves the directory of FlexVolume drivers to where every system can write. Until Kubernetes 1.36 kubeadm
// mounts it into the controller manager and makes kubelet create it (cmd/kubeadm/app/phases/controlplane/volumes.go).
// The default is below /usr, and no control plane starts where /usr is read-only; an argument of the controller manager
// overrides it. It is moved on every system, because kubeadm init sets it for the whole cluster, and a machine with
// another system may join. Users with such drivers set the argument themselves.
func (j *job) flexVolumes(c node.Component) settings {
	const name = "flex-volume-plugin-dir"
	given := slices.ContainsFunc(c.Args, func(a node.Arg) bool { return a.Name == name })
	if j.api >= firstWithoutFlexVolumes || given {
		return settings{}
	}
	return settings{args: []arg{{Name: name, Value: flexVolumeDir}}}
}

func (j *job) addGates(c *clusterConfiguration, gates []node.FeatureGate) {
	for _, g := range gates {
		if c.FeatureGates == nil {
			c.FeatureGates = map[string]bool{}
		}
		c.FeatureGates[g.Name] = g.Enabled
	}
}

// checkRootless finds files that an API server which is not root could not use: kubeadm gives it its own files, and no
// others.
func (j *job) checkRootless(p node.ControlPlaneConfig) {
	rootless := slices.Index(p.FeatureGates, node.FeatureGate{Name: "RootlessControlPlane", Enabled: true})
	a := p.APIServer
	if rootless >= 0 && (a.Audit != nil || !a.EncryptionAtRest.IsZero() || !a.AuthenticationWebhook.IsZero()) {
		j.find(report.Errorf(j.controlPlaneSource.Field("featureGates").Index(rootless),
			"an API server that is not root cannot read its files that hold secrets, nor write its audit log").To("turn it off"))
	}
}

func (j *job) addAddons(c *clusterConfiguration, p node.ControlPlaneConfig) {
	if p.KubeProxy.ImageRepository != "" || p.KubeProxy.ImageTag != "" {
		j.find(report.Errorf(j.controlPlaneSource.Field("kubeProxy"),
			"kubeadm takes kube-proxy's image from the cluster's repository and version").
			To("use imageRepository of the control plane"))
	}
	image := imageMeta{p.CoreDNS.ImageRepository, p.CoreDNS.ImageTag}
	disabled := p.CoreDNS.Disabled && j.api.isV1beta4()
	if image != (imageMeta{}) || disabled {
		c.DNS = &dns{imageMeta: image, Disabled: disabled}
	}
	if p.KubeProxy.Disabled && j.api.isV1beta4() {
		c.Proxy = &proxy{Disabled: true}
	}
}

func (j *job) addCertificates(c *clusterConfiguration, k node.Certificates) {
	at := j.controlPlaneSource.Field("certificates")
	if k.ValidityDays != 0 {
		j.needs(firstV1beta4, at.Field("validityDays"), "how long certificates are valid")
	}
	if k.CAValidityDays != 0 {
		j.needs(firstV1beta4, at.Field("caValidityDays"), "how long certificates of authorities are valid")
	}
	c.CertificateValidityPeriod, c.CACertificateValidityPeriod = days(k.ValidityDays), days(k.CAValidityDays)
	switch {
	case j.api.isV1beta4():
		c.EncryptionAlgorithm = string(k.Algorithm)
	case k.Algorithm == node.ECDSAP256:
		j.addGates(c, []node.FeatureGate{{Name: "PublicKeysECDSA", Enabled: true}})
	case k.Algorithm != "" && k.Algorithm != node.RSA2048:
		j.needs(firstV1beta4, at.Field("algorithm"), string(k.Algorithm))
	}
	if k.Algorithm == node.ECDSAP384 {
		j.needs(firstP384, at.Field("algorithm"), string(k.Algorithm))
	}
}

// settings are what this package adds to a component.
type settings struct {
	args    []arg
	volumes []hostMount
}

func (j *job) component(c node.Component, own settings, p report.Path) component {
	args := own.args
	for i, a := range c.Args {
		at := p.Field("extraArgs").Index(i)
		j.checkOwnArg(at, a.Name, own)
		args = append(args, j.componentArg(at, a))
	}
	if len(c.Env) > 0 {
		j.needs(firstV1beta4, p.Field("extraEnvs"), "environment variables")
	}
	return component{
		ExtraArgs:    j.args(args, p.Field("extraArgs"), len(own.args)),
		ExtraVolumes: j.volumes(c.Volumes, own, p.Field("extraVolumes")),
		ExtraEnvs:    j.envs(c.Env, p.Field("extraEnvs")),
	}
}

// componentArg escapes the value: kubelet expands $(NAME) in a pod's command, and makes one dollar sign of two.
func (j *job) componentArg(p report.Path, a node.Arg) arg {
	parts := make([]document.Content, 0, 1)
	for _, f := range a.Value.Fragments() {
		if f.Fact != "" {
			parts = append(parts, document.FromFact(f.Fact))
			continue
		}
		j.found = append(j.found, checkText(p.Field("value"), f.Literal)...)
		parts = append(parts, document.Literal(escapeDollars(f.Literal)))
	}
	return arg{Name: a.Name, Value: j.facts.text(document.Join(parts...))}
}

// checkText finds what kubeadm cannot write into a manifest. It makes JSON and then YAML of it, so that characters
// which only JSON allows fail it, and those which only YAML takes for line breaks would turn into blanks.
func checkText(p report.Path, b []byte) report.Report {
	for rest := b; len(rest) > 0; {
		c, size := utf8.DecodeRune(rest)
		switch {
		case c == utf8.RuneError && size == 1:
			return report.Report{report.Errorf(p, "the value is not valid UTF-8").To("use UTF-8")}
		case c == 0:
			return report.Report{report.Errorf(p, "an argument cannot hold a NUL byte")}
		case forbidden(c) || c == '\u2028' || c == '\u2029':
			return report.Report{report.Errorf(p, "kubeadm does not support the character %U in a manifest", c)}
		}
		rest = rest[size:]
	}
	return nil
}

func escapeDollars(b []byte) []byte {
	if !bytes.Contains(b, []byte("$(")) && !bytes.Contains(b, []byte("$$")) {
		return b
	}
	return bytes.ReplaceAll(b, []byte("$"), []byte("$$"))
}

func (j *job) checkOwnArg(p report.Path, name string, own settings) {
	for _, o := range own.args {
		if o.Name == name {
			j.find(report.Errorf(p, "a field of the control plane sets the argument %s, too", name).To(
				"keep one of them"))
		}
	}
}

func (j *job) volumes(given []node.Volume, own settings, p report.Path) []hostMount {
	mounts := own.volumes
	for i, v := range given {
		for _, m := range mounts {
			if m.Name == v.Name || m.MountPath == v.MountPath {
				j.find(report.Errorf(p.Index(i), "another volume has the name %q or the mount path %s", m.Name, m.MountPath).
					To("choose others"))
			}
		}
		mounts = append(mounts, hostMount{v.Name, v.HostPath, v.MountPath, v.ReadOnly, v.PathType})
	}
	return mounts
}

func (j *job) envs(given []node.Env, p report.Path) []arg {
	var list []arg
	for i, e := range given {
		j.found = append(j.found, checkText(p.Index(i).Field("value"), []byte(e.Value))...)
		list = append(list, arg{Name: e.Name, Value: string(escapeDollars([]byte(e.Value)))})
	}
	return list
}

func (j *job) etcd(p node.ControlPlaneConfig) etcd {
	if e := p.ExternalEtcd; e != nil {
		return etcd{External: &externalEtcd{e.Endpoints, e.CAFile, e.CertFile, e.KeyFile}}
	}
	if p.LocalEtcd == nil {
		return etcd{}
	}
	e, at := *p.LocalEtcd, j.controlPlaneSource.Field("localEtcd")
	c := j.component(node.Component{Args: e.Args, Env: e.Env}, settings{}, at)
	return etcd{Local: &localEtcd{
		imageMeta: imageMeta{e.ImageRepository, e.ImageTag}, DataDir: e.DataDir,
		ExtraArgs: c.ExtraArgs, ExtraEnvs: c.ExtraEnvs,
		ServerCertSANs: e.ServerCertSANs, PeerCertSANs: e.PeerCertSANs,
	}}
}

func number(n, def int) string {
	if n == 0 {
		n = def
	}
	return strconv.Itoa(n)
}
