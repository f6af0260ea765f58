package bootscript_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
)

func TestFetchRefusesAWrongDigest(t *testing.T) {
	cases := map[string]struct {
		reason string
		digest string
		ok     bool
	}{
		"right": {
			reason: "the digest of hello and a newline",
			digest: "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03", ok: true,
		},
		"wrong": {reason: "another file's digest", digest: strings.Repeat("0", 64)},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := newRoot(t)
			if err := os.WriteFile(r.dir+"/source", []byte("hello\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			fetch := action.FetchFile{
				Path: r.dir + "/opt/bin/kubelet", URL: "file://" + r.dir + "/source",
				SHA256: tc.digest, Mode: 0o755,
			}
			code, out := r.run(t, "dash", mustProgram(t, []plan.SourcedStep{step("p", fetch)}, bootscript.Options{}))
			if (code == 0) != tc.ok || r.exists("/opt/bin/kubelet") != tc.ok {
				t.Errorf("%s: exit code %d, file there: %v, %s", tc.reason, code, r.exists("/opt/bin/kubelet"), out)
			}
		})
	}
}

func TestUnitsAreRestartedOnceAtTheEndOfTheirPhase(t *testing.T) {
	enabled := true
	unit := action.EnsureUnit{
		Unit: machine.Unit{
			Name: "containerd.service", Enabled: &enabled,
			DropIns: []machine.DropIn{{Name: "10-x.conf", Content: document.Text("[Service]\n")}},
		},
		RestartOn: []document.Kind{machine.KindContainerd},
	}
	program := string(mustProgram(t, []plan.SourcedStep{
		step("a", unit), step("b", unit), command(document.PhasePre, "c", "true"),
	}, bootscript.Options{}))
	restart := strings.Index(program, "systemctl restart containerd.service")
	if strings.Count(program, "systemctl restart") != 1 || restart < strings.LastIndex(program, "systemctl enable") ||
		restart > strings.Index(program, "_run_step pre") {
		t.Error(program)
	}
	silent := string(mustProgram(t, []plan.SourcedStep{step("a", unit)}, bootscript.Options{UnitsAlreadySet: true}))
	if strings.Contains(silent, "systemctl") {
		t.Error("units that are already set need nothing")
	}
}

func TestPackages(t *testing.T) {
	install := step("spec.machine.packages",
		action.InstallPackages{PackagesConfig: machine.PackagesConfig{Install: []string{"jq"}, Update: true}})
	debian := osprofile.Profile{PackageManager: osprofile.PackageManagerAPT}
	apt := bootscript.Options{Target: osprofile.Target{Profile: debian}}
	if program := string(mustProgram(t, []plan.SourcedStep{install}, apt)); !strings.Contains(program, "install jq") {
		t.Error(program)
	}
	unless := action.InstallPackages{PackagesConfig: machine.PackagesConfig{Install: []string{"jq"}}, Unless: "a'b"}
	program := string(mustProgram(t, []plan.SourcedStep{step("a", unless)}, apt))
	if quoted := bootscript.Quote("command -v " + bootscript.Quote("a'b") + ">/dev/null&&! "); !strings.Contains(program,
		strings.TrimSuffix(quoted, "'")) {
		t.Error(program)
	}
	if _, findings := bootscript.Program([]plan.SourcedStep{install}, bootscript.Options{}); !findings.HasErrors() {
		t.Error("a system without a package manager must be refused")
	}
}

func TestBootCommandsRunAtEveryBoot(t *testing.T) {
	steps := []plan.SourcedStep{
		command(document.PhaseBoot, "boot[0]", "echo 'one'"), command(document.PhaseBoot, "boot[1]",
			"set -e\n(exit 4)\necho 'two'"),
	}
	file, unit, found := bootscript.Boot(steps)
	if !found || unit.Name != plan.BootUnit || file.Mode != 0o700 {
		t.Fatalf("got %v %v %v", file, unit, found)
	}
	script, _ := file.Content.Static()
	for _, shell := range shells() {
		out, err := exec.CommandContext(t.Context(), shell, "-c", string(script)).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 4 || !strings.HasPrefix(string(out),
			"one\nboot[1] failed: exit code 4") {
			t.Errorf("%s: %v: %s", shell, err, out)
		}
	}
	if program := string(mustProgram(t, steps, bootscript.Options{})); strings.Count(program,
		"sh "+plan.BootPath) != 1 {
		t.Error("the program must run the script once")
	}
	if _, _, found := bootscript.Boot(nil); found {
		t.Error("without commands there is no script")
	}
}

func TestProgramIsDeterministic(t *testing.T) {
	steps := []plan.SourcedStep{command(document.PhasePre, "a", "true"), step("b", action.Link{Path: "/a", Target: "/b"})}
	first := mustProgram(t, steps, bootscript.Options{})
	if diff := cmp.Diff(string(first), string(mustProgram(t, steps, bootscript.Options{}))); diff != "" {
		t.Error(diff)
	}
}
