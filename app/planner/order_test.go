package planner_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/app/planner"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// named is an expander whose kind equals its name.
type named struct{ ports.Capability }

func (n named) Describe() ports.Capability { return n.Capability }

func (n named) Expand(context.Context, ports.Expansion) ([]action.Action, report.Report, error) {
	return action.Of(action.WriteFile{File: machine.File{Path: "/" + n.Name}}), nil, nil
}

// expanders parses lines such as "a before b after c".
func expanders(text string) []ports.Expander {
	var all []ports.Expander
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		c := ports.Capability{Name: words[0], Kinds: []document.Kind{document.Kind(words[0])}}
		for i := 1; i < len(words); i += 2 {
			if words[i] == "before" {
				c.Before = append(c.Before, words[i+1])
			} else {
				c.After = append(c.After, words[i+1])
			}
		}
		all = append(all, named{c})
	}
	return all
}

func TestOrderOfExpanders(t *testing.T) {
	cases := map[string]struct{ reason, expanders, documents, want string }{
		"none": {reason: "position counts", expanders: "a\nb", documents: "b a b a", want: "b a b a"},
		"before": {
			reason: "all of a come before all of b", expanders: "a before b\nb", documents: "b a b a",
			want: "a a b b",
		},
		"after": {
			reason: "the same, requested by the other", expanders: "a\nb after a", documents: "b a b a",
			want: "a a b b",
		},
		"stable": {
			reason: "names without a relation stay in front", expanders: "a before b\nb\nc", documents: "c b c a c",
			want: "c c a b c",
		},
		"chain": {
			reason: "one after the other", expanders: "a after b\nb after c\nc", documents: "a b c",
			want: "c b a",
		},
		"nobody": {
			reason: "an unused name is ignored", expanders: "a after ghost before shade\nb",
			documents: "b a", want: "b a",
		},
		"both request it": {
			reason: "the same order asked for twice", expanders: "a before b\nb after a",
			documents: "b a", want: "a b",
		},
		"diamond": {
			reason:    "no cycle, though two ways lead there",
			expanders: "a before b before c\nb before d\nc before d\nd", documents: "d c b a", want: "a c b d",
		},
		"unit phase": {reason: "a phase is never left", expanders: "Unit before a\na", documents: "a Unit", want: "a Unit"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := planner.New(expanders(tc.expanders))
			if err != nil {
				t.Fatal(err)
			}
			var docs []document.Document
			for kind := range strings.FieldsSeq(tc.documents) {
				docs = append(docs, document.Document{Value: document.Opaque{Type: document.Kind(kind)}})
			}
			created, r, err := p.Plan(context.Background(), plan.Job{Documents: docs}, func(document.Document) bool {
				return false
			}, nil)
			if err != nil || len(r) > 0 {
				t.Fatal(r, err)
			}
			if got := kinds(created); got != tc.want || !slices.Equal(paths(created),
				strings.Fields("/"+strings.ReplaceAll(tc.want, " ", " /"))) {
				t.Errorf("ordered %s with steps %v, want %s: %s", got, paths(created), tc.want, tc.reason)
			}
		})
	}
}

func kinds(p plan.Plan) string {
	var all []string
	for _, d := range p.Documents {
		all = append(all, string(d.Kind()))
	}
	return strings.Join(all, " ")
}

func paths(p plan.Plan) []string {
	var all []string
	for _, f := range plan.Operations[action.WriteFile](p) {
		all = append(all, f.Path)
	}
	return all
}

func TestCyclesAreNamed(t *testing.T) {
	cases := map[string]struct{ reason, expanders, want string }{
		"two":    {expanders: "a before b\nb before a", want: "a before b before a"},
		"itself": {expanders: "a after a", want: "a before a"},
		"three": {
			reason:    "those that only lead to the cycle are not named",
			expanders: "z after a\na after b\nb after c\nc after a", want: "a before c before b before a",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := planner.New(expanders(tc.expanders))
			if err == nil || !strings.HasSuffix(err.Error(), ": "+tc.want) {
				t.Errorf("the error is %v; want %s: %s", err, tc.want, tc.reason)
			}
		})
	}
}
