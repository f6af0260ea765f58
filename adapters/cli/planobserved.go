package cli

import (
	"fmt"
	"os"
	"slices"

	sigsyaml "sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// observation is the file of --observed. What it does not contain is observed from the objects.
type observation struct {
	// Members are the etcd members.
	Members []observedMember `json:"members"`
	// Machines are observations of machines.
	Machines []observedMachine `json:"machines"`
	// InfrastructureReady and Initialized are those of the cluster.
	InfrastructureReady *bool `json:"infrastructureReady"`
	Initialized         *bool `json:"initialized"`
}

// observedMember is an etcd member.
type observedMember struct {
	// Machine is the name of its machine; empty for a member without a machine.
	Machine string `json:"machine"`
	// Responds defaults to true.
	Responds *bool `json:"responds"`
	Leader   bool  `json:"leader"`
	Learner  bool  `json:"learner"`
}

// observedMachine is an observation of a machine.
type observedMachine struct {
	Name string `json:"name"`
	// Healthy sets the health of all components.
	Healthy *bool `json:"healthy"`
	// Deleting means that the machine is being deleted and was drained.
	Deleting bool `json:"deleting"`
	// Unhealthy marks the machine for remediation.
	Unhealthy bool   `json:"unhealthy"`
	Failure   string `json:"failure"`
}

// readObservation reads the file; an empty name returns nil.
func readObservation(name string) (*observation, error) {
	if name == "" {
		return nil, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var o observation
	if err := sigsyaml.UnmarshalStrict(text, &o); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &o, nil
}

// override replaces what was observed of a control plane.
func (o *observation) override(c *ports.ControlPlane) error {
	if o == nil {
		return nil
	}
	if o.InfrastructureReady != nil {
		c.Observed.InfrastructureReady = *o.InfrastructureReady
	}
	if o.Initialized != nil {
		c.Observed.Initialized = *o.Initialized
	}
	for _, m := range o.Machines {
		i := slices.IndexFunc(c.Observed.Machines, func(known controlplane.Machine) bool { return known.Name == m.Name })
		if i < 0 {
			return fmt.Errorf("--observed: %s is not a machine of %s", m.Name, c.Name)
		}
		m.override(&c.Observed.Machines[i])
	}
	if o.Members == nil {
		return nil
	}
	c.Observed.Members = controlplane.Members{Known: true}
	for i, m := range o.Members {
		c.Observed.Members.List = append(c.Observed.Members.List, m.member(uint64(i+1), c.Observed.Machines))
	}
	return nil
}

func (m observedMachine) override(known *controlplane.Machine) {
	known.Unhealthy = known.Unhealthy || m.Unhealthy
	if m.Deleting {
		known.Phase = controlplane.PhaseDue
	}
	if m.Failure != "" {
		known.Failure = terminal.Line(m.Failure)
	}
	if m.Healthy == nil {
		return
	}
	health := controlplane.HealthUnhealthy
	if *m.Healthy {
		health = controlplane.HealthHealthy
	}
	known.Components = map[controlplane.Component]controlplane.Health{
		controlplane.ComponentAPIServer: health, controlplane.ComponentControllerManager: health,
		controlplane.ComponentScheduler: health, controlplane.ComponentEtcd: health,
	}
}

// member returns the member with its number, unless that of its machine was recorded.
func (m observedMember) member(number uint64, machines []controlplane.Machine) controlplane.Member {
	member := controlplane.Member{
		ID: number, Name: m.Machine, Learner: m.Learner, Leader: m.Leader, Responds: m.Responds == nil || *m.Responds,
	}
	for _, known := range machines {
		if known.Name != m.Machine {
			continue
		}
		member.PeerAddresses = known.Addresses
		if known.NodeName != "" {
			member.Name = known.NodeName
		}
		if known.MemberID != 0 {
			member.ID = known.MemberID
		}
	}
	return member
}
