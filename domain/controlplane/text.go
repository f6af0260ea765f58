package controlplane

import (
	"fmt"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
)

// The limits of messages in bytes. Messages contain text of machines and of members.
const (
	maxMessage = 1024
	maxText    = 256
	// maxNames limits the names in a list.
	maxNames = 5
)

// bounded returns the message on one line with a limited length.
func bounded(message string) string { return host.Line(message, maxMessage) }

// text returns foreign text on one line, without secrets and with a limited length. It reads no more of it than can be
// in the result, because the search for secrets costs time.
func text(s string) string { return host.Line(secret.CleanShapes(s[:min(len(s), 4*maxText)]), maxText) }

// versionText returns a version that a node reports, without searching for secrets if it looks like one.
func versionText(s string) string {
	other := func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && r != '.' && r != '+' && r != '-'
	}
	if len(s) < 40 && !strings.ContainsFunc(s, other) {
		return s
	}
	return text(s)
}

// stamp returns the time in the format of RFC 3339.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// since returns the time after the word since, or nothing if the time is not known.
func since(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " since " + stamp(t)
}

// count returns a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// list returns the texts, separated by commas.
func list(texts []string) string {
	cleaned := make([]string, 0, min(len(texts), maxNames+1))
	for i, s := range texts {
		if i == maxNames {
			cleaned = append(cleaned, fmt.Sprintf("%d more", len(texts)-i))
			break
		}
		cleaned = append(cleaned, text(s))
	}
	return strings.Join(cleaned, ", ")
}

// names returns the names of the machines.
func names(machines []Machine) string {
	all := make([]string, 0, len(machines))
	for _, m := range machines {
		all = append(all, m.Name)
	}
	return list(all)
}

// String describes the votes, such as "2 of 3 etcd members respond".
func (q Quorum) String() string {
	if q.Voters == 1 {
		return fmt.Sprintf("%d of 1 etcd member responds", q.Responding)
	}
	return fmt.Sprintf("%d of %d etcd members respond", q.Responding, q.Voters)
}

// id returns the ID of the member as etcdctl prints it. Its name is the text of a workload cluster.
func (m Member) id() string { return fmt.Sprintf("%x", m.ID) }

// memberName returns the name of the member's machine, or its ID.
func (p *planner) memberName(member Member) string {
	if m, found := p.machineOf(member); found {
		return member.id() + " of machine " + m.Name
	}
	return member.id()
}
