package winscript

import (
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// Identity collects the settings that need a reboot: name, languages, domain. It is for formats that cannot express
// them and may request a reboot.
type Identity struct{ lines []string }

// Reboots reports whether Windows must be restarted before the program can run.
func (i *Identity) Reboots() bool { return len(i.lines) > 0 }

// Script returns the PowerShell commands that apply the settings, for the last lines of an installer.
func (i *Identity) Script() string {
	if len(i.lines) == 0 {
		return ""
	}
	return strings.Join(i.lines, "\n") + "\n"
}

// Host adds a host's settings. A random name, and settings of user profiles, are error findings.
func (i *Identity) Host(c machine.HostConfig, at report.Path) report.Report {
	var r report.Report
	for _, field := range []struct {
		name  string
		given bool
	}{{"randomHostname", c.RandomHostname}, {"uiLanguage", c.UILanguage != ""}, {"keyboard", c.Keyboard != ""}} {
		if field.given {
			r = append(r, report.Errorf(at.Field(field.name), "only an answer file can set it").To(
				"leave it out, or use the format unattend"))
		}
	}
	if c.Locale != "" {
		i.lines = append(i.lines, windowscmd.SetLocale(c.Locale)...)
	}
	if c.Hostname != "" {
		i.lines = append(i.lines, windowscmd.Rename(c.Hostname))
	}
	return r
}

// Join adds a domain.
func (i *Identity) Join(j machine.DomainJoin) {
	i.lines = append(i.lines, strings.TrimSuffix(windowscmd.Join(), "\n"))
	i.lines = append(i.lines, windowscmd.JoinDomain(j))
}
