package ignition

import (
	"context"

	"github.com/coreos/ignition/v2/config/v3_6"
	"github.com/coreos/ignition/v2/config/v3_6/types"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/adapters/render/internal/ignsnippet"
	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// merge adds the user's snippets one after the other. What comes of it is read back by the parser of its version, since
// two configurations that are right can be wrong together.
func merge(ctx context.Context, c types.Config, v ignmodel.Specification, p plan.Plan) (types.Config, report.Report,
) {
	var findings report.Report
	for _, s := range ignsnippet.NonEmpty(p.Snippets) {
		if ctx.Err() != nil {
			break
		}
		theirs, found := ignsnippet.Translate(ctx, s, v.String(), p.Target)
		findings = append(findings, found...)
		if found.HasErrors() {
			continue
		}
		merged, found := ignsnippet.Merge(c, theirs, s)
		findings = append(findings, found...)
		findings = append(findings, check(merged, s)...)
		c = merged
	}
	return c, findings
}

func check(c types.Config, s plan.Snippet) report.Report {
	data, err := ignmodel.JSON(c)
	if err != nil {
		return report.Report{structured.Malformed(s.Source.Path, "it cannot be merged", err)}
	}
	_, entries, err := v3_6.ParseCompatibleVersion(data)
	// Positions are those in our output, which the user never sees.
	for i := range entries.Entries {
		entries.Entries[i].Marker.StartP = nil
	}
	findings := ignsnippet.Findings(entries, s)
	if err != nil && !findings.HasErrors() {
		findings = append(findings, structured.Malformed(s.Source.Path, "the merged configuration is not valid", err))
	}
	return findings
}
