package composition_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// plugins reads lines such as "A/a before B/b after C/c"; a line that ends in a state in brackets has it.
func plugins(text string) composition.Composition {
	var all composition.Composition
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		kind, name, _ := strings.Cut(words[0], "/")
		kind, group, _ := strings.Cut(kind, ".")
		p := composition.Plugin{
			ID:       composition.ID{Group: group, Kind: kind, Name: name},
			Observed: composition.Observed{State: composition.Ready},
		}
		for i := 1; i+1 < len(words); i += 2 {
			switch words[i] {
			case "before":
				p.Before = append(p.Before, words[i+1])
			case "after":
				p.After = append(p.After, words[i+1])
			case "is":
				p.State, p.Message = composition.State(words[i+1]), "it is "+words[i+1]
			case "from":
				kind, name, _ := strings.Cut(words[i+1], "/")
				p.Template = &composition.ID{Kind: kind, Name: name}
			}
		}
		p.Documents = []document.Document{{Value: machine.File{Path: "/" + p.String()}}}
		all = append(all, p)
	}
	return all
}

func TestOrder(t *testing.T) {
	cases := map[string]struct{ reason, plugins, want string }{
		"none":   {"position counts", "A/a\nB/b", "A/a B/b"},
		"before": {"one asks to come first", "A/a\nB/b before A/a", "B/b A/a"},
		"after":  {"the same, requested by the other", "A/a after B/b\nB/b", "B/b A/a"},
		"full":   {"two groups may have a kind", "A.x/a\nA.y/a before A.x/a", "A/a A/a"},
		"template": {
			"what is made from a template is called by the template's name",
			"A/a after BTemplate/t\nB/b-123 from BTemplate/t", "B/b-123 A/a",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := plugins(tc.plugins)
			ordered := c.Order()
			var got []string
			for _, d := range ordered.Documents() {
				got = append(got, strings.TrimPrefix(d.Value.(machine.File).Path, "/"))
			}
			if strings.Join(got, " ") != tc.want || c.Blocking() != nil || c.Summary() != "" {
				t.Errorf("ordered %v, held %v, want %s: %s", got, c.Summary(), tc.want, tc.reason)
			}
		})
	}
}

// TestOrderIsCheap orders as many plugins as a machine can name, each of which names as many others as it may.
// Comparing each name with each plugin took 1.2 GiB.
func TestOrderIsCheap(t *testing.T) {
	var lines strings.Builder
	for i := range 128 {
		fmt.Fprintf(&lines, "Kind%d.%s/%s", i, strings.Repeat("g", 200), strings.Repeat("n", 200))
		for j := range composition.MaxNames {
			fmt.Fprintf(&lines, " after Kind%d/%s before Kind%d/%s", j, strings.Repeat("n", 200), 64+j, strings.Repeat("n", 200))
		}
		lines.WriteString("\n")
	}
	c := plugins(lines.String())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c.Order()
	runtime.ReadMemStats(&after)
	if cost := after.TotalAlloc - before.TotalAlloc; cost > 16<<20 {
		t.Errorf("it allocates %d KiB", cost>>10)
	}
}

func TestBlockingPlugins(t *testing.T) {
	cases := map[string]struct{ reason, plugins, state, summary string }{
		"late": {"nothing is wrong", "A/a\nB/b is NotReady", "NotReady", "B/b: it is NotReady"},
		"failed": {
			"plugins that have to be corrected come first", "A/a is NotFound\nB/b is Failed", "Failed",
			"B/b: it is Failed; another plugin is not ready",
		},
		"unknown": {
			"a name that no plugin has", "A/a before B/b", "UnknownPlugin",
			"A/a: it comes before B/b, which is none of the machine's plugins",
		},
		"ambiguous": {
			"a name that two have", "A.x/a\nA.y/a\nB/b after A/a", "UnknownPlugin",
			"B/b: it comes after A/a, which are A.x/a and A.y/a",
		},
		"cycle": {
			"a cycle is named", "A/a before B/b\nB/b before C/c\nC/c before A/a\nD/d after A/a", "OrderCycle",
			"A/a: there is no such order: A/a before B/b before C/c before A/a; 2 other plugins are not ready",
		},
		"itself": {
			"nothing comes before itself", "A/a after A/a", "OrderCycle",
			"A/a: there is no such order: A/a before A/a",
		},
		"late cycle": {
			"what is not there yet counts", "A/a before B/b\nB/b before A/a is NotReady", "OrderCycle",
			"A/a: there is no such order: A/a before B/b before A/a; another plugin is not ready",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := plugins(tc.plugins)
			c.Order()
			held := c.Blocking()
			if held == nil || string(held.State) != tc.state || c.Summary() != tc.summary {
				t.Fatalf("held %+v with %q: %s", held, c.Summary(), tc.reason)
			}
			if got := c.Findings(); (len(got) == 0) != held.State.IsTemporary() {
				t.Errorf("findings %v: %s", got, tc.reason)
			}
		})
	}
}

func TestJudge(t *testing.T) {
	ready := composition.Status{Ready: true, SecretName: "s"}
	with := func(change func(*composition.Status)) composition.Status {
		s := ready
		change(&s)
		return s
	}
	cases := map[string]struct {
		reason  string
		status  composition.Status
		want    composition.State
		message string
	}{
		"ready":   {"the status is complete", ready, composition.Ready, ""},
		"nothing": {"no controller has looked", composition.Status{}, composition.NotReady, "it is not ready"},
		"reason": {
			"it contains the problem",
			composition.Status{ReadyMessage: "InvalidSpec: no"},
			composition.NotReady,
			"it is not ready: InvalidSpec: no",
		},
		"failed": {
			"a failure counts more than readiness", with(func(s *composition.Status) { s.FailureReason = "Broken" }),
			composition.Failed, "Broken",
		},
		"message": {
			"both are reported",
			composition.Status{FailureReason: "Broken", FailureMessage: "no luck"},
			composition.Failed, "Broken: no luck",
		},
		"stale": {
			"an older spec's documents are not used", with(func(s *composition.Status) { s.Stale = true }),
			composition.NotReady, "its status is about an older spec",
		},
		"deleting": {
			"what goes is not used", with(func(s *composition.Status) { s.Deleting = true }), composition.Deleting,
			"it is being deleted",
		},
		"names": {
			"a long list costs every look at the machine", with(func(s *composition.Status) { s.Before = make([]string, 65) }),
			composition.InvalidStatus, "status.beforePlugins has more than 64 names or one of more than 570 bytes",
		},
		"long name": {
			"no plugin has such a name",
			composition.Status{After: []string{strings.Repeat("a", 571)}},
			composition.InvalidStatus, "status.afterPlugins has more than 64 names or one of more than 570 bytes",
		},
		"nameless": {
			"what is ready has a Secret",
			composition.Status{Ready: true},
			composition.InvalidStatus,
			"it is ready and names no Secret",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := tc.status.Evaluate(); got.State != tc.want || got.Message != tc.message {
				t.Errorf("%s: %q, want %s: %q: %s", got.State, got.Message, tc.want, tc.message, tc.reason)
			}
		})
	}
}

func TestInstanceNames(t *testing.T) {
	template := composition.ID{Group: "a.example", Kind: "WidgetTemplate", Name: "t"}
	i := composition.InstanceOf("m1", template)
	if i.ID != (composition.ID{Group: "a.example", Kind: "Widget", Name: i.Name}) || !strings.HasPrefix(i.Name, "m1-") ||
		i.Template != template {
		t.Errorf("%+v", i)
	}
	if again := composition.InstanceOf("m1", template); again != i {
		t.Errorf("the name is not the same again: %s", again.Name)
	}
	other := template
	other.Name = "u"
	names := map[string]bool{i.Name: true}
	for _, n := range []string{composition.InstanceOf("m2", template).Name, composition.InstanceOf("m1", other).Name} {
		if names[n] {
			t.Errorf("%s is not unique", n)
		}
		names[n] = true
	}
	long := composition.InstanceOf(strings.Repeat("m", 252)+".", template)
	if len(long.Name) > 253 || strings.Contains(long.Name, ".-") {
		t.Errorf("%s is no name", long.Name)
	}
}
