package shell

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/adapters/render/internal/machinescript"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Format is a POSIX shell script without dependencies.
const Format delivery.Format = "shell"

// Renderer renders shell scripts. It has no state.
type Renderer struct{}

var _ ports.UniversalRenderer = Renderer{}

// Format returns Format.
func (Renderer) Format() delivery.Format { return Format }

// Native returns false: a shell script consists of operations.
func (Renderer) Native(document.Document, osprofile.Target) bool { return false }

// Supports returns findings for a system without a POSIX shell, and for a format version, which shell scripts do not
// have.
func (Renderer) Supports(t osprofile.Target, p report.Path) report.Report {
	var r report.Report
	if t.Profile.ID != "" && t.Profile.Shell != osprofile.ShellPOSIX {
		r = append(r, report.Errorf(p.Field("format"), "%s has no POSIX shell", t.Profile.Name).To("use %s",
			t.DefaultFormat()))
	}
	if t.FormatVersion != "" {
		r = append(r, report.Errorf(p.Field("formatOptions").Field("version"),
			"%s has no versions, but version %s is requested", Format, t.FormatVersion).To("leave the version out"))
	}
	return r
}

// Render renders the plan. Invalid input is reported as findings; the error is that of the context.
func (Renderer) Render(ctx context.Context, p plan.Plan) (ports.Rendering, report.Report, error) {
	s, findings, err := machinescript.Render(ctx, p, bootscript.SystemFact)
	if err != nil {
		return ports.Rendering{}, nil, err
	}
	findings = append(snippets(p.Snippets), findings...)
	if findings.HasErrors() {
		return ports.Rendering{}, findings, nil
	}
	return ports.Rendering{
		Payload: delivery.Payload{Format: Format, Data: secret.New(installer(s.Program)), FileExtension: ".sh"},
		Places:  s.Places,
	}, findings, nil
}

// snippets refuses snippets, because a shell script cannot be merged with them.
func snippets(all []plan.Snippet) report.Report {
	var r report.Report
	for _, s := range all {
		r = append(r, report.Errorf(s.Source.Path, "the format shell does not support snippets").To(
			"use the commands of the machine"))
	}
	return r
}

// header explains the installer to users who open it.
const header = `#!/bin/sh
# Created by machineadm. Run it as root; a second run changes nothing. It contains secrets: remove it afterwards.
`

// installScript installs and starts the program.
//
//go:embed install.sh
var installScript string

// installer returns the installer. It contains the program as readable text, or in base64 if a shell could change some
// of its bytes. The last line calls main, so an incomplete installer does nothing.
func installer(program []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(installScript) + len(program)*4/3 + 128)
	b.WriteString(header)
	b.WriteString(script.StripShell(installScript))
	b.WriteString("program() {\n")
	end := delimiter(program)
	if plain(program) {
		b.WriteString("cat <<'" + end + "'\n")
		b.Write(program)
		if !bytes.HasSuffix(program, []byte("\n")) {
			b.WriteByte('\n')
		}
	} else {
		b.WriteString("base64 -d <<'" + end + "'\n")
		b.Write(wrapped(program))
	}
	b.WriteString(end + "\n}\nmain " + bootscript.StateDir + " " + bootscript.Path + "\n")
	return b.Bytes()
}

// delimiter returns a word that is not a line of the text.
func delimiter(text []byte) string {
	const word = "END"
	taken := map[int]bool{}
	for line := range bytes.Lines(text) {
		rest, found := bytes.CutPrefix(bytes.TrimSuffix(line, []byte("\n")), []byte(word))
		if found && len(bytes.Trim(rest, "_")) == 0 {
			taken[len(rest)] = true
		}
	}
	length := 0
	for taken[length] {
		length++
	}
	return word + strings.Repeat("_", length)
}

func plain(text []byte) bool {
	for _, c := range text {
		if (c < ' ' && c != '\n' && c != '\t') || c > '~' {
			return false
		}
	}
	return true
}

// wrapped returns base64 in lines of the same length as base64(1).
func wrapped(b []byte) []byte {
	text := base64.StdEncoding.EncodeToString(b)
	var lines strings.Builder
	for len(text) > 76 {
		lines.WriteString(text[:76] + "\n")
		text = text[76:]
	}
	lines.WriteString(text + "\n")
	return []byte(lines.String())
}
