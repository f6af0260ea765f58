package kubeadm

import (
	"context"
	"fmt"
	"slices"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/componentconfig"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/kubeadmnames"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Expander expands nodes and control planes. It has no state.
type Expander struct{}

var _ ports.Expander = Expander{}

// Describe claims the two kinds of documents, which depend on each other. It reads the container runtimes, whose socket
// kubelet's configuration contains, and the file systems, on which the data of etcd may be.
func (Expander) Describe() ports.Capability {
	kinds := []document.Kind{node.KindNode, node.KindControlPlane}
	return ports.Capability{
		Name: "kubeadm", Kinds: kinds,
		Reads: append(expand.RuntimeKinds(), node.KindControlPlane, machine.KindFilesystem, machine.KindMount),
	}
}

// Expand returns the files of a node and the kubeadm command, or the configuration files of a control plane's
// components. Settings that this version of kubeadm does not support are error findings.
func (Expander) Expand(ctx context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	var actions []action.Action
	var r report.Report
	var err error
	switch value := e.Document.Value.(type) {
	case node.NodeConfig:
		actions, r, err = expandNode(ctx, value, e)
	case node.ControlPlaneConfig:
		actions, r = expandControlPlane(ctx, value, e)
	default:
		r = report.Report{report.Errorf(e.Document.Source.Path, "kubeadm does not support a %s", e.Document.Kind())}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("expand %s: %w", e.Document.Kind(), err)
	}
	if r.HasErrors() {
		return nil, r, nil
	}
	return actions, r, nil
}

// job is one expansion of a node: what is asked, and what was found on the way.
type job struct {
	node node.NodeConfig
	// at is where the node is written.
	at report.Path
	// controlPlane is nil without a control plane configuration; planeAt is its path.
	controlPlane       *node.ControlPlaneConfig
	controlPlaneSource report.Path
	target             target
	// runtime is the one that kubelet uses, or empty if only the machine knows.
	runtime osprofile.ContainerRuntime
	api     version
	facts   facts
	found   report.Report
}

// target is what the expansion takes from the operating system.
type target struct{ osprofile.Target }

// place returns the target's path of a file that has the given path on Linux.
func (t target) place(path string) string { return expand.Place(t.Target, path) }

func expandNode(ctx context.Context, n node.NodeConfig, e ports.Expansion) ([]action.Action, report.Report, error) {
	j := job{
		node: n, at: e.Document.Source.Path, target: target{e.Target},
		runtime: e.Target.KnownRuntime(append(slices.Clip(e.Others), e.Document)),
	}
	j.idleRuntimes(e.Others)
	j.checkRuntimeConfig()
	if plane, source, ok := document.First[node.ControlPlaneConfig](e.Others); ok {
		j.controlPlane, j.controlPlaneSource = new(plane), source.Path
	}
	j.checkEtcdMount(e.Others)
	if expand.IsWindows(e.Target) && n.Role != node.RoleWorker {
		return nil, report.Report{onLinux(j.at)}, nil
	}
	api, problem := versionOf(n.KubernetesVersion, "kubernetesVersion")
	j.api = api
	j.checkNames()
	if problem != nil {
		return nil, append(j.found, problem.Below(j.at)...), nil
	}
	config, err := j.configuration()
	if err != nil {
		return nil, nil, err
	}
	actions := make([]action.Action, 0, 6+len(n.Certificates)+len(n.Patches))
	actions = append(actions, file(j.target.place(ConfigPath), config, true))
	actions = j.appendCertificates(actions)
	actions = j.appendDiscovery(ctx, actions)
	if actions, err = j.appendPatches(ctx, actions); err != nil {
		return nil, nil, err
	}
	if actions, err = j.appendAnnotations(append(actions, j.command())); err != nil {
		return nil, nil, err
	}
	return actions, j.found, nil
}

// checkNames checks the names of phases, preflight checks and feature gates, and the configuration of kube-proxy.
// Without a version that is known, the names of all versions pass.
func (j *job) checkNames() {
	minor := int(j.api)
	j.found = append(j.found, kubeadmnames.CheckPhases("skipPhases", j.node.SkipPhases, j.node.Role, minor).Below(j.at)...)
	j.found = append(j.found, kubeadmnames.CheckPreflight("registration.ignorePreflightErrors",
		j.node.Registration.IgnorePreflightErrors, minor).Below(j.at)...)
	if j.controlPlane != nil {
		j.checkTokens()
		j.found = append(j.found, kubeadmnames.CheckGates(j.controlPlaneSource.Field("featureGates"),
			j.controlPlane.FeatureGates, minor)...)
		j.found = append(j.found, componentconfig.KubeProxy(j.controlPlaneSource.Field("kubeProxyConfig"),
			j.controlPlane.KubeProxyConfig, minor)...)
	}
}

// checkTokens finds tokens that kubeadm does not create, because it skips the phase.
func (j *job) checkTokens() {
	const phase = "bootstrap-token"
	if i := slices.Index(j.node.SkipPhases, phase); i >= 0 && len(j.controlPlane.BootstrapTokens) > 0 &&
		j.node.Role == node.RoleInit {
		j.find(report.Warningf(j.at.Field("skipPhases").Index(i), "without the phase %s, kubeadm does not create the tokens "+
			"of controlPlane.bootstrapTokens", phase).To("remove the phase, or the tokens"))
	}
}

// find records a finding.
func (j *job) find(f report.Finding) { j.found = append(j.found, f) }
