// Package bootscript generates the bootstrap program, a shell program. It runs the steps that a first-boot format does
// not support, or not in the right phase.
//
// Every format that can start a program starts this one last. So all formats give the same guarantees: the first
// failing step ends the program and is recorded. A completed bootstrap never runs again, and an interrupted one is
// reported as a failure. The sentinel file of the Cluster API contract is created only after the node has joined and
// the later commands have succeeded.
//
// The program is POSIX shell, which every image provides. User text is passed as single-quoted words, in which only the
// quote and NUL are special.
package bootscript

import (
	"bytes"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// The paths of the program and of the files that it creates.
const (
	// Path is the program itself. It has mode 0700 and is run by /bin/sh, because /etc may be mounted noexec.
	Path = delivery.BootstrapPath
	// StateDir contains the markers started and done, and failure.json.
	StateDir = "/var/lib/machineadm"
	// InstallationMarker is on the root file system and exists once the program has started, if the format installs
	// the system.
	InstallationMarker = "/etc/machineadm/started"
	// LogFile receives the output of the steps; its mode is 0600.
	LogFile = "/var/log/machineadm.log"
	// FailureRecord is the published failure record; a copy stays in StateDir.
	FailureRecord = "/run/cluster-api/bootstrap-failure.json"
	// Sentinel is the success file of the Cluster API bootstrap contract.
	Sentinel = sentinelDir + "/bootstrap-success.complete"
	// sentinelDir contains the sentinel and the failure record.
	sentinelDir = "/run/cluster-api"
	// ProxyEnvironment is the environment file that the proxy expander writes; downloads read it.
	ProxyEnvironment = "/etc/machineadm/proxy.env"
)

// Options configures the program.
type Options struct {
	Target osprofile.Target
	// Agent is true if a step starts the agent, which writes the record and resumes at later boots.
	Agent bool
	// Installs is true if the format writes the program once for each installation of the system. Then the program
	// removes the state of an earlier installation at its first start, because /var may have been kept.
	Installs bool
	// Compact leaves the removal out of a program that only starts the agent. Such a program then reports an interruption
	// if it finds the state of an earlier installation.
	Compact bool
	// Reporting contains the address and the credential for reports, or nil if the machine does not report.
	Reporting *delivery.Reporting
	// Fact returns a shell command that prints the fact, and whether the format supports the fact. If it is nil, no
	// fact is supported.
	Fact func(document.Fact) (command string, ok bool)
	// Owned are the directories that OwnedDirectories returns. The program does not follow links of users below them.
	Owned []string
	// Functions are the shell functions that commands of the format use, such as Enter and As.
	Functions []string
	// ChangedUnits are the units whose files the format has already written. systemd may have started them before that.
	ChangedUnits []string
	// UnitsAlreadySet is true if unit files, enablement and masks are in place before any unit starts. Then the program
	// does not reload, enable or restart units.
	UnitsAlreadySet bool
	// Proxied is true if ProxyEnvironment exists before the program starts. The program sets its variables for downloads.
	Proxied bool
}

// header explains the program to users who open it.
const header = "#!/bin/sh\n# Created by machineadm: runs once and stops at the first failure.\n"

// stopped is the exit code of an agent that SIGTERM ended, for example at shutdown.
const stopped = "143"

// prologue writes the code before the first step. The report file is written before anything can fail.
func (w *writer) prologue() {
	w.buf.WriteString(header)
	resume, code := "", ""
	if w.options.Agent {
		resume, code = delivery.ResumeUnitPath, stopped
	}
	w.variables("_state", StateDir, "_run", sentinelDir, "_log", LogFile, "_report", delivery.ReportPath,
		"_resume", resume, "_stopped", code, "_phase", "start", "_step", "interrupted")
	earlier := ""
	if w.options.Installs {
		w.variables("_here", InstallationMarker)
		earlier = parts.earlier
	}
	upload, file := parts.unreported, ""
	if w.reports() {
		upload, file = parts.report, w.reportFile()
	}
	for _, part := range [...]string{
		upload, parts.log, parts.record, parts.steps, earlier, parts.done, file, parts.started,
	} {
		w.buf.WriteString(part)
	}
}

// variables sets variables that the files of this package describe. namesAndValues alternates names and values.
func (w *writer) variables(namesAndValues ...string) {
	for pair := range slices.Chunk(namesAndValues, 2) {
		w.buf.WriteString(pair[0] + "=" + pair[1] + "\n")
	}
}

// Program returns the program that runs the steps in order. A step that the shell does not support is an error finding
// at the path of its document.
func Program(steps []plan.SourcedStep, o Options) ([]byte, report.Report) {
	w := &writer{options: o, proxied: o.Proxied}
	w.buf.Grow(4 << 10)
	if start, is := w.startsAgent(steps); is {
		w.starter(steps[0], start)
		return w.buf.Bytes(), w.findings
	}
	w.prologue()
	w.path()
	w.define(w.options.Functions...)
	for _, s := range steps {
		w.step(s)
	}
	w.restartUnits()
	w.buf.WriteString(parts.finish)
	return w.buf.Bytes(), w.findings
}

type writer struct {
	buf      bytes.Buffer
	options  Options
	findings report.Report
	// restarts are the units to restart at the end of the unit phase, each with the path that first requested it.
	restarts []restart
	reloaded bool
	booted   bool
	// defined are the functions that are already defined.
	defined []string
	// proxied reports whether the proxy's environment file is already written.
	proxied bool
}

type restart struct {
	unit string
	path report.Path
}

// path appends the profile's directory of programs to PATH, unless PATH already contains it.
func (w *writer) path() {
	if dir := w.options.Target.Profile.BinDir; !linuxcmd.Searches(dir) {
		w.buf.WriteString("PATH=$PATH:" + Quote(dir) + "\n")
	}
}

func (w *writer) step(s plan.SourcedStep) {
	if s.Phase > document.PhaseUnit {
		w.restartUnits()
	}
	switch op := s.Do.(type) {
	case action.RunCommand:
		w.command(s, op)
	case action.WriteFile:
		w.writeFile(s, op)
	case action.MakeDirectory:
		w.run(s, w.makeDirectory(op))
	case action.Link:
		w.run(s, w.link(op))
	case action.FetchFile:
		w.run(s, w.withProxy(fetch(op, w.spot(op.Path))))
	case action.InstallPackages:
		w.install(s, op)
	case action.EnableSwap:
		w.swap(s, op.Swap)
	case action.EnsureUnit:
		w.unit(s, op)
	default:
		w.refuse(s)
	}
}

func (w *writer) refuse(s plan.SourcedStep) {
	w.findings = append(w.findings, report.Errorf(s.Source.Path, "a shell program cannot %s", s.Do.Summary()))
}

// run writes one step as a call of _run_step.
func (w *writer) run(s plan.SourcedStep, command string) { w.guarded(s.Phase, s.Source.Path, command) }

func (w *writer) guarded(phase document.Phase, path report.Path, command string) {
	w.buf.WriteString("_run_step ")
	w.buf.WriteString(phase.String())
	w.buf.WriteByte(' ')
	w.buf.WriteString(Quote(jsonText(string(path))))
	w.buf.WriteByte(' ')
	w.buf.WriteString(Quote(command))
	w.buf.WriteByte('\n')
}

func (w *writer) command(s plan.SourcedStep, c action.RunCommand) {
	if strings.ContainsRune(c.Script, 0) {
		w.findings = append(w.findings, report.Errorf(s.Source.Path, "a command cannot contain a NUL byte").To("remove it"))
		return
	}
	if s.Phase != document.PhaseBoot {
		w.run(s, c.Script)
		return
	}
	if !w.booted {
		w.booted = true
		w.run(s, "sh "+plan.BootPath)
	}
}

// withProxy sets the proxy variables for a download. Only the step's subshell reads the file, so other steps do not get
// its credentials.
func (w *writer) withProxy(command string) string {
	if !w.proxied {
		return command
	}
	return "set -a;. " + ProxyEnvironment + ";set +a\n" + command
}

// jsonText escapes the content of a JSON string. Field paths are ASCII, except for keys.
func jsonText(s string) string {
	if !strings.ContainsAny(s, "\"\\\n\r\t") {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s)
}

// Operand returns s as one shell word that no program parses as an option. Only operands may follow.
func Operand(s string) string {
	if strings.HasPrefix(s, "-") {
		return "-- " + Quote(s)
	}
	return Quote(s)
}

// Quote returns s as one shell word.
func Quote(s string) string { return action.Quote(s) }
