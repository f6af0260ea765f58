// Package host sets the name, the time zone and the language of a machine, and joins it to a domain.
//
// On Linux, the time zone and the language are files. The name is not supported, because the platform sets it and its
// controllers find the machine by it. A domain join is not supported, because it needs programs that only some images
// contain. On Windows each of them is an operation that formats render.
package host

import (
	"context"
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Expander expands HostConfig and DomainJoin.
type Expander struct{}

// New returns the expander.
func New() Expander { return Expander{} }

// Describe returns the kinds HostConfig and DomainJoin.
func (Expander) Describe() ports.Capability {
	return ports.Capability{Name: "host", Kinds: []document.Kind{machine.KindHost, machine.KindDomainJoin}}
}

// Expand returns files on Linux and operations on Windows. Settings that the operating system does not support, and
// unknown names, are error findings.
func (Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	at := e.Document.Source.Path
	var operations []action.Operation
	var r report.Report
	switch v := e.Document.Value.(type) {
	case machine.HostConfig:
		if expand.IsWindows(e.Target) {
			operations, r = windows(v, at)
		} else {
			operations, r = linux(v, e.Target, at)
		}
	case machine.DomainJoin:
		operations, r = join(v, e.Target, at)
	default:
		return nil, nil, fmt.Errorf("expand host: the document at %s is %T", e.Document.Source, e.Document.Value)
	}
	if r.HasErrors() {
		return nil, r, nil
	}
	return action.Of(operations...), r, nil
}

func join(j machine.DomainJoin, t osprofile.Target, at report.Path) ([]action.Operation, report.Report) {
	if !expand.IsWindows(t) {
		return nil, report.Report{report.Errorf(at, "%s joins a domain only with programs of its image",
			t.Profile.Name).
			To("run them in preCommands, such as: realm join")}
	}
	return []action.Operation{action.JoinDomain{DomainJoin: j}}, nil
}

func windows(c machine.HostConfig, at report.Path) ([]action.Operation, report.Report) {
	r := machine.CheckComputerName(at.Field("hostname"), c.Hostname)
	if c.TimeZone != "" {
		zone, known := machine.WindowsTimeZone(c.TimeZone)
		if !known {
			r = append(r, report.Errorf(at.Field("timeZone"), "Windows has no time zone for %q", c.TimeZone).
				To("write a name that tzutil /l lists, such as W. Europe Standard Time"))
		}
		c.TimeZone = zone
	}
	return []action.Operation{action.ConfigureHost{HostConfig: c}}, r
}

func linux(c machine.HostConfig, t osprofile.Target, at report.Path) ([]action.Operation, report.Report) {
	r := unnamed(c, t, at)
	var operations []action.Operation
	if c.TimeZone != "" {
		zone := "/usr/share/zoneinfo/" + machine.IANATimeZone(c.TimeZone)
		operations = append(operations, action.Link{Path: "/etc/localtime", Target: zone}, action.RunCommand{
			// A link that leads nowhere would mean UTC, in silence.
			Name: "look for the time zone", Script: "test -e /etc/localtime", When: document.PhaseFile,
		})
	}
	if c.Locale != "" {
		language, region, whole := strings.Cut(c.Locale, "-")
		if !whole || len(region) != 2 {
			r = append(r, report.Errorf(at.Field("locale"), "the locales of %s have a language and a country", t.Profile.Name).
				To("write it as de-DE"))
		}
		operations = append(operations, expand.File(localeFile(t), "LANG="+language+"_"+region+".UTF-8\n"))
	}
	return operations, r
}

// localeFile is locale.conf(5), for which Debian has another place.
func localeFile(t osprofile.Target) string {
	if t.Profile.Family == osprofile.FamilyDebian {
		return "/etc/default/locale"
	}
	return "/etc/locale.conf"
}

// linuxName is the remedy for host names. Ignition creates the file before the machine has a name. Other formats create
// it after systemd has read it.
const linuxName = "for the name in Kubernetes, set spec.node.name or spec.node.nameParts; to change the machine's " +
	"own name, write /etc/hostname with spec.machine.files, or run hostnamectl set-hostname in preCommands"

// unnamed finds what is for Windows alone.
func unnamed(c machine.HostConfig, t osprofile.Target, at report.Path) report.Report {
	var r report.Report
	for _, field := range []struct {
		name string
		set  bool
	}{{"hostname", c.Hostname != ""}, {"randomHostname", c.RandomHostname}} {
		if field.set {
			r = append(r, report.Errorf(at.Field(field.name), "the platform names a machine of %s", t.Profile.Name).
				To(linuxName))
		}
	}
	if c.UILanguage != "" {
		r = append(r, report.Errorf(at.Field("uiLanguage"), "%s has no menus", t.Profile.Name).To("leave it out"))
	}
	if c.Keyboard != "" {
		r = append(r, report.Errorf(at.Field("keyboard"), "the image of %s sets the keyboard", t.Profile.Name).
			To("leave it out"))
	}
	return r
}
