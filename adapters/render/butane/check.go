package butane

import (
	"fmt"
	"strings"

	butane "github.com/coreos/butane/config"
	"github.com/coreos/butane/config/common"
	"github.com/coreos/vcontext/path"

	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// check translates the output with Butane, and reports its messages about a step at that step's document.
func check(data []byte, p plan.Plan, places []string) report.Report {
	// Not raw: Butane checks the limits of a MachineConfig only when it creates one.
	_, entries, err := butane.TranslateBytes(data, common.TranslateBytesOptions{})
	var findings report.Report
	for _, e := range entries.Entries {
		f := report.Warningf(sourceOf(e.Context, p, places), "Butane: %s", report.Unquoted(e.Message))
		if e.Kind.IsFatal() {
			f.Severity = report.Error
		}
		findings = append(findings, f)
	}
	if err != nil && !findings.HasErrors() {
		findings = append(findings, report.Errorf("spec.format", "Butane: %s", report.Unquoted(err.Error())))
	}
	return findings
}

// sourceOf returns the source of the document whose step rendered the element: storage.files.3.mode is within
// storage.files[3].
func sourceOf(c path.ContextPath, p plan.Plan, places []string) report.Path {
	element := ""
	for i, part := range c.Path {
		if index, isIndex := part.(int); isIndex {
			element += fmt.Sprintf("[%d]", index)
			break
		}
		if i > 0 {
			element += "."
		}
		element += fmt.Sprint(part)
	}
	for i, s := range places {
		for place := range strings.SplitSeq(s, ", ") {
			if place == element || strings.HasPrefix(place, element+"[") {
				return p.Source(p.Steps[i]).Path
			}
		}
	}
	return "spec.format"
}
