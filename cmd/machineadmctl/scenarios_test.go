package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/cli"
	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/golden"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/scenarios"
)

// dir contains the scenarios.
const dir = "../../testdata/scenarios"

// TestScenarios renders each machine for the systems of the table, in their formats, and compares with its goldens,
// which are want/<format>/<system>.<extension>. It runs machineadmctl, and therefore the
// controller's use case. Findings are a golden, too: want/report.txt.
func TestScenarios(t *testing.T) {
	folders, err := os.ReadDir(dir)
	if err != nil || len(folders) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, s := range folders {
		t.Run(s.Name(), func(t *testing.T) {
			t.Parallel()
			renderAll(t, filepath.Join(dir, s.Name()))
		})
	}
}

// TestClustersOfScenarios checks that the API server accepts the Clusters, which users copy: it requires one of three
// fields.
func TestClustersOfScenarios(t *testing.T) {
	field := regexp.MustCompile(`(?m)^  (controlPlaneRef|infrastructureRef|topology):`)
	files, err := filepath.Glob(filepath.Join(dir, "*", "manifests.yaml"))
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for document := range strings.SplitSeq(string(text), "---\n") {
			if strings.Contains(document, "\nkind: Cluster\n") {
				found++
				if !field.MatchString(document) {
					t.Errorf("the API server refuses the Cluster in %s", file)
				}
			}
		}
	}
	if err != nil || found < 15 {
		t.Errorf("%d Clusters: %v", found, err)
	}
}

func renderAll(t *testing.T, scenario string) {
	t.Helper()
	checkReadme(t, scenario)
	want := golden.Open(t, filepath.Join(scenario, "want"))
	var findings notes
	rendered, explained := 0, map[delivery.Format]bool{}
	for i, v := range scenarios.Variants(t, filepath.Base(scenario), formats.Builtin()) {
		seen := &witness{}
		code, out, errs := runWith(t, seen, v.Manifests, v.Args("render")...)
		findings.add(v, code, errs)
		canary.Check(t, "render: "+v.String(), string(errs), canary.SecretsIn(string(out))...)
		showNoSecret(t, v, "validate", outputs(i), string(out))
		// explain renders a machine many times, so make test tries it once for each format, and for what is refused.
		if code != 0 || !explained[v.Format] || nightly.Enabled() {
			showNoSecret(t, v, "explain", outputs(i), string(out))
		}
		explained[v.Format] = explained[v.Format] || code == 0
		if code != 0 {
			continue
		}
		rendered++
		want.Compare(t, fmt.Sprintf("%s/%s%s", v.Format, v.System, seen.payload.FileExtension), out)
		if _, again, _ := runScenario(t, v.Manifests, v.Args("render")...); !bytes.Equal(out, again) {
			t.Errorf("%s: the second run produced other bytes", v)
		}
	}
	if rendered == 0 {
		t.Error("no format supports this machine")
	}
	want.Compare(t, "report.txt", findings.text())
}

// checkReadme checks that the scenario has a README, which explains each overlay.
func checkReadme(t *testing.T, scenario string) {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(scenario, "README.md"))
	if err != nil || len(readme) == 0 {
		t.Errorf("the scenario has no README that describes it: %v", err)
	}
	for _, overlay := range scenarios.Overlays(t, filepath.Base(scenario)) {
		if !bytes.Contains(readme, []byte("- `os/"+overlay+"`: ")) {
			t.Errorf("the README does not explain os/%s", overlay)
		}
		if !slices.ContainsFunc(scenarios.Systems(), func(s scenarios.System) bool { return s.Needs(overlay) }) {
			t.Errorf("os/%s is for no system of the table", overlay)
		}
	}
}

// notes are the findings about the variants of a scenario.
type notes struct{ all []note }

// note contains the findings that several variants share.
type note struct{ heads, text string }

// place matches the place of a finding in the manifests, and the quoted line.
var place = regexp.MustCompile(`(?m)^stdin:\d+:\d+: |^ *\d* \| .*\n`)

// placeholder matches a finding about a value that the manifests do not contain.
var placeholder = regexp.MustCompile(`placeholders? replaces? `)

func (n *notes) add(v scenarios.Variant, code int, findings []byte) {
	text := ""
	for line := range strings.Lines(place.ReplaceAllString(string(findings), "")) {
		// All scenarios have placeholders for keys.
		if !placeholder.MatchString(line) {
			text += line
		}
	}
	head := fmt.Sprintf("# %s: rendered\n", v)
	if code != 0 {
		head = fmt.Sprintf("# %s: refused\n", v)
	}
	i := slices.IndexFunc(n.all, func(o note) bool { return o.text == text })
	switch {
	case text == "":
	case i < 0:
		n.all = append(n.all, note{heads: head, text: text})
	default:
		n.all[i].heads += head
	}
}

func (n *notes) text() []byte {
	var b bytes.Buffer
	for i, o := range n.all {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(o.heads + o.text)
	}
	return b.Bytes()
}

// witness records the plan and the payload of a renderer.
type witness struct {
	plan    plan.Plan
	payload delivery.Payload
}

type witnessed struct {
	ports.Renderer
	*witness
}

func (w witnessed) Render(ctx context.Context, p plan.Plan) (ports.Rendering, report.Report, error) {
	rendering, findings, err := w.Renderer.Render(ctx, p)
	w.plan, w.payload = p, rendering.Payload
	return rendering, findings, err
}

func (w witnessed) Supports(t osprofile.Target, p report.Path) report.Report {
	return ports.Supports(w.Renderer, t, p)
}

// outputs returns the flags of one output format. The turn selects it, so that each scenario uses every format.
func outputs(turn int) []string {
	return [][]string{nil, {"-o", "json"}, {"-o", "yaml"}}[turn%3]
}

// showNoSecret searches the output of a command for planted secrets, and for generated ones in the payload.
func showNoSecret(t *testing.T, v scenarios.Variant, command string, output []string, payload string) {
	t.Helper()
	_, out, errs := runScenario(t, v.Manifests, v.Args(command, output...)...)
	canary.Check(t, fmt.Sprintf("%s %v: %s", command, output, v), string(out)+string(errs), canary.SecretsIn(payload)...)
}

// TestScenariosHoldSecrets checks that the search finds secrets in payloads.
func TestScenariosHoldSecrets(t *testing.T) {
	for _, scenario := range []string{"air-gapped", "control-plane-init", "proxy"} {
		_, out, _ := runScenario(t, nil, "render", "-f", filepath.Join(dir, scenario, "manifests.yaml"))
		search, err := canary.For()
		if err != nil || len(search.In(string(out))) == 0 || len(canary.SecretsIn(string(out))) == 0 {
			t.Errorf("%s: no planted secret, or no token or key, is in the data: %v", scenario, err)
		}
	}
}

func runScenario(t *testing.T, in []byte, args ...string) (code int, out, errs []byte) {
	t.Helper()
	return runWith(t, &witness{}, in, args...)
}

func runWith(t *testing.T, seen *witness, in []byte, args ...string) (code int, out, errs []byte) {
	t.Helper()
	var renderers []ports.Renderer
	for _, r := range formats.Builtin() {
		renderers = append(renderers, witnessed{Renderer: r, witness: seen})
	}
	service, err := render.New(renderers, plugins.Builtin(), render.WithCodec(codec.Codec{}))
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code = cli.Run(t.Context(), cli.Options{
		Render: service, Codec: codec.Codec{}, Version: cli.Version{Version: "test"},
		In: bytes.NewReader(in), Out: &stdout, Err: &stderr,
	}, args)
	return code, stdout.Bytes(), stderr.Bytes()
}

// TestOutputEndsWithNewline checks what explain and validate print about every scenario, in every output format.
func TestOutputEndsWithNewline(t *testing.T) {
	manifests, err := filepath.Glob(filepath.Join(dir, "*", "manifests.yaml"))
	if err != nil || len(manifests) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for i, file := range manifests {
		for _, command := range []string{"explain", "validate"} {
			args := append([]string{command, "-f", file}, outputs(i)...)
			_, out, errs := runScenario(t, nil, args...)
			if !bytes.HasSuffix(out, []byte("\n")) || len(errs) > 0 && !bytes.HasSuffix(errs, []byte("\n")) {
				t.Errorf("%v: the last line has no newline:\n%s\n%s", args, out, errs)
			}
		}
	}
}
