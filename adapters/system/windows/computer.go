package windows

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// restartTimeout is how long Windows may take to stop the agent when it restarts.
const restartTimeout = 10 * time.Minute

// restart restarts Windows, which stops the agent. The run is then interrupted and not failed, and the agent resumes it
// at the next boot.
func (h *Host) restart(ctx context.Context) error {
	if _, err := h.program(ctx, "restart Windows", "shutdown.exe", "/r", "/t", "0", "/d", "p:2:4"); err != nil {
		return err
	}
	waited, cancel := context.WithTimeout(ctx, restartTimeout)
	defer cancel()
	<-waited.Done()
	if ctx.Err() == nil {
		return errors.New("Windows did not restart; restart it, and run the agent again")
	}
	return ctx.Err()
}

func (h *Host) computer(ctx context.Context) (properties, error) {
	return h.ask(ctx, "look for the name and the domain", "Show-Computer")
}

// computer is the name, the time zone and the language of the machine.
type computer struct {
	*Host
	machine.HostConfig
}

func (c computer) capture(context.Context) (journal.Original, error) {
	if c.RandomHostname || c.UILanguage != "" || c.Keyboard != "" {
		return journal.Original{}, errors.New("randomHostname, uiLanguage and keyboard are settings of an answer file; " +
			"leave them out, or use the format unattend with native delivery")
	}
	return journal.Original{Type: journal.ResourceCommand, Name: "host"}, nil
}

func (c computer) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	p, err := c.computer(ctx)
	if err != nil {
		return nil, err
	}
	var wanted []string
	for _, w := range [][2]string{{"name", c.Hostname}, {"timeZone", c.windowsZone()}, {"locale", c.Locale}} {
		if w[1] != "" {
			wanted = append(wanted, w[0], w[1])
		}
	}
	return p.wanting("host", wanted...), nil
}

// windowsZone returns the time zone by its name in Windows.
func (c computer) windowsZone() string {
	if zone, known := machine.WindowsTimeZone(c.TimeZone); known {
		return zone
	}
	return c.TimeZone
}

// apply restarts Windows if the name or the language changes.
func (c computer) apply(ctx context.Context, _ journal.Original) error {
	p, err := c.computer(ctx)
	if err != nil {
		return err
	}
	var lines []string
	if c.Locale != "" && !strings.EqualFold(p.one("locale"), c.Locale) {
		lines = append(lines, windowscmd.SetLocale(c.Locale)...)
	}
	if c.Hostname != "" && !strings.EqualFold(p.one("name"), c.Hostname) {
		lines = append(lines, windowscmd.Rename(c.Hostname))
	}
	restarts := len(lines) > 0
	if c.TimeZone != "" {
		lines = append(lines, "Set-TimeZone -Id "+windowscmd.Quote(c.windowsZone()))
	}
	if err := c.session(ctx, "configure the host", strings.Join(lines, "\n")); err != nil || !restarts {
		return err
	}
	return c.restart(ctx)
}

// membership is the membership in a domain. A reset does not end it, which needs credentials.
type membership struct {
	*Host
	machine.DomainJoin
}

func (m membership) capture(context.Context) (journal.Original, error) {
	return journal.Original{Type: journal.ResourceCommand, Name: "domain"}, nil
}

func (m membership) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	p, err := m.computer(ctx)
	if err != nil {
		return nil, err
	}
	actual := p.one("domain")
	switch {
	case actual == "":
		return []string{"+ member of the domain " + m.Domain}, nil
	case m.Domain == "" || strings.EqualFold(actual, m.Domain):
		return nil, nil
	default:
		return nil, fmt.Errorf("the machine is a member of %s, want %s; remove it from its domain first", actual, m.Domain)
	}
}

func (m membership) apply(ctx context.Context, _ journal.Original) error {
	if err := m.session(ctx, "join the domain", windowscmd.JoinDomain(m.DomainJoin)); err != nil {
		return err
	}
	return m.restart(ctx)
}
