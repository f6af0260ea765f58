package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"k8s.io/klog/v2/textlogger"
)

// changing is an item that its queue changes while it is encoded.
type changing struct{}

var _ json.Marshaler = changing{}

// MarshalJSON panics, as it does for a time that is gone.
func (changing) MarshalJSON() ([]byte, error) { panic("the item was changed") }

func TestQueuesAreNotLogged(t *testing.T) {
	var out strings.Builder
	plain := textlogger.NewLogger(textlogger.NewConfig(textlogger.Verbosity(5), textlogger.Output(&out)))
	l := withoutQueues(plain).WithName("manager").WithValues("controller", "hosts")
	l.V(5).Info("workqueue_items", "items", []any{changing{}})
	if out.Len() > 0 {
		t.Errorf("the items of a queue are logged: %s", out.String())
	}
	l.V(5).Info("Reconciling", "object", "a")
	l.Error(errors.New("there is no disk"), "Reconciler error")
	for _, want := range []string{
		`"Reconciling" logger="manager" controller="hosts" object="a"`,
		`"Reconciler error" err="there is no disk" logger="manager" controller="hosts"`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	if got := strings.Count(out.String(), "logger_test.go:"); got != 2 {
		t.Errorf("%d messages name their caller, want 2:\n%s", got, out.String())
	}
}
