package machine

import (
	"maps"
	"slices"

	"github.com/machineadm/machineadm/domain/report"
)

// CgroupDriver is the manager of control groups.
type CgroupDriver string

// The cgroup drivers. Empty means systemd.
const (
	CgroupDriverSystemd  CgroupDriver = "systemd"
	CgroupDriverCgroupfs CgroupDriver = "cgroupfs"
)

// Runtime is an OCI runtime that a RuntimeClass may name.
type Runtime struct {
	// Name is the handler that a RuntimeClass refers to, such as kata.
	Name string `json:"name"`
	// Type is the shim, such as io.containerd.runc.v2 (containerd), or oci or vm (CRI-O).
	Type string `json:"type,omitempty"`
	// Path is the binary of the runtime. Default: that on PATH.
	Path string `json:"path,omitempty"`
	// Options are settings of the runtime.
	Options map[string]string `json:"options,omitempty"`
}

func checkCgroupDriver(p report.Path, d CgroupDriver) report.Report {
	if d == "" || d == CgroupDriverSystemd || d == CgroupDriverCgroupfs {
		return nil
	}
	return report.Report{report.Errorf(p, "%q is not a cgroup driver", d).To("use systemd or cgroupfs")}
}

func checkRuntimes(p report.Path, runtimes []Runtime, def string) report.Report {
	var r report.Report
	names := []string{"", "runc", "crun"}
	seen := map[string]int{}
	for i, rt := range runtimes {
		at := p.Field("runtimes").Index(i)
		if first, dup := seen[rt.Name]; dup {
			r = append(r, report.Errorf(at.Field("name"), "%q is already the name of element %d", rt.Name, first))
		}
		seen[rt.Name] = i
		names = append(names, rt.Name)
		r = append(r, rt.check(at)...)
	}
	if !slices.Contains(names, def) {
		r = append(r, report.Errorf(p.Field("defaultRuntime"), "%q is not the name of a runtime", def).To(
			"use one of runtimes, or leave it out"))
	}
	return r
}

func (rt Runtime) check(p report.Path) report.Report {
	var r report.Report
	if !runtimePattern.MatchString(rt.Name) {
		r = append(r, report.Errorf(p.Field("name"), "%q is not the name of a runtime", rt.Name).To(
			"use lower-case letters, digits, dots and dashes"))
	}
	r = append(r, checkWord(p.Field("type"), rt.Type)...)
	if rt.Path != "" {
		r = append(r, checkPath(p.Field("path"), rt.Path)...)
	}
	for _, name := range slices.Sorted(maps.Keys(rt.Options)) {
		at := p.Field("options").Key(name)
		r = append(r, checkItem(at, name)...)
		r = append(r, checkText(at, rt.Options[name])...)
	}
	return r
}
