package etcdmembers

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/host"
)

const (
	// maxMembers limits a list of members. etcd recommends seven, and allows one learner.
	maxMembers = 32
	// maxAddresses limits the peer addresses, and maxAlarms the alarms of a member.
	maxAddresses = 8
	maxAlarms    = 4
	// maxName limits the name of a member, which is that of its node.
	maxName = 253
)

// namePattern matches a DNS name in lower case.
var namePattern = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

// Report is what a member reports about itself.
type Report struct {
	// ClusterID is zero if it is not known.
	ClusterID, MemberID uint64
	// Leader is the member that leads, or zero if this member knows of no leader: then it has no quorum.
	Leader uint64
}

// Entry is a member in the list of another one.
type Entry struct {
	ID       uint64
	Name     string
	PeerURLs []string
	Learner  bool
	// Alarms are the names of its alarms.
	Alarms []string
}

// oneCluster returns the reports of the cluster to which most of the members belong. It leaves out a machine that
// started another cluster by mistake. It is an error if there is no such cluster.
func oneCluster(reports []Report) ([]Report, error) {
	count := map[uint64]int{}
	for _, r := range reports {
		count[r.ClusterID]++
	}
	for id, n := range count {
		if 2*n > len(reports) {
			return slices.DeleteFunc(slices.Clone(reports), func(r Report) bool { return r.ClusterID != id }), nil
		}
	}
	if len(reports) == 0 {
		return nil, nil
	}
	return nil, fmt.Errorf("the machines belong to %d etcd clusters; delete the machines that are not of this one",
		len(count))
}

// ledBy returns the reports of the members that know of a leader, with that of the leader first.
func ledBy(reports []Report) []Report {
	found := slices.DeleteFunc(slices.Clone(reports), func(r Report) bool { return r.Leader == 0 })
	slices.SortStableFunc(found, func(a, b Report) int {
		switch {
		case a.Leader == a.MemberID && b.Leader != b.MemberID:
			return -1
		case b.Leader == b.MemberID && a.Leader != a.MemberID:
			return 1
		default:
			return 0
		}
	})
	return found
}

// view returns the members of a list. A member responds if it reported about itself and knows of a leader.
func view(list []Entry, reports []Report) ([]controlplane.Member, error) {
	if len(list) > maxMembers {
		return nil, fmt.Errorf("the list has %d members; more than %d are not supported", len(list), maxMembers)
	}
	members := make([]controlplane.Member, 0, len(list))
	for _, e := range list {
		m := controlplane.Member{
			ID: e.ID, Name: host.Line(e.Name, maxName), PeerAddresses: addresses(e.PeerURLs), Learner: e.Learner,
		}
		for _, alarm := range e.Alarms[:min(len(e.Alarms), maxAlarms)] {
			m.Alarms = append(m.Alarms, host.Line(alarm, maxName))
		}
		if i := slices.IndexFunc(reports, func(r Report) bool { return r.MemberID == e.ID }); i >= 0 {
			m.Responds = reports[i].Leader != 0
			m.Leader = m.Responds && reports[i].Leader == e.ID
		}
		members = append(members, m)
	}
	return members, nil
}

// confirmPair marks two voters as responding, because a linearizable list needs both. A machine whose API server does
// not start has no node, and its member, which votes already, cannot be asked. Of three or more voters, the list does
// not prove which ones responded.
func confirmPair(members []controlplane.Member) {
	voters := 0
	for _, m := range members {
		if !m.Learner {
			voters++
		}
	}
	for i := range members {
		members[i].Responds = members[i].Responds || voters == 2 && !members[i].Learner
	}
}

// addresses returns the hosts of URLs that are IP addresses or DNS names.
func addresses(urls []string) []string {
	var hosts []string
	for _, text := range urls[:min(len(urls), maxAddresses)] {
		u, err := url.Parse(text)
		if err != nil {
			continue
		}
		name := strings.ToLower(u.Hostname())
		if address, err := netip.ParseAddr(name); err == nil {
			name = address.Unmap().String()
		} else if len(name) > maxName || !namePattern.MatchString(name) {
			continue
		}
		hosts = append(hosts, name)
	}
	return hosts
}
