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
	// Reporting contains the address and the credential for reports; nil if the machine does not report.
	Reporting *delivery.Reporting
	// Fact returns a shell command that prints the fact, and whether the format supports the fact. If it is nil, no
	// fact is supported.
	Fact func(document.Fact) (command string, ok bool)
	// Owned are the directories that OwnedDirectories returns. The program does not follow links of users below them.
	Owned []string
	// Functions are the shell functions that commands of the format use: Enter, As.
	Functions []string
	// ChangedUnits are the units whose files the format has already written. systemd may have started them before that.
	ChangedUnits []string
	// UnitsAlreadySet is true if unit files, enablement and masks are in place before any unit starts. Then the program
	// does not reload, enable or restart units.
	UnitsAlreadySet bool
}

// agentStopped exits without a failure record if SIGTERM ended the agent, for example at shutdown: like a power cut,
// this is not a failure. If the signal ended an earlier step, the next boot reports the interruption.
const agentStopped = `[ $1 = 143 ]&&exit 143
`

// The prologue sets the state directory and the phase and step of the record. It defines _c (strip control characters
// and redact bootstrap tokens), _f (record the failure and exit) and _s (run one step). The log tail is escaped for
// JSON. An existing record is kept, because it contains the first cause.
//
// A step is evaluated in a subshell, so its exit, cd and set do not affect later steps. No process has it as an
// argument. The subshell is not the left operand of ||, because set -e would be ignored there.
const (
	prologueHead = `#!/bin/sh
# Made by machineadm: runs once, stops at the first failure.
_d=` + StateDir + ` _r=` + sentinelDir + ` _l=` + LogFile + ` _p=start _n=interrupted
` + state + clean + `_f(){
`
	prologueRecord = `[ -e $_d/failure.json ]||printf '{"phase":"%s","step":"%s","exitCode":%d,"log":"%s"}\n' $_p "$_n" ` +
		`$1 ` + tail + `>$_d/failure.json
` + publish
	prologueSteps = `exit $1
}
_s(){ _p=$1 _n=$2;printf '%s: %s\n' $1 "$2";(_x=$3;set --;eval "$_x") 3>&-;set $?;[ $1 = 0 ]||_f $1;}
`
	prologueBegin = `exec 3>&1 >>$_l 2>&1 </dev/null
`
	prologueDone = `[ -e $_d/done ]&&{ echo success>$_r/bootstrap-success.complete;exit;}
`
	prologueOnce = `[ -e $_d/started ]&&_f 1
:>$_d/started
`
)

// state creates the state directory and the log, and removes the permissions of other users from existing ones.
const state = `mkdir -p $_r $_d&&(umask 77;:>>$_l)&&chmod go= $_d $_l||exit 1
`

// clean defines _c. tail is the end of the log as a JSON string. publish copies the record and prints the log. The log
// is redacted before it is truncated, so that no partial token remains.
const (
	clean = `_c(){ tr -cd '\n -~'|sed 's/[a-z0-9]\{6\}\.[a-z0-9]\{16\}/[redacted]/g';}
`
	tail    = `"$(_c<$_l|tail -c4096|sed 's/[\\"]/\\&/g'|awk '{printf "%s\\n",$0}')"`
	publish = `cp $_d/failure.json $_r/bootstrap-failure.json
_c<$_l>&3
`
)

// Once an agent has started, it resumes at later boots and reports the result itself, so the program exits. After a
// success the program is replaced as by the epilogue, if the disk has space.
const (
	agentDone = `[ -e $_d/done ]&&{ rm -f ` + delivery.ReportPath + `;echo '` + finished + `'>$0.new&&mv $0.new $0||rm ` +
		`-f $0.new;` + finished + `;exit;}
`
	agentOnce = `[ -e $_d/started ]&&{ [ -e ` + delivery.ResumeUnitPath + ` ]&&exit;_f 1;}
:>$_d/started
`
)

// finished is the whole program after a successful bootstrap.
const finished = `mkdir -p ` + sentinelDir + `;echo success>` + Sentinel

// epilogue replaces the program with one that only publishes success, creates the marker done, and runs the new
// program. The steps may contain join tokens and secrets of the user. The new text is written to another file and
// renamed, because a shell reads its program while it runs.
const epilogue = `echo '` + finished + `'>$0.new&&mv $0.new $0&&:>$_d/done&&sh $0||_f $?
_c<$_l>&3
`

// Program returns the program that runs the steps in order. A step that the shell does not support is an error finding
// at the path of its document.
func Program(steps []plan.SourcedStep, o Options) ([]byte, report.Report) {
	w := &writer{options: o}
	w.buf.Grow(len(prologueHead) + len(epilogue) + 512)
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
	w.buf.WriteString(epilogue)
	if w.reports() {
		w.buf.WriteString(successUpload)
	}
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
	if dir := w.options.Target.Profile.BinDir; linuxcmd.SearchPath(dir) != linuxcmd.SearchPath("") {
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

// run writes one step as a call of _s.
func (w *writer) run(s plan.SourcedStep, script string) { w.guarded(s.Phase, s.Source.Path, script) }

func (w *writer) guarded(phase document.Phase, path report.Path, script string) {
	w.buf.WriteString("_s ")
	w.buf.WriteString(phase.String())
	w.buf.WriteByte(' ')
	w.buf.WriteString(Quote(jsonText(string(path))))
	w.buf.WriteByte(' ')
	w.buf.WriteString(Quote(script))
	w.buf.WriteByte('\n')
}

func (w *writer) command(s plan.SourcedStep, c action.RunCommand) {
	if strings.ContainsRune(c.Script, 0) {
		w.findings = append(w.findings, report.Errorf(s.Source.Path, "a command cannot hold a NUL byte"))
		return
	}
	if s.Phase != document.PhaseBoot {
		w.run(s, c.Script)
		return
	}
	if !w.booted {
		w.booted = true
		w.run(s, "sh "+BootPath)
	}
}

// withProxy sets the proxy variables for a download. Only the step's subshell reads the file, so other steps do not get
// its credentials.
func (w *writer) withProxy(script string) string {
	if !w.proxied {
		return script
	}
	return "set -a;. " + ProxyEnvironment + ";set +a\n" + script
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
