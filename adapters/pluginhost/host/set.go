package host

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// Set contains all external plugins of the machine, and starts each of them when it is first needed. It implements
// ports.Plugins, ports.Source, ports.Passphrases, ports.DataKeys and ports.Reporter. It is not safe for concurrent use.
type Set struct {
	host       Host
	candidates []Candidate
	unread     error
	running    map[string]attempt
}

// attempt is how starting a plugin went.
type attempt struct {
	*Plugin
	error
}

// NewSet searches for plugins. It does not start them.
func NewSet(h Host, s Search) *Set {
	set := &Set{host: h, running: map[string]attempt{}}
	set.candidates, set.unread = s.Candidates()
	return set
}

// Close ends all running plugins.
func (s *Set) Close() {
	for _, a := range s.running {
		if a.Plugin != nil {
			a.Close()
		}
	}
	s.running = map[string]attempt{}
}

// start returns the plugin of the file. One that could not be started is not tried again.
func (s *Set) start(ctx context.Context, f File) (*Plugin, error) {
	if tried, is := s.running[f.Path]; is {
		return tried.Plugin, tried.error
	}
	p, err := s.host.Start(ctx, f)
	s.running[f.Path] = attempt{p, err}
	return p, err
}

// usual are the kinds of documents for which a plugin of the type can take the place of a core plugin.
func (t Type) usual() []document.Kind {
	switch t {
	case TypeContainerRuntime:
		return []document.Kind{machine.KindContainerd, machine.KindCRIO}
	case TypeTimeSync:
		return []document.Kind{machine.KindTimeSync}
	case TypeRemote, TypeEncryption, TypeDocument, TypeReporter:
	}
	return nil
}

// expands reports whether plugins of the type expand documents.
func (t Type) expands() bool {
	return t == TypeContainerRuntime || t == TypeTimeSync || t == TypeDocument
}

// Expanders starts the pinned plugins that may replace a core plugin for one of the known kinds, and then others until
// each unknown kind has a plugin.
func (s *Set) Expanders(ctx context.Context, known, unknown []document.Kind) ([]ports.ExternalExpander, report.Report) {
	g := gathering{Set: s, unknown: slices.Clone(unknown)}
	if s.unread != nil {
		g.warn("%v", s.unread)
	}
	for _, c := range s.candidates {
		if !c.Type.expands() {
			continue
		}
		takes := c.Pinned() && (c.Type == TypeDocument || slices.ContainsFunc(c.Type.usual(), func(k document.Kind) bool {
			return slices.Contains(known, k)
		}))
		if takes || len(g.unknown) > 0 {
			g.add(ctx, c)
		}
	}
	if len(g.unknown) > 0 {
		for i := range g.findings {
			g.findings[i].Severity = report.Error
			g.findings[i].Remedy = fmt.Sprintf("mend it, or bring another plugin for %s", g.unknown[0])
		}
	}
	return g.expanders, g.findings
}

// gathering collects expanders until no kind is unknown.
type gathering struct {
	*Set
	unknown   []document.Kind
	expanders []ports.ExternalExpander
	findings  report.Report
}

func (g *gathering) warn(format string, args ...any) {
	g.findings = append(g.findings, report.Warningf("plugins", format, args...))
}

func (g *gathering) add(ctx context.Context, c Candidate) {
	err := c.Refused
	var p *Plugin
	if err == nil {
		p, err = g.start(ctx, c.File)
	}
	if err != nil {
		g.warn("%s is not used: %v", c.Path, err)
		if c.Pinned() {
			g.findings[len(g.findings)-1].Severity = report.Error
		}
		return
	}
	g.unknown = slices.DeleteFunc(g.unknown, func(k document.Kind) bool { return slices.Contains(p.can.Kinds, k) })
	g.expanders = append(g.expanders, ports.ExternalExpander{Expander: p.Expander(), Pinned: c.Pinned()})
}

// provider returns the plugin of the type and name, or ports.ErrNoProvider.
func (s *Set) provider(ctx context.Context, t Type, name string) (*Plugin, error) {
	refused := fmt.Errorf("%s: %w; it would be %s", name, ports.ErrNoProvider, string(t)+name)
	for _, c := range s.candidates {
		switch {
		case c.Type != t || c.Name != name:
		case c.Refused != nil:
			refused = fmt.Errorf("%w: %s is not used: %w", ports.ErrNoProvider, c.Path, c.Refused)
		default:
			return s.start(ctx, c.File)
		}
	}
	return nil, refused
}

// Fetch fetches the configuration with the plugin that the document names.
func (s *Set) Fetch(ctx context.Context, c indirect.RemoteConfig) ([]byte, error) {
	p, err := s.provider(ctx, TypeRemote, c.Provider)
	if err != nil {
		return nil, err
	}
	return p.Fetch(ctx, c)
}

// Passphrase requests the passphrase from the plugin of the provider.
func (s *Set) Passphrase(ctx context.Context, ref indirect.PassphraseRef) (secret.Value, error) {
	p, err := s.provider(ctx, TypeEncryption, ref.Provider)
	if err != nil {
		return secret.Value{}, err
	}
	return p.Passphrase(ctx, ref)
}

// NewPassphrase requests a new passphrase from the plugin of the provider.
func (s *Set) NewPassphrase(ctx context.Context, key indirect.KeyName, machine string) (secret.Value, string, error) {
	p, err := s.provider(ctx, TypeEncryption, key.Provider)
	if err != nil {
		return secret.Value{}, "", err
	}
	return p.NewPassphrase(ctx, key, machine)
}

// Report sends the status to all reporter plugins. A plugin that did not answer receives no further status, because it
// would delay each phase.
func (s *Set) Report(ctx context.Context, current status.Status) error {
	var failed error
	for _, c := range s.candidates {
		if c.Type != TypeReporter || c.Refused != nil {
			continue
		}
		p, err := s.start(ctx, c.File)
		if err == nil {
			err = p.Report(ctx, current)
		}
		if errors.Is(err, ErrNoResponse) {
			s.running[c.Path] = attempt{p, err}
		}
		failed = errors.Join(failed, err)
	}
	return failed
}
