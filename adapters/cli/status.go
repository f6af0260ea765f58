package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
)

// Connection says which cluster is asked.
type Connection struct {
	// Kubeconfig is a file, and Context a name in it; empty takes what kubectl would.
	Kubeconfig, Context string
	// Namespace is that of the objects; empty takes the context's. All takes those of all namespaces.
	Namespace string
	All       bool
}

// Cluster returns the objects of a cluster that status tells about, configs and machines, as one JSON List.
type Cluster func(ctx context.Context, c Connection) ([]byte, error)

// machineStatus is what status tells of one machine. Its JSON is for programs: fields are added, and none changes its
// meaning.
type machineStatus struct {
	Namespace string `json:"namespace"`
	// Name is the config's.
	Name string `json:"name"`
	// Machine is the Machine of the config, and Node its node; empty if there is none yet.
	Machine string `json:"machine,omitempty"`
	Version string `json:"version,omitempty"`
	Node    string `json:"node,omitempty"`
	// Summary says on one line whether the machine is a node, or why not.
	Summary    string          `json:"summary"`
	DataSecret string          `json:"dataSecret,omitempty"`
	Payload    *payloadStatus  `json:"payload,omitempty"`
	Bootstrap  *bootstrapTold  `json:"bootstrap,omitempty"`
	Conditions []conditionTold `json:"conditions,omitempty"`
	// reports says that the machine was asked to report.
	reports bool
}

type payloadStatus struct {
	Format   string `json:"format,omitempty"`
	Bytes    int64  `json:"bytes,omitempty"`
	Envelope string `json:"envelope,omitempty"`
}

// bootstrapTold is status.bootstrap of a config.
type bootstrapTold struct {
	State        string       `json:"state"`
	AgentVersion string       `json:"agentVersion,omitempty"`
	StartTime    string       `json:"startTime,omitempty"`
	EndTime      string       `json:"endTime,omitempty"`
	ReportTime   string       `json:"reportTime,omitempty"`
	Steps        int          `json:"steps,omitempty"`
	StepsDone    int          `json:"stepsDone,omitempty"`
	Phase        string       `json:"phase,omitempty"`
	Failure      *failureTold `json:"failure,omitempty"`
}

type failureTold struct {
	Phase    string `json:"phase"`
	Document string `json:"document,omitempty"`
	Action   string `json:"action,omitempty"`
	ExitCode int    `json:"exitCode,omitempty"`
	Cause    string `json:"cause,omitempty"`
	Log      string `json:"log,omitempty"`
}

type conditionTold struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason,omitempty"`
	Since   string `json:"lastTransitionTime,omitempty"`
	Message string `json:"message,omitempty"`
}

// statusFlags are those of the command status.
type statusFlags struct {
	files      []string
	connection Connection
	output     string
}

func statusCommand(o Options) *cobra.Command {
	var s statusFlags
	c := &cobra.Command{
		Use:   "status [NAME]",
		Short: "Tell why a machine did not become a node",
		Long: "status tells how far the machines of a management cluster have come, and of one machine all that is known. " +
			"It reads the cluster\n" +
			"that kubectl would ask, or what kubectl has printed: kubectl get machinebootstrapconfigs,machines -o yaml | " +
			"machineadmctl status -f -",
		Example: `  machineadmctl status -n prod
  machineadmctl status -n prod workers-x7k2p
  machineadmctl status -f objects.yaml -o json`,
		Args: cobra.MaximumNArgs(1),
	}
	f := c.Flags()
	f.StringArrayVarP(&s.files, "filename", "f", nil,
		"file with objects in place of a cluster, - for the standard input; may be repeated")
	f.StringVar(&s.connection.Kubeconfig, "kubeconfig", "", "kubeconfig file in place of kubectl's own")
	f.StringVar(&s.connection.Context, "context", "", "context of the kubeconfig in place of its current one")
	f.StringVarP(&s.connection.Namespace, "namespace", "n", "", "namespace in place of the context's own")
	f.BoolVarP(&s.connection.All, "all-namespaces", "A", false, "tell of all namespaces")
	f.StringVarP(&s.output, "output", "o", "", "json or yaml in place of text")
	completes(c, "output", "json", "yaml")
	c.RunE = func(c *cobra.Command, args []string) error { return s.run(c.Context(), o, args) }
	return c
}

func (s *statusFlags) run(ctx context.Context, o Options, args []string) error {
	if err := checkOutput(s.output); err != nil {
		return err
	}
	objects, err := s.objects(ctx, o)
	if err != nil {
		return err
	}
	machines, err := statuses(objects, s.connection.Namespace)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		machines = slices.DeleteFunc(machines, func(m machineStatus) bool {
			return m.Name != args[0] && m.Machine != args[0]
		})
		if len(machines) == 0 {
			return fmt.Errorf("there is no machine or config %s", args[0])
		}
	}
	switch {
	case s.output != "":
		return encode(o.Out, s.output, map[string]any{"machines": machines})
	case len(args) > 0:
		return tellAll(o, machines)
	default:
		return tellLines(o, machines)
	}
}

func (s *statusFlags) objects(ctx context.Context, o Options) ([]*object, error) {
	if len(s.files) > 0 {
		return load(s.files, o.In)
	}
	if o.Cluster == nil {
		return nil, usageError{errors.New("give the objects by -f")}
	}
	data, err := o.Cluster(ctx, s.connection)
	if err != nil {
		return nil, err
	}
	return parse("cluster", data)
}

// statuses joins configs and their machines. An empty namespace takes all.
func statuses(objects []*object, namespace string) ([]machineStatus, error) {
	machines, owners := []machineStatus{}, map[string]machineOf{}
	for _, o := range objects {
		if o.Kind == "Machine" && o.group() == coreGroup {
			m, err := readMachineOf(o)
			if err != nil {
				return nil, err
			}
			owners[o.Metadata.Namespace+"/"+m.Spec.Bootstrap.ConfigRef.Name] = m
		}
	}
	for _, o := range objects {
		if o.Kind != ConfigKind || o.group() != Group || namespace != "" && o.Metadata.Namespace != namespace {
			continue
		}
		m, err := readStatus(o, owners[o.Metadata.Namespace+"/"+o.Metadata.Name])
		if err != nil {
			return nil, err
		}
		machines = append(machines, m)
	}
	slices.SortFunc(machines, func(a, b machineStatus) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return machines, nil
}

// machineOf is what is read of a Machine.
type machineOf struct {
	name string
	Spec struct {
		Version   string `json:"version"`
		Bootstrap struct {
			ConfigRef struct {
				Kind string `json:"kind"`
				Name string `json:"name"`
			} `json:"configRef"`
		} `json:"bootstrap"`
	} `json:"spec"`
	Status struct {
		NodeRef struct {
			Name string `json:"name"`
		} `json:"nodeRef"`
	} `json:"status"`
}

func readMachineOf(o *object) (machineOf, error) {
	m := machineOf{name: o.Metadata.Name}
	if err := json.Unmarshal(o.json, &m); err != nil {
		return m, o.unfit(err)
	}
	if m.Spec.Bootstrap.ConfigRef.Kind != ConfigKind {
		m.Spec.Bootstrap.ConfigRef.Name = ""
	}
	return m, nil
}

func readStatus(o *object, owner machineOf) (machineStatus, error) {
	var body struct {
		Spec struct {
			Reporting *struct{} `json:"reporting"`
		} `json:"spec"`
		Status struct {
			DataSecretName string          `json:"dataSecretName"`
			Payload        *payloadStatus  `json:"payload"`
			Bootstrap      *bootstrapTold  `json:"bootstrap"`
			Conditions     []conditionTold `json:"conditions"`
		} `json:"status"`
	}
	if err := json.Unmarshal(o.json, &body); err != nil {
		return machineStatus{}, o.unfit(err)
	}
	m := machineStatus{
		Namespace: o.Metadata.Namespace, Name: o.Metadata.Name, Machine: owner.name, Version: owner.Spec.Version,
		Node:       owner.Status.NodeRef.Name,
		DataSecret: body.Status.DataSecretName, Payload: body.Status.Payload, Bootstrap: body.Status.Bootstrap,
		Conditions: body.Status.Conditions,
		reports:    body.Spec.Reporting != nil,
	}
	m.Summary = m.summary()
	return m, nil
}

func (m machineStatus) condition(name string) conditionTold {
	for _, c := range m.Conditions {
		if c.Type == name {
			return c
		}
	}
	return conditionTold{}
}

// summary answers on one line.
func (m machineStatus) summary() string {
	ready, booted := m.condition("Ready"), m.condition("BootstrapSucceeded")
	switch {
	case ready.Status == "False":
		return ready.Reason + ": " + oneLine(ready.Message)
	case m.Node != "":
		return "it is the node " + m.Node
	case ready.Status == "":
		return "the controller has not looked at it; see whether it has an owner, and whether its cluster is paused"
	case booted.Status == "True":
		return "its bootstrap succeeded; its node is awaited"
	case booted.Status != "":
		return booted.Reason + ": " + oneLine(booted.Message)
	case m.Machine == "":
		return "its bootstrap data is published"
	default:
		return "its bootstrap data is published; how it goes on is not reported (spec.reporting)"
	}
}
