package machine

import (
	"encoding/base64"
	"regexp"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// accountPattern matches an account of a directory: user, DOMAIN\user or user@domain, without the characters that
// sAMAccountName excludes.
var accountPattern = regexp.MustCompile(
	`^([A-Za-z0-9._-]+\\)?[^"/\\\[\]:;|=,+*?<>@\x00-\x1f]{1,64}(@[A-Za-z0-9._-]+)?$`)

// DomainJoin joins the machine to an Active Directory domain: with an account that may join machines, or with data that
// an administrator has prepared for the machine (offline domain join). Group membership is configured in the directory,
// for example in groups that may retrieve the password of a group managed service account.
type DomainJoin struct {
	// Domain is the DNS name of the domain, such as corp.example.
	Domain string `json:"domain,omitempty"`
	// OrganizationalUnit is the distinguished name of the container for the machine's account. Default: that of the
	// domain.
	OrganizationalUnit string `json:"organizationalUnit,omitempty"`
	// Username is an account that may join machines: user, DOMAIN\user or user@domain.
	Username string `json:"username,omitempty"`
	// Password is the password of that account.
	Password secret.Value `json:"password,omitempty"`
	// ProvisioningData is the output of djoin /provision, in base64. It excludes all other fields.
	ProvisioningData secret.Value `json:"provisioningData,omitempty"`
}

// Kind returns KindDomainJoin.
func (DomainJoin) Kind() document.Kind { return KindDomainJoin }

// Check returns an error finding unless exactly one of the two ways to join is configured, and findings for invalid
// names.
func (j DomainJoin) Check(p report.Path) report.Report {
	if !j.ProvisioningData.IsZero() {
		return j.checkOffline(p)
	}
	var r report.Report
	if j.Domain == "" || j.Username == "" || j.Password.IsZero() {
		return append(r, report.Errorf(p, "set either an account or provisioning data").
			To("set domain, username and the password, or the provisioning data"))
	}
	if !hostPattern.MatchString(j.Domain) || len(j.Domain) > maxPathElement {
		r = append(r, report.Errorf(p.Field("domain"), "%q is not the DNS name of a domain", j.Domain).To(
			"write it as corp.example"))
	}
	if !accountPattern.MatchString(j.Username) {
		r = append(r, report.Errorf(p.Field("username"), "%q is not the name of an account", j.Username).
			To(`write user, DOMAIN\user or user@domain`))
	}
	if ou := j.OrganizationalUnit; ou != "" && !strings.Contains(ou, "=") {
		r = append(r, report.Errorf(p.Field("organizationalUnit"), "%q is not a distinguished name",
			ou).To("write OU=Nodes,DC=example,DC=com"))
	}
	r = append(r, checkLine(p.Field("organizationalUnit"), j.OrganizationalUnit)...)
	return append(r, checkLine(p.Field("password"), string(j.Password.Reveal()))...)
}

func (j DomainJoin) checkOffline(p report.Path) report.Report {
	var r report.Report
	if j.Domain != "" || j.OrganizationalUnit != "" || j.Username != "" || !j.Password.IsZero() {
		r = append(r, report.Errorf(p.Field("provisioningData"),
			"provisioning data contains the domain and excludes an account").
			To("remove domain, organizationalUnit, username and the password"))
	}
	if _, err := base64.StdEncoding.DecodeString(j.OfflineData()); err != nil {
		r = append(r, report.Errorf(p.Field("provisioningData"), "this is not base64").
			To("give what djoin /provision /savefile has written, as UTF-8 or UTF-16 text"))
	}
	return r
}

// OfflineData returns the provisioning data as ASCII text: djoin writes UTF-16 with a byte order mark and a final NUL.
func (j DomainJoin) OfflineData() string {
	text := strings.TrimPrefix(string(j.ProvisioningData.Reveal()), "\xff\xfe")
	return strings.NewReplacer("\x00", "", " ", "", "\t", "", "\r", "", "\n", "").Replace(text)
}
