package workload

import (
	"maps"
	"reflect"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// How long the configuration of kubeadm and the add-ons are not read again after they were as specified. A change of
// them by a user is noticed after this time.
const (
	// settingsPeriod is the time while nothing is to be done.
	settingsPeriod = 10 * time.Minute
	// joinPeriod is the time while machines are created and removed. A new machine reads the configuration later than
	// this, after it has booted.
	joinPeriod = 30 * time.Second
)

// settings remembers when the configuration of kubeadm and the add-ons of control planes were as specified. The zero
// value is ready for use.
type settings struct {
	mutex  sync.Mutex
	planes map[ports.Key]current
}

// current is a specification with which everything agreed.
type current struct {
	at            time.Time
	specification ports.ControlPlane
}

// specificationOf returns what the configuration and the add-ons follow from.
func specificationOf(c ports.ControlPlane) ports.ControlPlane {
	s := ports.ControlPlane{Key: c.Key, ClusterName: c.ClusterName, Network: c.Network, Config: c.Config, Addons: c.Addons}
	s.Desired.Type, s.Desired.Template.Version = c.Desired.Type, c.Desired.Template.Version
	return s
}

// areCurrent reports whether everything agreed with the specification a short time ago.
func (s *settings) areCurrent(c ports.ControlPlane, now time.Time) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	found, known := s.planes[c.Key]
	period := joinPeriod
	if isComplete(c, now) {
		period = settingsPeriod
	}
	return known && now.Sub(found.at) < period &&
		reflect.DeepEqual(found.specification, specificationOf(c))
}

// isComplete reports whether no machine is missing, outdated or leaves, as far as the management cluster knows.
func isComplete(c ports.ControlPlane, now time.Time) bool {
	for _, m := range c.Observed.Machines {
		if m.Phase != controlplane.PhaseRunning || m.Unhealthy || len(controlplane.Differences(c.Desired, m, now)) > 0 {
			return false
		}
	}
	return len(c.Observed.Machines) == c.Desired.Replicas
}

// remember records that everything agreed with the specification, or forgets the control plane. It also forgets those
// that were not observed for a long time, because they do not exist any more.
func (s *settings) remember(c ports.ControlPlane, w ports.Workload, now time.Time) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	maps.DeleteFunc(s.planes, func(_ ports.Key, c current) bool { return now.Sub(c.at) >= settingsPeriod })
	if !w.Initialized || !w.JoinPrepared || !w.AddonsCurrent {
		delete(s.planes, c.Key)
		return
	}
	if s.planes == nil {
		s.planes = map[ports.Key]current{}
	}
	s.planes[c.Key] = current{at: now, specification: specificationOf(c)}
}

// forget removes what is remembered of a control plane, before it is changed.
func (s *settings) forget(c ports.ControlPlane) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.planes, c.Key)
}
