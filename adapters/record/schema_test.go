package record_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/test/golden"
)

const published = "../../docs/schema/machineadm.io_v1alpha1_bootstrapstatus.json"

// TestSchemaIsPublished makes the schema of the types. Readers take fields that they do not know: later programs add
// some.
func TestSchemaIsPublished(t *testing.T) {
	r := &jsonschema.Reflector{Anonymous: true, AllowAdditionalProperties: true}
	if err := r.AddGoComments("github.com/machineadm/machineadm/adapters/record", "./"); err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(r.Reflect(&record.Status{}), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, published, append(text, '\n'))
}

func valid(t *testing.T, text []byte) error {
	t.Helper()
	s, err := validator.NewCompiler().Compile(published)
	if err != nil {
		t.Fatal(err)
	}
	value, err := validator.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(value)
}

func TestSchemaAcceptsWhatIsPublished(t *testing.T) {
	d := record.Linux(t.TempDir())
	s := status.Status{
		State: status.StateFailed, Steps: []status.Step{{Phase: document.PhaseUser, Outcome: status.OutcomeChanged}},
		Failure: &status.Failure{Phase: document.PhaseJoin, ExitCode: 1, Cause: "c"},
	}
	if err := (record.Publisher{Directories: d}).Report(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(d.Run, record.StatusFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := valid(t, text); err != nil {
		t.Error(err)
	}
	if valid(t, bytes.Replace(text, []byte(`"state"`), []byte(`"stat"`), 1)) == nil {
		t.Error("a status without a state is valid")
	}
}

// TestPageShowsAStatus holds the example of the page against the schema.
func TestPageShowsAStatus(t *testing.T) {
	page, err := os.ReadFile("../../docs/status.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```json\n(.*?)```").FindSubmatch(page)
	if example == nil {
		t.Fatal("the page has no example")
	}
	if err := valid(t, example[1]); err != nil {
		t.Error(err)
	}
	for _, field := range []string{"state", "version", "configuration", "started", "changes", "failure"} {
		if !strings.Contains(string(page), "| `"+field) {
			t.Errorf("the page does not describe %s", field)
		}
	}
}
