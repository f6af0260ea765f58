package containerd

import (
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// runtimes returns the OCI runtimes: always runc, crun if it is the default, and those of the document.
func runtimes(c machine.ContainerdConfig, at report.Path) (map[string]runtime, report.Report) {
	systemd := c.CgroupDriver != machine.CgroupDriverCgroupfs
	all := map[string]runtime{"runc": {RuntimeType: runc, Options: map[string]any{"SystemdCgroup": systemd}}}
	if c.DefaultRuntime == "crun" {
		all["crun"] = runtime{RuntimeType: runc, Options: map[string]any{"SystemdCgroup": systemd, "BinaryName": "crun"}}
	}
	var r report.Report
	for i, rt := range c.Runtimes {
		created, found := runtimeOf(rt, systemd, at.Field("runtimes").Index(i).Field("options"))
		all[rt.Name] = created
		r = append(r, found...)
	}
	return all, r
}

func runtimeOf(rt machine.Runtime, systemd bool, at report.Path) (runtime, report.Report) {
	created := runtime{RuntimeType: rt.Type, Options: map[string]any{}}
	if rt.Type == "" {
		created.RuntimeType = runc
	}
	switch {
	case created.RuntimeType != runc:
		created.RuntimePath = rt.Path
	case rt.Path != "":
		created.Options["BinaryName"] = rt.Path
	}
	if created.RuntimeType == runc {
		created.Options["SystemdCgroup"] = systemd
	}
	var r report.Report
	for _, name := range slices.Sorted(maps.Keys(rt.Options)) {
		value, err := option(created.RuntimeType, name, rt.Options[name])
		if err != nil {
			r = append(r, report.Errorf(at.Key(name), "runc's option %s is not %q", name, rt.Options[name]).To("give %v", err))
		}
		created.Options[name] = value
	}
	return created, r
}

// option gives a value the type that the shim's options have (api/types/runc/options); those of other shims are text.
func option(shim, name, value string) (any, error) {
	if shim != runc {
		return value, nil
	}
	switch name {
	case "NoPivotRoot", "NoNewKeyring", "SystemdCgroup":
		b, err := strconv.ParseBool(value)
		return b, because(err, "true or false")
	case "IoUid", "IoGid":
		n, err := strconv.ParseUint(value, 10, 32)
		return int64(n & 0xffffffff), because(err, "a number")
	default:
		return value, nil
	}
}

func because(err error, wanted string) error {
	if err == nil {
		return nil
	}
	return errors.New(wanted)
}
