package preflight_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/preflight"
)

func TestIgnore(t *testing.T) {
	swap, port := preflight.Problem{Name: preflight.Swap}, preflight.Problem{Name: preflight.Port(6443)}
	cases := map[string]struct {
		reason           string
		names            []string
		counted, ignored []preflight.Problem
	}{
		"none": {reason: "all count", counted: []preflight.Problem{swap, port}},
		"one": {
			reason: "kubeadm's users write it in small letters", names: []string{"port-6443"},
			counted: []preflight.Problem{swap}, ignored: []preflight.Problem{port},
		},
		"all": {reason: "as kubeadm has it", names: []string{"all"}, ignored: []preflight.Problem{swap, port}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			counted, ignored := preflight.Ignore([]preflight.Problem{swap, port}, c.names)
			if diff := cmp.Diff([][]preflight.Problem{c.counted, c.ignored}, [][]preflight.Problem{
				counted,
				ignored,
			}); diff != "" {
				t.Errorf("%s: %s", c.reason, diff)
			}
		})
	}
}

func TestProblemIsOneLine(t *testing.T) {
	l := preflight.Problem{Name: preflight.Program("kubeadm"), Message: "it is not there", Remedy: "install it"}
	if got := l.String(); got != "Program-kubeadm: it is not there; install it" {
		t.Errorf("got %q", got)
	}
}
