package machine

import (
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// TimeDaemon is a program that synchronizes the clock.
type TimeDaemon string

// The time daemons.
const (
	// TimeDaemonAuto means the time daemon that the machine has.
	TimeDaemonAuto      TimeDaemon = ""
	TimeDaemonTimesyncd TimeDaemon = "systemd-timesyncd"
	TimeDaemonChronyd   TimeDaemon = "chronyd"
	TimeDaemonNTPD      TimeDaemon = "ntpd"
	// TimeDaemonW32Time is the Windows Time service.
	TimeDaemonW32Time TimeDaemon = "w32time"
)

// TimeSyncConfig configures the time servers of the machine, or disables its time daemons.
type TimeSyncConfig struct {
	// Enabled is false for a machine that must not run any time daemon. Default: true.
	Enabled *bool `json:"enabled,omitempty"`
	// Daemon is systemd-timesyncd, chronyd, ntpd or w32time. Default: the one that the machine has.
	Daemon TimeDaemon `json:"daemon,omitempty"`
	// Servers are host names or addresses of time servers. Unless Enabled is false, at least one server or pool is
	// required.
	Servers []string `json:"servers,omitempty"`
	// Pools are host names that resolve to several time servers, such as pool.ntp.org.
	Pools []string `json:"pools,omitempty"`
}

// Kind returns KindTimeSync.
func (TimeSyncConfig) Kind() document.Kind { return KindTimeSync }

// Disabled reports whether the machine must not run any time daemon.
func (c TimeSyncConfig) Disabled() bool { return c.Enabled != nil && !*c.Enabled }

// Check returns error findings for unknown daemons and invalid host names, and for a daemon that is chosen although all
// daemons are disabled. Time servers that no daemon reads are warnings.
func (c TimeSyncConfig) Check(p report.Path) report.Report {
	var r report.Report
	daemons := []TimeDaemon{TimeDaemonAuto, TimeDaemonTimesyncd, TimeDaemonChronyd, TimeDaemonNTPD, TimeDaemonW32Time}
	if !slices.Contains(daemons, c.Daemon) {
		r = append(r, report.Errorf(p.Field("daemon"), "%q is not a supported time daemon", c.Daemon).
			To("use one of %v", daemons[1:]))
	}
	r = append(r, c.checkEnabled(p)...)
	for i, s := range c.Servers {
		r = append(r, checkHost(p.Field("servers").Index(i), s)...)
	}
	for i, s := range c.Pools {
		r = append(r, checkHost(p.Field("pools").Index(i), s)...)
	}
	return r
}

// checkEnabled checks that the other fields fit to Enabled.
func (c TimeSyncConfig) checkEnabled(p report.Path) report.Report {
	if !c.Disabled() {
		if len(c.Servers)+len(c.Pools) == 0 {
			return report.Report{report.Errorf(p, "neither servers nor pools are set").To("set at least one")}
		}
		return nil
	}
	var r report.Report
	if c.Daemon != TimeDaemonAuto {
		r = append(r, report.Errorf(p.Field("daemon"), "enabled is false, which disables all time daemons").
			To("remove daemon, or set enabled to true"))
	}
	if len(c.Servers)+len(c.Pools) > 0 {
		r = append(r, report.Warningf(p.Field("enabled"), "no time daemon uses the servers and the pools").
			To("remove them, or set enabled to true"))
	}
	return r
}
