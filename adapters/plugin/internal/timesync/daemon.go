package timesync

import (
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

// Daemon contains the properties of a daemon on a target.
type Daemon struct {
	Name machine.TimeDaemon
	// Unit is the unit of the daemon, File the path of its configuration, and Text the content of that file.
	Unit, File, Text string
	// Packages are the packages that contain the daemon.
	Packages []string
}

// Daemons returns the daemons of Linux with the time sources of the document. The detection on the machine prefers the
// first ones. timesyncd comes last, because distributions replace it by the others.
func Daemons(c machine.TimeSyncConfig, t osprofile.Target) []Daemon {
	return []Daemon{chronyd(c, t), ntpd(c, t), timesyncd(c)}
}

// For returns the configuration of one of the daemons of Linux.
func For(name machine.TimeDaemon) Configure {
	return func(c machine.TimeSyncConfig, e ports.Expansion) ([]action.Action, report.Report) {
		all := Daemons(c, e.Target)
		i := slices.IndexFunc(all, func(d Daemon) bool { return d.Name == name })
		return chosen(all[i], all, e)
	}
}

// chosen writes the configuration and enables the daemon. The other daemons of the image are masked, because two
// daemons would set the clock differently. A warning reports that no image of the system contains the daemon, unless
// its package is among the packages to install.
func chosen(d Daemon, all []Daemon, e ports.Expansion) ([]action.Action, report.Report) {
	at := e.Document.Source.Path.Field("daemon")
	if expand.IsWindows(e.Target) {
		return nil, report.Report{report.Errorf(at, "%s does not support Windows", d.Name).
			To("use %s, or leave it out", machine.TimeDaemonW32Time)}
	}
	others := slices.DeleteFunc(slices.Clone(all), func(other Daemon) bool {
		return other.Name == d.Name || !slices.Contains(e.Target.Profile.TimeDaemons, other.Name)
	})
	operations := append([]action.Operation{expand.File(d.File, d.Text)}, Masked(others)...)
	var r report.Report
	if !slices.Contains(e.Target.Profile.TimeDaemons, d.Name) && !d.Installed(e.Others) {
		r = report.Report{report.Warningf(at, "%s is not a time daemon of %s", d.Name, e.Target.Profile.Name).
			To("use an image that contains it, or add one of the packages %s", strings.Join(d.Packages, ", "))}
	}
	return action.Of(append(operations, expand.Enabled(d.Unit, machine.KindTimeSync))...), r
}

// Masked returns the actions that mask the units of the daemons.
func Masked(daemons []Daemon) []action.Operation {
	var operations []action.Operation
	for _, d := range daemons {
		operations = append(operations, expand.Masked(d.Unit))
	}
	return operations
}

// Installed reports whether one of the daemon's packages is among the packages to install.
func (d Daemon) Installed(documents []document.Document) bool {
	packages, _, _ := document.First[machine.PackagesConfig](documents)
	return slices.ContainsFunc(packages.Install, func(name string) bool {
		name, _, _ = strings.Cut(name, "=")
		return slices.Contains(d.Packages, name)
	})
}

// chronyd returns chronyd (chrony.conf(5)). The whole configuration is written, so that no other source of time is
// left. A clock that is off at boot is set at once, and the kernel keeps the hardware clock. Debian and Flatcar keep
// the file in a directory (flatcar/scripts oem-stackit/files/etc-chrony.conf, 2026-11).
func chronyd(c machine.TimeSyncConfig, t osprofile.Target) Daemon {
	d := Daemon{
		Name: machine.TimeDaemonChronyd, Unit: "chronyd.service", File: "/etc/chrony.conf", Packages: []string{"chrony"},
	}
	drift := "/var/lib/chrony/drift"
	debian := t.Profile.Family == osprofile.FamilyDebian
	if debian {
		d.Unit = "chrony.service"
	}
	if debian || t.Profile.Family == osprofile.FamilyFlatcar {
		d.File, drift = "/etc/chrony/chrony.conf", "/var/lib/chrony/chrony.drift"
	}
	d.Text = lines(c) + "driftfile " + drift + "\nmakestep 1.0 3\nrtcsync\n"
	return d
}

// access permits changes and queries only from the machine itself, and answers from the sources.
const access = "restrict default kod limited nomodify nopeer noquery\nrestrict source nomodify noquery\n" +
	"restrict 127.0.0.1\nrestrict ::1\n"

// ntpd returns the reference implementation of ntpd, or NTPsec (ntp.conf(5)). The whole configuration is written, so
// that no other source of time is left.
func ntpd(c machine.TimeSyncConfig, t osprofile.Target) Daemon {
	d := Daemon{
		Name: machine.TimeDaemonNTPD, Unit: "ntpd.service", File: "/etc/ntp.conf", Packages: []string{"ntp", "ntpsec"},
	}
	drift := "/var/lib/ntp/ntp.drift"
	switch {
	case ntpSec(t):
		d.Unit, d.File, drift = "ntpsec.service", "/etc/ntpsec/ntp.conf", "/var/lib/ntpsec/ntp.drift"
	case t.Profile.Family == osprofile.FamilyDebian:
		d.Unit = "ntp.service"
	}
	d.Text = lines(c) + "driftfile " + drift + "\n" + access
	return d
}

// ntpSec reports whether ntpd of the target is NTPsec. This is true for Debian since 12 and Ubuntu since 23.04, where
// the package ntp is a transitional package.
func ntpSec(t osprofile.Target) bool {
	first, known := map[string]string{"debian": "12", "ubuntu": "23.04"}[t.Profile.ID]
	return known && (t.Release == "" || osprofile.CompareReleases(t.Release, first) >= 0)
}

// timesyncd returns systemd-timesyncd (timesyncd.conf(5)). Its drop-in first empties the list of servers that files
// before it have begun. A pool is a server here: timesyncd asks one of the addresses of a name.
func timesyncd(c machine.TimeSyncConfig) Daemon {
	return Daemon{
		Name: machine.TimeDaemonTimesyncd, Unit: "systemd-timesyncd.service",
		File: "/etc/systemd/timesyncd.conf.d/90-machineadm.conf",
		Text: strings.Join([]string{"[Time]", "NTP=", "NTP=" + strings.Join(slices.Concat(c.Servers, c.Pools), " "), ""},
			"\n"),

		Packages: []string{"systemd-timesyncd"},
	}
}

// lines returns a line "server NAME iburst" or "pool NAME iburst" for each source, in the syntax that chrony.conf(5)
// and ntp.conf(5) share.
func lines(c machine.TimeSyncConfig) string {
	var b strings.Builder
	for _, s := range c.Servers {
		b.WriteString("server " + s + " iburst\n")
	}
	for _, p := range c.Pools {
		b.WriteString("pool " + p + " iburst\n")
	}
	return b.String()
}
