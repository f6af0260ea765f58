package host_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/host"
)

// available returns a host that a machine may claim.
func available(name string) host.Host {
	return host.Host{
		Name: name, Labels: map[string]string{"pool": "a"}, Architecture: "amd64", FailureDomain: "rack-1", Probed: true,
	}
}

func with(h host.Host, change func(*host.Host)) host.Host {
	change(&h)
	return h
}

func TestSelect(t *testing.T) {
	inPool := host.Selector{{Key: "pool", Operator: host.OperatorIn, Values: []string{"a", "b"}}}
	cases := map[string]struct {
		reason  string
		request host.Request
		hosts   []host.Host
		want    host.Selection
	}{
		"one": {
			reason: "it matches", request: host.Request{Machine: "m", Selector: inPool},
			hosts: []host.Host{available("h1")}, want: host.Selection{Host: "h1", Reason: host.ReasonHostSelected},
		},
		"no hosts": {
			reason: "the message names the remedy", request: host.Request{Machine: "m"},
			want: host.Selection{
				Reason:  host.ReasonNoMatchingHost,
				Message: "no host matches: the namespace has no Host; create one",
			},
		},
		"nothing matches": {
			reason:  "each host is counted once, by its first mismatch",
			request: host.Request{Machine: "m", Selector: inPool, Architecture: "amd64", FailureDomain: "rack-1"},
			hosts: []host.Host{
				with(available("h1"), func(h *host.Host) { h.Labels = nil }),
				with(available("h2"), func(h *host.Host) { h.Architecture = "arm64" }),
				with(available("h3"), func(h *host.Host) { h.FailureDomain = "" }),
				with(available("h4"), func(h *host.Host) { h.Labels, h.Architecture = nil, "arm64" }),
			},
			want: host.Selection{
				Reason: host.ReasonNoMatchingHost,
				Message: "no host matches: of 4 in the namespace, 1 in another failure domain, 1 of another architecture, " +
					"2 without the labels of spec.hostSelector (pool in (a, b))",
			},
		},
		"nothing available": {
			reason: "a claimed, an unavailable, a new and a deleted host are not selected", request: host.Request{Machine: "m"},
			hosts: []host.Host{
				with(available("h1"), func(h *host.Host) { h.Claim.ID = "other" }),
				with(available("h2"), func(h *host.Host) { h.Unavailable = host.ReasonMaintenance }),
				with(available("h3"), func(h *host.Host) { h.Probed = false }),
				with(available("h4"), func(h *host.Host) { h.Deleting = true }),
				with(available("h5"), func(h *host.Host) { h.Probe = host.FaultUnreachable }),
			},
			want: host.Selection{
				Reason: host.ReasonNoAvailableHost,
				Message: "no host is available: of 5 in the namespace, 1 Claimed, 1 Deleting, 1 Pending (NotProbed), " +
					"1 Unavailable (Maintenance), 1 Unavailable (Unreachable)",
			},
		},
		"agent": {
			reason:  "machine configuration needs an agent, and shell scripts do not",
			hosts:   []host.Host{available("h1"), with(available("h2"), func(h *host.Host) { h.Agent = true })},
			request: host.Request{Machine: "m", Agent: true},
			want:    host.Selection{Host: "h2", Reason: host.ReasonHostSelected},
		},
		"no agent": {
			reason: "the message names the flag", hosts: []host.Host{available("h1")},
			request: host.Request{Machine: "m", Agent: true},
			want: host.Selection{
				Reason:  host.ReasonNoMatchingHost,
				Message: "no host matches: of 1 in the namespace, 1 without an agent of --host-agent-sha256",
			},
		},
		"unknown architecture": {
			reason: "a host of unknown architecture does not suit a machine that needs one",
			hosts:  []host.Host{with(available("h1"), func(h *host.Host) { h.Architecture = "" }), available("h2")},
			request: host.Request{
				Machine: "m", Architecture: "amd64",
			},
			want: host.Selection{Host: "h2", Reason: host.ReasonHostSelected},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := host.Select(c.request, c.hosts); got != c.want {
				t.Errorf("%s: got %+v, want %+v", c.reason, got, c.want)
			}
		})
	}
}

func TestStepAfterSelection(t *testing.T) {
	timeouts := host.DefaultTimeouts()
	got := host.Selection{Host: "h1", Reason: host.ReasonHostSelected}.Step(timeouts)
	want := host.Step{Operation: host.OperationSelectHost, Reason: host.ReasonHostSelected, Message: "Host h1"}
	if got != want {
		t.Errorf("a host is selected: got %+v, want %+v", got, want)
	}
	got = host.Selection{Reason: host.ReasonNoAvailableHost, Message: "no host is available"}.Step(timeouts)
	want = host.Step{
		Operation: host.OperationWait, Reason: host.ReasonNoAvailableHost, Message: "no host is available",
		After: timeouts.Resync,
	}
	if got != want {
		t.Errorf("no host is available: got %+v, want %+v", got, want)
	}
}

// TestHostState returns the first state that applies.
func TestHostState(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*host.Host)
		state  host.State
		why    host.Reason
	}{
		"available": {"it was probed", func(*host.Host) {}, host.StateAvailable, host.ReasonAvailable},
		"new":       {"it was not probed", func(h *host.Host) { h.Probed = false }, host.StatePending, host.ReasonNotProbed},
		"silent": {
			"the probe failed", func(h *host.Host) { h.Probe = host.FaultUnreachable }, host.StateUnavailable,
			host.FaultUnreachable.Reason(),
		},
		"maintenance": {
			"a user's reason precedes the probe", func(h *host.Host) {
				h.Unavailable, h.Probe = host.ReasonMaintenance, host.FaultUnreachable
			}, host.StateUnavailable, host.ReasonMaintenance,
		},
		"claimed": {
			"a host that becomes unavailable stays with its machine", func(h *host.Host) {
				h.Claim, h.Unavailable, h.Deleting = claim(), host.ReasonMaintenance, true
			}, host.StateClaimed, host.ReasonClaimed,
		},
		"deleted": {
			"no machine has it", func(h *host.Host) { h.Deleting, h.Unavailable = true, host.ReasonMaintenance },
			host.StateDeleting, host.ReasonDeleting,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := available("h1")
			c.change(&h)
			if state, why := h.State(); state != c.state || why != c.why {
				t.Errorf("%s: got %s (%s), want %s (%s)", c.reason, state, why, c.state, c.why)
			}
		})
	}
}

func pool(number int) []host.Host {
	hosts := make([]host.Host, number)
	for i := range hosts {
		hosts[i] = available(fmt.Sprintf("host-%d", i))
	}
	return hosts
}

// TestSelectDoesNotDependOnTheOrder expects the same host for every order of the list: caches list in any order.
func TestSelectDoesNotDependOnTheOrder(t *testing.T) {
	hosts := pool(20)
	want := host.Select(host.Request{Machine: "m"}, hosts)
	slices.Reverse(hosts)
	if got := host.Select(host.Request{Machine: "m"}, hosts); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestMachinesPreferDifferentHosts expects that few of many machines that are created together select the same host.
func TestMachinesPreferDifferentHosts(t *testing.T) {
	hosts, selected := pool(200), map[string]int{}
	for i := range 200 {
		selected[host.Select(host.Request{Machine: fmt.Sprintf("worker-%d", i)}, hosts).Host]++
	}
	// Of 200 uniform choices among 200, 126 differ on average.
	if len(selected) < 100 {
		t.Errorf("200 machines select %d hosts", len(selected))
	}
}

// TestSelectKeepsTheChoice expects that hosts which come and go change the choice only if the selected host goes.
func TestSelectKeepsTheChoice(t *testing.T) {
	hosts := pool(20)
	first := host.Select(host.Request{Machine: "m"}, hosts).Host
	for i, h := range hosts {
		if h.Name == first {
			continue
		}
		fewer := slices.Delete(slices.Clone(hosts), i, i+1)
		if got := host.Select(host.Request{Machine: "m"}, fewer).Host; got != first {
			t.Errorf("without %s, the machine selects %s and not %s", h.Name, got, first)
		}
	}
}

func TestRequirements(t *testing.T) {
	labels := map[string]string{"pool": "a", "empty": ""}
	cases := map[string]struct {
		requirement host.Requirement
		want        bool
	}{
		"in":                {host.Requirement{Key: "pool", Operator: host.OperatorIn, Values: []string{"a"}}, true},
		"not in the values": {host.Requirement{Key: "pool", Operator: host.OperatorIn, Values: []string{"b"}}, false},
		"in, no label":      {host.Requirement{Key: "x", Operator: host.OperatorIn, Values: []string{""}}, false},
		"in, empty label":   {host.Requirement{Key: "empty", Operator: host.OperatorIn, Values: []string{""}}, true},
		"not in":            {host.Requirement{Key: "pool", Operator: host.OperatorNotIn, Values: []string{"a"}}, false},
		"not in, no label":  {host.Requirement{Key: "x", Operator: host.OperatorNotIn, Values: []string{"a"}}, true},
		"exists":            {host.Requirement{Key: "empty", Operator: host.OperatorExists}, true},
		"does not exist":    {host.Requirement{Key: "pool", Operator: host.OperatorDoesNotExist}, false},
		"unknown operator":  {host.Requirement{Key: "pool", Operator: "Like", Values: []string{"a"}}, false},
	}
	for name, c := range cases {
		if got := c.requirement.Matches(labels); got != c.want {
			t.Errorf("%s: got %t", name, got)
		}
	}
	if !(host.Selector{}).Matches(nil) {
		t.Error("the empty selector does not match")
	}
}

func TestLine(t *testing.T) {
	cases := map[string]struct {
		text  string
		limit int
		want  string
	}{
		"lines":    {"one\r\ntwo\n\nthree\n", 100, "one; two; three"},
		"controls": {"\x1b[31mred\x00\u202e\tend", 100, "[31mred end"},
		"bytes":    {"a\xffb", 100, "ab"},
		"long":     {"ééé", 3, "é"},
	}
	for name, c := range cases {
		if got := host.Line(c.text, c.limit); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestSelectorText writes requirements as kubectl does, in an order that does not depend on that of a map.
func TestSelectorText(t *testing.T) {
	selector := host.Selector{
		{Key: "pool", Operator: host.OperatorIn, Values: []string{"workers"}},
		{Key: "disk", Operator: host.OperatorNotIn, Values: []string{"hdd", "tape"}},
		{Key: "retired", Operator: host.OperatorDoesNotExist},
		{Key: "gpu", Operator: host.OperatorExists},
	}
	const want = "!retired, disk notin (hdd, tape), gpu, pool=workers"
	if got := selector.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	slices.Reverse(selector)
	if got := selector.String(); got != want {
		t.Errorf("in another order: got %q, want %q", got, want)
	}
	long := host.Selector{{Key: strings.Repeat("k", 300), Operator: host.OperatorExists}}
	if got := long.String(); len(got) > 210 {
		t.Errorf("a long selector: %q", got)
	}
}
