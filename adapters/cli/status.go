package cli

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// machineStatus is the status of one machine. Its JSON is an interface: fields may be added, but keep their meaning.
type machineStatus struct {
	Namespace string `json:"namespace"`
	// Name is the name of the config.
	Name string `json:"name"`
	// Machine is the Machine of the config, and Node its node; both are empty until they exist.
	Machine string `json:"machine,omitempty"`
	Version string `json:"version,omitempty"`
	Node    string `json:"node,omitempty"`
	// Summary is one line: the node, or the reason why there is none.
	Summary    string                    `json:"summary"`
	DataSecret string                    `json:"dataSecret,omitempty"`
	Payload    *v1alpha1.PayloadStatus   `json:"payload,omitempty"`
	Bootstrap  *v1alpha1.BootstrapStatus `json:"bootstrap,omitempty"`
	Conditions []metav1.Condition        `json:"conditions,omitempty"`
	// MachineConditions are those of the Machine.
	MachineConditions []metav1.Condition `json:"machineConditions,omitempty"`
	// Infrastructure is the infrastructure object of the Machine.
	Infrastructure *infrastructureStatus `json:"infrastructure,omitempty"`
	// owners are the names of the objects that the Machine belongs to.
	owners []string
	// reports is set if the machine is configured to report.
	reports bool
}

// statusFlags are the flags of the command status.
type statusFlags struct {
	sources    sources
	connection connection
	output     string
}

func statusCommand(o Options) *cobra.Command {
	var s statusFlags
	c := &cobra.Command{
		Use:   "status [NAME]",
		Short: "Show why a machine did not become a node",
		Long: `Shows the bootstrap status of all machines of a management cluster, or
everything that is known about the machine or config NAME. It reads the cluster
of the kubeconfig, as kubectl does, or a file with objects.`,
		Example: `  machineadmctl status -n prod
  machineadmctl status -n prod workers-x7k2p
  kubectl get machinebootstrapconfigs,machines -o yaml | machineadmctl status -f - -o json`,
		Args: cobra.MaximumNArgs(1),
	}
	s.sources.register(c, "objects in place of a cluster")
	registerOutput(c, &s.output, "text", "json", "yaml")
	s.connection.register(c, "machines")
	c.ValidArgsFunction = s.completeNames
	c.RunE = func(c *cobra.Command, args []string) error { return s.run(c.Context(), o, args) }
	return c
}

func (s *statusFlags) run(ctx context.Context, o Options, args []string) error {
	objects, err := s.objects(ctx, o)
	if err != nil {
		return err
	}
	machines, err := statuses(slices.Values(objects), s.connection.namespace)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		all := slices.Clone(machines)
		machines = slices.DeleteFunc(machines, func(m machineStatus) bool {
			return m.Name != args[0] && m.Machine != args[0]
		})
		if len(machines) == 0 {
			return noMachine(args[0], all)
		}
	}
	switch {
	case s.output != "":
		return encode(o.Out, s.output, map[string]any{"machines": machines})
	case len(args) > 0:
		return printDetails(o, machines)
	default:
		return printSummaries(o, machines)
	}
}

func (s *statusFlags) objects(ctx context.Context, o Options) ([]*object, error) {
	if s.sources.empty() {
		return s.connection.objects(ctx)
	}
	all, err := s.sources.read(ctx, o.In)
	if err != nil {
		return nil, err
	}
	return load(all)
}

// statuses returns the status of each config of the namespace, with its Machine. An empty namespace selects all.
func statuses(objects iter.Seq[*object], namespace string) ([]machineStatus, error) {
	list, owners := []machineStatus{}, map[string]machineOwner{}
	infrastructure := newInfrastructureIndex(objects)
	for o := range objects {
		if !o.is(clusterv1.GroupVersion.Group, "Machine") {
			continue
		}
		var owner clusterv1.Machine
		if err := o.decode(&owner); err != nil {
			return nil, err
		}
		if ref := owner.Spec.Bootstrap.ConfigRef; ref.Kind == v1alpha1.ConfigKind {
			owner.Namespace = o.Namespace
			owners[o.Namespace+"/"+ref.Name] = machineOwner{owner, o.conditions()}
		}
	}
	for o := range objects {
		if !o.is(v1alpha1.Group, v1alpha1.ConfigKind) || namespace != "" && o.Namespace != namespace {
			continue
		}
		var config v1alpha1.MachineBootstrapConfig
		if err := o.decode(&config); err != nil {
			return nil, err
		}
		config.Namespace = o.Namespace
		owner := owners[o.Namespace+"/"+o.Name]
		list = append(list, newMachineStatus(config, owner, infrastructure.status(owner.Machine)))
	}
	slices.SortFunc(list, func(a, b machineStatus) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return list, nil
}

// machineOwner is the Machine of a config. conditions are bounded, unlike those in its status.
type machineOwner struct {
	clusterv1.Machine

	conditions []metav1.Condition
}

// newMachineStatus returns the status of a config and its Machine, which is zero if there is none.
func newMachineStatus(config v1alpha1.MachineBootstrapConfig, owner machineOwner, infra *infrastructureStatus,
) machineStatus {
	m := machineStatus{
		Namespace: config.Namespace, Name: config.Name, Machine: owner.Name, Version: owner.Spec.Version,
		Node: owner.Status.NodeRef.Name, DataSecret: config.Status.DataSecretName, Payload: config.Status.Payload,
		Bootstrap: config.Status.Bootstrap, Conditions: config.Status.Conditions, reports: config.Spec.Reporting != nil,
		MachineConditions: owner.conditions, Infrastructure: infra, owners: ownerNames(owner.Machine),
	}
	m.Summary = terminal.Line(m.summary())
	return m
}

// condition returns a condition, or zero if there is none.
func (m machineStatus) condition(name string) metav1.Condition {
	if c := meta.FindStatusCondition(m.Conditions, name); c != nil {
		return *c
	}
	return metav1.Condition{}
}

// change returns a remark about a change that the published data does not contain, or nothing.
func (m machineStatus) change() string {
	c := m.condition("UpToDate")
	if c.Status != metav1.ConditionFalse {
		return ""
	}
	text, _, _ := strings.Cut(c.Message, ";")
	return "; " + text
}

func (m machineStatus) summary() string {
	ready, bootstrapped, problem := m.condition("Ready"), m.condition("BootstrapSucceeded"), m.problem()
	switch {
	case ready.Status == metav1.ConditionFalse:
		return ready.Reason + ": " + ready.Message
	case m.Node != "" && problem != "":
		return "joined as node " + m.Node + "; " + problem
	case m.Node != "":
		return "joined as node " + m.Node + m.change()
	case ready.Status == "":
		return "the controller has not reconciled it; check its owner, and that its cluster is not paused"
	case bootstrapped.Status == metav1.ConditionFalse,
		m.Bootstrap != nil && bootstrapped.Status == metav1.ConditionUnknown:
		return bootstrapped.Reason + ": " + bootstrapped.Message
	case problem != "":
		return problem
	case bootstrapped.Status == metav1.ConditionTrue:
		return "the bootstrap succeeded; waiting for the node"
	case bootstrapped.Status != "":
		return bootstrapped.Reason + ": " + bootstrapped.Message
	case m.Machine == "":
		return "the bootstrap data is published" + m.change()
	default:
		return "the bootstrap data is published; the machine does not report (spec.reporting)" + m.change()
	}
}
