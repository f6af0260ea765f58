package talos

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/config/types/v1alpha1"
	"github.com/siderolabs/talos/pkg/machinery/constants"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// etcdDataDir and auditLog are where Talos puts them.
const (
	etcdDataDir = "/var/lib/etcd"
	auditLog    = "/var/log/audit/kube/kube-apiserver.log"
)

// renderControlPlane renders the control plane's components. Each control plane machine of Talos runs all of them.
func (b *build) renderControlPlane(ctx context.Context) {
	if !b.node.Role.IsControlPlane() {
		b.find(report.Errorf(b.controlPlaneSource, "this machine is a worker").To("remove it"))
		return
	}
	c := b.config.ClusterConfig
	b.apiServer(ctx, c.APIServerConfig)
	at := b.controlPlaneSource.Field("controllerManager")
	manager := b.component(at, b.controlPlane.ControllerManager, controllerManagerDenied())
	c.ControllerManagerConfig.ExtraArgsConfig, c.ControllerManagerConfig.ExtraVolumesConfig = manager.args, manager.volumes
	c.ControllerManagerConfig.EnvConfig = manager.env
	b.scheduler(ctx, c.SchedulerConfig)
	b.etcd(c.EtcdConfig)
	b.addons(c)
	b.images(c)
	b.ownWays()
}

// component is what the components have in common.
type component struct {
	args    v1alpha1.Args
	volumes []v1alpha1.VolumeMountConfig
	env     v1alpha1.Env
}

func (b *build) component(at report.Path, c node.Component, denied []string) component {
	out := component{args: b.args(at.Field("extraArgs"), c.Args, denied, dollars)}
	for i, v := range c.Volumes {
		if v.PathType != "" {
			b.find(report.Errorf(at.Field("extraVolumes").Index(i).Field("pathType"),
				"Talos does not check the type of a path").To("leave it out"))
		}
		mount := v1alpha1.VolumeMountConfig{
			VolumeHostPath: v.HostPath, VolumeMountPath: v.MountPath,
			VolumeReadOnly: v.ReadOnly,
		}
		out.volumes = append(out.volumes, mount)
	}
	for i, e := range c.Env {
		if out.env == nil {
			out.env = v1alpha1.Env{}
		}
		out.env[e.Name] = b.text(at.Field("extraEnvs").Index(i).Field("value"), document.Text(e.Value), dollars)
	}
	return out
}

func (b *build) scheduler(ctx context.Context, s *v1alpha1.SchedulerConfig) {
	at := b.controlPlaneSource.Field("scheduler")
	c := b.component(at, b.controlPlane.Scheduler, schedulerDenied())
	s.ExtraArgsConfig, s.ExtraVolumesConfig, s.EnvConfig = c.args, c.volumes, c.env
	if len(b.controlPlane.SchedulerConfig) > 0 {
		s.SchedulerConfig.Object = b.tree(ctx, b.controlPlaneSource.Field("schedulerConfig"), b.controlPlane.SchedulerConfig,
			"KubeSchedulerConfiguration")
	}
}

func (b *build) etcd(e *v1alpha1.EtcdConfig) {
	if b.controlPlane.ExternalEtcd != nil {
		b.find(report.Errorf(b.controlPlaneSource.Field("externalEtcd"),
			"Talos runs etcd itself, on each control plane machine").To("leave it out"))
	}
	local := cmp.Or(b.controlPlane.LocalEtcd, &node.LocalEtcd{})
	at := b.controlPlaneSource.Field("localEtcd")
	e.EtcdExtraArgs = b.args(at.Field("extraArgs"), local.Args, etcdDenied(), plain)
	if repository := b.repository(local.ImageRepository); repository != "" || local.ImageTag != "" {
		e.ContainerImage = image(repository, local.ImageTag, constants.EtcdImage, b.contract.images().etcd)
	}
	if local.DataDir != "" && local.DataDir != etcdDataDir {
		b.find(report.Errorf(at.Field("dataDir"), "etcd of Talos keeps its data in %s", etcdDataDir).To("leave it out"))
	}
	if len(local.Env) > 0 {
		b.find(report.Errorf(at.Field("extraEnvs"), "etcd of Talos takes no variables").To("use extraArgs"))
	}
	for _, names := range []struct {
		field string
		list  []string
	}{{"serverCertSANs", local.ServerCertSANs}, {"peerCertSANs", local.PeerCertSANs}} {
		if len(names.list) > 0 {
			b.find(report.Errorf(at.Field(names.field), "Talos creates etcd's certificates for the machine's own names").
				To("leave them out"))
		}
	}
}

// image returns an image of the repository, which is that of all images, such as registry.k8s.io.
func image(repository, tag, def, version string) string {
	name := def[strings.LastIndexByte(def, '/'):]
	return cmp.Or(repository, strings.TrimSuffix(def, name)) + name + ":" + cmp.Or(tag, version)
}

func (b *build) addons(c *v1alpha1.ClusterConfig) {
	at, proxy := b.controlPlaneSource, b.controlPlane.KubeProxy
	if proxy.Disabled {
		c.ProxyConfig.Disabled = new(true)
	}
	if repository := b.repository(proxy.ImageRepository); repository != "" || proxy.ImageTag != "" {
		c.ProxyConfig.ContainerImage = image(repository, proxy.ImageTag, constants.KubeProxyImage, b.node.KubernetesVersion)
	}
	for _, key := range sorted(b.controlPlane.KubeProxyConfig) {
		mode, text := b.controlPlane.KubeProxyConfig[key].(string)
		if key != "mode" || !text {
			b.find(report.Errorf(at.Field("kubeProxyConfig").Field(key), "of kube-proxy Talos sets the mode alone").
				To("leave it out"))
			continue
		}
		c.ProxyConfig.ModeConfig = mode
	}
	b.dns(c, b.controlPlane.CoreDNS)
}

func (b *build) dns(c *v1alpha1.ClusterConfig, dns node.Addon) {
	repository := b.controlPlane.CoreDNSRepository()
	switch {
	case dns.Disabled:
		c.CoreDNSConfig = &v1alpha1.CoreDNS{CoreDNSDisabled: new(true)}
	case repository != "" || dns.ImageTag != "":
		c.CoreDNSConfig = &v1alpha1.CoreDNS{CoreDNSImage: image(repository, dns.ImageTag, constants.CoreDNSImage,
			b.contract.images().coreDNS)}
	}
}

// repository is the one of an image: its own, or that of all the control plane's.
func (b *build) repository(own string) string { return cmp.Or(own, b.controlPlane.ImageRepository) }

// images takes Kubernetes's own components from another repository. Kubelet's image is Talos's own.
func (b *build) images(c *v1alpha1.ClusterConfig) {
	repository := b.controlPlane.ImageRepository
	if repository == "" {
		return
	}
	version := b.node.KubernetesVersion
	c.APIServerConfig.ContainerImage = image(repository, version, constants.KubernetesAPIServerImage, "")
	c.ControllerManagerConfig.ContainerImage = image(repository, version, constants.KubernetesControllerManagerImage, "")
	c.SchedulerConfig.ContainerImage = image(repository, version, constants.KubernetesSchedulerImage, "")
}

// ownWays finds what Talos does in its own way.
func (b *build) ownWays() {
	at, certificates := b.controlPlaneSource, b.controlPlane.Certificates
	if certificates.ValidityDays != 0 {
		b.find(report.Errorf(at.Field("certificates").Field("validityDays"), "Talos renews its certificates itself").
			To("leave it out"))
	}
	if certificates.Algorithm != "" {
		b.find(report.Warningf(at.Field("certificates").Field("algorithm"), "the cluster's authorities have such keys; "+
			"Talos chooses the algorithm of all others"))
	}
	for i := range b.controlPlane.FeatureGates {
		b.find(report.Errorf(at.Field("featureGates").Index(i), "the feature gates are kubeadm's").To(
			"use the argument feature-gates of a component"))
	}
	if len(b.controlPlane.BootstrapTokens) > 0 {
		b.find(report.Errorf(at.Field("bootstrapTokens"), "Talos has one bootstrap token, which the cluster's secrets "+
			"bundle contains").To("leave them out"))
	}
}

func controllerManagerDenied() []string {
	return []string{
		"cluster-signing-cert-file", "cluster-signing-key-file", "authentication-kubeconfig", "authorization-kubeconfig",
		"root-ca-file", "service-account-private-key-file",
	}
}

func schedulerDenied() []string {
	return []string{"kubeconfig", "authentication-kubeconfig", "authorization-kubeconfig", "config"}
}

func etcdDenied() []string {
	return []string{
		"name", "auto-tls", "peer-auto-tls", "data-dir", "listen-peer-urls", "listen-client-urls",
		"client-cert-auth", "cert-file",
		"key-file", "trusted-ca-file", "peer-client-cert-auth", "peer-cert-file", "peer-key-file", "peer-trusted-ca-file",
		"experimental-initial-corrupt-check", "experimental-watch-progress-notify-interval",
		"experimental-compact-hash-check-enabled",
		"initial-cluster", "initial-cluster-state", "initial-advertise-peer-urls", "advertise-client-urls",
	}
}

func sorted(t node.Tree) []string {
	keys := make([]string, 0, len(t))
	for key := range t {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func number(n int) string { return strconv.Itoa(n) }
