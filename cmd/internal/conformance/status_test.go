package conformance_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/record"
)

// jsonFields returns the names in JSON of the fields of a struct, and their kinds.
func jsonFields[T any]() map[string]string {
	fields := map[string]string{}
	for f := range reflect.TypeFor[T]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		kind := f.Type.Kind()
		if kind == reflect.Pointer {
			kind = f.Type.Elem().Kind()
		}
		fields[name] = strings.TrimRight(kind.String(), "0123456789")
	}
	return fields
}

// TestReportedStatus holds that the API has the fields of the agent's status file: what a machine reports has the same
// names in `machineadm status` and in status.bootstrap.
func TestReportedStatus(t *testing.T) {
	if diff := cmp.Diff(jsonFields[record.Failure](), jsonFields[v1alpha1.BootstrapFailure]()); diff != "" {
		t.Errorf("fields of a failure (-file +API):\n%s", diff)
	}
	want := jsonFields[record.Status]()
	for _, name := range []string{"apiVersion", "kind", "configuration", "changes", "steps"} {
		delete(want, name) // The API has its own version, and numbers in place of the steps.
	}
	got := jsonFields[v1alpha1.BootstrapStatus]()
	for _, name := range []string{"reportTime", "stepsTotal", "stepsDone", "phase"} {
		delete(got, name) // The controller adds these.
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields of the status (-file +API):\n%s", diff)
	}
}
