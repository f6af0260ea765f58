package talos

import (
	"cmp"
	"context"
	"errors"
	"net"
	"slices"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/config/config"
	"github.com/siderolabs/talos/pkg/machinery/config/container"
	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	talosmachine "github.com/siderolabs/talos/pkg/machinery/config/machine"
	"github.com/siderolabs/talos/pkg/machinery/config/types/v1alpha1"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// defaultInstallDisk is the disk to which Talos installs itself when it was booted from an ISO image or over the
// network. Installed images ignore it. It is the default of Talos's own generator.
const defaultInstallDisk = "/dev/sda"

// build is one configuration in the making.
type build struct {
	plan     plan.Plan
	contract contract

	node               node.NodeConfig
	nodeAt             report.Path
	controlPlane       node.ControlPlaneConfig
	controlPlaneSource report.Path
	secrets            node.TalosSecrets
	keys               keys

	config *v1alpha1.Config
	// documents are the other documents of the output, in the order in which they were added.
	documents []config.Document
	files     files
	storage   *storage
	// containerd is the file by which containerd is tuned; empty leaves it out.
	containerd []byte
	findings   report.Report
}

// begin finds what every configuration needs.
func begin(p plan.Plan) (*build, report.Report) {
	b := &build{plan: p}
	var found bool
	var source document.Source
	if b.node, source, found = document.First[node.NodeConfig](p.Documents); !found {
		return nil, report.Report{report.Errorf(anyPath(p), "a Talos machine is always a node of a cluster").
			To("add the NodeConfig of the node")}
	}
	b.nodeAt = source.Path
	var findings report.Report
	if b.contract, findings = contractOf(p.Target); findings.HasErrors() {
		return nil, findings
	}
	if b.secrets, _, found = document.First[node.TalosSecrets](p.Documents); !found {
		return nil, report.Report{report.Errorf(b.nodeAt, "the cluster has no Talos secrets yet").
			To("create them once for the cluster")}
	}
	b.controlPlane, source, _ = document.First[node.ControlPlaneConfig](p.Documents)
	b.controlPlaneSource = source.Path
	findings = append(findings, checkKubernetes(p.Target, b.node.KubernetesVersion,
		b.nodeAt.Field("kubernetesVersion"))...)
	b.keys = sortKeys(b.node.Certificates)
	findings = append(findings, b.checkKeys()...)
	return b, append(findings, b.checkEndpoint()...)
}

// anyPath is the path of findings about the whole plan.
func anyPath(p plan.Plan) report.Path {
	if len(p.Documents) == 0 {
		return "spec"
	}
	return p.Documents[0].Source.Path
}

// endpoint is the control plane's host:port.
func (b *build) endpoint() string {
	if b.node.Cluster.Endpoint != "" || b.node.Discovery == nil {
		return b.node.Cluster.Endpoint
	}
	return b.node.Discovery.APIServerEndpoint
}

func (b *build) checkEndpoint() report.Report {
	ours := b.endpoint()
	if ours == "" {
		return report.Report{report.Errorf(b.nodeAt.Field("cluster").Field("endpoint"),
			"Talos needs the control plane's endpoint").
			To("set controlPlaneEndpoint of the cluster")}
	}
	if d := b.node.Discovery; d != nil && d.APIServerEndpoint != "" && d.APIServerEndpoint != ours {
		return report.Report{report.Errorf(b.nodeAt.Field("discovery").Field("apiServerEndpoint"),
			"Talos has one endpoint for joining and for later, and the cluster's is %s", ours).To("leave it out")}
	}
	return nil
}

// machineType returns controlplane for the first machine too: what makes it the first is a call of Talos's API.
func (b *build) machineType() talosmachine.Type {
	if b.node.Role.IsControlPlane() {
		return talosmachine.TypeControlPlane
	}
	return talosmachine.TypeWorker
}

// generate makes the base with Talos's own generator. It is given the secrets, hence draws none and asks for no time.
func (b *build) generate() error {
	host, _, err := net.SplitHostPort(b.endpoint())
	if err != nil {
		host = b.endpoint()
	}
	options := []generate.Option{
		generate.WithVersionContract(b.contract.VersionContract),
		generate.WithSecretsBundle(b.bundle()),
		generate.WithInstallDisk(cmp.Or(b.plan.Target.InstallDisk, defaultInstallDisk)),
		generate.WithAdditionalSubjectAltNames(b.names(host)),
	}
	if b.node.Cluster.DNSDomain != "" {
		options = append(options, generate.WithDNSDomain(b.node.Cluster.DNSDomain))
	}
	if b.node.BindPort != 0 {
		options = append(options, generate.WithLocalAPIServerPort(b.node.BindPort))
	}
	version := strings.TrimPrefix(b.node.KubernetesVersion, "v")
	input, err := generate.NewInput(b.node.Cluster.Name, "https://"+b.endpoint(), version, options...)
	if err != nil {
		return err
	}
	provider, err := input.Config(b.machineType())
	if err != nil {
		return err
	}
	b.config = provider.RawV1Alpha1()
	if a := b.config.ClusterConfig.APIServerConfig; a != nil {
		// Before 1.12 the generator adds the endpoint's name itself.
		a.CertSANs = slices.Compact(a.CertSANs)
	}
	b.network()
	return nil
}

// names are what the certificates of Talos's API, and on a control plane machine those of the API server, are valid for
// beside the machine's own names.
func (b *build) names(host string) []string {
	if !b.node.Role.IsControlPlane() {
		return nil
	}
	names := []string{host}
	for _, name := range b.controlPlane.APIServer.CertSANs {
		if name != host {
			names = append(names, name)
		}
	}
	return names
}

// network takes the cluster's networks in place of the generator's.
func (b *build) network() {
	n := b.config.ClusterConfig.ClusterNetwork
	if len(b.node.Cluster.PodSubnets) > 0 {
		n.PodSubnet = b.node.Cluster.PodSubnets
	}
	if len(b.node.Cluster.ServiceSubnets) > 0 {
		n.ServiceSubnet = b.node.Cluster.ServiceSubnets
	}
}

// find records a finding.
func (b *build) find(f report.Finding) { b.findings = append(b.findings, f) }

// add adds a document beside the v1alpha1 one.
func (b *build) add(d config.Document) { b.documents = append(b.documents, d) }

// render renders each document and each step, and returns the paths of the steps.
func (b *build) render(ctx context.Context) ([]string, error) {
	b.find(report.Infof("spec.os", "Talos writes no sentinel file").
		To("configure the infrastructure provider not to wait for one; a Ready node shows that the machine has joined"))
	for i, d := range b.plan.Documents {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if b.plan.Native[i] {
			b.document(ctx, d)
		}
	}
	places := make([]string, len(b.plan.Steps))
	for _, s := range b.plan.Steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b.step(s)
	}
	b.renderVolumes()
	b.renderFiles()
	for i, s := range b.plan.Steps {
		if op, ok := s.Do.(action.WriteFile); ok {
			places[i] = b.placeOf(op.Path)
		}
	}
	return places, nil
}

// finish merges the user's patches and encodes. It returns nothing next to error findings.
func (b *build) finish(ctx context.Context) ([]byte, error) {
	if b.findings.HasErrors() {
		return nil, nil
	}
	provider, err := container.New(append([]config.Document{b.config}, b.documents...)...)
	if err != nil {
		return nil, err
	}
	patched, findings := patch(ctx, provider, b.plan.Snippets)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if b.findings = append(b.findings, findings...); b.findings.HasErrors() {
		return nil, nil
	}
	data, err := encode(patched)
	if errors.Is(err, errFragileKey) {
		b.find(report.Errorf(b.nodeAt, "%v, which Talos's encoder does not write", err))
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	b.findings = append(b.findings, check(data, b.nodeAt)...)
	return data, nil
}
