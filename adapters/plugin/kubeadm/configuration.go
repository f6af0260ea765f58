package kubeadm

import (
	"maps"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/kubeadmnames"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// configuration returns the content of kubeadm's configuration file.
func (j *job) configuration() (document.Content, error) { return j.encode(j.documents) }

// encode returns the documents with facts in the place of their placeholders. If other text contains something that
// looks like a placeholder, it builds them a second time, with placeholders that differ from all other text.
func (j *job) encode(build func() []any) (document.Content, error) {
	found := j.found
	j.facts.round = 0
	for range 2 {
		j.found, j.facts.placed, j.facts.used = found, 0, nil
		encoded, err := encode(build()...)
		if err != nil {
			return document.Content{}, err
		}
		if content, ok := j.facts.restore(encoded); ok {
			return content, nil
		}
		j.facts.round = freeRound(encoded)
	}
	j.find(report.Errorf(j.at, "no placeholder for facts is free").To("remove texts that begin with @fact"))
	return document.Content{}, nil
}

func (j *job) documents() []any {
	if j.node.Role != node.RoleInit {
		return []any{j.join()}
	}
	documents := []any{j.cluster(), j.init()}
	if config := healthEndpoint(j.node.Kubelet.Config); len(config) > 0 {
		documents = append(documents, tree("kubelet.config.k8s.io/v1beta1", "KubeletConfiguration", config))
	}
	if p := j.controlPlane; p != nil && len(p.KubeProxyConfig) > 0 && !p.KubeProxy.Disabled {
		documents = append(documents, tree("kubeproxy.config.k8s.io/v1alpha1", "KubeProxyConfiguration", p.KubeProxyConfig))
	}
	return documents
}

// healthEndpoint returns the fields that kubeadm init reads to wait for kubelet; it ignores the patch there, unlike
// kubeadm join (cmd/kubeadm/app/cmd/phases/init/waitcontrolplane.go). It stores the document as the default of all
// machines that join, so the document does not contain other fields.
func healthEndpoint(config node.Tree) node.Tree {
	fields := node.Tree{}
	for _, name := range []string{"healthzBindAddress", "healthzPort"} {
		if value, given := config[name]; given {
			fields[name] = value
		}
	}
	return fields
}

func tree(api, kind string, fields node.Tree) map[string]any {
	t := make(map[string]any, len(fields)+2)
	maps.Copy(t, fields)
	t["apiVersion"], t["kind"] = api, kind
	return t
}

func (j *job) init() *initConfiguration {
	c := &initConfiguration{
		typeMeta:         typeMeta{j.api.api(), "InitConfiguration"},
		NodeRegistration: j.registration(),
		LocalAPIEndpoint: j.endpoint(),
		SkipPhases:       j.skipPhases(),
		Patches:          j.patches(),
		Timeouts:         j.timeouts(),
	}
	p := j.controlPlane
	if p == nil {
		return c
	}
	c.BootstrapTokens = bootstrapTokens(p.BootstrapTokens)
	if !j.api.isV1beta4() {
		c.SkipPhases = skipAddons(c.SkipPhases, *p)
	}
	return c
}

func bootstrapTokens(tokens []node.InitToken) []bootstrapToken {
	var out []bootstrapToken
	for _, t := range tokens {
		token := bootstrapToken{
			Token: string(t.Token.Reveal()), Description: t.Description, Usages: t.Usages, Groups: t.Groups,
		}
		if t.TTLSeconds != nil {
			token.TTL = strconv.Itoa(*t.TTLSeconds) + "s"
		}
		out = append(out, token)
	}
	return out
}

// skipPhases returns the phases to skip that the command of this machine has.
func (j *job) skipPhases() []string {
	return kubeadmnames.SkipPhases(j.node.SkipPhases, j.node.Role, int(j.api))
}

// skipAddons leaves addons out as v1beta3 does it.
func skipAddons(phases []string, p node.ControlPlaneConfig) []string {
	phases = append([]string(nil), phases...)
	if p.CoreDNS.Disabled {
		phases = append(phases, "addon/coredns")
	}
	if p.KubeProxy.Disabled {
		phases = append(phases, "addon/kube-proxy")
	}
	return phases
}

func (j *job) join() *joinConfiguration {
	c := &joinConfiguration{
		typeMeta:         typeMeta{j.api.api(), "JoinConfiguration"},
		Discovery:        j.discovery(),
		NodeRegistration: j.registration(),
		SkipPhases:       j.skipPhases(),
		Patches:          j.patches(),
		Timeouts:         j.timeouts(),
	}
	if dir := j.node.CertificatesDir; dir != "" && dir != defaultCertificatesDir {
		c.CACertPath = j.target.place(dir + "/ca.crt")
	}
	if d := j.node.Discovery; d != nil && d.CACertPath != "" {
		c.CACertPath = d.CACertPath
	}
	if j.node.Role == node.RoleControlPlane {
		c.ControlPlane = &joinControlPlane{LocalAPIEndpoint: j.endpoint()}
	}
	return c
}

func (j *job) endpoint() *apiEndpoint {
	if j.node.AdvertiseAddress.IsZero() && j.node.BindPort == 0 {
		return nil
	}
	j.found = append(j.found, checkContent(j.at.Field("advertiseAddress"), j.node.AdvertiseAddress)...)
	return &apiEndpoint{AdvertiseAddress: j.facts.text(j.node.AdvertiseAddress), BindPort: j.node.BindPort}
}

func (j *job) discovery() discovery {
	d := j.node.Discovery
	if d == nil {
		j.find(report.Errorf(j.at.Field("discovery"), "discovery is required for a machine that joins").
			To("set a token and CA certificate hashes, or a kubeconfig"))
		return discovery{}
	}
	if d.HasKubeconfig() {
		path := d.KubeconfigPath
		if path == "" {
			path = j.target.place(DiscoveryPath)
		}
		return discovery{
			File: &fileDiscovery{KubeConfigPath: path}, TLSBootstrapToken: string(d.TLSBootstrapToken.Reveal()),
			Timeout: j.discoveryTimeout(),
		}
	}
	endpoint := d.APIServerEndpoint
	if endpoint == "" {
		endpoint = j.node.Cluster.Endpoint
	}
	return discovery{
		BootstrapToken: &tokenDiscovery{
			Token: string(d.Token.Reveal()), APIServerEndpoint: endpoint, CACertHashes: d.CACertHashes,
			UnsafeSkipCAVerification: d.UnsafeSkipCAVerification,
		},
		Timeout: j.discoveryTimeout(),
	}
}

// discoveryTimeout is where v1beta3 has the timeout of discovery.
func (j *job) discoveryTimeout() string {
	if j.api.isV1beta4() {
		return ""
	}
	return seconds(j.node.Timeouts.Discovery)
}

// timeouts are v1beta4's. v1beta3 has two of them, in other places; the rest is refused.
func (j *job) timeouts() *timeouts {
	t := j.node.Timeouts
	if t == (node.Timeouts{}) {
		return nil
	}
	if !j.api.isV1beta4() {
		j.refuseTimeouts(t)
		return nil
	}
	return &timeouts{
		ControlPlaneComponentHealthCheck: seconds(t.ControlPlaneComponentHealthCheck),
		KubeletHealthCheck:               seconds(t.KubeletHealthCheck),
		KubernetesAPICall:                seconds(t.KubernetesAPICall),
		EtcdAPICall:                      seconds(t.EtcdAPICall),
		TLSBootstrap:                     seconds(t.TLSBootstrap),
		Discovery:                        seconds(t.Discovery),
	}
}

func (j *job) refuseTimeouts(t node.Timeouts) {
	at := j.at.Field("timeouts")
	given := []struct {
		field   string
		seconds int
	}{
		{"kubeletHealthCheckSeconds", t.KubeletHealthCheck},
		{"kubernetesAPICallSeconds", t.KubernetesAPICall},
		{"etcdAPICallSeconds", t.EtcdAPICall},
		{"tlsBootstrapSeconds", t.TLSBootstrap},
	}
	for _, g := range given {
		if g.seconds != 0 {
			j.needs(firstV1beta4, at.Field(g.field), "this timeout")
		}
	}
	if t.ControlPlaneComponentHealthCheck != 0 && j.node.Role != node.RoleInit {
		j.find(report.Infof(at.Field("controlPlaneComponentHealthCheckSeconds"),
			"kubeadm of Kubernetes %s takes this timeout from the cluster when it joins", j.api.name()))
	}
}

func seconds(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n) + "s"
}

func days(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(24*n) + "h"
}

// cluster is the configuration of the whole cluster, which kubeadm init stores in it for all further machines.
func (j *job) cluster() *clusterConfiguration {
	c := j.node.Cluster
	config := &clusterConfiguration{
		typeMeta:             typeMeta{j.api.api(), "ClusterConfiguration"},
		ClusterName:          c.Name,
		KubernetesVersion:    j.node.KubernetesVersion,
		ControlPlaneEndpoint: c.Endpoint,
		Networking: networking{
			PodSubnet:     strings.Join(c.PodSubnets, ","),
			ServiceSubnet: strings.Join(c.ServiceSubnets, ","),
			DNSDomain:     c.DNSDomain,
		},
		CertificatesDir: j.node.CertificatesDir,
	}
	if !j.api.isV1beta4() {
		config.APIServer.TimeoutForControlPlane = seconds(j.node.Timeouts.ControlPlaneComponentHealthCheck)
	}
	if j.controlPlane == nil {
		config.ControllerManager = j.component(node.Component{}, j.flexVolumes(node.Component{}), "")
		return config
	}
	j.addControlPlane(config, *j.controlPlane)
	return config
}
