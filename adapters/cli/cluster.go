package cli

import (
	"cmp"
	"context"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// talosSuffix and talosKey name the Secret with the secrets of a Talos cluster, and the key in it.
const (
	talosSuffix = "-talos"
	talosKey    = "bundle"
)

// cluster returns the facts about a machine's cluster. Its infrastructure is assumed to be ready. The findings name the
// placeholders for what the manifests do not contain.
func (p *producer) cluster(m *machine) (ports.Cluster, report.Report, error) {
	key := ports.Key{Namespace: m.config.Namespace, Name: m.cluster}
	if key.Name == "" {
		key.Name = "cluster"
	}
	c := ports.Cluster{Key: key, Network: node.Cluster{Name: key.Name}, InfrastructureReady: true, StandAlone: true}
	var findings report.Report
	var evidence ports.ControlPlaneEvidence
	if o := p.manifests.find(clusterv1.GroupVersion.Group, clusterv1.ClusterKind, key.Namespace, key.Name); o != nil {
		m.clusterObject = o
		spec, err := decodeSpec[clusterv1.ClusterSpec](o)
		if err != nil {
			return c, nil, err
		}
		setCluster(&c, spec)
		if c.Network.Endpoint == "" {
			c.Network.Endpoint = p.manifests.endpointOf(o, spec.InfrastructureRef)
		}
		evidence.Setting = o.Annotations[ports.ControlPlaneTypeAnnotation]
		if spec.ControlPlaneRef.APIGroup != controlplanev1.Group {
			evidence.Provider = spec.ControlPlaneRef.Kind
		}
		t, found, err := p.manifests.topologyOf(o)
		if err != nil {
			return c, nil, err
		}
		if found {
			c.StandAlone, evidence.Provider = false, t.controlPlaneKind()
			findings = append(findings, t.withoutPatches()...)
		}
	} else {
		findings = append(findings, report.Infof("", "the manifests contain no such cluster; a placeholder replaces it"))
	}
	p.setControlPlane(&c, evidence, m)
	if c.Network.Endpoint == "" {
		c.Network.Endpoint = key.Name + ".invalid:6443"
		findings = append(findings, report.Infof("", "there is no control plane endpoint yet; %s replaces it",
			c.Network.Endpoint))
	}
	if _, found := p.manifests.keyPair(key, node.PurposeClusterCA); !found {
		findings = append(findings, report.Infof("",
			"the manifests contain no CA; publicly known placeholders replace all certificates"))
	}
	_, found := p.manifests.lookup(key.Namespace, "Secret", key.Name+talosSuffix, talosKey)
	isTalos := bootstrap.DetectControlPlane(c.ControlPlane).Type == node.ControlPlaneTalos
	if isTalos && !found {
		findings = append(findings, report.Infof("",
			"the manifests contain no Talos secrets; publicly known placeholders replace them"))
	}
	return c, findings, nil
}

// endpointOf returns the endpoint of the Cluster's infrastructure object, from which Cluster API copies it, or empty if
// it is not known.
func (m *manifests) endpointOf(cluster *object, ref clusterv1.ContractVersionedObjectReference) string {
	o := m.find(ref.APIGroup, ref.Kind, cluster.Namespace, ref.Name)
	if o == nil {
		return ""
	}
	spec, err := decodeSpec[struct{ ControlPlaneEndpoint clusterv1.APIEndpoint }](o)
	endpoint := spec.ControlPlaneEndpoint
	if ref.APIGroup == hostsv1.Group {
		endpoint.Port = cmp.Or(endpoint.Port, hostsv1.DefaultAPIPort)
	}
	if err != nil || !endpoint.IsValid() {
		return ""
	}
	return endpoint.String()
}

func setCluster(c *ports.Cluster, spec clusterv1.ClusterSpec) {
	n := spec.ClusterNetwork
	c.Network.PodSubnets, c.Network.ServiceSubnets, c.Network.DNSDomain = n.Pods.CIDRBlocks, n.Services.CIDRBlocks,
		n.ServiceDomain
	if spec.ControlPlaneEndpoint.IsValid() {
		c.Network.Endpoint = spec.ControlPlaneEndpoint.String()
	}
	c.StandAlone = !spec.ControlPlaneRef.IsDefined()
}

// setControlPlane sets what the control plane machines among the manifests determine. The first one initializes a
// cluster that has no control plane provider, and so does that of a MachineadmControlPlane. Without evidence, the
// machine m is assumed to match the control plane.
func (p *producer) setControlPlane(c *ports.Cluster, e ports.ControlPlaneEvidence, m *machine) {
	var first *machine
	for _, other := range p.manifests.machines {
		if !other.ControlPlane || !other.inClusterOf(m) {
			continue
		}
		if first == nil {
			first = other
		}
		e.Machines = append(e.Machines, other.evidence())
	}
	c.OldestVersion = p.manifests.oldestVersion(m)
	e.Machines = append(e.Machines, m.evidence())
	c.ControlPlane = e
	c.Initialized = !c.StandAlone && !m.config.isControlPlane() && !m.config.isControlPlaneTemplate() || first != m
}

// oldestVersion returns the oldest version of the control plane machines in the cluster of the machine.
func (m *manifests) oldestVersion(of *machine) string {
	oldest := ""
	for _, other := range m.machines {
		if other.ControlPlane && other.inClusterOf(of) {
			oldest = older(oldest, other.Version)
		}
	}
	return oldest
}

// evidence decodes the machine's object only once, because each machine of a cluster reads that of all others.
func (m *machine) evidence() ports.MachineEvidence {
	if m.known == nil {
		m.known = &ports.MachineEvidence{Name: m.Name, Distribution: m.spec().OS.Distribution}
	}
	return *m.known
}

// older returns the older version; one that is not a version is newer than any.
func older(a, b string) string {
	versionA, okA := node.ParseVersion(a)
	versionB, okB := node.ParseVersion(b)
	if okB && (!okA || versionB.Less(versionA)) {
		return b
	}
	return a
}

// certificates returns a port with the key pairs of the manifests. It computes all others.
func (p *producer) certificates(cluster ports.Key) *memory.Certificates {
	c := &memory.Certificates{Assume: true}
	for _, purpose := range append(node.ControlPlanePurposes(true), node.PurposeEtcdClient) {
		if pair, found := p.manifests.keyPair(cluster, purpose); found {
			c.Put(cluster, purpose, pair)
		}
	}
	return c
}

// keyPair returns the key pair in the Secret <cluster>-<purpose>.
func (m *manifests) keyPair(cluster ports.Key, p node.Purpose) (node.KeyPair, bool) {
	name := cluster.Name + "-" + string(p)
	certificate, found := m.lookup(cluster.Namespace, "Secret", name, "tls.crt")
	key, _ := m.lookup(cluster.Namespace, "Secret", name, "tls.key")
	return node.KeyPair{Certificate: certificate, Key: secret.New(key)}, found
}

// talos returns a port with the Talos secrets of the manifests. It computes them if there are none.
func (p *producer) talos(ctx context.Context, cluster ports.Key) *memory.TalosSecrets {
	t := &memory.TalosSecrets{Assume: true}
	text, found := p.manifests.lookup(cluster.Namespace, "Secret", cluster.Name+talosSuffix, talosKey)
	if !found {
		return t
	}
	secrets, err := convert.DecodeTalosBundle(ctx, text)
	if err != nil {
		t.Break(cluster, err)
	} else {
		t.Put(cluster, secrets)
	}
	return t
}
