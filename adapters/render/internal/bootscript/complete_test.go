package bootscript_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
)

func TestSwapIsUsedAtEachBoot(t *testing.T) {
	for name, swap := range map[string]machine.Swap{
		"/dev/vdb2": {Device: "/dev/vdb2"},
		"/var/swap": {Path: "/var/swap", SizeMiB: 1},
	} {
		program := string(mustProgram(t, []plan.SourcedStep{step("p", action.EnableSwap{Swap: swap})}, bootscript.Options{}))
		if entry := `_merge_fstab 1 '\''` + name + ` none swap sw 0 0'\''&&swapon ` +
			name; !strings.Contains(program, entry) {
			t.Errorf("no %q in\n%s", entry, program)
		}
		// btrfs swaps only to files without copy-on-write, which must be disabled before they have content.
		if without := "&&{ chattr +C /var/.swap.machineadm-new 2>/dev/null||:;}&&dd if=/dev/zero "; swap.Path != "" &&
			!strings.Contains(program, without) {
			t.Errorf("no %q in\n%s", without, program)
		}
	}
}

func TestCompleteIncludesCommandsOfEveryBoot(t *testing.T) {
	steps := []plan.SourcedStep{step("a", action.Link{Path: "/a", Target: "/b"}), command(document.PhaseBoot, "boot[0]",
		"one"), command(document.PhaseBoot, "boot[1]", "two")}
	var got []string
	for _, s := range bootscript.Complete(steps) {
		got = append(got, s.Phase.String()+" "+string(s.Source.Path)+": "+s.Do.Summary())
	}
	want := []string{
		"file a: link /a to /b", "boot boot[0]: write " + plan.BootPath, "boot boot[0]: enable unit " +
			plan.BootUnit,
		"boot boot[0]: run boot[0]", "boot boot[1]: run boot[1]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(len(steps[:1]), len(bootscript.Complete(steps[:1]))); diff != "" {
		t.Error("without such commands there is nothing to bring")
	}
}
