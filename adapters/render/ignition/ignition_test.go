package ignition_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/test/golden"
)

func TestGoldens(t *testing.T) {
	cases := map[string]struct {
		reason string
		plan   plan.Plan
	}{
		"worker":     {reason: "an ordinary worker", plan: ignmodeltest.Worker(ignmodeltest.Target("flatcar", ""))},
		"everything": {reason: "each operation", plan: ignmodeltest.Everything(ignmodeltest.Target("flatcar", ""))},
		"everything-3.0": {
			reason: "the oldest version: less is native",
			plan:   ignmodeltest.Everything(ignmodeltest.Version(ignmodeltest.Target("fedora-coreos", ""), "3.0.0")),
		},
		"everything-3.6": {
			reason: "the newest version: more is native",
			plan:   ignmodeltest.Everything(ignmodeltest.Target("fedora-coreos", "44.20260501.3.0")),
		},
	}
	goldens := golden.Open(t, "testdata")
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			goldens.Compare(t, name+".ign", ignmodeltest.Render(t, ignition.New(), tc.plan))
		})
	}
}

// TestKernelArguments renders kernel arguments in the versions that have them.
func TestKernelArguments(t *testing.T) {
	d := document.Document{Value: machine.KernelArguments{
		ShouldExist: []string{"console=ttyS0,115200n8", "quiet"}, ShouldNotExist: []string{"mitigations=auto"},
	}}
	for version, native := range map[string]bool{"3.2.0": false, "3.3.0": true, "3.6.0": true} {
		target := ignmodeltest.Version(ignmodeltest.Target("fedora-coreos", ""), version)
		if got := ignition.New().Native(d, target); got != native {
			t.Errorf("Ignition %s: native is %t, want %t", version, got, native)
		}
	}
	p := plan.New(ignmodeltest.Target("fedora-coreos", ""), []document.Document{d}, []plan.Expansion{{Native: true}})
	got := string(ignmodeltest.Render(t, ignition.New(), p))
	const want = `"kernelArguments":{"shouldExist":["console=ttyS0,115200n8","quiet"],` +
		`"shouldNotExist":["mitigations=auto"]}`
	if !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPayload(t *testing.T) {
	rendering, _, err := ignition.New().Render(t.Context(), ignmodeltest.Worker(ignmodeltest.Target("flatcar", "")))
	if err != nil {
		t.Fatal(err)
	}
	got := rendering.Payload
	if got.Format != delivery.FormatIgnition || got.FileExtension != ".ign" {
		t.Errorf("payload %+v", got)
	}
	if diff := cmp.Diff([]string{"storage.files[0]", "storage.files[1]"}, rendering.Places); diff != "" {
		t.Errorf("Places (-want +got):\n%s", diff)
	}
}

// TestExistingPartitions checks the settings that change partitions of a table that is kept.
func TestExistingPartitions(t *testing.T) {
	root := machine.Partition{Number: 4, Label: "root", SizeMiB: 8192, Resize: true, WipeEntry: true}
	step := action.PartitionDisk{Disk: machine.Disk{Device: "/dev/vda", Partitions: []machine.Partition{root}}}
	target := ignmodeltest.Target("fedora-coreos", "")
	got := string(ignmodeltest.Render(t, ignition.New(), ignmodeltest.Of(target, step)))
	const want = `{"label":"root","number":4,"resize":true,"sizeMiB":8192,"wipePartitionEntry":true}`
	if !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	_, findings, err := ignition.New().Render(t.Context(), ignmodeltest.Of(ignmodeltest.Version(target, "3.1.0"), step))
	if err != nil || !strings.Contains(findings.String(), "partitions[0].resize: this version of the format does not") {
		t.Errorf("3.1.0: %s %v", findings, err)
	}
}

func BenchmarkWorker(b *testing.B) {
	r, p := ignition.New(), ignmodeltest.Worker(ignmodeltest.Target("flatcar", ""))
	b.ReportAllocs()
	for b.Loop() {
		if _, findings, err := r.Render(b.Context(), p); err != nil || findings.HasErrors() {
			b.Fatal(err, findings)
		}
	}
}
