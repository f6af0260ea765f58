package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// ControlPlaneReader returns what reads control planes through the client.
type ControlPlaneReader func(c client.Client,
	contents func(namespace string) convert.Resolver) ports.ControlPlaneObjects

// planFlags are the flags of the command plan.
type planFlags struct {
	sources    sources
	observed   string
	connection connection
	output     string
	all        bool
}

func planCommand(o Options) *cobra.Command {
	var p planFlags
	c := &cobra.Command{
		Use:   "plan [NAME]",
		Short: "Show what a control plane does next, and why",
		Long: `Shows the machines of a MachineadmControlPlane with their differences from its
specification, the next operation of the controller, its reason, and what you can
do. Nothing is changed. --all also shows the operations that follow if machines
boot and nothing fails.

It reads the cluster of the kubeconfig, as kubectl does, or files with the Cluster,
the MachineadmControlPlane, its Machines, their configs and their infrastructure
machines. The health of machines and etcd members is that of the conditions of the
Machines; --observed FILE overrides it.`,
		Example: `  machineadmctl plan -n prod
  machineadmctl plan -n prod prod-control-plane --all
  machineadmctl plan -f cluster.yaml --observed observed.yaml -o json
  kubectl get clusters,machineadmcontrolplanes,machines,machinebootstrapconfigs -n prod -o yaml |
    machineadmctl plan -f -`,
		Args: cobra.MaximumNArgs(1),
	}
	f := c.Flags()
	p.sources.register(c, "objects in place of a cluster")
	f.StringVar(&p.observed, "observed", "", "file with observations that override those of the objects")
	f.BoolVar(&p.all, "all", false, "also show the operations that follow")
	registerOutput(c, &p.output, "a table", "json", "yaml")
	completeFiles(c, "observed")
	p.connection.register(c, "control planes")
	c.ValidArgsFunction = p.completeNames(o)
	c.RunE = func(c *cobra.Command, args []string) error { return p.run(c.Context(), o, args) }
	return c
}

func (p *planFlags) run(ctx context.Context, o Options, args []string) error {
	observed, err := readObservation(p.observed)
	if err != nil {
		return err
	}
	source, err := p.source(ctx, o)
	if err != nil {
		return err
	}
	planes, err := source.controlPlanes(ctx, args)
	if err != nil {
		return err
	}
	plans := []controlPlanePlan{}
	for _, c := range planes {
		if err := observed.override(&c); err != nil {
			return err
		}
		plan := newControlPlanePlan(c, o.Clock.Now())
		if p.all {
			if plan.Following, err = following(ctx, c, o.Clock.Now(), plan.Next); err != nil {
				return err
			}
		}
		plans = append(plans, plan)
	}
	if p.output != "" {
		return encode(o.Out, p.output, map[string]any{"controlPlanes": plans})
	}
	return printPlans(o, plans)
}

// source returns where the objects are.
func (p *planFlags) source(ctx context.Context, o Options) (planSource, error) {
	if p.sources.empty() {
		c, namespace, err := p.connection.client()
		if err != nil {
			return planSource{}, err
		}
		return planSource{client: c, namespace: namespace, read: o.ControlPlanes}, nil
	}
	all, err := p.sources.read(ctx, o.In)
	if err != nil {
		return planSource{}, err
	}
	objects, err := load(all)
	if err != nil {
		return planSource{}, err
	}
	c, err := newManifestClient(objects)
	if err != nil {
		return planSource{}, err
	}
	return planSource{
		client: c, namespace: p.connection.namespace, read: o.ControlPlanes, assumeSecrets: !c.hasSecrets(),
	}, nil
}

var errNoControlPlane = errors.New("there is no MachineadmControlPlane")

// plannedMachine is a machine in the output. Its JSON is an interface: fields may be added, but keep their meaning.
type plannedMachine struct {
	Name          string `json:"name"`
	Phase         string `json:"phase"`
	Version       string `json:"version,omitempty"`
	Node          string `json:"node,omitempty"`
	FailureDomain string `json:"failureDomain,omitempty"`
	// Member is Voter, Learner, or empty for a machine without an etcd member that is known.
	Member   string `json:"member,omitempty"`
	Responds bool   `json:"responds,omitempty"`
	Leader   bool   `json:"leader,omitempty"`
	// Unhealthy lists components that are not healthy, and the marks for remediation.
	Unhealthy []string `json:"unhealthy,omitempty"`
	// components is the number of components at the beginning of Unhealthy.
	components int
	// Differences describe why the machine is not up to date.
	Differences []string `json:"differences,omitempty"`
}

// plannedOperation is an operation and its reason.
type plannedOperation struct {
	Operation     string `json:"operation"`
	Machine       string `json:"machine,omitempty"`
	FailureDomain string `json:"failureDomain,omitempty"`
	Reason        string `json:"reason"`
	Message       string `json:"message"`
}

func newPlannedOperation(o controlplane.Operation, r controlplane.Reason) plannedOperation {
	return plannedOperation{
		Operation: string(o.Kind), Machine: o.Machine, FailureDomain: o.FailureDomain, Reason: string(r.Code),
		Message: r.Message,
	}
}

// plannedMembers are the etcd members.
type plannedMembers struct {
	Voters     int    `json:"voters"`
	Responding int    `json:"responding"`
	Problem    string `json:"problem,omitempty"`
}

// controlPlanePlan is what is known about a control plane, and what follows.
type controlPlanePlan struct {
	Namespace string           `json:"namespace"`
	Name      string           `json:"name"`
	Cluster   string           `json:"cluster"`
	Version   string           `json:"version"`
	Replicas  int              `json:"replicas"`
	Machines  []plannedMachine `json:"machines"`
	// Members is missing if the machines run no etcd members.
	Members  *plannedMembers `json:"members,omitempty"`
	Findings []string        `json:"findings,omitempty"`
	// Next is the operation that the controller carries out next.
	Next plannedOperation `json:"next"`
	// Following are the operations afterwards, with --all.
	Following []plannedOperation `json:"following,omitempty"`
}
