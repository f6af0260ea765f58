//go:build linux

package linux

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// manager is a package manager and how it is asked.
type manager struct {
	program string
	// installed asks whether a package is there; it ends with 0 if it is.
	installed                []string
	update, upgrade, install []string
}

func managers() []manager {
	apt := []string{"-yq", "-o", "Dpkg::Options::=--force-confold"}
	rpm := []string{"rpm", "-q", "--whatprovides"}
	return []manager{
		{"apt-get", []string{"dpkg-query", "-W", "-f", "${db:Status-Status}\n"}, with(apt, "update"), with(apt, "upgrade"), with(apt, "install")},
		{"tdnf", rpm, []string{"-yq", "makecache"}, []string{"-yq", "upgrade"}, []string{"-yq", "install"}},
		{"dnf", rpm, []string{"-yq", "makecache"}, []string{"-yq", "upgrade"}, []string{"-yq", "install"}},
		{"zypper", rpm, []string{"-nq", "refresh"}, []string{"-nq", "update"}, []string{"-nq", "install"}},
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
func (p packages) missing(ctx context.Context, m manager) []string {
	var missing []string
	for _, name := range p.Install {
		bare, _, _ := strings.Cut(name, "=")
		out, err := p.run.program(ctx, nil, m.installed[0], with(m.installed[1:], "--", bare)...)
		if err != nil || m.program == "apt-get" && !strings.Contains(string(out), "installed\n") || strings.Contains(string(out), "not-installed") {
			missing = append(missing, name)
		}
	}
	return missing
}

func (p packages) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	m, err := p.manager()
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, name := range p.missing(ctx, m) {
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
	var calls [][]string
	if p.Update {
		calls = append(calls, m.update)
	}
	if p.Upgrade {
		calls = append(calls, m.upgrade)
	}
	if missing := p.missing(ctx, m); len(missing) > 0 {
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
		words[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	}
	script := fmt.Sprintf("set -a\n. %s\nset +a\nexec %s %s\n", proxyEnvironment, program, strings.Join(words, " "))
	return p.run.shell(ctx, program, script)
}
