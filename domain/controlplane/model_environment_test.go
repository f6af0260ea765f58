package controlplane_test

// event is a change by the environment. A benign one happens sooner or later if nothing fails.
type event struct {
	name   string
	next   state
	benign bool
}

// events returns what can happen in a state. The machines of the next state have the same indices.
func (s state) events() []event {
	var all []event
	add := func(name string, next state, benign bool) { all = append(all, event{name, next, benign}) }
	for i, m := range s.machines {
		if m == none || i > 0 && m == s.machines[i-1] {
			continue
		}
		s.join(i, add)
		s.deletion(i, add)
		s.health(i, add)
		if s.failures > 0 {
			s.fail(i, add)
		}
	}
	return all
}

// join is what a machine that joins does. One machine initializes the cluster, because of the init lock. Etcd accepts
// one learner at a time, and only while all voters are connected; kubeadm gives up if it takes too long.
func (s state) join(i int, add func(string, state, bool)) {
	m := s.machines[i]
	unjoined := m.has(up) && !m.has(member) && m.phase() != terminating
	switch {
	case !s.initialized && !s.talos && m.phase() == provisioning && unjoined && !m.has(mute):
		next := s.with(i, m.to(running)|voter|joined)
		next.initialized = true
		add("initialized", next, true)
	case s.initialized && unjoined && s.mayAdd() && !s.anyLearner():
		add("learner added", s.with(i, m|learner), true)
	case s.initialized && unjoined && !s.talos:
		add("join timed out", s.with(i, m&^up), true)
	case m.has(learner) && m.has(up) && s.quorate():
		next := m&^learner | voter
		if !s.late && !m.has(mute) {
			next = next.registered()
		}
		add("promoted", s.with(i, next), true)
	case alive(m) && !m.has(joined) && !m.has(mute):
		add("registered", s.with(i, m.registered()), true)
	}
}

// registered returns the machine after its node was found, also if it is being deleted.
func (m slot) registered() slot {
	if m.phase() == provisioning {
		m = m.to(running)
	}
	return m | joined
}

// deletion is what Cluster API and the infrastructure provider do with a machine that is being deleted.
func (s state) deletion(i int, add func(string, state, bool)) {
	m := s.machines[i]
	if m.phase() == draining {
		add("drained", s.with(i, m.to(due)), true)
	}
	if m.phase() == terminating {
		add("gone", s.vanish(i), true)
	}
}

// vanish removes a machine without its member.
func (s state) vanish(i int) state {
	switch m := s.machines[i]; {
	case m.has(learner):
		s.learners++
	case m.has(voter):
		s.voters++
	}
	return s.with(i, none)
}

// health is what health checks and repairs do. A repair may never come, and a mark may disappear. No health check marks
// an outdated machine whose API server does not start: a user has corrected the specification instead.
func (s state) health(i int, add func(string, state, bool)) {
	m := s.machines[i]
	stays := m.phase() == provisioning || m.phase() == running
	switch {
	case stays && (!m.has(up) || m.has(mute) && m.has(fresh)) && !m.has(marked):
		add("marked", s.with(i, m|marked), true)
	case m.phase() == running && m.has(up) && m.has(marked):
		add("healed", s.with(i, m&^marked), false)
	}
	if !m.has(up) && m.has(voter) && m.phase() != terminating {
		add("restarted", s.with(i, m|up), false)
	}
	if m.has(mute) {
		add("API server started", s.with(i, m&^mute), false)
	}
}

// fail is what can go wrong.
func (s state) fail(i int, add func(string, state, bool)) {
	m, f := s.machines[i], s.failed()
	if m.phase() == terminating {
		return
	}
	if m.has(up) {
		add("crashed", f.with(i, m&^up), false)
	}
	if s.broken && m.phase() == provisioning && m.has(up) && !m.has(mute) {
		add("API server fails", f.with(i, m|mute), false)
	}
	if m.phase() == running && m.has(up) && !m.has(marked) {
		add("marked by mistake", f.with(i, m|marked), false)
	}
	if m.phase() == provisioning || m.phase() == running {
		add("deleted by a user", f.with(i, m.to(draining)), false)
	}
	add("vanished", f.vanish(i), false)
}
