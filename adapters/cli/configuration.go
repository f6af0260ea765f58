package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
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

// targetFlags replace the operating system of manifests. Machine configuration does not contain one.
type targetFlags struct{ os, osVersion, architecture string }

func (t *targetFlags) register(c *cobra.Command, o Options, profiles *profileFiles) {
	f := c.Flags()
	f.StringVar(&t.os, "os", "", "operating system, such as debian; replaces spec.os of the manifests")
	f.StringVar(&t.osVersion, "os-version", "", "version of the operating system; replaces that of the manifests")
	f.StringVar(&t.architecture, "architecture", "", "architecture, amd64 or arm64; replaces that of the manifests")
	completeSystems(c, "os", o, profiles)
	completeFlag(c, "architecture", architectureNames()...)
}

// architectureNames returns the values of spec.os.architecture.
func architectureNames() []string { return []string{"amd64", "arm64"} }

// check returns an error if --os is not an operating system.
func (t targetFlags) check(ctx context.Context, o Options, profiles profileFiles) error {
	if _, known := osprofile.Find(t.os, t.osVersion); t.os == "" || known {
		return nil
	}
	profiles.quiet = true
	all, err := profiles.all(ctx, o)
	if err != nil {
		return err
	}
	if slices.Contains(ids(all), t.os) {
		return nil
	}
	return noSuchSystem(t.os, all)
}

// replace replaces the fields for which there are flags. Another distribution has other versions.
func (t targetFlags) replace(spec *v1alpha1.OSSpec) {
	if t.os != "" && t.os != spec.Distribution {
		spec.Distribution, spec.Version, spec.ProfileFrom = t.os, "", nil
	}
	spec.Version = cmp.Or(t.osVersion, spec.Version)
	spec.Architecture = cmp.Or(t.architecture, spec.Architecture)
}

// configurationPattern matches the line with the apiVersion of machine configuration.
var configurationPattern = regexp.MustCompile(`(?m)^["']?apiVersion["']?:\s*["']?machineadm\.io/`)

// isConfiguration reports whether the only source is machine configuration. Manifests cannot be compressed.
func isConfiguration(all []source) bool {
	return len(all) == 1 &&
		(bytes.HasPrefix(all[0].data, []byte{0x1f, 0x8b}) || configurationPattern.Match(all[0].data))
}

// renderConfiguration renders a machine configuration in a format.
func (i *inputs) renderConfiguration(ctx context.Context, o Options, in source, out output) error {
	target, err := i.renderTarget(ctx, o)
	if err != nil {
		return err
	}
	docs, findings := o.Codec.Decode(ctx, in.data)
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
	f := &file{name: in.name, lines: strings.Split(string(in.data), "\n")}
	var located []finding
	for _, found := range findings.Sorted() {
		at := f.locate(found)
		at.Path = string(found.Path)
		located = append(located, at)
	}
	printFindings(o.Err, i.visible(located))
	if payload := rendered.Rendering.Payload; !payload.Data.IsZero() {
		if err := out.save(o, result{payload: payload}); err != nil {
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
				Profile: p, Release: i.target.osVersion, Architecture: cmp.Or(i.target.architecture, "amd64"),
				KubernetesVersion: i.version, Infrastructure: i.infrastructure,
			}, nil
		}
	}
	return osprofile.Target{}, noSuchSystem(i.target.os, profiles)
}
