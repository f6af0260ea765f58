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

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// configurationFormat is the name, among those of formats, of the documents themselves, serialised as an agent reads
// them.
const configurationFormat delivery.Format = "machineadm"

// serialise writes the documents in place of rendering them.
func (w *world) serialise(_ context.Context, docs []document.Document, _ osprofile.Target,
	_ delivery.Format,
) (bootstrap.Rendered, error) {
	var findings report.Report
	for _, d := range docs {
		findings = append(findings, d.Check()...)
	}
	if findings.HasErrors() {
		return bootstrap.Rendered{Findings: findings}, nil
	}
	text, err := w.options.Codec.Encode(docs)
	payload := delivery.Payload{Format: configurationFormat, Data: secret.New(text), FileExtension: ".yaml"}
	return bootstrap.Rendered{Payload: payload, Findings: findings}, err
}

// machineOS are the flags that say for which machine a configuration is rendered: it tells of none.
type machineOS struct{ name, version, architecture string }

func (m *machineOS) register(c *cobra.Command) {
	c.Flags().StringVar(&m.name, "os", "", "operating system, for a machine configuration, such as debian")
	c.Flags().StringVar(&m.version, "os-version", "", "version of the operating system, for a machine configuration")
	c.Flags().StringVar(&m.architecture, "architecture", "amd64", "architecture, for a machine configuration")
}

// configurationPattern finds the first line of a document of machine configuration.
var configurationPattern = regexp.MustCompile(`(?m)^["']?apiVersion["']?:\s*["']?machineadm\.io/`)

// configuration returns the machine configuration that the only file is, or nil: manifests are something else.
// Compressed data is one, since manifests are never compressed.
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

// renderConfiguration says a machine configuration in a format.
func (i *inputs) renderConfiguration(ctx context.Context, o Options, data []byte, file string) error {
	target, err := i.target(o)
	if err != nil {
		return err
	}
	docs, findings := o.Codec.Decode(ctx, data)
	if n, _, found := document.First[node.NodeConfig](docs); found {
		target.KubernetesVersion = cmp.Or(i.version, n.KubernetesVersion)
	}
	var result render.Result
	if !findings.HasErrors() {
		format := cmp.Or(delivery.Format(i.format), target.DefaultFormat())
		if result, err = o.Render.Render(ctx, render.Request{Documents: docs, Target: target, Format: format}); err != nil {
			return err
		}
		findings = append(findings, result.Findings...)
	}
	var told []located
	lines := strings.Split(string(data), "\n")
	for _, f := range findings.Sorted() {
		told = append(told, inConfiguration(i.files[0], lines, f))
	}
	write(o.Err, told)
	payload := result.Rendering.Payload
	if !payload.Data.IsZero() {
		if err := (produced{payload: payload}).save(o, file, ""); err != nil {
			return err
		}
	}
	return i.verdict(told)
}

// target returns the machine that the flags describe.
func (i *inputs) target(o Options) (osprofile.Target, error) {
	if i.os.name == "" {
		return osprofile.Target{}, usageError{errors.New(
			"a machine configuration does not tell the operating system; give --os")}
	}
	profiles, err := i.profiles.known(o)
	if err != nil {
		return osprofile.Target{}, err
	}
	for _, p := range profiles {
		if p.ID == i.os.name {
			return osprofile.Target{
				Profile: p, Release: i.os.version, Architecture: i.os.architecture, KubernetesVersion: i.version,
				Infrastructure: i.infrastructure,
			}, nil
		}
	}
	return osprofile.Target{}, usageError{fmt.Errorf("--os %s: no such operating system; see machineadmctl os list",
		i.os.name)}
}

// inConfiguration says where in the configuration a finding stands.
func inConfiguration(name string, lines []string, f report.Finding) located {
	out := inProfile(name, lines, f)
	out.Path = string(f.Path)
	return out
}
