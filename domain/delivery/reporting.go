package delivery

import (
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// ReportPath is the file on a machine with the address and the credential for reports. Its first line is the address,
// its second the credential; certificates of authorities in PEM follow, if there are any. Only root can read it.
const ReportPath = "/etc/machineadm/report"

// DefaultDeadline is the time from the publication of its data in which a machine has to join or to report. Slow
// infrastructure takes ten minutes to start a machine.
const DefaultDeadline = 20 * time.Minute

// Reporting sets where and how a machine reports the progress of its bootstrap.
type Reporting struct {
	// Endpoint is the base URL of the endpoint, such as https://machineadm.example:9444. Default: the endpoint of the
	// controller.
	Endpoint string
	// Authorities are certificates in PEM with which the endpoint's certificate is verified. Default: the machine's
	// trust store.
	Authorities string
	// Deadline is the time in which the machine has to join or to report; 0 means no limit.
	Deadline time.Duration
	// Data is namespace/name of the machine's data Secret. Credential authenticates its reports; without it the machine
	// does not report. The controller sets both when it publishes the data.
	Data       string
	Credential secret.Value
}

// The time for which a credential is accepted after the deadline, so that a late machine can still report its failure,
// and the time without a deadline.
const (
	lateCredential    = time.Hour
	DefaultCredential = 24 * time.Hour
)

// CredentialLife returns the time from the publication of its data in which a machine may report.
func (r Reporting) CredentialLife() time.Duration {
	if r.Deadline <= 0 {
		return DefaultCredential
	}
	return r.Deadline + lateCredential
}

// URL returns the URL to which the machine posts reports.
func (r Reporting) URL() string { return strings.TrimSuffix(r.Endpoint, "/") + "/reports/" + r.Data }

// File returns the content of ReportPath.
func (r Reporting) File() secret.Value {
	text := r.URL() + "\n" + string(r.Credential.Reveal()) + "\n"
	if r.Authorities != "" {
		text += strings.TrimSpace(r.Authorities) + "\n"
	}
	return secret.FromString(text)
}

// Check returns findings about invalid fields. at is the path of the reporting options.
func (r Reporting) Check(at report.Path) report.Report {
	var found report.Report
	plain := strings.IndexFunc(r.Endpoint, func(c rune) bool {
		return unprintable(c) || strings.ContainsRune(`"'\?#@`, c)
	}) < 0
	if r.Endpoint != "" && (!strings.HasPrefix(r.Endpoint, "https://") || !plain) {
		found = append(found, report.Errorf(at.Field("url"), "%q is not the URL of an endpoint", r.Endpoint).
			To("write one such as https://machineadm.example:9444, without a query"))
	}
	if r.Authorities != "" && !strings.Contains(r.Authorities, "-----BEGIN CERTIFICATE-----") {
		found = append(found, report.Errorf(at.Field("certificateAuthorities"), "there is no certificate in PEM in it").
			To("begin with -----BEGIN CERTIFICATE-----"))
	}
	return found
}
