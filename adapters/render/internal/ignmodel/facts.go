package ignmodel

import (
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// factsOf returns the commands that find facts among the variables of the metadata service's environment file and of
// the files of infrastructure providers, and else in the running system. The program reads the files itself: systemd
// would pass all of their variables to it, and a variable such as LD_PRELOAD is not a fact.
func factsOf(m *osprofile.Metadata) func(document.Fact) (string, bool) {
	return func(f document.Fact) (string, bool) {
		names := facts.Variables(f)
		if len(names) == 0 || m == nil {
			return bootscript.OwnFact(facts.Fallback(f, false))
		}
		paths, prefixes := []string{m.File}, []string{m.Prefix}
		for _, file := range facts.ProviderFiles() {
			paths = append(paths, file.Path)
			if file.Prefix != m.Prefix {
				prefixes = []string{m.Prefix, file.Prefix}
			}
		}
		prefix := "(" + strings.Join(prefixes, "|") + ")"
		return bootscript.FirstFact(names, func(name string) string {
			return "sed -nE '" + ignore(f) + `s/="(.*)"$/=\1/;` + extract(f, prefix, name) + "' " + strings.Join(paths, " ") +
				" 2>/dev/null|grep -m1 ."
		}, facts.Fallback(f, false)), true
	}
}

// ignore returns the command of sed that deletes the variables of facts.IgnoredVariables.
func ignore(f document.Fact) string {
	if names := facts.IgnoredVariables(f); len(names) > 0 {
		return "/^[A-Z]*_(" + strings.Join(names, "|") + ")=/d;"
	}
	return ""
}

// extract returns the commands of sed that print the value of a variable in the form of the fact; see facts.Shorten.
// name may be a variable of the shell.
func extract(f document.Fact, prefix, name string) string {
	if strings.HasPrefix(name, "$") {
		name = "'" + `"` + name + `"` + "'"
	}
	start := "s/^" + prefix + facts.Platform + name + "="
	switch f {
	case document.FactHostname:
		full := "^" + prefix + "(" + strings.Join(facts.FullNamePlatforms(), "|") + ")_"
		return "/" + full + "/!" + start + `([^.]*).*/\3/p;s/` + full + name + "=//p"
	case document.FactShortHostname:
		return start + `([^.]*).*/\3/p`
	case document.FactFQDN:
		return start + `([^.]+[.].+)/\3/p`
	case document.FactPrivateIPv4, document.FactPublicIPv4:
		return `s/\/[0-9]+$//;` + start + "//p"
	case document.FactIPv6, document.FactInstanceID, document.FactRegion, document.FactZone:
		fallthrough
	default:
		return start + "//p"
	}
}
