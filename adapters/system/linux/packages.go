//go:build linux

package linux

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

// manager is a package manager and how it is asked.
type manager struct {
	program string
	// installed asks whether a package is there; it ends with 0 if it is, and prints a line with the word and the version.
	installed []string
	// mend finishes what a power cut left half done; none if the manager does so by itself.
	mend                     []string
	update, upgrade, install []string
}

func managers() []manager {
	// An update that the image starts at boot holds the lock for a while.
	apt := []string{"-yq", "-o", "Dpkg::Options::=--force-confold", "-o", "DPkg::Lock::Timeout=300"}
	rpm := []string{"rpm", "-q", "--whatprovides"}
	return []manager{
		{"apt-get", []string{"dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}\n"}, []string{"dpkg", "--force-confold", "--configure", "-a"}, with(apt, "update"), with(apt, "upgrade"), with(apt, "install")},
		{"tdnf", rpm, nil, []string{"-yq", "makecache"}, []string{"-yq", "upgrade"}, []string{"-yq", "install"}},
		{"dnf", rpm, nil, []string{"-yq", "makecache"}, []string{"-yq", "upgrade"}, []string{"-yq", "install"}},
		{"zypper", rpm, nil, []string{"-nq", "refresh"}, []string{"-nq", "update"}, []string{"-nq", "install"}},
	}
}

func with(list []string, more ...string) []string { return append(list[:len(list):len(list)], more...) }

// packages are packages of the system's package manager.
type packages struct {
	*Host
	machine.PackagesConfig
}

func (p packages) capture(context.Context) (journal.Original, error) {
	return journal.Original{Thing: journal.ThingPackages, Name: strings.Join(p.Install, " ")}, nil
}

func (p packages) manager() (manager, error) {
	for _, m := range managers() {
		if p.run.has(m.program) {
			return m, nil
		}
	}
	return manager{}, errors.New("this machine has no package manager that is known")
}

// missing returns the packages that are not installed. A name may bring its version after an equals sign.
func (p packages) missing(ctx context.Context, m manager) ([]string, error) {
	var missing []string
	for _, name := range p.Install {
		bare, version, _ := strings.Cut(name, "=")
		out, err := p.run.program(ctx, nil, m.installed[0], with(m.installed[1:], "--", bare)...)
		var failed *ports.CommandError
		if err != nil && !errors.As(err, &failed) {
			return nil, err
		}
		if err != nil || m.mend != nil && !installed(string(out), version) {
			missing = append(missing, name)
		}
	}
	return missing, nil
}

// installed reads what dpkg-query(1) prints, a line for each architecture. An empty version is any.
func installed(out, version string) bool {
	for line := range strings.Lines(out) {
		status, is, _ := strings.Cut(strings.TrimSpace(line), " ")
		if status == "installed" && (version == "" || version == is) {
			return true
		}
	}
	return false
}

func (p packages) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	m, err := p.manager()
	if err != nil {
		return nil, err
	}
	var lines []string
	missing, err := p.missing(ctx, m)
	if err != nil {
		return nil, err
	}
	for _, name := range missing {
		lines = append(lines, "+ package "+name)
	}
	if p.Upgrade {
		// Whether there is something newer is known only once it is asked for.
		lines = append(lines, "~ packages: upgrade")
	}
	return lines, nil
}

func (p packages) apply(ctx context.Context, _ journal.Original) error {
	m, err := p.manager()
	if err != nil {
		return err
	}
	missing, err := p.missing(ctx, m)
	if err != nil {
		return err
	}
	if m.mend != nil {
		if _, err := p.run.program(ctx, nil, m.mend[0], m.mend[1:]...); err != nil {
			return err
		}
	}
	var calls [][]string
	if p.Update {
		calls = append(calls, m.update)
	}
	if p.Upgrade {
		calls = append(calls, m.upgrade)
	}
	if len(missing) > 0 {
		calls = append(calls, with(m.install, missing...))
	}
	for _, args := range calls {
		if err := p.call(ctx, m.program, args); err != nil {
			return err
		}
	}
	return nil
}

// call asks the package manager, with the machine's proxy if it has one.
func (p packages) call(ctx context.Context, program string, args []string) error {
	if !p.tree.exists(proxyEnvironment) {
		_, err := p.run.program(ctx, nil, program, args...)
		return err
	}
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = action.Quote(a)
	}
	script := fmt.Sprintf("set -a\n. %s\nset +a\nexec %s %s\n", proxyEnvironment, program, strings.Join(words, " "))
	return p.run.shell(ctx, program, script)
}
