package host

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	pluginv1 "github.com/machineadm/machineadm/adapters/pluginhost/proto/v1"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/ports"
)

// The limits of a plugin's description. They are far above the needs of any plugin.
const (
	maxWords = 256
	maxWord  = 253
)

// validate accepts a plugin's description if it is valid. All of it is shown to users and compared with names.
func (p *Plugin) validate(d *pluginv1.DescribeResponse) error {
	if d.GetName() != p.Name {
		return fmt.Errorf("its name is %q and its file's name is %q; they must be equal", d.GetName(), p.Name)
	}
	kinds, reads := d.GetKinds(), d.GetReads()
	for _, kind := range slices.Concat(kinds, reads) {
		if !isKind(kind) {
			return fmt.Errorf("it names the kind %.64q, which is none: a kind is letters and digits and begins "+
				"with an upper-case letter", kind)
		}
	}
	words := slices.Concat(kinds, reads, d.GetBefore(), d.GetAfter(), d.GetServices(), []string{d.GetVersion()})
	if len(words) > maxWords || slices.ContainsFunc(words, func(w string) bool { return len(w) > maxWord }) {
		return errors.New("its description is too long")
	}
	for i, kind := range kinds {
		if slices.Contains(kinds[:i], kind) {
			return fmt.Errorf("it names the kind %s twice", kind)
		}
	}
	p.Version, p.services = oneLine(errors.New(d.GetVersion())), d.GetServices()
	p.can = ports.Capability{
		Name: d.GetName(), Before: d.GetBefore(), After: d.GetAfter(), Kinds: asKinds(kinds),
		Reads: asKinds(reads),
	}
	return nil
}

func isKind(name string) bool {
	const upper, rest = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	return name != "" && len(name) <= maxWord && strings.Contains(upper, name[:1]) && strings.Trim(name, rest) == ""
}

func asKinds(names []string) []document.Kind {
	var kinds []document.Kind
	for _, name := range names {
		kinds = append(kinds, document.Kind(name))
	}
	return kinds
}
