// Package cloudbaseinit renders userdata for cloudbase-init on Windows.
//
// cloudbase-init supports eight keys of #cloud-config. It applies them in its own order, continues after a failure, and
// writes files that all users can read. Therefore almost every machine is rendered as a script for the 64-bit
// PowerShell (#ps1_sysnative). The script installs the program of package winscript. If a setting needs a reboot, such
// as the host name, the script applies it and exits with code 1001, which makes cloudbase-init reboot and not run the
// script again. Otherwise it starts the program. A configuration without secrets, for example of a machine that joins
// no cluster, is a #cloud-config with the keys write_files, set_timezone and runcmd. EC2Launch, which images for EC2
// contain, runs the same script.
//
// Source: cloudbase-init's documentation, Userdata; its plugins cloudconfigplugins.
package cloudbaseinit

import (
	"context"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/adapters/render/internal/winscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// header has cloudbase-init run what follows with the system's own PowerShell.
const header = "#ps1_sysnative\n"

// installerPath is the path to which a #cloud-config writes the installer.
const installerPath = winscript.StateDir + `\install.ps1`

// Renderer renders userdata for cloudbase-init. It has no state.
type Renderer struct{}

var _ ports.Renderer = Renderer{}

// New returns the renderer.
func New() Renderer { return Renderer{} }

// Format returns FormatCloudbaseInit.
func (Renderer) Format() delivery.Format { return delivery.FormatCloudbaseInit }

// Native returns false: cloudbase-init supports no document in its phase with a failure that stops the bootstrap.
func (Renderer) Native(document.Document, osprofile.Target) bool { return false }

// Render renders the plan.
func (Renderer) Render(ctx context.Context, p plan.Plan) (ports.Rendering, report.Report, error) {
	c, err := collect(ctx, p)
	if err != nil {
		return ports.Rendering{}, nil, err
	}
	program, found := winscript.Program(c.program, winscript.Options{Metadata: p.Metadata, Agent: p.Agent})
	findings := append(append(snippets(p.Snippets), c.findings...), found...)
	if findings.HasErrors() {
		return ports.Rendering{}, findings, nil
	}
	packed, err := winscript.Pack(program)
	if err != nil {
		return ports.Rendering{}, nil, fmt.Errorf("pack the program: %w", err)
	}
	place, data, extension := "Program", []byte(c.header()+winscript.Installer(windowscmd.Quote(packed), c.last())), ".ps1"
	if c.plain() {
		place, extension = "write_files[0]", ".yaml"
		if data, err = c.cloudConfig(packed); err != nil {
			return ports.Rendering{}, nil, fmt.Errorf("encode the cloud-config: %w", err)
		}
	}
	rendering := ports.Rendering{Places: make([]string, len(p.Steps))}
	for i, s := range p.Steps {
		rendering.Places[i] = place
		if _, host := s.Do.(action.ConfigureHost); host && c.plain() {
			rendering.Places[i] = "set_timezone"
		}
	}
	rendering.Payload = delivery.Payload{
		Format: delivery.FormatCloudbaseInit, SecretFormat: delivery.SecretFormatCloudConfig, Data: secret.New(data),
		FileExtension: extension,
	}
	return rendering, findings, nil
}

func snippets(all []plan.Snippet) report.Report {
	var r report.Report
	for _, s := range all {
		r = append(r, report.Errorf(s.Source.Path, "two scripts for cloudbase-init cannot be merged").
			To("use the fields of machine, or a script in preCommands"))
	}
	return r
}

// config collects the content of the payload.
type config struct {
	findings report.Report
	program  []plan.SourcedStep
	identity winscript.Identity
	timeZone string
	// ec2Launch means that EC2Launch runs the payload instead of cloudbase-init.
	ec2Launch bool
	// secrets reports whether a step contains data that not every user may read.
	secrets bool
}

func collect(ctx context.Context, p plan.Plan) (*config, error) {
	c := &config{ec2Launch: p.EC2Launch}
	for _, s := range p.Sourced() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.program = append(c.program, s)
		switch op := s.Do.(type) {
		case action.ConfigureHost:
			c.timeZone = op.TimeZone
			c.findings = append(c.findings, c.identity.Host(op.HostConfig, s.Source.Path)...)
		case action.JoinDomain:
			c.identity.Join(op.DomainJoin)
		case action.WriteFile:
			c.secrets = c.secrets || op.Private()
		case action.EnsureUser:
			c.secrets = c.secrets || !op.Password.IsZero()
		default: // holds no secret
		}
	}
	return c, nil
}

// plain reports whether a #cloud-config can configure the machine.
func (c *config) plain() bool { return !c.secrets && !c.identity.Reboots() && !c.ec2Launch }

// header returns the first line of a script.
func (c *config) header() string {
	if c.ec2Launch {
		return ""
	}
	return header
}

// start runs the program immediately. cloudbase-init does not get its exit code: some codes request a reboot.
const start = "& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File " + winscript.Path + `
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
`

// The last lines under EC2Launch, which runs the script as an administrator and ignores its exit code. The task runs as
// SYSTEM, as it does after a restart.
const (
	startTask = "Start-ScheduledTask -TaskName 'machineadm'\n"
	restart   = "Restart-Computer -Force\n"
)

// last returns the last lines of the installer.
func (c *config) last() string {
	text := ""
	if c.timeZone != "" {
		text = "Set-TimeZone -Id " + windowscmd.Quote(c.timeZone) + "\n"
	}
	text += c.identity.Script()
	switch {
	case c.ec2Launch && c.identity.Reboots():
		return text + restart
	case c.ec2Launch:
		return text + startTask
	case c.identity.Reboots():
		return text + "exit 1001\n"
	default:
		return text + start
	}
}

// cloudConfig is the part of #cloud-config that is used, all of which cloudbase-init knows.
type cloudConfig struct {
	SetTimezone string   `yaml:"set_timezone,omitempty"`
	WriteFiles  []file   `yaml:"write_files"`
	RunCmd      []string `yaml:"runcmd"`
}

type file struct {
	Path     string `yaml:"path"`
	Encoding string `yaml:"encoding"`
	Content  string `yaml:"content"`
}

// cloudConfig writes the script into a file and starts it.
func (c *config) cloudConfig(packed string) ([]byte, error) {
	script, err := winscript.Pack([]byte(winscript.Installer(windowscmd.Quote(packed), start)))
	if err != nil {
		return nil, err
	}
	document, err := yaml.Marshal(cloudConfig{
		SetTimezone: c.timeZone,
		WriteFiles:  []file{{Path: installerPath, Encoding: "gz+b64", Content: script}},
		RunCmd:      []string{"powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File " + installerPath},
	})
	return append([]byte("#cloud-config\n"), document...), err
}
