package planner_test

import (
	"context"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/app/planner"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/hardening"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
)

func all(document.Document) bool { return true }

// TestHardeningJoinsBeforePlanning verifies that expanders and renderers need no support for hardening profiles, in the
// controller and on the machine.
func TestHardeningJoinsBeforePlanning(t *testing.T) {
	p, err := planner.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	docs := []document.Document{{
		Value:  hardening.Config{Profile: hardening.STIG},
		Source: document.Source{Path: "spec.hardening"},
	}}
	created, found, err := p.Plan(context.Background(), plan.Job{Documents: docs}, all, nil)
	if err != nil || len(found) > 0 || kinds(created) != "SysctlConfig" {
		t.Errorf("planned %s, %v %v", kinds(created), found, err)
	}
	docs = append(docs, docs[0])
	docs[1].Source.Path = "spec.pluginRefs[0].documents[0].spec"
	if _, found, _ := p.Plan(context.Background(), plan.Job{Documents: docs}, all, nil); !strings.Contains(
		found.String(), "another HardeningConfig") {
		t.Errorf("found %v", found)
	}
}

// TestVersionOfContainerdIsTheDocuments verifies that the document determines the version, whether it comes from the
// config, a plugin, or a file on the machine.
func TestVersionOfContainerdIsTheDocuments(t *testing.T) {
	p, err := planner.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for version, want := range map[int]int{0: 2, 3: 3} {
		docs := []document.Document{{Value: machine.ContainerdConfig{Version: version}}}
		created, _, err := p.Plan(context.Background(), plan.Job{
			Documents: docs, Target: osprofile.Target{ContainerdVersion: 2},
		}, all, nil)
		if err != nil || created.Target.ContainerdVersion != want {
			t.Errorf("a document of version %d is planned for %d, want %d: %v", version,
				created.Target.ContainerdVersion, want, err)
		}
	}
}

// TestNamesOfDisksAreResolved verifies that expanders and renderers receive paths of devices only.
func TestNamesOfDisksAreResolved(t *testing.T) {
	p, err := planner.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	docs := []document.Document{{Value: machine.Filesystem{Device: "ephemeral0.1", Format: "ext4"}}}
	created, found, err := p.Plan(t.Context(), plan.Job{
		Documents: docs, Target: osprofile.Target{Infrastructure: "AzureMachine"},
	}, all, nil)
	if err != nil || len(found) > 0 {
		t.Fatal(found, err)
	}
	if f, _ := created.Documents[0].Value.(machine.Filesystem); f.Device != "/dev/disk/azure/resource-part1" {
		t.Errorf("the device is %s", f.Device)
	}
	if _, found, _ := p.Plan(t.Context(), plan.Job{Documents: docs}, all, nil); !found.HasErrors() {
		t.Error("an unknown cloud has no finding")
	}
}
