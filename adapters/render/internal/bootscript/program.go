// Package bootscript makes the one shell program that carries out, in the running system, what a first-boot format
// cannot do itself or cannot do in the right phase.
//
// Every format that can start a program starts this one, last. So the guarantees of a bootstrap are written once: the
// first step that fails ends it and leaves a record, a completed bootstrap never runs again, an interrupted one fails
// loudly, and the sentinel of the Cluster API contract stands only after the node has joined and the commands after
// that have passed.
//
// The program is POSIX shell, since that is what every image has. User text reaches it as single-quoted words, in which
// no byte but the quote and NUL is special.
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

// Where the program and its traces stand on the machine.
const (
	// Path is the program itself; mode 0700, run by /bin/sh, since /etc may be mounted noexec.
	Path = delivery.BootstrapPath
	// StateDir holds the markers started and done, and failure.json.
	StateDir = "/var/lib/machineadm"
	// LogFile takes what the steps print; mode 0600.
	LogFile = "/var/log/machineadm.log"
	// FailureRecord is where the failure is published; a copy stays in StateDir.
	FailureRecord = "/run/cluster-api/bootstrap-failure.json"
	// Sentinel is the success file of the Cluster API bootstrap contract.
	Sentinel = sentinelDir + "/bootstrap-success.complete"
	// sentinelDir has the sentinel and the failure.
	sentinelDir = "/run/cluster-api"
	// ProxyEnvironment is the environment file that the proxy expander writes; downloads read it.
	ProxyEnvironment = "/etc/machineadm/proxy.env"
)

// Options say what the program may rely on.
type Options struct {
	Target osprofile.Target
	// Agent means that a step starts the agent, which keeps the record and resumes at later boots.
	Agent bool
	// Reporting contains the address and the credential for reports; nil if the machine does not report.
	Reporting *delivery.Reporting
	// Fact returns a shell command that prints the fact, and whether the format knows it. Nil knows none.
	Fact func(document.Fact) (command string, ok bool)
	// Owned are the directories that belong to other users, as OwnedDirectories returns them: what is below is handled
	// with care.
	Owned []string
	// Functions are those that commands of the format use: Enter, As.
	Functions []string
	// ChangedUnits are the units whose files the format has written already. systemd may have started them before.
	ChangedUnits []string
	// UnitsAlreadySet says that unit files, enablement and masks were in place before any unit started, so that there is
	// nothing to reload, enable or restart.
	UnitsAlreadySet bool
}

// agentStopped leaves alone an agent that was told to stop, as at a shutdown: that is as a power cut, and no failure.
// Whatever else the signal ends came before the agent, and the next boot tells that it was interrupted.
const agentStopped = `[ $1 = 143 ]&&exit 143
`

// The prologue defines, in order: the state directory, the record's phase and step, _c (strip control characters and
// redact bootstrap tokens), _f (record the failure and end), _s (run one step). The log tail is escaped for JSON. A
// record that is already there is the first cause, and is kept. The step's text is evaluated in a subshell: its exit,
// cd and set end with it, and no other process sees it among its arguments. The subshell stands alone, since on the
// left of || its set -e would count for nothing.
const (
	prologueHead = `#!/bin/sh
# Made by machineadm: runs once, stops at the first failure.
_d=` + StateDir + ` _r=` + sentinelDir + ` _l=` + LogFile + ` _p=start _n=interrupted
` + state + clean + `_f(){
`
	prologueRecord = `[ -e $_d/failure.json ]||printf '{"phase":"%s","step":"%s","exitCode":%d,"log":"%s"}\n' $_p "$_n" $1 ` + tail + `>$_d/failure.json
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

// state makes the state directory and the log, which are for root alone, also where they exist with another mode.
const state = `mkdir -p $_r $_d&&(umask 77;:>>$_l)&&chmod go= $_d $_l||exit 1
`

// clean is _c, tail the end of the log as it stands in JSON, and publish has the record and the log seen. The log is
// redacted before it is cut, so that no half of a token is left.
const (
	clean = `_c(){ tr -cd '\n -~'|sed 's/[a-z0-9]\{6\}\.[a-z0-9]\{16\}/[redacted]/g';}
`
	tail    = `"$(_c<$_l|tail -c4096|sed 's/[\\"]/\\&/g'|awk '{printf "%s\\n",$0}')"`
	publish = `cp $_d/failure.json $_r/bootstrap-failure.json
_c<$_l>&3
`
)

// An agent goes on by itself at later boots as soon as it has begun, and tells how it ends: the program leaves these to
// it. Once that is success, the program is replaced as the epilogue would have done, if there is room.
const (
	agentDone = `[ -e $_d/done ]&&{ rm -f ` + delivery.ReportPath + `;echo '` + finished + `'>$0.new&&mv $0.new $0||rm -f $0.new;` + finished + `;exit;}
`
	agentOnce = `[ -e $_d/started ]&&{ [ -e ` + delivery.ResumeUnitPath + ` ]&&exit;_f 1;}
:>$_d/started
`
)

// finished is the whole program once it has nothing more to do.
const finished = `mkdir -p ` + sentinelDir + `;echo success>` + Sentinel

// epilogue replaces the program, whose steps may hold join tokens and the user's secrets, by one that only publishes
// success, marks the bootstrap as done and runs that. At later boots it is what runs. The new text has its own file and
// takes the old one's name, since a shell reads its program as it goes.
const epilogue = `echo '` + finished + `'>$0.new&&mv $0.new $0&&:>$_d/done&&sh $0||_f $?
_c<$_l>&3
`

// Program returns the program that carries out the steps in their order. A step that no shell can carry out is an error
// finding at the path of its document.
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
	// restarts are the units to restart at the end of the unit phase, with the path that asked first.
	restarts []restart
	reloaded bool
	booted   bool
	// defined are the functions that the program has by then.
	defined []string
	// proxied says that the proxy's environment file is written by then.
	proxied bool
}

type restart struct {
	unit string
	path report.Path
}

// path adds the profile's directory of programs to the search path, where the system's own does not have it.
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

// run writes one guarded step.
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

// withProxy lets a download see the proxy, if there is one. The file is read in the step's subshell alone, so that its
// credentials do not reach the environment of the other steps.
func (w *writer) withProxy(script string) string {
	if !w.proxied {
		return script
	}
	return "set -a;. " + ProxyEnvironment + ";set +a\n" + script
}

// jsonText escapes what stands between the quotes of a JSON string. Field paths are ASCII but for keys.
func jsonText(s string) string {
	if !strings.ContainsAny(s, "\"\\\n\r\t") {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s)
}

// Operand returns s as one word of the shell that no program takes for an option. Only other operands may follow.
func Operand(s string) string {
	if strings.HasPrefix(s, "-") {
		return "-- " + Quote(s)
	}
	return Quote(s)
}

// Quote returns s as one word of the shell.
func Quote(s string) string { return action.Quote(s) }
