package machine

import (
	"regexp"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/pattern"
	"github.com/machineadm/machineadm/domain/report"
)

// maxComputerName is the maximum length of a NetBIOS name and therefore of a computer name (learn.microsoft.com:
// ComputerName of Microsoft-Windows-Shell-Setup).
const maxComputerName = 15

var (
	hostnamePattern = pattern.Of(63, `^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$`)
	// timeZonePattern matches time zone names of the IANA and of Windows, such as "W. Europe Standard Time" and
	// "UTC-11".
	timeZonePattern = pattern.Of(64, `^[A-Za-z][A-Za-z0-9_+./() -]*$`)
	// localePattern matches the BCP 47 tags that operating systems use: a language, an optional script and an optional
	// region.
	localePattern = regexp.MustCompile(`^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$`)
	// keyboardPattern matches a BCP 47 tag, or a language and a keyboard layout of Windows in hexadecimal.
	keyboardPattern = regexp.MustCompile(
		`^([a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?|[0-9A-Fa-f]{4}:[0-9A-Fa-f]{8})$`)
)

// HostConfig sets the name, the time zone and the language of the machine.
type HostConfig struct {
	// Hostname is the name of the machine, without a domain. Default: set by the platform.
	Hostname string `json:"hostname,omitempty"`
	// RandomHostname makes the operating system choose a name. It excludes Hostname.
	RandomHostname bool `json:"randomHostname,omitempty"`
	// TimeZone is a name of the IANA database, such as Europe/Berlin, or of Windows, such as W. Europe Standard Time.
	TimeZone string `json:"timeZone,omitempty"`
	// Locale is the BCP 47 tag of formats and of the system's language, such as de-DE.
	Locale string `json:"locale,omitempty"`
	// UILanguage is the BCP 47 tag of the language of menus. Default: that of the image.
	UILanguage string `json:"uiLanguage,omitempty"`
	// Keyboard is a BCP 47 tag, or language and layout in Windows's notation, such as 0407:00000407.
	Keyboard string `json:"keyboard,omitempty"`
}

// Kind returns KindHost.
func (HostConfig) Kind() document.Kind { return KindHost }

// Check returns error findings for names that no operating system accepts.
func (c HostConfig) Check(p report.Path) report.Report {
	var r report.Report
	if c.Hostname != "" && (!hostnamePattern.MatchString(c.Hostname) || strings.Trim(c.Hostname, "0123456789") == "") {
		r = append(r, report.Errorf(p.Field("hostname"), "%q is not a host name", c.Hostname).
			To("use at most 63 letters, digits and dashes, not digits alone"))
	}
	if c.Hostname != "" && c.RandomHostname {
		r = append(r, report.Errorf(p.Field("randomHostname"), "hostname is set as well").To("remove one of them"))
	}
	if c.TimeZone != "" && (!timeZonePattern.MatchString(c.TimeZone) || strings.Contains(c.TimeZone, "..")) {
		r = append(r, report.Errorf(p.Field("timeZone"), "%q is not the name of a time zone", c.TimeZone).To(
			"write it as Europe/Berlin"))
	}
	r = append(r, checkTag(p.Field("locale"), c.Locale)...)
	r = append(r, checkTag(p.Field("uiLanguage"), c.UILanguage)...)
	if c.Keyboard != "" && !keyboardPattern.MatchString(c.Keyboard) {
		r = append(r, report.Errorf(p.Field("keyboard"), "%q is not the name of a keyboard layout", c.Keyboard).To(
			"write it as de-DE or 0407:00000407"))
	}
	return r
}

// CheckComputerName returns an error finding if the name is too long for Windows.
func CheckComputerName(p report.Path, name string) report.Report {
	if len(name) <= maxComputerName {
		return nil
	}
	return report.Report{report.Errorf(p, "%q has %d characters; a computer name on Windows has at most %d", name,
		len(name), maxComputerName).
		To("use a shorter name, or randomHostname")}
}

func checkTag(p report.Path, s string) report.Report {
	if s == "" || localePattern.MatchString(s) {
		return nil
	}
	return report.Report{report.Errorf(p, "%q is not a language tag", s).To("write it as de-DE")}
}
