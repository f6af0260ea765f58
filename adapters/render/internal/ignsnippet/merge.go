package ignsnippet

import (
	"strings"

	"github.com/coreos/ignition/v2/config/v3_6"
	"github.com/coreos/ignition/v2/config/v3_6/types"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// Merge adds a snippet to the rendered configuration as its child: where both set a value, the snippet's applies, and a
// warning reports it.
func Merge(ours, snippet types.Config, s plan.Snippet) (types.Config, report.Report) {
	var findings report.Report
	for _, what := range inBoth(keys(ours), keys(snippet)) {
		findings = append(findings, report.Warningf(s.Source.Path, "it changes %s, which the configuration has too", what))
	}
	snippet.Ignition.Version = ours.Ignition.Version
	return v3_6.Merge(ours, snippet), findings
}

// guard refuses what would keep the bootstrap from running.
func guard(c types.Config, s plan.Snippet) report.Report {
	var findings report.Report
	if c.Ignition.Config.Replace.Source != nil {
		findings = append(findings, at(s, "ignition.config.replace drops the whole configuration").
			To("use ignition.config.merge"))
	}
	if len(c.Ignition.Config.Merge) > 0 {
		findings = append(findings, report.Warningf(s.Source.Path,
			"the configurations of ignition.config.merge are not checked"))
	}
	for _, n := range nodes(c) {
		if Kept(n.path, n.directory) {
			findings = append(findings, at(s, "%s is reserved for machineadm", n.path).To("choose another path"))
		}
	}
	for _, u := range c.Systemd.Units {
		if KeptUnit(u.Name) {
			findings = append(findings, at(s, "%s is reserved for machineadm", u.Name).To("choose another name"))
		}
	}
	return findings
}

// Kept reports whether a node at the path, which is a directory or not, would change the program or its surroundings.
func Kept(path string, directory bool) bool {
	dir := "/etc/machineadm"
	inside := path == dir || strings.HasPrefix(path, dir+"/") || strings.HasPrefix(path, linuxcmd.SudoersPrefix)
	unit := strings.HasPrefix(path, linuxcmd.UnitDir+"/"+ignmodel.ProgramUnit) ||
		strings.HasPrefix(path, linuxcmd.UnitDir+"/"+plan.BootUnit)
	above := !directory && (strings.HasPrefix(dir, path+"/") || strings.HasPrefix(linuxcmd.UnitDir+"/", path+"/"))
	return inside || unit || above
}

// KeptUnit reports whether the unit is one of those that run the program.
func KeptUnit(name string) bool { return name == ignmodel.ProgramUnit || name == plan.BootUnit }

type nodeAt struct {
	path      string
	directory bool
}

func nodes(c types.Config) []nodeAt {
	var list []nodeAt
	for _, n := range c.Storage.Files {
		list = append(list, nodeAt{path: n.Path})
	}
	for _, n := range c.Storage.Links {
		list = append(list, nodeAt{path: n.Path})
	}
	for _, n := range c.Storage.Directories {
		list = append(list, nodeAt{path: n.Path, directory: true})
	}
	return list
}

// keys names what a configuration has, by the keys that Ignition merges by.
func keys(c types.Config) []string {
	var list []string
	for _, n := range nodes(c) {
		list = append(list, n.path)
	}
	for _, u := range c.Systemd.Units {
		list = append(list, "unit "+u.Name)
	}
	for _, u := range c.Passwd.Users {
		list = append(list, "user "+u.Name)
	}
	for _, g := range c.Passwd.Groups {
		list = append(list, "group "+g.Name)
	}
	for _, d := range c.Storage.Disks {
		list = append(list, "disk "+d.Device)
	}
	for _, f := range c.Storage.Filesystems {
		list = append(list, "file system "+f.Device)
	}
	return list
}

func inBoth(ours, theirs []string) []string {
	known := make(map[string]bool, len(ours))
	for _, k := range ours {
		known[k] = true
	}
	var both []string
	for _, k := range theirs {
		if known[k] {
			both = append(both, k)
		}
	}
	return both
}
