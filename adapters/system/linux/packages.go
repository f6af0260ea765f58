//go:build linux

package linux

import (
	"context"
	"errors"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/ports"
)

func with(list []string, more ...string) []string { return append(list[:len(list):len(list)], more...) }

// packages installs packages with the system's package manager.
type packages struct {
	*Host
	action.InstallPackages
}

func (p packages) capture(context.Context) (journal.Original, error) {
	return journal.Original{Type: journal.ResourcePackages, Name: strings.Join(p.Install, " ")}, nil
}

func (p packages) manager() (linuxcmd.PackageManager, error) {
	for _, m := range linuxcmd.PackageManagers() {
		if p.run.has(m.Program()) {
			return m, nil
		}
	}
	return linuxcmd.PackageManager{}, errors.New("this machine has no supported package manager")
}

// missing returns the packages that are not installed, and those that cannot be queried, unless these are skipped.
func (p packages) missing(ctx context.Context, m linuxcmd.PackageManager) ([]string, error) {
	var missing []string
	for _, name := range p.Install {
		query, version := m.Query(name)
		if query == nil {
			if !p.SkipUnknown {
				missing = append(missing, name)
			}
			continue
		}
		out, err := p.run.query(ctx, query[0], query[1:]...)
		var failed *ports.CommandError
		if err != nil && !errors.As(err, &failed) {
			return nil, err
		}
		if err != nil || !m.Installed(string(out), version) {
			missing = append(missing, name)
		}
	}
	return missing, nil
}

// interrupted reports whether an installation of the packages was interrupted.
func (p packages) interrupted(ctx context.Context, m linuxcmd.PackageManager) (bool, error) {
	for _, name := range p.Install {
		status := m.Status(name)
		if status == nil {
			return false, nil
		}
		out, err := p.run.query(ctx, status[0], status[1:]...)
		var failed *ports.CommandError
		switch {
		case err != nil && !errors.As(err, &failed):
			return false, err
		case linuxcmd.Interrupted(string(out)):
			return true, nil
		}
	}
	return false, nil
}

func (p packages) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	m, err := p.manager()
	if p.Unless != "" && p.run.has(p.Unless) {
		if interrupted, failure := p.interrupted(ctx, m); !interrupted {
			return nil, failure
		}
	}
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
	if p.Update {
		lines = append(lines, "~ packages: refresh the lists")
	}
	if p.Upgrade {
		// Only the upgrade itself finds out whether newer versions exist.
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
	for _, c := range m.Commands(p.InstallPackages, missing) {
		if err := p.call(ctx, m, c); err != nil {
			return err
		}
	}
	p.flush()
	return nil
}

// call runs a command of the package manager, with the machine's proxy if one is configured.
func (p packages) call(ctx context.Context, m linuxcmd.PackageManager, c linuxcmd.Command) error {
	proxy := ""
	if p.tree.exists(proxyEnvironment) {
		proxy = "set -a\n. " + proxyEnvironment + "\nset +a\n"
	}
	return p.run.shell(ctx, m.Program(), proxy+"exec "+c.String()+"\n")
}
