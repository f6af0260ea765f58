package machine

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// DropIn is a fragment NAME.conf in a unit's drop-in directory.
type DropIn struct {
	// Name is the file name, which ends in .conf.
	Name string `json:"name"`
	// Content is the text of the drop-in. The machine restarts an active service after it has filled in facts.
	Content document.Content `json:"contents,omitempty" encoding:"unit"`
}

// Unit is a systemd unit, or settings for a unit of the image.
type Unit struct {
	// Name includes the type suffix, as in containerd.service.
	Name string `json:"name"`
	// Content is the text of the unit file. Default: the unit of the image.
	Content document.Content `json:"contents,omitempty" encoding:"unit"`
	// DropIns are files in the drop-in directory of the unit.
	DropIns []DropIn `json:"dropIns,omitempty"`
	// Enabled enables or disables the unit. Default: unchanged.
	Enabled *bool `json:"enabled,omitempty"`
	// Masked masks the unit: nothing can start it.
	Masked bool `json:"mask,omitempty"`
}

// Kind returns KindUnit.
func (Unit) Kind() document.Kind { return KindUnit }

// Check returns error findings for invalid names, and for a masked unit with content.
func (u Unit) Check(p report.Path) report.Report {
	r := checkUnitName(p.Field("name"), u.Name)
	r = append(r, checkContent(p.Field("contents"), u.Content)...)
	for i, d := range u.DropIns {
		at := p.Field("dropIns").Index(i)
		r = append(r, checkDropInName(at.Field("name"), d.Name)...)
		r = append(r, checkContent(at.Field("contents"), d.Content)...)
	}
	if u.Masked && (!u.Content.IsZero() || len(u.DropIns) > 0) {
		r = append(r, report.Errorf(p.Field("mask"), "a masked unit cannot have contents or drop-ins").To(
			"remove one of them"))
	}
	if u.Masked && u.Enabled != nil && *u.Enabled {
		r = append(r, report.Errorf(p.Field("mask"), "a masked unit cannot be enabled").To("remove mask or enabled"))
	}
	return r
}

// checkContent returns an error finding for texts between facts that are not text.
func checkContent(p report.Path, c document.Content) report.Report {
	return checkText(p, string(c.Resolve(func(document.Fact) string { return "" })))
}

// Facts returns the facts in the unit file and in the drop-ins.
func (u Unit) Facts() []document.Fact {
	all := u.Content
	for _, d := range u.DropIns {
		all = document.Join(all, d.Content)
	}
	return all.Facts()
}
