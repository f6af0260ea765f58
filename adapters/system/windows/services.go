package windows

import (
	"context"
	"slices"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
)

// service is a service of Windows.
type service struct {
	*Host
	action.EnsureUnit
}

// The keys of a service's State, which are also those that Show-Service prints.
const (
	stateStartType = "startType"
	stateStatus    = "status"
)

func (s service) observe(ctx context.Context) (properties, error) {
	name := windowscmd.ServiceName(s.Name)
	return s.ask(ctx, "look for the service "+name, "Show-Service "+windowscmd.Quote(name))
}

func (s service) capture(ctx context.Context) (journal.Original, error) {
	if r := windowscmd.CheckService(s.EnsureUnit, "unit"); len(r) > 0 {
		return journal.Original{}, refusal(r)
	}
	p, err := s.observe(ctx)
	return journal.Original{
		Type: journal.ResourceUnit, Name: windowscmd.ServiceName(s.Name), Exists: p.exist(),
		State: map[string]string{stateStartType: p.one(stateStartType), stateStatus: p.one(stateStatus)},
	}, err
}

func (s service) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	if windowscmd.Service(s.EnsureUnit) == "" {
		return nil, nil
	}
	p, err := s.observe(ctx)
	if err != nil {
		return nil, err
	}
	wanted := []string{stateStartType, "Automatic", stateStatus, "Running"}
	switch {
	case windowscmd.Stops(s.EnsureUnit):
		wanted = []string{stateStartType, "Disabled", stateStatus, "Stopped"}
	case len(s.RestartOn) > 0:
		wanted = wanted[:2]
	}
	return p.wanting("service "+windowscmd.ServiceName(s.Name), wanted...), nil
}

func (s service) apply(ctx context.Context, _ journal.Original) error {
	return s.session(ctx, "configure the service "+windowscmd.ServiceName(s.Name), windowscmd.Service(s.EnsureUnit))
}

// restoreService returns the commands that restore how a service starts, and whether it runs.
func restoreService(o journal.Original) string {
	name, start := windowscmd.Quote(o.Name), o.State[stateStartType]
	if !slices.Contains([]string{"Automatic", "Manual", "Disabled"}, start) {
		return ""
	}
	commands := "Set-Service -Name " + name + " -StartupType " + start
	if o.State[stateStatus] == "Running" {
		return commands + "\nStart-Service -Name " + name
	}
	return commands + "\nStop-Service -Name " + name + " -Force"
}
