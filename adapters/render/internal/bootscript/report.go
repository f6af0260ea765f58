package bootscript

import (
	"github.com/machineadm/machineadm/domain/delivery"
)

// Reported exists once the agent has reported the result of the bootstrap. Then the program does not replace it with a
// less detailed report.
const Reported = StateDir + "/reported"

func (w *writer) reports() bool { return w.options.Reporting != nil }

// reportFile returns the code that writes the report file, which report.sh reads. The file also contains the
// certificate authorities, if there are any.
func (w *writer) reportFile() string {
	text, authorities := string(w.options.Reporting.File().Reveal()), ""
	if w.options.Reporting.Authorities != "" {
		authorities = delivery.ReportPath
	}
	return "_authorities=" + authorities + "\nmkdir -p /etc/machineadm;(umask 077&&rm -f " + delivery.ReportPath + "&&" +
		printLiteral([]byte(text)) + ">" + delivery.ReportPath + ")\n"
}
