package shell_test

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/shell"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports/portstest"
)

func target(t testing.TB, distribution string) osprofile.Target {
	t.Helper()
	profile, known := osprofile.Lookup(distribution)
	if !known {
		t.Fatalf("no profile %s", distribution)
	}
	return osprofile.Target{Profile: profile, Architecture: "amd64", KubernetesVersion: "v1.36.3"}
}

// call is a step of the program as a shell reads it.
type call struct{ phase, path, script string }

// The UID of the user nobody, who owns no files. A script that breaks out of its quotes can do no harm.
const nobody = 65534

// read runs a script in dash as the user nobody, with base64 as the only program, and returns its output.
func read(t testing.TB, script string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "dash")
	cmd.Stdin = strings.NewReader("base64(){ /usr/bin/base64 \"$@\";};cat(){ /bin/cat \"$@\";}\n" + script)
	cmd.Env = []string{"PATH=/nonexistent"}
	cmd.Dir = "/"
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("dash: %v\n%.3000s", err, script)
	}
	return string(out)
}

// program returns the program that the script contains. dash prints it without running it.
func program(t testing.TB, payload []byte) string {
	t.Helper()
	text, isScript := strings.CutSuffix(string(payload), "\nmain /var/lib/machineadm /etc/machineadm/bootstrap\n")
	if !isScript {
		t.Fatalf("the last line of the script does not call its function:\n%s", payload)
	}
	return read(t, text+"\nprogram\n")
}

// calls returns the steps of the program. dash reads them with another definition of _run_step.
func calls(t testing.TB, program string) []call {
	t.Helper()
	_, steps, begins := strings.Cut(program, ": >\"$_state/started\"\n")
	end := strings.LastIndex(steps, "{ _replace_program&&")
	if !begins || end < 0 {
		t.Fatalf("this is no program:\n%s", program)
	}
	out := read(t, `_run_step(){ printf '%s\000%s\000%s\000' "$1" "$2" "$3";}`+"\n"+steps[:end]+"\n")
	fields := strings.Split(out, "\x00")
	var all []call
	for i := 0; i+2 < len(fields); i += 3 {
		all = append(all, call{phase: fields[i], path: fields[i+1], script: fields[i+2]})
	}
	return all
}

// view returns the scripts of the steps with a phase and a field. For commands that run at every boot it includes the
// file that contains them.
func view(t testing.TB, payload []byte) func(place string) string {
	t.Helper()
	steps := calls(t, program(t, payload))
	return func(place string) string {
		name := strings.TrimPrefix(place, "program: ")
		var text strings.Builder
		for _, c := range steps {
			boot := strings.HasPrefix(name, "boot ") && strings.Contains(c.script, plan.BootPath)
			if c.phase+" "+c.path == name || boot {
				text.WriteString(portstest.Decoded(c.script) + "\n")
			}
		}
		return text.String()
	}
}

func TestConformance(t *testing.T) {
	for _, distribution := range []string{"ubuntu", "flatcar", "sle-micro"} {
		t.Run(distribution, func(t *testing.T) { portstest.Renderer(t, shell.Renderer{}, target(t, distribution), view) })
	}
}
