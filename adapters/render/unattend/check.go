package unattend

import (
	"strings"
	"unicode/utf8"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// checkJoin finds what set-up would not read as it is written. The password is the one in an answer file that cannot be
// hidden.
func checkJoin(j machine.DomainJoin, at report.Path) report.Report {
	r := checkText(at.Field("password"), string(j.Password.Reveal()))
	r = append(r, checkText(at.Field("organizationalUnit"), j.OrganizationalUnit)...)
	return append(r, checkText(at.Field("username"), j.Username)...)
}

// checkText finds what no XML document holds (XML 1.0, section 2.2), and blanks at the ends, which set-up may drop. It
// does not repeat the text.
func checkText(p report.Path, s string) report.Report {
	switch {
	case !utf8.ValidString(s) || strings.ContainsFunc(s, outsideXML):
		return report.Report{report.Errorf(p, "the value contains characters that XML does not support").To(
			"use another value")}
	case strings.TrimSpace(s) != s:
		return report.Report{report.Errorf(p, "the value begins or ends with a blank, which Windows Setup may drop").
			To("use another value")}
	}
	return nil
}

func outsideXML(r rune) bool {
	return r < ' ' || r == 0xfffe || r == 0xffff || r >= 0x7f && r < 0xa0
}
