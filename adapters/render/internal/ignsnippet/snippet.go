// Package ignsnippet translates Butane snippets of users and merges them into an Ignition configuration by Ignition's
// rules. Messages of the libraries become findings.
package ignsnippet

import (
	"context"
	"slices"
	"strings"

	butane "github.com/coreos/butane/config"
	"github.com/coreos/butane/config/common"
	"github.com/coreos/ignition/v2/config/util"
	"github.com/coreos/ignition/v2/config/v3_6"
	"github.com/coreos/ignition/v2/config/v3_6/types"
	vreport "github.com/coreos/vcontext/report"
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/render/internal/quiet"
	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// NonEmpty returns the snippets that are not blank.
func NonEmpty(all []plan.Snippet) []plan.Snippet {
	return slices.DeleteFunc(slices.Clone(all), func(s plan.Snippet) bool { return strings.TrimSpace(s.Text) == "" })
}

// Translate translates the snippet to Ignition. Its specification must not be newer than the given one, such as 3.4.0.
// Reading of local files is disabled, so that a snippet cannot read files of the controller.
func Translate(ctx context.Context, s plan.Snippet, specification string, t osprofile.Target) (types.Config,
	report.Report,
) {
	documents, err := structured.YAML(ctx, []byte(s.Text))
	if err != nil {
		return types.Config{}, report.Report{refused(s, err)}
	}
	options := common.TranslateBytesOptions{Raw: true}
	options.NoResourceAutoCompression = true
	data, entries, err := butane.TranslateBytes([]byte(s.Text), options)
	findings := Findings(entries, s)
	if err != nil {
		if !findings.HasErrors() {
			findings = append(findings, failure(err, s))
		}
		return types.Config{}, findings
	}
	findings = append(findings, variant(documents, s, t)...)
	config, _, err := v3_6.ParseCompatibleVersion(data)
	if err != nil {
		return types.Config{}, append(findings, at(s, "it translates to an experimental Ignition specification").
			To("use a stable version of Butane's variant"))
	}
	if v, _, err := util.GetConfigVersion(data); err != nil || osprofile.CompareReleases(v.String(), specification) > 0 {
		findings = append(findings, at(s, "it translates to Ignition %s, and the machine reads %s", v, specification).
			To("use an older version of Butane's variant"))
	}
	return config, append(findings, guard(config, s)...)
}

func at(s plan.Snippet, format string, args ...any) report.Finding {
	return report.Errorf(s.Source.Path, format, args...)
}

// Findings converts the report of an Ignition or Butane library, without values. Paths and positions refer to the
// snippet.
func Findings(r vreport.Report, s plan.Snippet) report.Report {
	var findings report.Report
	for _, e := range r.Entries {
		f := report.Finding{Severity: severity(e.Kind, s.Strict), Path: s.Source.Path, Message: e.Message}
		if where := strings.TrimPrefix(e.Context.String(), "$."); len(e.Context.Path) > 0 {
			f.Message = where + ": " + e.Message
		}
		if p := e.Marker.StartP; p != nil {
			f.Line, f.Column = int(p.Line), int(p.Column)
		}
		findings = append(findings, f)
	}
	return quiet.Of(findings, s.Text)
}

func severity(k vreport.EntryKind, strict bool) report.Severity {
	switch {
	case k.IsFatal(), strict:
		return report.Error
	case k == vreport.Info:
		return report.Info
	default:
		return report.Warning
	}
}

// failure is a text that is no YAML, or no Butane.
func failure(err error, s plan.Snippet) report.Finding {
	return structured.Malformed(s.Source.Path, "this is not Butane", err).To(
		"start it with variant and version, and correct the reported errors")
}

// refused is a text that is no YAML, or one that is too costly to read.
func refused(s plan.Snippet, err error) report.Finding {
	f := structured.Finding(s.Source.Path, "this is not Butane", err)
	if f.Remedy == "" {
		f = f.To("start it with variant and version, and correct the reported errors")
	}
	return f
}

// variant warns of a snippet that is written for another operating system.
func variant(documents []*yaml.Node, s plan.Snippet, t osprofile.Target) report.Report {
	var head struct {
		Variant string `yaml:"variant"`
	}
	want := t.Profile.ButaneVariant
	if len(documents) == 0 || documents[0].Decode(&head) != nil || want == "" || head.Variant == want {
		return nil
	}
	f := report.Warningf(s.Source.Path, "the variant is %s, and %s has %s", head.Variant, t.Profile.Name,
		want).To("write variant: %s", want)
	if s.Strict {
		f.Severity = report.Error
	}
	return report.Report{f}
}
