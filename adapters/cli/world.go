package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"net"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// world stands in for the clusters: for the one that holds the manifests, and for the ones that they describe.
type world struct {
	options   Options
	manifests *manifests
	// format, version and infrastructure override what the manifests say; empty does not.
	format         delivery.Format
	version        string
	infrastructure string
	// profiles are known beside those that machineadm has.
	profiles []osprofile.Profile
}

// produced is what came of a machine.
type produced struct {
	machine  *aMachine
	payload  delivery.Payload
	result   render.Result
	findings report.Report
	// cluster names the machine's cluster, and assumed tells what takes the place of what is not known of it.
	cluster string
	assumed report.Report
}

// produce has the controller's use case make the machine's data, within a budget of its own, as in the controller.
func (w *world) produce(ctx context.Context, m *aMachine) (produced, error) {
	out := produced{machine: m}
	ctx = budget.NewContext(ctx, budget.New(budget.Default()))
	request, err := w.request(ctx, m, &out)
	if err != nil {
		return out, err
	}
	service := bootstrap.New(bootstrap.Options{
		Render: w.render(&out), Certificates: w.certificates(request.Cluster.Key), Tokens: &memory.Tokens{},
		Talos: w.talos(ctx, request.Cluster.Key),
		Lock:  &memory.InitLock{}, Data: &memory.DataSecrets{}, Clock: &memory.Clock{}, Entropy: &memory.Entropy{},
		Endpoint: func() (bootstrap.Endpoint, error) { return standIn(&out), nil },
		// At the terminal, the identity with key management services is the user's own.
		KeyIdentity: func(string) bool { return true },
	})
	outcome, err := service.Produce(ctx, request)
	if err != nil {
		return out, err
	}
	out.take(outcome)
	return out, nil
}

// standIn takes the place of the controller's endpoint, which its flags tell of.
func standIn(out *produced) bootstrap.Endpoint {
	out.findings = append(out.findings, report.Infof("", "a placeholder replaces the controller's endpoint"))
	return bootstrap.Endpoint{
		URL: "https://endpoint.invalid:9444", Agent: func(string, string) string { return strings.Repeat("0", 64) },
	}
}

// take turns the outcome into findings: at a terminal there is nothing to wait for.
func (p *produced) take(outcome bootstrap.Outcome) {
	switch o := outcome.(type) {
	case bootstrap.Ready:
		p.payload = o.Payload
		p.findings = append(p.findings, o.Findings...)
		if o.TokenID != "" {
			p.findings = append(p.findings, report.Infof("", "a placeholder replaces the token that the controller creates"))
		}
	case bootstrap.Waiting:
		p.findings = append(p.findings, report.Errorf("", "the controller would wait: %s", o.Message))
	case bootstrap.Stalled:
		p.findings = append(p.findings, o.Findings...)
		if len(o.Findings) == 0 {
			p.findings = append(p.findings, report.Errorf("", "%s", o.Message))
		}
	}
}

func (w *world) render(out *produced) bootstrap.RenderFunc {
	if w.format == configurationFormat {
		return w.serialise
	}
	return func(ctx context.Context, docs []document.Document, t osprofile.Target,
		f delivery.Format,
	) (bootstrap.Rendered, error) {
		result, err := w.options.Render.Render(ctx, render.Request{Documents: docs, Target: t, Format: f})
		out.result = result
		return bootstrap.Rendered{
			Payload: result.Rendering.Payload, Findings: result.Findings,
			TooLarge: result.Size.TooLarge,
		}, err
	}
}

func (w *world) request(_ context.Context, m *aMachine, out *produced) (bootstrap.Request, error) {
	cluster, findings, err := w.cluster(m)
	if err != nil {
		return bootstrap.Request{}, err
	}
	out.cluster, out.assumed = "Cluster/"+cluster.Key.String(), findings
	version := m.version
	if w.version != "" || version == "" {
		version = w.version
	}
	name := m.name
	if m.config.Kind == ConfigKind {
		name = m.config.Metadata.Name
	}
	return bootstrap.Request{
		Owner:   ports.Owner{Key: ports.Key{Namespace: m.config.Metadata.Namespace, Name: name}, UID: m.config.String()},
		Cluster: cluster,
		Machine: bootstrap.Machine{
			Name: m.name, Pool: m.pool, ControlPlane: m.controlPlane, Version: version,
			Infrastructure: cmp.Or(w.infrastructure, m.infrastructure),
		},
		Describe: func(ctx context.Context) (bootstrap.Description, error) { return w.describe(ctx, m) },
	}, nil
}

func (w *world) describe(ctx context.Context, m *aMachine) (bootstrap.Description, error) {
	format := w.format
	if format == configurationFormat {
		format = ""
	}
	d, err := w.options.Describe(ctx, Manifest{
		Template: m.config.Kind == TemplateKind, Namespace: m.config.Metadata.Namespace, Name: m.config.Metadata.Name,
		JSON: m.config.json, Format: format, Profiles: w.profiles,
		Find: func(group, kind, name string) ([]byte, bool) {
			o := w.manifests.find(group, kind, m.config.Metadata.Namespace, name)
			if o == nil {
				return nil, false
			}
			o.asked = true
			return o.json, true
		},
	}, func(kind, name, key string) ([]byte, bool) {
		return w.manifests.lookup(m.config.Metadata.Namespace, kind, name, key)
	})
	if d.Findings.HasErrors() && len(d.Missing) == 0 {
		d.Findings = append(d.Findings, d.Fields.In(check(d.Documents))...)
	}
	return d, err
}

// check finds what else is wrong with documents that will not be rendered, so that all mistakes are told at once. The
// node's document is not complete yet.
func check(docs []document.Document) report.Report {
	var findings report.Report
	for _, d := range docs {
		if d.Kind() != node.KindNode {
			findings = append(findings, d.Check()...)
		}
	}
	return findings
}

// lookup returns what a key of a Secret or ConfigMap holds. The clear text of a Secret goes before its data, as the API
// server has it.
func (m *manifests) lookup(namespace, kind, name, key string) ([]byte, bool) {
	o := m.find("", kind, namespace, name)
	if o == nil {
		return nil, false
	}
	var body struct {
		StringData map[string]string `json:"stringData"`
		BinaryData map[string][]byte `json:"binaryData"`
		Data       json.RawMessage   `json:"data"`
	}
	if json.Unmarshal(o.json, &body) != nil {
		return nil, false
	}
	if text, found := body.StringData[key]; found && kind == "Secret" {
		return []byte(text), true
	}
	if kind == "Secret" {
		var data map[string][]byte
		_ = json.Unmarshal(body.Data, &data)
		value, found := data[key]
		return value, found
	}
	var data map[string]string
	_ = json.Unmarshal(body.Data, &data)
	if text, found := data[key]; found {
		return []byte(text), true
	}
	value, found := body.BinaryData[key]
	return value, found
}

// certificates holds the key pairs of the manifests and makes up the others.
func (w *world) certificates(cluster ports.Key) *memory.Certificates {
	c := &memory.Certificates{Assume: true}
	for _, p := range append(node.ControlPlanePurposes(true), node.PurposeEtcdClient) {
		if pair, found := w.manifests.pair(cluster, p); found {
			c.Put(cluster, p, pair)
		}
	}
	return c
}

func (m *manifests) pair(cluster ports.Key, p node.Purpose) (node.KeyPair, bool) {
	name := cluster.Name + "-" + string(p)
	certificate, found := m.lookup(cluster.Namespace, "Secret", name, "tls.crt")
	key, _ := m.lookup(cluster.Namespace, "Secret", name, "tls.key")
	return node.KeyPair{Certificate: certificate, Key: secret.New(key)}, found
}

// cluster returns what the manifests say of the machine's cluster. Its infrastructure is taken to stand.
func (w *world) cluster(m *aMachine) (bootstrap.Cluster, report.Report, error) {
	key := ports.Key{Namespace: m.config.Metadata.Namespace, Name: m.cluster}
	if key.Name == "" {
		key.Name = "cluster"
	}
	c := bootstrap.Cluster{Key: key, Network: node.Cluster{Name: key.Name}, InfrastructureReady: true, StandAlone: true}
	var findings report.Report
	o, provider := w.manifests.find(coreGroup, "Cluster", key.Namespace, key.Name), ""
	if o == nil {
		findings = append(findings, report.Infof("", "the manifests contain no such cluster; a placeholder replaces it"))
	} else {
		var err error
		if provider, err = readCluster(o, &c); err != nil {
			return c, nil, err
		}
	}
	c.ControlPlane = w.controlPlane(m, o, provider)
	if c.Network.Endpoint == "" {
		c.Network.Endpoint = key.Name + ".invalid:6443"
		findings = append(findings, report.Infof("", "there is no control plane endpoint yet; %s replaces it",
			c.Network.Endpoint))
	}
	if _, found := w.manifests.pair(key, node.PurposeClusterCA); !found {
		findings = append(findings, report.Infof("",
			"the manifests contain no CA; publicly known placeholders replace all certificates"))
	}
	findings = append(findings, w.assumedTalos(c)...)
	c.Initialized = !c.StandAlone || w.first(m) != m
	c.OldestVersion = w.oldest(m)
	return c, findings, nil
}

// readCluster reads a Cluster. The provider is the kind of the object that runs its control plane; empty if there is
// none.
func readCluster(o *object, c *bootstrap.Cluster) (provider string, err error) {
	var body struct {
		Spec struct {
			ClusterNetwork struct {
				Pods, Services struct {
					CIDRBlocks []string `json:"cidrBlocks"`
				}
				ServiceDomain string `json:"serviceDomain"`
			} `json:"clusterNetwork"`
			ControlPlaneEndpoint struct {
				Host string `json:"host"`
				Port int    `json:"port"`
			} `json:"controlPlaneEndpoint"`
			ControlPlaneRef *reference `json:"controlPlaneRef"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(o.json, &body); err != nil {
		return "", o.unfit(err)
	}
	n := body.Spec.ClusterNetwork
	c.Network.PodSubnets, c.Network.ServiceSubnets, c.Network.DNSDomain = n.Pods.CIDRBlocks, n.Services.CIDRBlocks,
		n.ServiceDomain
	if e := body.Spec.ControlPlaneEndpoint; e.Host != "" && e.Port != 0 {
		c.Network.Endpoint = net.JoinHostPort(e.Host, strconv.Itoa(e.Port))
	}
	if c.StandAlone = body.Spec.ControlPlaneRef == nil; !c.StandAlone {
		provider = body.Spec.ControlPlaneRef.Kind
	}
	return provider, nil
}

// first returns the machine that starts the cluster of the given one: its first control plane machine.
func (w *world) first(m *aMachine) *aMachine {
	for _, other := range w.manifests.machines {
		if other.controlPlane && other.cluster == m.cluster &&
			other.config.Metadata.Namespace == m.config.Metadata.Namespace {
			return other
		}
	}
	return nil
}

// oldest returns the oldest version of the control plane machines of the machine's cluster; empty if none has one.
func (w *world) oldest(m *aMachine) string {
	oldest := ""
	for _, other := range w.manifests.machines {
		version, ok := node.ParseVersion(other.version)
		if !ok || !other.controlPlane || other.cluster != m.cluster {
			continue
		}
		if known, _ := node.ParseVersion(oldest); oldest == "" || version.Less(known) {
			oldest = other.version
		}
	}
	return oldest
}
