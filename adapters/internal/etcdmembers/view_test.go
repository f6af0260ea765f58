package etcdmembers

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/controlplane"
)

func TestOneCluster(t *testing.T) {
	report := func(member, cluster uint64) Report { return Report{ClusterID: cluster, MemberID: member, Leader: 1} }
	a, b, c := report(1, 1), report(2, 1), report(3, 2)
	cases := map[string]struct {
		reason    string
		reports   []Report
		want      []Report
		ambiguous bool
	}{
		"none": {reason: "no member answers"},
		"one":  {reports: []Report{a}, want: []Report{a}},
		"stray": {
			reason:  "a machine started a cluster of its own",
			reports: []Report{c, a, b}, want: []Report{a, b},
		},
		"tie": {reason: "either can be the cluster", reports: []Report{a, c}, ambiguous: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := oneCluster(tc.reports)
			if diff := cmp.Diff(tc.want, got); diff != "" || (err != nil) != tc.ambiguous {
				t.Errorf("error %v, %s (-want +got):\n%s", err, tc.reason, diff)
			}
		})
	}
}

func TestLed(t *testing.T) {
	follower := Report{MemberID: 1, Leader: 2}
	leader := Report{MemberID: 2, Leader: 2}
	lost := Report{MemberID: 3}
	want := []Report{leader, follower}
	if diff := cmp.Diff(want, ledBy([]Report{lost, follower, leader})); diff != "" {
		t.Errorf("led (-want +got):\n%s", diff)
	}
}

func TestMembers(t *testing.T) {
	list := []Entry{
		{ID: 1, Name: "n1", PeerURLs: []string{"https://192.0.2.1:2380", "https://[2001:DB8::1]:2380"}},
		{ID: 2, Name: "n2", PeerURLs: []string{"https://Node-2.example:2380"}, Alarms: []string{"NOSPACE"}},
		{ID: 3, Learner: true, PeerURLs: []string{"https://192.0.2.3:2380"}},
		{ID: 4, Name: "n4"},
	}
	reports := []Report{
		{MemberID: 1, Leader: 1}, {MemberID: 2, Leader: 1}, {MemberID: 4}, {MemberID: 5, Leader: 5},
	}
	want := []controlplane.Member{
		{ID: 1, Name: "n1", PeerAddresses: []string{"192.0.2.1", "2001:db8::1"}, Responds: true, Leader: true},
		{ID: 2, Name: "n2", PeerAddresses: []string{"node-2.example"}, Responds: true, Alarms: []string{"NOSPACE"}},
		{ID: 3, PeerAddresses: []string{"192.0.2.3"}, Learner: true},
		{ID: 4, Name: "n4"},
	}
	got, err := view(list, reports)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("members (-want +got):\n%s\nerror %v", diff, err)
	}
}

// TestHostileMembers verifies that the text of a member is bounded and cannot forge lines of a condition.
func TestHostileMembers(t *testing.T) {
	urls := []string{"https://a b:1", "https://$(id):1", "\x00", "https://" + strings.Repeat("a", 300) + ":1"}
	got, err := view([]Entry{{
		Name: "a\nReady: \x1b[2J\u202e" + strings.Repeat("x", 300), PeerURLs: append(urls, make([]string, 1000)...),
		Alarms: make([]string, 1000),
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := got[0]
	if len(m.Name) > 253 || strings.ContainsAny(m.Name, "\n\x1b\u202e") || len(m.PeerAddresses) > 0 || len(m.Alarms) > 4 {
		t.Errorf("the member was not cleaned: %+v", m)
	}
	if _, err := view(make([]Entry, 1000), nil); err == nil {
		t.Error("a thousand members were accepted")
	}
}
