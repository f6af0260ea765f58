//go:build linux

package linux

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

// manager is a package manager and how it is asked.
type manager struct {
	program string
	// mend finishes what a power cut left half done; none if the manager does so by itself, as those of rpm do.
	mend                     []string
	update, upgrade, install []string
}

func managers() []manager {
	// An update that the image starts at boot holds the lock for a while.
	apt := []string{"-yq", "-o", "Dpkg::Options::=--force-confold", "-o", "DPkg::Lock::Timeout=300"}
	return []manager{
		{
			"apt-get",
			[]string{"dpkg", "--force-confold", "--configure", "-a"},
			with(apt, "update"), with(apt, "upgrade"),
			with(apt, "install"),
		},
		{"tdnf", nil, []string{"-yq", "makecache"}, []string{"-yq", "upgrade"}, []string{"-yq", "install"}},
		{"dnf", nil, []string{"-yq", "makecache"}, []string{"-yq", "upgrade"}, []string{"-yq", "install"}},
		{"zypper", nil, []string{"-nq", "refresh"}, []string{"-nq", "update"}, []string{"-nq", "install"}},
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

// missing returns the packages that are not installed.
func (p packages) missing(ctx context.Context, m manager) ([]string, error) {
	var missing []string
	for _, name := range p.Install {
		query, version := m.query(name)
		out, err := p.run.ask(ctx, query[0], query[1:]...)
		var failed *ports.CommandError
		if err != nil && !errors.As(err, &failed) {
			return nil, err
		}
		if err != nil || !m.there(string(out), version) {
			missing = append(missing, name)
		}
	}
	return missing, nil
}

// query returns what asks whether a package is there. A name may bring its version in the manager's notation: after an
// equals sign, or as a part of the name in which a star stands for any characters.
func (m manager) query(name string) (argv []string, version string) {
	bare, version, pinned := strings.Cut(name, "=")
	switch {
	case m.mend != nil:
		bare, _, _ = strings.Cut(bare, "/") // a name may bring its suite, too
		return []string{"dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}\n", "--", bare}, version
	case pinned:
		return []string{"rpm", "-qa", "--", bare + "-" + version + "*"}, version
	case strings.Contains(name, "*"):
		return []string{"rpm", "-qa", "--", name}, version
	default:
		return []string{"rpm", "-q", "--whatprovides", "--", name}, version
	}
}

func (m manager) there(out, version string) bool {
	if m.mend != nil {
		return installed(out, version)
	}
	return strings.TrimSpace(out) != ""
}

// installed reads what dpkg-query(1) prints, a line for each architecture. An empty version is any, and a star in it
// stands for any characters, as apt-get(8) has it.
func installed(out, version string) bool {
	for line := range strings.Lines(out) {
		status, is, _ := strings.Cut(strings.TrimSpace(line), " ")
		if same, err := path.Match(version, is); status == "installed" && (version == "" || err == nil && same) {
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
