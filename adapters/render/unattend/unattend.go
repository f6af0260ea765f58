// Package unattend renders answer files for Windows's unattended set-up.
//
// An answer file has settings of components in passes, and short commands. The format itself sets what Windows Setup
// supports: the name, the time zone, languages, the domain, accounts with passwords. All else is one PowerShell program
// (package winscript) in an element of machineadm's own namespace, which Setup ignores. In the pass specialize one
// short command installs the program and registers it to start with Windows. The program waits until Setup is complete,
// which is after the reboot of a domain join, and removes the answer files that Setup has cached.
//
// Sources: learn.microsoft.com, Unattended Windows Setup Reference and Windows Setup Configuration Passes.
package unattend

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/adapters/render/internal/winscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Renderer renders answer files. It has no state.
type Renderer struct{}

var _ ports.Renderer = Renderer{}

// New returns the renderer.
func New() Renderer { return Renderer{} }

// Format returns FormatUnattend.
func (Renderer) Format() delivery.Format { return delivery.FormatUnattend }

// Native returns false: Windows Setup supports single steps of a document.
func (Renderer) Native(document.Document, osprofile.Target) bool { return false }

// Render renders the plan. Operations that neither Windows Setup nor PowerShell supports are error findings.
func (Renderer) Render(ctx context.Context, p plan.Plan) (ports.Rendering, report.Report, error) {
	f := file{findings: snippets(p.Snippets), places: make([]string, len(p.Steps))}
	for i, s := range p.Sourced() {
		if err := ctx.Err(); err != nil {
			return ports.Rendering{}, nil, err
		}
		f.step(i, s)
	}
	program, found := winscript.Program(f.program, winscript.Options{
		Metadata: p.Metadata, AfterSetup: true, Agent: p.Agent,
	})
	findings := slices.Concat(f.findings, found)
	if findings.HasErrors() {
		return ports.Rendering{}, findings, nil
	}
	data, err := f.encode(program, p.Target.Architecture)
	if err != nil {
		return ports.Rendering{}, nil, fmt.Errorf("encode the answer file: %w", err)
	}
	return ports.Rendering{
		Payload: delivery.Payload{Format: delivery.FormatUnattend, Data: secret.New(data), FileExtension: ".xml"},
		Places:  f.places,
	}, findings, nil
}

// snippets refuses the user's own text in this format: set-up has no rules by which two answer files become one.
func snippets(all []plan.Snippet) report.Report {
	var r report.Report
	for _, s := range all {
		r = append(r, report.Errorf(s.Source.Path, "two answer files cannot be merged").To(
			"use the fields of machine, or a script in preCommands"))
	}
	return r
}

// file collects the content of the answer file.
type file struct {
	findings report.Report
	places   []string
	// program are the steps that the program carries out.
	program []plan.SourcedStep

	host          machine.HostConfig
	join          *machine.DomainJoin
	administrator *machine.User
	accounts      []machine.User
}

// The paths of steps in the answer file.
const (
	inProgram       = "Machineadm/Program"
	inHost          = "specialize/Microsoft-Windows-Shell-Setup"
	inInternational = "oobeSystem/Microsoft-Windows-International-Core"
	inJoin          = "specialize/Microsoft-Windows-UnattendedJoin/Identification"
	inAccounts      = "oobeSystem/Microsoft-Windows-Shell-Setup/UserAccounts"
)

func (f *file) step(i int, s plan.SourcedStep) {
	switch op := s.Do.(type) {
	case action.ConfigureHost:
		f.host = op.HostConfig
		f.addPlaces(i, hostPlaces(op.HostConfig)...)
		f.later(i, s, op.Hostname != "")
	case action.JoinDomain:
		f.join = &op.DomainJoin
		f.findings = append(f.findings, checkJoin(op.DomainJoin, s.Source.Path)...)
		f.addPlaces(i, inJoin)
		f.later(i, s, true)
	case action.EnsureUser:
		f.user(i, s, op.User)
	default:
		f.later(i, s, true)
	}
}

func (f *file) addPlaces(i int, places ...string) {
	f.places[i] = strings.TrimPrefix(f.places[i]+", "+strings.Join(places, ", "), ", ")
}

// later leaves the step to the program, if there is anything left to do.
func (f *file) later(i int, s plan.SourcedStep, left bool) {
	if left {
		f.program = append(f.program, s)
		f.addPlaces(i, inProgram)
	}
}

func hostPlaces(c machine.HostConfig) []string {
	var places []string
	if c.Hostname != "" || c.RandomHostname || c.TimeZone != "" {
		places = append(places, inHost)
	}
	if c.Locale != "" || c.UILanguage != "" || c.Keyboard != "" {
		places = append(places, inInternational)
	}
	return places
}

// user has set-up make an account that has a password. Its groups, but for the one of all users or administrators, may
// not be there yet, so that the program adds it to them.
func (f *file) user(i int, s plan.SourcedStep, u machine.User) {
	if r := windowscmd.CheckUser(u, s.Source.Path); len(r) > 0 {
		f.findings = append(f.findings, r...)
		return
	}
	if u.Password.IsZero() {
		f.later(i, s, true)
		return
	}
	f.findings = append(f.findings, checkText(s.Source.Path.Field("gecos"), u.Comment)...)
	rest := machine.User{Name: u.Name, Inactive: u.Inactive, SSHAuthorizedKeys: u.SSHAuthorizedKeys}
	for _, g := range u.Groups {
		if g != administrators {
			rest.Groups = append(rest.Groups, g)
		}
	}
	if u.Name == "Administrator" {
		rest.Comment = u.Comment
		f.administrator = &u
	} else {
		f.accounts = append(f.accounts, u)
	}
	f.addPlaces(i, inAccounts)
	if len(rest.Groups) > 0 || rest.Inactive || len(rest.SSHAuthorizedKeys) > 0 || rest.Comment != "" {
		// An administrator's keys are all in one file.
		rest.Groups = append(rest.Groups, membership(u)...)
		s.Do = action.EnsureUser{User: rest}
		f.later(i, s, true)
	}
}

const administrators = "Administrators"

func membership(u machine.User) []string {
	if windowscmd.IsAdministrator(u) && u.Name != "Administrator" {
		return []string{administrators}
	}
	return nil
}
