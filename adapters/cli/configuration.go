package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// configurationFormat is the value of --format for machine configuration, which the agent reads.
const configurationFormat delivery.Format = "machineadm"

// encodeDocuments encodes the documents as machine configuration, in place of rendering them.
func (p *producer) encodeDocuments(_ context.Context, job plan.Job) (render.Result, error) {
	var findings report.Report
	for _, d := range job.Documents {
		findings = append(findings, d.Check()...)
	}
	if findings.HasErrors() {
		return render.Result{Findings: findings}, nil
	}
	text, err := p.options.Codec.Encode(job.Documents)
	payload := delivery.Payload{Format: configurationFormat, Data: secret.New(text), FileExtension: ".yaml"}
	return render.Result{Rendering: ports.Rendering{Payload: payload}, Findings: findings}, err
}

// targetFlags select the machine that a machine configuration is rendered for; the configuration does not contain it.
type targetFlags struct{ os, osVersion, architecture string }

func (t *targetFlags) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&t.os, "os", "", "operating system, such as debian; only for a machine configuration, which requires it")
	f.StringVar(&t.osVersion, "os-version", "", "version of the operating system; only for a machine configuration")
	f.StringVar(&t.architecture, "architecture", "amd64", "architecture; only for a machine configuration")
}

// configurationPattern matches the line with the apiVersion of machine configuration.
var configurationPattern = regexp.MustCompile(`(?m)^["']?apiVersion["']?:\s*["']?machineadm\.io/`)

// configuration returns the content of the only file if it is machine configuration, or nil if it contains manifests.
// Only machine configuration can be compressed.
func (i *inputs) configuration(o Options) ([]byte, error) {
	if len(i.files) != 1 {
		return nil, nil
	}
	data, err := readAll(i.files[0], o.In)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) || configurationPattern.Match(data) {
		return data, nil
	}
	i.content = data
	return nil, nil
}

// renderConfiguration renders a machine configuration in a format.
func (i *inputs) renderConfiguration(ctx context.Context, o Options, data []byte, output string) error {
	target, err := i.renderTarget(ctx, o)
	if err != nil {
		return err
	}
	docs, findings := o.Codec.Decode(ctx, data)
	if n, _, found := document.First[node.NodeConfig](docs); found {
		target.KubernetesVersion = cmp.Or(i.version, n.KubernetesVersion)
	}
	var rendered render.Result
	if !findings.HasErrors() {
		format := cmp.Or(delivery.Format(i.format), target.DefaultFormat())
		rendered, err = o.Render.Render(ctx, plan.Job{Documents: docs, Target: target, Format: format})
		if err != nil {
			return err
		}
		findings = append(findings, rendered.Findings...)
	}
	f := &file{name: i.files[0], lines: strings.Split(string(data), "\n")}
	var located []finding
	for _, found := range findings.Sorted() {
		at := f.locate(found)
		at.Path = string(found.Path)
		located = append(located, at)
	}
	printFindings(o.Err, located)
	if payload := rendered.Rendering.Payload; !payload.Data.IsZero() {
		if err := (result{payload: payload}).save(o, output, ""); err != nil {
			return err
		}
	}
	return i.exitError(located)
}

// renderTarget returns the machine that the flags select.
func (i *inputs) renderTarget(ctx context.Context, o Options) (osprofile.Target, error) {
	if i.target.os == "" {
		return osprofile.Target{}, usageError{errors.New(
			"--os is required: a machine configuration does not contain the operating system")}
	}
	profiles, err := i.profiles.all(ctx, o)
	if err != nil {
		return osprofile.Target{}, err
	}
	for _, p := range profiles {
		if p.ID == i.target.os {
			return osprofile.Target{
				Profile: p, Release: i.target.osVersion, Architecture: i.target.architecture, KubernetesVersion: i.version,
				Infrastructure: i.infrastructure,
			}, nil
		}
	}
	return osprofile.Target{}, usageError{fmt.Errorf("--os %s: no such operating system; see machineadmctl os list",
		i.target.os)}
}
