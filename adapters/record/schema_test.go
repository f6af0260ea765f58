package record_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/test/golden"
)

// published is the schema of the status file, for programs that read it.
const published = "../../docs/schema/machineadm.io_v1alpha1_status.json"

// schema returns the schema of the status file, made of its type. Fields may be added within a version, so unknown ones are no
// mistake.
func schema(t *testing.T) []byte {
	t.Helper()
	r := jsonschema.Reflector{ExpandedStruct: true, AllowAdditionalProperties: true, DoNotReference: true}
	if err := r.AddGoComments("github.com/machineadm/machineadm/adapters/record", "."); err != nil {
		t.Fatal(err)
	}
	s := r.Reflect(&record.Status{})
	s.ID, s.Title = "", record.Kind
	constant := func(name, value string) {
		p, _ := s.Properties.Get(name)
		p.Const = value
	}
	constant("apiVersion", record.APIVersion)
	constant("kind", record.Kind)
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(data, '\n')
}

func TestSchemaIsPublished(t *testing.T) { golden.File(t, published, schema(t)) }

// TestStatusFollowsTheSchema holds what is written, in every state, to what was published.
func TestStatusFollowsTheSchema(t *testing.T) {
	compiled, err := validator.NewCompiler().Compile(published)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 21, 1, 2, 3, 4, time.UTC)
	for _, s := range []status.Status{
		{State: status.StateRunning, Started: at},
		{State: status.StateSucceeded, Started: at, Ended: at, Version: "v1", Digest: "00", Steps: []status.Step{{Phase: document.PhaseUser, Outcome: status.OutcomeChanged, Took: time.Second}}},
		{State: status.StateFailed, Started: at, Ended: at, Failure: &status.Failure{Phase: document.PhaseJoin, Cause: "c", Log: "l", ExitCode: 1}},
	} {
		d := record.Linux(t.TempDir())
		publish(t, record.Publisher{Directories: d}, s)
		file, err := os.ReadFile(filepath.Join(d.Run, record.StatusFile))
		if err != nil {
			t.Fatal(err)
		}
		value, err := validator.UnmarshalJSON(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(value); err != nil {
			t.Errorf("%s: %v", s.State, err)
		}
	}
	if err := compiled.Validate(map[string]any{"apiVersion": record.APIVersion, "kind": "Other"}); err == nil {
		t.Error("the schema takes anything")
	}
}
