package talos

import (
	"errors"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/config/validation"

	"github.com/machineadm/machineadm/domain/report"
)

// mode is how a machine runs Talos, as far as validation asks.
type mode struct {
	name             string
	install, inOther bool
}

// String returns the name.
func (m mode) String() string { return m.name }

// RequiresInstall reports whether Talos installs itself onto a disk.
func (m mode) RequiresInstall() bool { return m.install }

// InContainer reports whether Talos runs in a container.
func (m mode) InContainer() bool { return m.inOther }

// modes are the ways in which machines of infrastructure providers run Talos.
func modes() []mode { return []mode{{name: "cloud"}, {name: "metal", install: true}} }

// check reads the output back as the machine will, and has the library validate it: strictly, as a configuration that
// is given from outside, and for both kinds of machine.
func check(data []byte, at report.Path) report.Report {
	provider, err := configloader.NewFromBytes(data)
	if err != nil {
		return report.Report{report.Errorf(at, "Talos does not read the configuration: %s", readable(err))}
	}
	var r report.Report
	for _, m := range modes() {
		warnings, err := provider.Validate(m, validation.WithLocal(), validation.WithStrict())
		for _, w := range warnings {
			r = append(r, report.Warningf(at, "Talos warns: %s", report.Unquoted(w)))
		}
		if err != nil {
			r = append(r, report.Errorf(at, "Talos refuses the configuration: %s", readable(err)))
		}
	}
	return r.Sorted()
}

// readable returns the library's complaint on one line and without the values that it quotes, which may be secret.
func readable(err error) string {
	text := err.Error()
	if keys, found := unknownKeys(text); found {
		return "it has keys that Talos does not know: " + strings.Join(keys, ", ")
	}
	var many interface{ WrappedErrors() []error }
	if errors.As(err, &many) {
		var lines []string
		for _, one := range many.WrappedErrors() {
			lines = append(lines, one.Error())
		}
		text = strings.Join(lines, "; ")
	}
	return report.Unquoted(text)
}
