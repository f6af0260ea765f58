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

// DefaultDeadline is how long a machine has from the publication of its data until it has joined or reported. Slow
// infrastructure takes ten minutes to start a machine.
const DefaultDeadline = 20 * time.Minute

// Reporting sets where and how a machine reports the progress of its bootstrap.
type Reporting struct {
	// Endpoint is how the addresses of the endpoint begin, such as https://machineadm.example:9444; empty is that of the
	// controller.
	Endpoint string
	// Authorities are certificates in PEM that vouch for the endpoint; empty leaves that to those that the machine trusts.
	Authorities string
	// Deadline is how long the machine has to join or report; 0 is for ever.
	Deadline time.Duration
	// Data is namespace/name of the machine's data, and Credential what the machine shows. Who publishes the data sets
	// both; without a credential the machine does not report.
	Data       string
	Credential secret.Value
}

// How long a credential for reports is accepted after the deadline, so that a machine that is late can still report
// why, and how long without a deadline.
const (
	lateCredential    = time.Hour
	DefaultCredential = 24 * time.Hour
)

// CredentialLife returns for how long after the publication of its data a machine may report.
func (r Reporting) CredentialLife() time.Duration {
	if r.Deadline <= 0 {
		return DefaultCredential
	}
	return r.Deadline + lateCredential
}

// URL returns where reports go.
func (r Reporting) URL() string { return strings.TrimSuffix(r.Endpoint, "/") + "/reports/" + r.Data }

// File returns the content of ReportPath.
func (r Reporting) File() secret.Value {
	text := r.URL() + "\n" + string(r.Credential.Reveal()) + "\n"
	if r.Authorities != "" {
		text += strings.TrimSpace(r.Authorities) + "\n"
	}
	return secret.FromString(text)
}

// Check finds what is wrong with it. The path is that of the field.
func (r Reporting) Check(at report.Path) report.Report {
	var found report.Report
	plain := strings.IndexFunc(r.Endpoint, func(c rune) bool {
		return unprintable(c) || strings.ContainsRune(`"'\?#@`, c)
	}) < 0
	if r.Endpoint != "" && (!strings.HasPrefix(r.Endpoint, "https://") || !plain) {
		found = append(found, report.Errorf(at.Field("url"), "%q is no address of an endpoint", r.Endpoint).
			To("write one such as https://machineadm.example:9444, without a query"))
	}
	if r.Authorities != "" && !strings.Contains(r.Authorities, "-----BEGIN CERTIFICATE-----") {
		found = append(found, report.Errorf(at.Field("certificateAuthorities"), "there is no certificate in PEM in it").
			To("begin with -----BEGIN CERTIFICATE-----"))
	}
	return found
}
