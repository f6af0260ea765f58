package infrastructure

import (
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// afterburnSource is the reference for the facts that afterburn lacks on a platform.
const afterburnSource = "coreos/afterburn, 2026-07-30: docs/usage/attributes.md"

// CheckFacts returns error findings for facts that cloud-init finds on the target's platform and afterburn does not, if
// the target has afterburn. The bootstrap of such a machine would fail.
func CheckFacts(docs []document.Document, t osprofile.Target) report.Report {
	p, known := Lookup(t.Infrastructure)
	if !known || t.Profile.Metadata == nil || len(p.FactsOfCloudInit) == 0 {
		return nil
	}
	var r report.Report
	for _, d := range docs {
		at := d.Source.Path
		switch v := d.Value.(type) {
		case machine.File:
			r = append(r, p.missingFact(at, v.Content)...)
		case machine.Unit:
			r = append(r, p.missingFact(at.Field("contents"), v.Content)...)
			for i, dropIn := range v.DropIns {
				r = append(r, p.missingFact(at.Field("dropIns").Index(i).Field("contents"), dropIn.Content)...)
			}
		case node.NodeConfig:
			r = append(r, p.missingFact(at.Field("registration").Field("name"), v.Registration.Name)...)
			for i, l := range v.Registration.Labels {
				r = append(r, p.missingFact(at.Field("registration").Field("labels").Index(i), l.Value)...)
			}
			for i, a := range v.Registration.Annotations {
				r = append(r, p.missingFact(at.Field("registration").Field("annotations").Index(i), a.Value)...)
			}
			for i, a := range v.Kubelet.Args {
				r = append(r, p.missingFact(at.Field("kubelet").Field("extraArgs").Index(i), a.Value)...)
			}
		default: // has no facts that depend on the platform
		}
	}
	return r
}

func (p Provider) missingFact(at report.Path, value document.Content) report.Report {
	for _, f := range value.Facts() {
		if slices.Contains(p.FactsOfCloudInit, f) {
			return report.Report{report.Errorf(at, "machines of %s without cloud-init do not know the fact %s, so that the "+
				"bootstrap would fail", p.Name, f).
				To("leave provider IDs and the labels of zones and regions to the cloud controller manager, or use an operating " +
					"system with cloud-init")}
		}
	}
	return nil
}
