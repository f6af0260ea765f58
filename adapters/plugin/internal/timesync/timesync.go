// Package timesync contains the common part of the expanders of time daemons. All of them expand TimeSyncConfig. The
// document, or else the profile, determines the daemon.
package timesync

import (
	"context"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Expander expands the TimeSyncConfig documents for one daemon.
type Expander struct {
	plugin    string
	daemon    machine.TimeDaemon
	configure Configure
}

var _ ports.Selector = Expander{}

// Configure returns the actions that configure the daemon with the time sources of the document, and findings below the
// document's path.
type Configure func(c machine.TimeSyncConfig, e ports.Expansion) ([]action.Action, report.Report)

// New returns the expander of the daemon. plugin is the name of the expander.
func New(plugin string, daemon machine.TimeDaemon, configure Configure) Expander {
	return Expander{plugin: plugin, daemon: daemon, configure: configure}
}

// Describe returns the kind TimeSyncConfig, which all expanders of time daemons share.
func (x Expander) Describe() ports.Capability {
	return ports.Capability{
		Name: x.plugin, Kinds: []document.Kind{machine.KindTimeSync}, Reads: []document.Kind{machine.KindPackages},
	}
}

// Matches reports whether the document, or else the target's profile, names the daemon.
func (x Expander) Matches(d document.Document, t osprofile.Target) bool {
	c, ok := d.Value.(machine.TimeSyncConfig)
	if !ok {
		return false
	}
	if c.Daemon == machine.TimeDaemonAuto {
		return t.Profile.TimeDaemon == x.daemon
	}
	return c.Daemon == x.daemon
}

// Expand configures the daemon. A document of another kind is an error.
func (x Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	c, err := expand.Value[machine.TimeSyncConfig](x.plugin, e)
	if err != nil {
		return nil, nil, err
	}
	actions, r := x.configure(c, e)
	return actions, r, nil
}

// Daemon contains the properties of a daemon on a target.
type Daemon struct {
	Name machine.TimeDaemon
	// Unit is the unit of the daemon, File the path of its configuration, and Text the content of that file.
	Unit, File, Text string
	// Packages are the packages that contain the daemon.
	Packages []string
}

// Actions writes the configuration and enables the daemon. If the image has another daemon, that one is masked, because
// two daemons would set the clock differently. A warning then reports that the daemon must be installed, unless its
// package is among the packages to install.
func Actions(d Daemon, e ports.Expansion) ([]action.Action, report.Report) {
	if expand.IsWindows(e.Target) {
		return nil, report.Report{report.Errorf(e.Document.Source.Path.Field("daemon"),
			"%s does not support Windows", d.Name).
			To("use %s, or leave it out", machine.TimeDaemonW32Time)}
	}
	operations := []action.Operation{expand.File(d.File, d.Text)}
	usual := e.Target.Profile.TimeDaemon
	var r report.Report
	if usual != d.Name {
		operations = append(operations, expand.Masked(Unit(usual, e.Target)))
		r = missing(d, e)
	}
	return action.Of(append(operations, expand.Enabled(d.Unit, machine.KindTimeSync))...), r
}

func missing(d Daemon, e ports.Expansion) report.Report {
	packages, _, _ := document.First[machine.PackagesConfig](e.Others)
	brings := func(name string) bool {
		name, _, _ = strings.Cut(name, "=")
		return slices.Contains(d.Packages, name)
	}
	if slices.ContainsFunc(packages.Install, brings) {
		return nil
	}
	return report.Report{report.Warningf(e.Document.Source.Path.Field("daemon"), "%s is not the time daemon of %s", d.Name,
		e.Target.Profile.Name).To("use an image that contains it, or add one of the packages %s",
		strings.Join(d.Packages, ", "))}
}

// Unit returns the unit of the daemon on the target.
func Unit(name machine.TimeDaemon, t osprofile.Target) string {
	debian := t.Profile.Family == osprofile.FamilyDebian
	switch {
	case name == machine.TimeDaemonTimesyncd:
		return "systemd-timesyncd.service"
	case name == machine.TimeDaemonChronyd && debian:
		return "chrony.service"
	case name == machine.TimeDaemonChronyd:
		return "chronyd.service"
	case NTPSec(t):
		return "ntpsec.service"
	case debian:
		return "ntp.service"
	default:
		return "ntpd.service"
	}
}

// NTPSec reports whether ntpd of the target is NTPsec. This is true for Debian since 12 and Ubuntu since 23.04, where
// the package ntp is a transitional package.
func NTPSec(t osprofile.Target) bool {
	first, known := map[string]string{"debian": "12", "ubuntu": "23.04"}[t.Profile.ID]
	return known && (t.Release == "" || osprofile.CompareReleases(t.Release, first) >= 0)
}

// Lines returns a line "server NAME iburst" or "pool NAME iburst" for each source, in the syntax that chrony.conf(5)
// and ntp.conf(5) share.
func Lines(c machine.TimeSyncConfig) string {
	var b strings.Builder
	for _, s := range c.Servers {
		b.WriteString("server " + s + " iburst\n")
	}
	for _, p := range c.Pools {
		b.WriteString("pool " + p + " iburst\n")
	}
	return b.String()
}
