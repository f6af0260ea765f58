package ignitionv2

import (
	"context"
	"strings"

	clct "github.com/flatcar/container-linux-config-transpiler/config"
	"github.com/flatcar/container-linux-config-transpiler/config/platform"
	ignition "github.com/flatcar/ignition/config/v2_3"
	"github.com/flatcar/ignition/config/v2_3/types"
	vreport "github.com/flatcar/ignition/config/validate/report"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/adapters/render/internal/ignsnippet"
	"github.com/machineadm/machineadm/adapters/render/internal/quiet"
	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// merge appends the user's Container Linux Configs, as the engine appends one configuration to another.
func merge(ctx context.Context, c types.Config, t osprofile.Target) (types.Config, report.Report) {
	var findings report.Report
	for _, s := range t.Snippets {
		if ctx.Err() != nil {
			break
		}
		if s.Format != delivery.FormatIgnitionV2 || strings.TrimSpace(s.Text) == "" {
			continue
		}
		theirs, found := translate(ctx, s)
		findings = append(findings, found...)
		if found.HasErrors() {
			continue
		}
		c = ignition.Append(c, theirs)
		findings = append(findings, check(c, s)...)
	}
	return c, findings
}

// translate returns the snippet in Ignition's types. It may not touch what belongs to machineadm.
func translate(ctx context.Context, s osprofile.SourcedSnippet) (types.Config, report.Report) {
	if _, err := structured.YAML(ctx, []byte(s.Text)); err != nil {
		return types.Config{}, report.Report{structured.Finding(s.Source.Path, "this is no Container Linux Config", err)}
	}
	parsed, ast, entries := clct.Parse([]byte(s.Text))
	findings := from(entries, s)
	if findings.HasErrors() {
		return types.Config{}, findings
	}
	// Custom leaves the placeholders of addresses to the metadata service.
	theirs, entries := clct.Convert(parsed, platform.Custom, ast)
	findings = append(findings, from(entries, s)...)
	return theirs, append(findings, guard(theirs, s)...)
}

func guard(c types.Config, s osprofile.SourcedSnippet) report.Report {
	var findings report.Report
	kept := func(path string, directory bool) {
		if ignsnippet.Kept(path, directory) {
			findings = append(findings, report.Errorf(s.Source.Path, "%s is kept for machineadm", path).To("choose another path"))
		}
	}
	for _, n := range c.Storage.Files {
		kept(n.Path, false)
	}
	for _, n := range c.Storage.Links {
		kept(n.Path, false)
	}
	for _, n := range c.Storage.Directories {
		kept(n.Path, true)
	}
	for _, u := range c.Systemd.Units {
		if ignsnippet.KeptUnit(u.Name) {
			findings = append(findings, report.Errorf(s.Source.Path, "%s is kept for machineadm", u.Name).To("choose another name"))
		}
	}
	if c.Ignition.Config.Replace != nil {
		findings = append(findings, report.Errorf(s.Source.Path, "ignition.config.replace drops the whole configuration").
			To("use ignition.config.append"))
	}
	if len(c.Ignition.Config.Append) > 0 {
		findings = append(findings, report.Warningf(s.Source.Path, "what ignition.config.append brings is not checked"))
	}
	return findings
}

// check reads the merged configuration back: two that are right can be wrong together.
func check(c types.Config, s osprofile.SourcedSnippet) report.Report {
	data, err := ignmodel.JSON(c)
	if err != nil {
		return report.Report{report.Malformed(s.Source.Path, "it cannot be merged", err)}
	}
	_, entries, err := ignition.Parse(data)
	findings := from(entries, s)
	for i := range findings {
		// Positions are those in our output, which the user never sees.
		findings[i].Line, findings[i].Column = 0, 0
	}
	if err != nil && !findings.HasErrors() {
		findings = append(findings, report.Malformed(s.Source.Path, "the merged configuration is not valid", err))
	}
	return findings
}

// from returns what the transpiler or the parser reports.
func from(r vreport.Report, s osprofile.SourcedSnippet) report.Report {
	var findings report.Report
	for _, e := range r.Entries {
		severity := report.Warning
		switch {
		case e.Kind == vreport.EntryError || s.Strict:
			severity = report.Error
		case e.Kind == vreport.EntryInfo:
			severity = report.Info
		}
		findings = append(findings, report.Finding{Severity: severity, Path: s.Source.Path, Message: e.Message, Line: e.Line, Column: e.Column})
	}
	return quiet.Of(findings, s.Text)
}
