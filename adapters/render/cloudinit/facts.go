package cloudinit

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
)

// factsOf returns the function that maps a fact to the command that prints it. If cloud-init does not provide the
// public address of a platform, the bootstrap fails.
func factsOf(platform string) func(document.Fact) (string, bool) {
	return func(f document.Fact) (string, bool) {
		clouds := facts.FullNameClouds()
		elsewhere, full := facts.InstanceData(f, ""), facts.InstanceData(f, clouds[0])
		switch {
		case len(elsewhere) == 0:
			return bootscript.OwnFact(facts.Fallback(f, true))
		case elsewhere[0] == full[0]:
			return query(f, elsewhere), true
		case platform == "":
			return `case "$(cloud-init query ` + facts.CloudName + `)" in ` + strings.Join(clouds, "|") + ")" + query(f, full) +
				";;*)" + query(f, elsewhere) + ";;esac", true
		case slices.Contains(clouds, platform):
			return query(f, full), true
		default:
			return query(f, elsewhere), true
		}
	}
}

// query prints the first value that exists at the paths. With several paths, their errors are discarded.
func query(f document.Fact, paths []string) string {
	quiet, filter := "", ""
	if len(paths) > 1 {
		quiet = " 2>/dev/null"
	}
	if f == document.FactFQDN {
		filter = "|grep -F ."
	}
	return bootscript.FirstFact(paths, func(path string) string {
		return "cloud-init query " + path + quiet + "|grep -vxE '(" + strings.Join(facts.EmptyValues(), "|") + ")?'" + filter
	}, facts.Fallback(f, true))
}
