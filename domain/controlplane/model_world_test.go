package controlplane_test

import (
	"fmt"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
)

// world is a run of the model: all states that the environment and Plan can reach.
type world struct {
	observer

	replicas, surge, failures int
	// talos means that the machines are Talos machines, and broken that API servers may fail to start.
	talos, broken bool
	// duplicates means that an operation that is carried out twice may create two machines.
	duplicates bool
	// delayed means that each machine is a replacement, whose own replacement may be due later.
	delayed bool

	index  map[state]int32
	states []state
	// likely contains, for each state, those that follow if nothing fails.
	likely [][]int32
	// The run counts transitions, removals that etcd refused, and operations carried out one event later or twice.
	transitions, refused, late int
	// unsafe are the operations of ours that lost the quorum. stuck are the states with a quorum from which the goal
	// cannot be reached. cycles are states that follow from themselves although nothing fails.
	unsafe, stuck, cycles []string
}

func (w *world) desired() controlplane.Desired {
	kind := node.ControlPlaneKubeadm
	if w.talos {
		kind = node.ControlPlaneTalos
	}
	return controlplane.Desired{
		Replicas: w.replicas, MaxSurge: w.surge, Type: kind,
		Template: controlplane.Template{Version: "v1.36.0", Bootstrap: "new"},
	}
}

// starts returns the states in which a run begins: no machine, all outdated, as desired, one machine, too many,
// and an outdated machine whose API server does not start.
func (w *world) starts() []state {
	const good = running | voter | up | fresh | joined
	empty := state{failures: uint8(w.failures), talos: w.talos, late: w.blind, broken: w.broken}
	of := func(n int, m slot) state {
		s := empty
		s.initialized = true
		for range n {
			s, _ = s.add(m)
		}
		return s
	}
	all := []state{
		empty, of(w.replicas, good&^fresh), of(w.replicas, good), of(1, good), of(w.replicas+2, good),
	}
	if w.broken {
		s, _ := of(w.replicas, good).add(provisioning | voter | up | mute)
		all = append(all, s)
	}
	return all
}

// visit returns the number of the state, which is new if it was not visited before.
func (w *world) visit(s state) int32 {
	s = s.sorted()
	i, found := w.index[s]
	if !found {
		i = int32(len(w.states))
		w.index[s], w.states = i, append(w.states, s)
	}
	return i
}

// run visits all states.
func (w *world) run() {
	w.index = map[state]int32{}
	for _, s := range w.starts() {
		w.visit(s)
	}
	for i := 0; i < len(w.states); i++ {
		w.likely = append(w.likely, w.expand(w.states[i]))
	}
	w.findStuck()
	w.findCycles()
}

// expand visits what follows a state: the events, the operation, and the operation carried out late or twice.
func (w *world) expand(s state) (likely []int32) {
	operation, _ := controlplane.Plan(w.desired(), w.observe(s), epoch())
	next := w.apply(s, operation, "")
	if next != s {
		likely = append(likely, w.visit(next))
		if w.duplicates || !creates(operation) {
			w.visit(w.apply(next, operation, "twice"))
		}
	}
	if w.delayed {
		meanwhile, _ := controlplane.Plan(w.desired(), delay(w.observe(s)), epoch())
		if other := w.apply(s, meanwhile, ""); other != s {
			likely = append(likely, w.visit(other))
		}
	}
	for _, e := range s.events() {
		w.transitions++
		i := w.visit(e.next)
		if e.benign {
			likely = append(likely, i)
		}
		if next != s {
			w.visit(w.apply(e.next, operation, "after "+e.name))
		}
	}
	return likely
}

// delay returns the observation in which each machine has just replaced another one.
func delay(o controlplane.Observed) controlplane.Observed {
	for i := range o.Machines {
		o.Machines[i].Replaces = &controlplane.Retry{At: epoch()}
	}
	return o
}

// creates reports whether the operation creates a machine. Such an operation creates no second machine if it is carried
// out twice: the name of the machine follows from the control plane as it was read.
func creates(o controlplane.Operation) bool {
	return o.Kind == controlplane.KindCreateFirstMachine || o.Kind == controlplane.KindCreateMachine
}

// apply carries out the operation, and records an operation that loses the quorum.
func (w *world) apply(s state, o controlplane.Operation, when string) state {
	next, refused := s.apply(o)
	if next == s && !refused {
		return s
	}
	w.transitions++
	if when != "" {
		w.late++
	}
	if refused {
		w.refused++
	}
	if s.initialized && s.quorate() && !next.quorate() {
		w.unsafe = append(w.unsafe, fmt.Sprintf("%s %s %s: %s -> %s", o.Kind, o.Machine, when, s, next))
	}
	return next
}

// findStuck finds the states with a quorum, and those before there is a cluster, from which neither Plan nor the
// environment leads to the goal if nothing fails.
func (w *world) findStuck() {
	before := make([][]int32, len(w.states))
	for from, all := range w.likely {
		for _, to := range all {
			before[to] = append(before[to], int32(from))
		}
	}
	leads := make([]bool, len(w.states))
	var queue []int32
	for i, s := range w.states {
		if s.goal(w.replicas) {
			leads[i], queue = true, append(queue, int32(i))
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, from := range before[i] {
			if !leads[from] {
				leads[from], queue = true, append(queue, from)
			}
		}
	}
	for i, s := range w.states {
		if !leads[i] && (!s.initialized || s.quorate() && !s.obscured()) {
			w.stuck = append(w.stuck, w.describe(s))
		}
	}
}

// findCycles finds a state that follows from itself by operations and likely events alone. Without one, every control
// plane comes to an end if nothing fails.
func (w *world) findCycles() {
	const open, closed = 1, 2
	color := make([]byte, len(w.states))
	type frame struct{ state, next int32 }
	for start := range w.states {
		if color[start] != 0 {
			continue
		}
		color[start] = open
		stack := []frame{{state: int32(start)}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if int(top.next) == len(w.likely[top.state]) {
				color[top.state] = closed
				stack = stack[:len(stack)-1]
				continue
			}
			to := w.likely[top.state][top.next]
			top.next++
			switch color[to] {
			case 0:
				color[to] = open
				stack = append(stack, frame{state: to})
			case open:
				w.cycles = append(w.cycles, w.describe(w.states[to]))
			}
		}
	}
}

// describe returns the state and what Plan decides for it.
func (w *world) describe(s state) string {
	o, r := controlplane.Plan(w.desired(), w.observe(s), epoch())
	return fmt.Sprintf("%s: %s %s (%s)", s, o.Kind, r.Code, r.Message)
}
