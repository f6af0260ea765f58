package controlplane

// Quorum counts the votes of an etcd cluster. Only this type decides whether a cluster has a quorum.
type Quorum struct {
	// Voters is the number of members that vote, and Responding the number of those that respond.
	Voters, Responding int
}

// CountVotes returns the votes of the members. Learners do not vote. A voter that has not started does not respond.
func CountVotes(members []Member) Quorum {
	var q Quorum
	for _, m := range members {
		if m.Learner {
			continue
		}
		q.Voters++
		if m.votes() {
			q.Responding++
		}
	}
	return q
}

// votes reports whether the vote of the member counts towards a quorum.
func (m Member) votes() bool { return !m.Learner && m.Responds && m.Name != "" }

// Holds reports whether the voters that respond are a quorum. A cluster without voters has none.
func (q Quorum) Holds() bool { return q.Voters > 0 && q.Responding > q.Voters/2 }

// Without returns the votes after the removal of the member. The removal of a learner changes nothing.
func (q Quorum) Without(m Member) Quorum {
	if m.Learner {
		return q
	}
	q.Voters--
	if m.votes() {
		q.Responding--
	}
	return q
}

// MayAdd reports whether another member may join. Etcd adds a member, also a learner, only while all voters are
// connected (mayAddMember in server/etcdserver/server.go of etcd 3.6). Two or more are a quorum of one more then, and a
// cluster grows from one.
func (q Quorum) MayAdd() bool { return q.Voters > 0 && q.Responding == q.Voters }
