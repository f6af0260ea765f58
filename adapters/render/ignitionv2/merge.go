package ignitionv2

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/flatcar/ignition/config/v2_3/types"

	"github.com/machineadm/machineadm/adapters/render/ignitionv2/containerlinux"
	"github.com/machineadm/machineadm/adapters/render/internal/ignsnippet"
	"github.com/machineadm/machineadm/adapters/render/internal/quiet"
	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// merge appends the user's Container Linux Configs, as the engine appends one configuration to another.
func merge(ctx context.Context, c types.Config, snippets []plan.Snippet) (types.Config, report.Report) {
	var findings report.Report
	for _, s := range snippets {
		if ctx.Err() != nil {
			break
		}
		if strings.TrimSpace(s.Text) == "" {
			continue
		}
		theirs, found := translate(ctx, s)
		findings = append(findings, found...)
		if found.HasErrors() {
			continue
		}
		c = add(c, theirs)
		findings = append(findings, check(c, s)...)
	}
	return c, findings
}

// translate returns the snippet in Ignition's types. It may not touch what belongs to machineadm.
func translate(ctx context.Context, s plan.Snippet) (types.Config, report.Report) {
	documents, err := structured.YAML(ctx, []byte(s.Text))
	if err != nil {
		return types.Config{}, report.Report{structured.Finding(s.Source.Path, "this is not a Container Linux Config", err)}
	}
	if len(documents) == 0 {
		return types.Config{}, report.Report{report.Warningf(s.Source.Path, "the text is empty").To("leave it out")}
	}
	if len(documents) > 1 {
		return types.Config{}, report.Report{report.Errorf(s.Source.Path,
			"there are %d documents in it; only the first would be read", len(documents)).To("leave one")}
	}
	theirs, findings := containerlinux.Translate(documents[0], containerlinux.Snippet{
		Path:   s.Source.Path,
		Strict: s.Strict,
	})
	return theirs, append(quiet.Of(findings, s.Text), guard(theirs, s)...)
}

// add appends theirs to ours, as the engine does: lists one after the other, and theirs where there can be only one
// value.
func add(ours, theirs types.Config) types.Config {
	i, more := &ours.Ignition, theirs.Ignition
	i.Config.Append = slices.Concat(i.Config.Append, more.Config.Append)
	i.Security.CertificateAuthorities = slices.Concat(i.Security.CertificateAuthorities,
		more.Security.CertificateAuthorities)
	i.Timeouts.HTTPResponseHeaders = cmp.Or(more.Timeouts.HTTPResponseHeaders, i.Timeouts.HTTPResponseHeaders)
	i.Timeouts.HTTPTotal = cmp.Or(more.Timeouts.HTTPTotal, i.Timeouts.HTTPTotal)
	ours.Storage = types.Storage{
		Directories: slices.Concat(ours.Storage.Directories, theirs.Storage.Directories),
		Disks:       slices.Concat(ours.Storage.Disks, theirs.Storage.Disks),
		Files:       slices.Concat(ours.Storage.Files, theirs.Storage.Files),
		Filesystems: slices.Concat(ours.Storage.Filesystems, theirs.Storage.Filesystems),
		Links:       slices.Concat(ours.Storage.Links, theirs.Storage.Links),
		Raid:        slices.Concat(ours.Storage.Raid, theirs.Storage.Raid),
	}
	ours.Systemd.Units = slices.Concat(ours.Systemd.Units, theirs.Systemd.Units)
	ours.Networkd.Units = slices.Concat(ours.Networkd.Units, theirs.Networkd.Units)
	ours.Passwd.Users = slices.Concat(ours.Passwd.Users, theirs.Passwd.Users)
	ours.Passwd.Groups = slices.Concat(ours.Passwd.Groups, theirs.Passwd.Groups)
	return ours
}

func guard(c types.Config, s plan.Snippet) report.Report {
	var findings report.Report
	kept := func(path string, directory bool) {
		if ignsnippet.Kept(path, directory) {
			findings = append(findings, report.Errorf(s.Source.Path, "%s is reserved for machineadm", path).To(
				"choose another path"))
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
			findings = append(findings, report.Errorf(s.Source.Path, "%s is reserved for machineadm", u.Name).To(
				"choose another name"))
		}
	}
	if c.Ignition.Config.Replace != nil {
		findings = append(findings, report.Errorf(s.Source.Path, "ignition.config.replace drops the whole configuration").
			To("use ignition.config.append"))
	}
	if len(c.Ignition.Config.Append) > 0 {
		findings = append(findings, report.Warningf(s.Source.Path,
			"the configurations of ignition.config.append are not checked"))
	}
	return findings
}

// check validates the merged configuration: two that are right can be wrong together.
func check(c types.Config, s plan.Snippet) report.Report {
	return quiet.Of(containerlinux.Validate(c, containerlinux.Snippet{Path: s.Source.Path, Strict: s.Strict}), s.Text)
}
