package controlplane_test

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
)

// The IDs of members: of the machine with the index, and of those without a machine.
const (
	idRange        = 100
	machineID      = idRange
	strayLearnerID = 2 * idRange
	strayVoterID   = 3 * idRange
)

// epoch is the time of all decisions of the model.
func epoch() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// identity is what identifies the machine with an index.
type identity struct {
	name      string
	host      string
	created   time.Time
	addresses []string
}

// identities are those of all machines of a state; they are computed once for millions of observations.
var identities = func() (all [capacity]identity) {
	for i := range all {
		all[i] = identity{
			name: fmt.Sprintf("m%02d", i), host: fmt.Sprintf("host%02d", i),
			created:   epoch().Add(time.Duration(i-capacity) * time.Hour),
			addresses: []string{fmt.Sprintf("10.0.0.%d", i+1)},
		}
	}
	return all
}()

// machineIndex returns the index of the machine with the name.
func machineIndex(name string) int {
	i, err := strconv.Atoi(name[1:])
	if err != nil {
		panic(err)
	}
	return i
}

// observer converts states to observations.
type observer struct {
	// blind means that the addresses of machines are never known, and that members have other names than machines: a
	// member is recognized only after its machine has become a node.
	blind bool
}

var (
	healthy = map[controlplane.Component]controlplane.Health{
		controlplane.ComponentAPIServer:         controlplane.HealthHealthy,
		controlplane.ComponentControllerManager: controlplane.HealthHealthy,
		controlplane.ComponentScheduler:         controlplane.HealthHealthy,
		controlplane.ComponentEtcd:              controlplane.HealthHealthy,
	}
	phaseNames = map[slot]controlplane.Phase{
		provisioning: controlplane.PhaseProvisioned, running: controlplane.PhaseRunning,
		draining: controlplane.PhaseDeleting, due: controlplane.PhaseDue, terminating: controlplane.PhaseTerminating,
	}
)

// observe returns the observation of the state.
func (b observer) observe(s state) controlplane.Observed {
	o := controlplane.Observed{
		InfrastructureReady: true, EndpointKnown: true, CertificatesReady: true, Initialized: s.initialized,
		JoinPrepared: true, AddonsCurrent: true,
	}
	o.Members.Known = s.count(s.asked) > 0
	for i, m := range s.machines {
		if m == none {
			continue
		}
		o.Machines = append(o.Machines, b.machine(i, m))
		if m.has(member) {
			member := b.member(i, m)
			member.Responds = s.asked(m)
			o.Members.List = append(o.Members.List, member)
		}
	}
	for i := range uint64(s.learners) {
		o.Members.List = append(o.Members.List, controlplane.Member{ID: strayLearnerID + i, Learner: true})
	}
	for i := range uint64(s.voters) {
		o.Members.List = append(o.Members.List, controlplane.Member{ID: strayVoterID + i, Name: "gone"})
	}
	for i := range o.Members.List {
		o.Members.List[i].Responds = o.Members.List[i].Responds || !o.Members.List[i].Learner && s.confirmed()
		if o.Members.List[i].PeerAddresses == nil {
			o.Members.List[i].PeerAddresses = gone
		}
	}
	if !o.Members.Known {
		o.Members = controlplane.Members{Since: epoch(), Problem: "no member responds"}
	}
	return o
}

// gone are the peer addresses of members without a machine.
var gone = []string{"10.0.1.1"}

// member returns the member of a machine. For a blind observer it has the name of the host, which is not that of the
// machine, and a learner has no name yet.
func (b observer) member(i int, m slot) controlplane.Member {
	result := controlplane.Member{
		ID: machineID + uint64(i), Name: identities[i].name, PeerAddresses: identities[i].addresses,
		Learner: m.has(learner),
	}
	if b.blind {
		result.Name = identities[i].host
	}
	if b.blind && m.has(learner) {
		result.Name = ""
	}
	return result
}

func (b observer) machine(i int, m slot) controlplane.Machine {
	template := controlplane.Template{Version: "v1.36.0", Bootstrap: "old"}
	if m.has(fresh) {
		template.Bootstrap = "new"
	}
	result := controlplane.Machine{
		Name: identities[i].name, Template: template, CreatedAt: identities[i].created, Phase: phaseNames[m.phase()],
		Addresses: identities[i].addresses, Unhealthy: m.has(marked),
	}
	if m.has(joined) {
		result.NodeName, result.MemberID = result.Name, machineID+uint64(i)
	}
	if alive(m) && m.has(joined) {
		result.Components = healthy
	}
	if b.blind {
		result.Addresses = nil
	}
	if b.blind && result.NodeName != "" {
		result.NodeName = identities[i].host
	}
	return result
}

// String describes the state for a failure of the test.
func (s state) String() string {
	var b strings.Builder
	for i, m := range s.machines {
		if m == none {
			continue
		}
		fmt.Fprintf(&b, "%s:%s", identities[i].name, phaseNames[m.phase()])
		for _, p := range []struct {
			bit  slot
			name string
		}{
			{learner, "learner"},
			{voter, "voter"},
			{up, "up"},
			{marked, "marked"},
			{fresh, "fresh"},
			{joined, "node"},
			{mute, "mute"},
		} {
			if m.has(p.bit) {
				b.WriteString("," + p.name)
			}
		}
		b.WriteString(" ")
	}
	fmt.Fprintf(&b, "(initialized %t, stray learners %d, stray voters %d, failures left %d)", s.initialized, s.learners,
		s.voters, s.failures)
	return b.String()
}
