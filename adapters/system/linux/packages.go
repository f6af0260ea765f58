//go:build linux

package linux

import (
	"context"
	"errors"
	"path"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/osprofile"
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

func (p packages) manager() (manager, error) {
	for _, m := range linuxcmd.PackageManagers() {
		if p.run.has(m.Program()) {
			return manager{m}, nil
		}
	}
	return manager{}, errors.New("this machine has no supported package manager")
}

type manager struct{ linuxcmd.PackageManager }

func (m manager) dpkg() bool { return m.ID == osprofile.PackageManagerAPT }

// missing returns the packages that are not installed.
func (p packages) missing(ctx context.Context, m manager) ([]string, error) {
	var missing []string
	for _, name := range p.Install {
		query, version := m.query(name)
		out, err := p.run.query(ctx, query[0], query[1:]...)
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

// query returns the command that queries a package, and the version to look for. A name may contain a version in the
// manager's notation: after an equals sign, or within the name, where a star matches any characters.
func (m manager) query(name string) (argv []string, version string) {
	bare, version, pinned := strings.Cut(name, "=")
	switch {
	case m.dpkg():
		bare, _, _ = strings.Cut(bare, "/") // A name may contain a suite, too.
		return m.Status(bare), version
	case pinned:
		return []string{"rpm", "-qa", "--", bare + "-" + version + "*"}, version
	case strings.Contains(name, "*"):
		return []string{"rpm", "-qa", "--", name}, version
	default:
		return []string{"rpm", "-q", "--whatprovides", "--", name}, version
	}
}

func (m manager) there(out, version string) bool {
	if m.dpkg() {
		return installed(out, version)
	}
	return strings.TrimSpace(out) != ""
}

// installed parses the output of dpkg-query(1), one line for each architecture. An empty version matches any version,
// and a star in it matches any characters, as in apt-get(8).
func installed(out, version string) bool {
	for line := range strings.Lines(out) {
		status, is, _ := strings.Cut(strings.TrimSpace(line), " ")
		if same, err := path.Match(version, is); status == "installed" && (version == "" || err == nil && same) {
			return true
		}
	}
	return false
}

// interrupted reports whether an installation of the packages was interrupted.
func (p packages) interrupted(ctx context.Context, m manager) (bool, error) {
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
	wanted := p.PackagesConfig
	wanted.Install = missing
	for _, c := range m.Commands(wanted) {
		if err := p.call(ctx, m, c); err != nil {
			return err
		}
	}
	p.flush()
	return nil
}

// call runs a command of the package manager, with the machine's proxy if one is configured.
func (p packages) call(ctx context.Context, m manager, c linuxcmd.Command) error {
	proxy := ""
	if p.tree.exists(proxyEnvironment) {
		proxy = "set -a\n. " + proxyEnvironment + "\nset +a\n"
	}
	return p.run.shell(ctx, m.Program(), proxy+"exec "+c.String()+"\n")
}
