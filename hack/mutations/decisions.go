package main

// decision is the folder of the rules of control planes and of their tests.
const decision = "domain/controlplane"

// decisions returns mutations of controlplane.Plan, each of which drops one rule. Their rows are the rules.
func decisions() []mutation {
	var all []mutation
	all = append(all, votes()...)
	all = append(all, departures()...)
	all = append(all, replacements()...)
	return append(all, creations()...)
}

// rule returns a mutation that drops a rule.
func rule(name, file, before, after, test string) mutation {
	return mutation{
		rows: []string{name}, file: decision + "/" + file, before: before, after: after, pkg: decision, test: test,
	}
}

// votes are the rules about the quorum.
func votes() []mutation {
	quick := rule("nothing is done without a quorum", "plan.go", "case p.stacked() && !p.votes.Holds():",
		"case p.stacked() && p.now.IsZero():", "TestPlan")
	quick.quick = true
	return []mutation{
		quick,
		rule("a silent member has no vote", "quorum.go", `!m.Learner && m.Responds && m.Name != ""`,
			`!m.Learner && m.Name != ""`, "TestEachOperationLeavesAQuorum"),
		rule("an unstarted member has no vote", "quorum.go", ` && m.Name != "" }`, " }", "TestPlan"),
		rule("a learner does not vote", "quorum.go", "\t\tif m.Learner {\n\t\t\tcontinue\n\t\t}\n", "", "TestPlan"),
		rule("the others are a quorum without a machine that leaves", "leave.go", "case !rest.Holds():",
			"case rest.Voters < 0:", "TestEachOperationLeavesAQuorum"),
		rule("the others are a quorum without a machine that a rollout deletes", "shrink.go", "case !rest.Holds():",
			"case rest.Voters < 0:", "TestPlan"),
		rule("a machine is created only if all members respond", "quorum.go", "q.Voters > 0 && q.Responding == q.Voters",
			"q.Holds()", "TestPlan"),
		rule("nothing is done while the members are unknown", "plan.go", "case p.stacked() && !p.o.Members.Known:",
			"case p.stacked() && p.now.IsZero():", "TestPlan"),
		rule("a silent member has no vote, in the model", "quorum.go", `!m.Learner && m.Responds && `, `!m.Learner && `,
			"TestModel"),
	}
}

// departures are the rules about members and machines that leave.
func departures() []mutation {
	return []mutation{
		rule("a blocked deletion blocks no other rule", "plan.go", "\t\tif s := rule(); s != nil {\n\t\t\treturn s\n\t\t}\n",
			"\t\tif s := rule(); s != nil {\n\t\t\treturn s\n\t\t}\n\t\tif p.blocked {\n\t\t\tbreak\n\t\t}\n", "TestModel"),
		rule("dead machines leave first", "leave.go", "case found && !member.Learner && !member.votes():\n\t\t\treturn 0",
			"case found && !member.Learner && !member.votes():\n\t\t\treturn 4", "TestPlan"),
		rule("stray members are removed", "plan.go", "p.removeStray, p.leave", "p.leave", "TestModel"),
		rule("a voter that responds is never stray", "leave.go", "case member.votes():\n\t\treturn",
			"case member.votes() && member.Learner:\n\t\treturn", "TestPlan"),
		rule("no member is stray while another controller has machines", "leave.go", "case p.o.ForeignMachines:",
			"case p.o.ForeignMachines && p.now.IsZero():", "TestPlan"),
		rule("no voter is stray while the nodes are unknown", "leave.go", "case p.o.NodesUnknown:",
			"case p.o.NodesUnknown && p.now.IsZero():", "TestPlan"),
		rule("the voter of a node with an API server is not stray", "leave.go",
			"case slices.Contains(p.o.OtherNodes, member.Name):", "case member.Name == \"\":", "TestPlan"),
		rule("the second voter may belong to a node without a machine", "match.go",
			"slices.Contains(o.NodesWithoutMachine, r.rest[0].Name)", "r.rest[0].Name == \"\"", "TestPlan"),
		rule("a machine owns no member but the recorded one", "match.go", "return found || m.MemberID != 0 &&",
			"return found || m.Name == \"\" &&", "TestModel"),
		rule("the learner of a machine that joins is not stray", "leave.go", "case !terminates && p.mayBelong(member):",
			"case !terminates && member.ID == 0:", "TestPlan"),
		rule("members of machines that terminate are stray", "leave.go", "found && m.Phase == PhaseTerminating {",
			"found && m.Phase == PhaseDue && m.Name == \"\" {", "TestPlan"),
		rule("an unrecognized member may be that of a machine", "leave.go",
			"case !found && p.stacked() && p.mayHaveMember(m):", "case !found && p.stacked() && m.Name == \"\":", "TestPlan"),
		rule("the learner of a machine that leaves is removed before the machine", "leave.go",
			"bool { return p.matches(m, member) })", "bool { return member.votes() && p.matches(m, member) })", "TestModel"),
		rule("a voter that cannot be asked may be that of a machine", "leave.go", "bool { return p.matches(m, member) })",
			"bool { return (member.votes() || member.Learner) && p.matches(m, member) })", "TestPlan"),
		rule("the last API server stays", "leave.go", "case !p.servedWithout(m):\n\t\tp.block(",
			"case m.Name == \"\":\n\t\tp.block(", "TestPlan"),
		rule("the last API server stays, external etcd", "leave.go",
			"case !found && p.d.ExternalEtcd && !p.servedWithout(m):", "case !found && p.d.ExternalEtcd && m.Name == \"\":",
			"TestPlan"),
		rule("a replacement joins before only one member remains", "leave.go", "case rest.Voters == 1 && ",
			"case rest.Voters == -1 && ", "TestPlan"),
		rule("an API server that is unknown may be the last", "planner.go",
			"!p.responds(m) || m.Components[ComponentAPIServer] == HealthUnhealthy", "!p.serves(m)", "TestPlan"),
		rule("moving the leader is best effort", "leave.go", "case member.Leader && p.successor(m) != 0:",
			"case p.successor(m) != 0:", "TestPlan"),
		rule("infrastructure that is being deleted blocks nothing", "planner.go",
			"\t\t\tp.leaving = append(p.leaving, m)\n\t\tcase PhaseTerminating:\n",
			"\t\t\tp.leaving = append(p.leaving, m)\n\t\tcase PhaseTerminating:\n\t\t\tp.leaving = append(p.leaving, m)\n",
			"TestPlan"),
		rule("a control plane is deleted after its workers", "plan.go", "if p.o.Workers > 0 {", "if p.o.Workers < 0 {",
			"TestPlan"),
	}
}

// replacements are the rules about remediations and rollouts.
func replacements() []mutation {
	return []mutation{
		rule("a marked machine that is needed is replaced first", "remediate.go",
			"case !p.votes.Without(member).Holds(), !p.servedWithout(m):\n\t\tp.superseding[m.Name] = true\n",
			"case !p.votes.Without(member).Holds(), !p.servedWithout(m):\n", "TestModel"),
		rule("marked machines are replaced", "plan.go", "p.supersede, p.remediate, p.join", "p.supersede, p.join",
			"TestModel"),
		rule("voters are remediated one at a time", "remediate.go", "(p.responds(other) || p.d.ExternalEtcd)",
			"p.d.ExternalEtcd", "TestOneVoteAtATime"),
		rule("a machine that has not joined does not wait for deletions", "remediate.go", "p.joined(m) && (p.responds",
			"(p.responds", "TestModel"),
		rule("a marked machine that works waits for those that join", "remediate.go",
			"if other.Name != m.Name && !p.joined(other) {", "if other.Name == \"\" {", "TestPlan"),
		rule("a marked machine does not wait for itself", "remediate.go", "if other.Name != m.Name && !p.joined(other) {",
			"if !p.joined(other) {", "TestModel"),
		rule("a marked machine that works waits for its replacement to be possible", "remediate.go",
			"case p.irreplaceable(m):", "case m.Name == \"\":", "TestPlan"),
		rule("a rollout without a surge begins only if it can end", "shrink.go",
			"if rolling && len(p.staying) <= p.d.Replicas {", "if rolling && len(p.staying) < 0 {", "TestPlan"),
		rule("retries are limited", "remediate.go", "limit != nil && last.Count >= *limit", "limit != nil && last.Count < 0",
			"TestPlan"),
		rule("retries wait for their period", "remediate.go", "left > 0 {", "left > time.Hour {", "TestPlan"),
		rule("the first machine is replaced after a growing delay", "remediate.go", "delay *= 2", "delay += 0", "TestPlan"),
		rule("retries of two remediations are counted", "remediate.go", "next.Count = p.o.Remediated.Count",
			"next.Count = 0", "TestRetriesAreCounted"),
		rule("a remediation in the future does not prolong the delay", "remediate.go", "!m.Replaces.At.After(p.now)",
			"!m.Replaces.At.IsZero()", "TestPlan"),
		rule("an outdated machine that has not joined is deleted at once", "plan.go",
			"p.leave, p.supersede, p.remediate, p.join", "p.leave, p.remediate, p.join", "TestPlan"),
		rule("a single replica is replaced before it leaves", "planner.go", "if p.d.Replicas < 3 {", "if p.d.Replicas < 1 {",
			"TestModel"),
		rule("a rollout waits for unhealthy machines", "shrink.go",
			"if s := p.othersFit(victim.Name); s != nil {\n\t\treturn s\n\t}\n", "", "TestPlan"),
		rule("a faulty template does not replace its own machines", "spread.go", "both(ill, p.replaces), p.replaces, ill,",
			"ill, p.replaces,", "TestPlan"),
		rule("the machine that a user prefers is deleted", "spread.go",
			"return m.DeletionPreferred }", "return m.DeletionPreferred && m.Name == \"\" }", "TestPlan"),
		rule("short certificates do not roll out without an end", "staleness.go", "early.Before(half)",
			"early.Before(time.Time{})", "TestPlan"),
		rule("unknown digests are not compared", "staleness.go", `a != "" && b != "" && a != b`, "a != b", "TestPlan"),
		rule("nothing is replaced while it is held", "shrink.go", "if p.d.Held != \"\" {", "if p.now.IsZero() {", "TestPlan"),
	}
}

// creations are the rules about new machines.
func creations() []mutation {
	return []mutation{
		rule("one machine joins at a time", "create.go", "\treturn p.waitForJoin(joining[0])\n", "\treturn nil\n",
			"TestPlan"),
		rule("a machine that is not needed any more is deleted", "create.go",
			"if len(p.staying) > p.limit() && p.d.Held == \"\" && !last.WasNode() {",
			"if len(p.staying) > 100 {", "TestPlan"),
		rule("failure domains stay even", "spread.go", "cmp.Compare(current[a], current[b]), ", "", "TestRolloutsEndEvenly"),
		rule("a machine of the fullest failure domain is deleted", "spread.go",
			"cmp.Compare(p.crowded(a.FailureDomain), p.crowded(b.FailureDomain)), ", "", "TestPlan"),
		rule("no machine joins beside one that leaves and cannot be asked", "create.go",
			"m.NodeName == \"\" && !p.parallel()", "m.Name == \"\"", "TestPlan"),
		rule("the surge is limited", "create.go", "\tif room <= 0 {", "\tif room < -9 {", "TestPlan"),
		rule("a cluster is started once", "plan.go", "case !p.o.Initialized && p.ran():",
			"case !p.o.Initialized && p.now.IsZero():", "TestPlan"),
		rule("one node does not prove that a cluster ran", "plan.go", `m.NodeName != "" && len(p.machines) > 1`,
			`m.NodeName != ""`, "TestPlan"),
		rule("the first machine is gone before the next one", "start.go", "case len(p.machines) > 0:",
			"case len(p.machines) > 99:", "TestPlan"),
		rule("certificates are never generated again", "create.go", "case !p.o.CertificatesReady:",
			"case p.now.IsZero():", "TestPlan"),
		rule("the configuration of the cluster is updated before a join", "create.go", "if !p.o.JoinPrepared {",
			"if p.now.IsZero() {", "TestPlan"),
		rule("versions that cannot join are refused", "create.go", "case p.skew() != \"\":", "case p.now.IsZero():",
			"TestPlan"),
	}
}
