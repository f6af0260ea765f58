package crio

import (
	"maps"
	"slices"
	"strconv"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// runtimes returns the tables crio.runtime.runtimes.NAME of the document. CRI-O's package brings those of runc and
// crun, with paths that only it knows.
func runtimes(c machine.CRIOConfig, at report.Path) (map[string]map[string]any, report.Report) {
	tables := map[string]map[string]any{}
	var r report.Report
	for i, rt := range c.Runtimes {
		table, found := runtime(rt, at.Index(i).Field("options"))
		tables[rt.Name] = table
		r = append(r, found...)
	}
	return tables, r
}

func runtime(rt machine.Runtime, at report.Path) (map[string]any, report.Report) {
	table := map[string]any{"runtime_path": rt.Path, "runtime_type": "oci"}
	if rt.Type != "" {
		table["runtime_type"] = rt.Type
	}
	var r report.Report
	for _, name := range slices.Sorted(maps.Keys(rt.Options)) {
		value, wanted := option(name, rt.Options[name])
		if wanted != "" {
			r = append(r, report.Errorf(at.Key(name), "%s is not %q", name, rt.Options[name]).To("%s", wanted))
		}
		table[name] = value
	}
	return table, r
}

// option converts a value to the type in crio.conf(5), or returns a finding.
func option(name, value string) (any, string) {
	switch name {
	case "privileged_without_host_devices", "no_sync_log":
		b, err := strconv.ParseBool(value)
		if err != nil {
			return nil, "give true or false"
		}
		return b, ""
	case "allowed_annotations", "monitor_env", "default_annotations", "platform_runtime_paths":
		return nil, "it is not a single value; write it in rawTOML"
	default:
		return value, ""
	}
}
