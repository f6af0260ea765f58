// Package winscript generates the PowerShell program that runs the steps that a first-boot format for Windows does not
// support, or not in the right phase. It is the counterpart of package bootscript and gives the same guarantees: the
// first failing step ends the program and is recorded. A completed bootstrap never runs again, and an interrupted one
// is reported as a failure. The sentinel file of the Cluster API contract is created only after the node has joined and
// the later commands have succeeded.
//
// The program is for Windows PowerShell 5.1, which is part of every Windows Server. It is ASCII, because PowerShell
// reads a file without a byte order mark in the code page of the system. User data is encoded in base64 and is never
// parsed as PowerShell.
package winscript

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// The paths of the program and its files. Only SYSTEM and the administrators can read StateDir.
const (
	// StateDir contains the program, the markers started and done, failure.json and the log.
	StateDir = `C:\ProgramData\machineadm`
	// Path is the program itself.
	Path = StateDir + `\bootstrap.ps1`
	// LogFile receives the output of the steps.
	LogFile = StateDir + `\bootstrap.log`
	// FailureRecord is the published failure record; a copy stays in StateDir.
	FailureRecord = `C:\run\cluster-api\bootstrap-failure.json`
	// Sentinel is the success file of the Cluster API bootstrap contract.
	Sentinel = `C:\run\cluster-api\bootstrap-success.complete`
)

// Options configures the program.
type Options struct {
	// Metadata is the metadata service that the program asks for facts.
	Metadata facts.Service
	// AfterSetup makes the program wait until Windows Setup is complete, and then remove the cached answer files, which
	// contain secrets.
	AfterSetup bool
	// Agent means that the command of PhaseJoin starts the agent, which completes the bootstrap.
	Agent bool
}

// Program returns the program that runs the steps in order. It does not set the host name or join a domain, which need
// a reboot; it verifies that both are in effect. A step that Windows does not support is an error finding at the path
// of its document.
func Program(steps []plan.SourcedStep, o Options) ([]byte, report.Report) {
	w := &writer{options: o}
	w.buf.WriteString(o.prologue())
	for _, s := range steps {
		w.step(s)
	}
	w.restartServices()
	w.buf.WriteString(o.epilogue())
	return w.buf.Bytes(), w.findings
}

type writer struct {
	buf      bytes.Buffer
	findings report.Report
	// restarts are the services to restart at the end of the unit phase, with the path that asked first.
	restarts []restart
	// boots counts the commands that run at every boot.
	boots   int
	options Options
}

type restart struct {
	service string
	path    report.Path
}

func (w *writer) step(s plan.SourcedStep) {
	if s.Phase > document.PhaseUnit {
		w.restartServices()
	}
	switch op := s.Do.(type) {
	case action.RunCommand:
		w.command(s, op)
	case action.WriteFile:
		w.writeFile(s, op.File)
	case action.MakeDirectory:
		w.makeDirectory(s, op)
	case action.FetchFile:
		w.fetch(s, op)
	case action.EnsureGroup:
		w.group(s, op.Group)
	case action.EnsureUser:
		w.user(s, op.User)
	case action.EnsureUnit:
		w.service(s, op)
	case action.ConfigureHost:
		w.verifyName(s, op.HostConfig)
	case action.JoinDomain:
		w.verifyDomain(s, op.DomainJoin)
	default:
		w.find(report.Errorf(s.Source.Path, "Windows cannot %s", s.Do.Summary()).To(
			"leave it out, or write a script in preCommands"))
	}
}

func (w *writer) find(f report.Finding) { w.findings = append(w.findings, f) }

// run writes one guarded step.
func (w *writer) run(s plan.SourcedStep, script string) { w.guarded(s.Phase, s.Source.Path, script) }

func (w *writer) guarded(phase document.Phase, path report.Path, script string) {
	w.buf.WriteString("Invoke-Step " + windowscmd.Quote(phase.String()) + " " + windowscmd.Quote(string(path)) +
		" { " + script + " }\n")
}

// command has the script run by a PowerShell of its own, from a file that holds its bytes after a byte order mark.
func (w *writer) command(s plan.SourcedStep, c action.RunCommand) {
	if strings.ContainsRune(c.Script, 0) || !utf8.ValidString(c.Script) {
		w.find(report.Errorf(s.Source.Path, "a PowerShell script is UTF-8 text without NUL bytes"))
		return
	}
	encoded := "'" + encode(plan.WithByteOrderMark(c.Script)) + "'"
	if w.options.Agent && s.Phase == document.PhaseJoin {
		w.run(s, "Invoke-Agent "+encoded)
		return
	}
	if s.Phase != document.PhaseBoot {
		w.run(s, "Invoke-Script "+encoded)
		return
	}
	w.boots++
	number := strconv.Itoa(10000 + w.boots)[1:]
	w.run(s, "Invoke-BootScript '"+number+"' "+encoded)
}

func (w *writer) verifyName(s plan.SourcedStep, h machine.HostConfig) {
	if h.Hostname != "" {
		w.run(s, "Assert-Name "+windowscmd.Quote(h.Hostname))
	}
}

func (w *writer) verifyDomain(s plan.SourcedStep, j machine.DomainJoin) {
	w.run(s, "Assert-Domain "+windowscmd.Quote(j.Domain))
}
