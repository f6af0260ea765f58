package cloudinit

import (
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
)

// factsOf returns the function that maps a fact to the command that prints it. If cloud-init does not provide the
// public address of a platform, the bootstrap fails.
func factsOf(platform string) func(document.Fact) (string, bool) {
	return func(f document.Fact) (string, bool) {
		elsewhere, onAWS := facts.InstanceData(f, ""), facts.InstanceData(f, facts.AWS)
		switch {
		case len(elsewhere) == 0:
			return "", false
		case elsewhere[0] == onAWS[0]:
			return query(f, elsewhere), true
		case platform == facts.AWS:
			return query(f, onAWS), true
		case platform == "":
			return `if [ "$(cloud-init query ` + facts.CloudName + `)" = ` + facts.AWS + " ];then " + query(f, onAWS) +
				";else " + query(f, elsewhere) + ";fi", true
		default:
			return query(f, elsewhere), true
		}
	}
}

// query prints the first value that exists at the paths. With several paths, their errors are discarded.
func query(f document.Fact, paths []string) string {
	quiet := ""
	if len(paths) > 1 {
		quiet = " 2>/dev/null"
	}
	return bootscript.FirstFact(paths, func(path string) string {
		return "cloud-init query " + path + quiet + "|grep -vxE '(" + strings.Join(facts.EmptyValues(), "|") + ")?'"
	}, facts.Fallback(f, true))
}
