package hosts

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// formats contains the format of the data of machines that wait for a host. The zero value is ready for use.
type formats struct {
	mutex sync.Mutex
	known map[ports.Key]knownFormat
}

// knownFormat is the result of reading a data Secret.
type knownFormat struct {
	secret string
	format ports.HostFormat
	// missing is the error if there is no data.
	missing error
	until   time.Time
}

// get returns the format of the machine's data, if it was read a short time ago.
func (f *formats) get(m ports.HostMachine, now time.Time) (knownFormat, bool) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	known, found := f.known[m.Key]
	return known, found && known.secret == m.DataSecretName && now.Before(known.until)
}

func (f *formats) set(m ports.HostMachine, known knownFormat) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.known == nil {
		f.known = map[ports.Key]knownFormat{}
	}
	known.secret = m.DataSecretName
	f.known[m.Key] = known
}

func (f *formats) drop(key ports.Key) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	delete(f.known, key)
}

// preselect makes a machine wait again that has no host according to the cache, or had no data. A selection reads the
// machine and its data from the API server, and each change of an available Host wakes all machines that wait for one.
func (s *Machines) preselect(ctx context.Context, v *situation) error {
	known, found := s.formats.get(v.machine, s.Clock.Now())
	if v.step.Operation != host.OperationSelectHost || !found {
		return nil
	}
	if known.missing != nil {
		v.step = withoutData(known.missing)
		return nil //nolint:nilerr // the error is in the step
	}
	selection, err := s.selection(ctx, v.machine, known.format)
	if err == nil && selection.Host == "" {
		v.step = selection.Step(v.machine.Timeouts)
	}
	return err
}

// selection selects a host for data of the format.
func (s *Machines) selection(ctx context.Context, m ports.HostMachine, format ports.HostFormat) (host.Selection,
	error,
) {
	all, err := s.Cached.Hosts(ctx, m.Namespace)
	if err != nil {
		return host.Selection{}, err
	}
	request := m.Request
	request.Agent = format == ports.HostFormatAgent
	return host.Select(request, all), nil
}

// readData returns the data of a machine that selects a host, and records that there is none.
func (s *Machines) readData(ctx context.Context, v *situation) (ports.HostBoot, error) {
	boot, err := s.boot(ctx, v)
	if errors.Is(err, ports.ErrNoBootstrapData) && v.machine.Settings == nil {
		s.formats.set(v.machine, knownFormat{missing: err, until: s.Clock.Now().Add(dataRetry)})
	}
	return boot, err
}
