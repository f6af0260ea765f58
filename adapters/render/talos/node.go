package talos

import (
	"cmp"
	"net/netip"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/config/types/network"
	"github.com/siderolabs/talos/pkg/machinery/config/types/v1alpha1"
	"github.com/siderolabs/talos/pkg/machinery/nethelpers"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// maxHostname is how long the first label of a host name may be.
const maxHostname = 63

// containerdSocket is where kubelet finds containerd on Talos.
const containerdSocket = "unix:///run/containerd/containerd.sock"

// controlPlaneTaint is the one that Talos gives a control plane node unless pods may run on it.
const controlPlaneTaint = "node-role.kubernetes.io/control-plane"

// renderNode renders the fields that the base does not have yet.
func (b *build) renderNode() {
	b.hostname()
	b.labels()
	b.annotations()
	b.kubelet()
	b.taints()
	b.addresses()
	b.discovery()
	b.registration()
	b.kubeadm()
}

// hostname fixes the machine's name, which is the node's. Without one, or if the name is the platform's own, the
// machine takes the platform's.
func (b *build) hostname() {
	at, content := b.registrationAt().Field("name"), b.node.Registration.Name
	given, static := content.Static()
	name := string(given)
	host, source, _ := document.First[machine.HostConfig](b.plan.Documents)
	switch {
	case content.Equal(document.FromFact(document.FactHostname)):
	case !static:
		b.find(fact(at))
		return
	case host.RandomHostname && name == "":
		b.find(report.Errorf(source.Path.Field("randomHostname"), "Talos generates a name only if the platform sets none").
			To("leave it out, or set hostname"))
		return
	case name != "" && (host.RandomHostname || host.Hostname != "" && name != host.Hostname):
		b.find(report.Errorf(source.Path, "the node's name is %q, but Talos uses the machine's name for the node", name).
			To("keep one of them"))
		return
	}
	if name = cmp.Or(name, host.Hostname); name == "" {
		b.autoHostname()
		return
	}
	b.fixHostname(at, name)
}

func (b *build) fixHostname(at report.Path, name string) {
	first, _, domain := strings.Cut(name, ".")
	if len(first) > maxHostname {
		b.find(report.Errorf(at, "the first part of a host name has at most %d characters", maxHostname))
		return
	}
	if domain {
		// Otherwise the node's name would be the first part alone.
		b.config.MachineConfig.MachineKubelet.KubeletRegisterWithFQDN = new(true)
	}
	if !b.contract.since(sinceDocuments) {
		b.legacyHostname(name)
		return
	}
	d := network.NewHostnameConfigV1Alpha1()
	d.ConfigAuto, d.ConfigHostname = new(nethelpers.AutoHostnameKindOff), name
	b.add(d)
}

// autoHostname makes Talos generate a name for a machine without one. Before 1.12 the base sets this.
func (b *build) autoHostname() {
	if b.contract.since(sinceDocuments) {
		d := network.NewHostnameConfigV1Alpha1()
		d.ConfigAuto = new(nethelpers.AutoHostnameKindStable)
		b.add(d)
	}
}

func (b *build) labels() {
	m := b.config.MachineConfig
	for i, l := range b.node.Registration.Labels {
		if m.MachineNodeLabels == nil {
			m.MachineNodeLabels = map[string]string{}
		}
		m.MachineNodeLabels[l.Key] = b.text(b.registrationAt().Field("labels").Index(i), l.Value, plain)
	}
}

func (b *build) annotations() {
	m := b.config.MachineConfig
	for i, a := range b.node.Registration.Annotations {
		if m.MachineNodeAnnotations == nil {
			m.MachineNodeAnnotations = map[string]string{}
		}
		m.MachineNodeAnnotations[a.Key] = b.text(b.registrationAt().Field("annotations").Index(i), a.Value, plain)
	}
}

// taints are given by kubelet when it registers the node. Talos's own nodeTaints come later and, on a worker, are
// refused by the API server: no kubelet may change the taints of its node (admission plug-in NodeRestriction).
func (b *build) taints() {
	reg := b.node.Registration
	var list []any
	own := false
	for _, t := range reg.Taints {
		if t.Key == controlPlaneTaint && t.Effect == "NoSchedule" && t.Value == "" && b.node.Role.IsControlPlane() {
			own = true
			continue
		}
		taint := map[string]any{"key": t.Key, "effect": string(t.Effect)}
		if t.Value != "" {
			taint["value"] = t.Value
		}
		list = append(list, taint)
	}
	if reg.TaintsSet && !own && b.node.Role.IsControlPlane() {
		b.config.ClusterConfig.AllowSchedulingOnControlPlanes = new(true)
	}
	if len(list) == 0 {
		return
	}
	extra := &b.config.MachineConfig.MachineKubelet.KubeletExtraConfig
	if _, given := extra.Object["registerWithTaints"]; given {
		b.find(report.Errorf(b.nodeAt.Field("kubelet").Field("config").Field("registerWithTaints"),
			"the node's field taints sets it, too").To("keep one of them"))
		return
	}
	if extra.Object == nil {
		extra.Object = map[string]any{}
	}
	extra.Object["registerWithTaints"] = list
}

// addresses has kubelet and etcd use the address that the API server is to advertise: Talos has the API server
// advertise the node's.
func (b *build) addresses() {
	at, content := b.nodeAt.Field("advertiseAddress"), b.node.AdvertiseAddress
	text, static := content.Static()
	switch {
	case !static:
		b.find(fact(at))
		return
	case len(text) == 0:
		return
	}
	address, err := netip.ParseAddr(string(text))
	if err != nil || b.config.ClusterConfig.EtcdConfig == nil {
		b.find(report.Errorf(at, "%q is not the address of a control plane machine", text))
		return
	}
	subnets := []string{netip.PrefixFrom(address, address.BitLen()).String()}
	b.config.MachineConfig.MachineKubelet.KubeletNodeIP = &v1alpha1.KubeletNodeIPConfig{KubeletNodeIPValidSubnets: subnets}
	b.config.ClusterConfig.EtcdConfig.EtcdAdvertisedSubnets = subnets
}

func (b *build) discovery() {
	if d := b.node.Discovery; d != nil && !d.Kubeconfig.IsZero() {
		b.find(report.Errorf(b.nodeAt.Field("discovery").Field("kubeconfig"), "Talos joins by token").To("leave it out"))
	}
	if d := b.node.Discovery; d != nil && (d.KubeconfigPath != "" || d.CACertPath != "" || d.UnsafeSkipCAVerification) {
		b.find(report.Errorf(b.nodeAt.Field("discovery"), "Talos joins by token and with the certificate of the CA").
			To("leave out kubeconfigPath, caCertPath and unsafeSkipCAVerification"))
	}
}

func (b *build) registrationAt() report.Path { return b.nodeAt.Field("registration") }

// registration finds what kubeadm would do for the node and Talos does in its own way.
func (b *build) registration() {
	reg, at := b.node.Registration, b.registrationAt()
	if reg.CRISocket != "" && reg.CRISocket != containerdSocket {
		b.find(report.Errorf(at.Field("criSocket"), "Talos's containerd listens at %s", containerdSocket).To("leave it out"))
	}
	if len(reg.IgnorePreflightErrors) > 0 {
		b.find(report.Errorf(at.Field("ignorePreflightErrors"), "Talos does not check before it joins").To("leave it out"))
	}
	if reg.ImagePullPolicy != "" && reg.ImagePullPolicy != "IfNotPresent" {
		b.find(report.Errorf(at.Field("imagePullPolicy"), "Talos pulls images that are not present").To("leave it out"))
	}
	if reg.ImagePullSerial != nil {
		b.find(report.Errorf(at.Field("imagePullSerial"), "Talos pulls its images in its own order").To("leave it out"))
	}
}

// kubeadm finds what is for kubeadm, which no Talos machine runs.
func (b *build) kubeadm() {
	at := b.nodeAt
	for i := range b.node.Patches {
		b.find(report.Errorf(at.Field("patches").Index(i), "Talos has no kubeadm to patch").
			To("use the fields of kubelet and controlPlane, or a snippet of format talos"))
	}
	if b.node.PatchesDirectory != "" {
		b.find(report.Errorf(at.Field("patchesDirectory"), "Talos has no kubeadm to patch").To("leave it out"))
	}
	for i, phase := range b.node.SkipPhases {
		b.find(report.Errorf(at.Field("skipPhases").Index(i), "Talos has no phase %q", phase).
			To("leave it out; controlPlane.kubeProxy and controlPlane.coreDNS turn the addons off"))
	}
	if b.node.Timeouts != (node.Timeouts{}) {
		b.find(report.Errorf(at.Field("timeouts"), "Talos has no timeouts for joining").To("leave them out"))
	}
	if b.node.Verbosity != 0 {
		b.find(report.Errorf(at.Field("verbosity"), "Talos does not run kubeadm").To("leave it out"))
	}
	if dir := b.node.CertificatesDir; dir != "" && dir != "/etc/kubernetes/pki" {
		b.find(report.Errorf(at.Field("certificatesDir"), "Talos does not support another directory for certificates").
			To("leave it out"))
	}
}
