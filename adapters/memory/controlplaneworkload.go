package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// certificateValidity is that of kubeadm's leaf certificates.
const certificateValidity = 365 * 24 * time.Hour

// serving reports whether an API server answers. The caller has the lock.
func (w *ControlPlane) serving() bool {
	if !w.plane.Desired.ExternalEtcd && !w.quorate() {
		return false
	}
	return slices.ContainsFunc(w.machines, w.serves)
}

// serves reports whether the API server of the machine answers. The caller has the lock.
func (w *ControlPlane) serves(m *simulated) bool {
	return m.NodeName != "" && !m.stopped && m.Phase != controlplane.PhaseTerminating
}

// Workload returns the workload cluster.
func (w *ControlPlane) Workload() ports.WorkloadCluster { return controlPlaneWorkload{w} }

type controlPlaneWorkload struct{ world *ControlPlane }

// Observe returns the health of the components of each node.
func (v controlPlaneWorkload) Observe(_ context.Context, c ports.ControlPlane) (ports.Workload, error) {
	w := v.world
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if !w.serving() {
		return ports.Workload{}, fmt.Errorf("%w: no API server answers", ports.ErrUnreachable)
	}
	result := ports.Workload{
		Initialized: true, Components: map[string]map[controlplane.Component]controlplane.Health{},
		KubeletVersions: map[string]string{}, Tainted: map[string]bool{},
		JoinPrepared:  w.joinVersion == c.Desired.Template.Version,
		AddonsCurrent: w.addonsVersion == c.Desired.Template.Version,
	}
	for _, m := range w.machines {
		if m.NodeName == "" {
			continue
		}
		health := controlplane.HealthHealthy
		if !w.serves(m) {
			health = controlplane.HealthUnhealthy
		}
		result.KubeletVersions[m.NodeName], result.Tainted[m.NodeName] = m.Template.Version, true
		result.Components[m.NodeName] = map[controlplane.Component]controlplane.Health{
			controlplane.ComponentAPIServer: health, controlplane.ComponentControllerManager: health,
			controlplane.ComponentScheduler: health, controlplane.ComponentEtcd: health,
		}
	}
	return result, nil
}

// PrepareJoin prepares the cluster for machines of the desired version.
func (v controlPlaneWorkload) PrepareJoin(_ context.Context, c ports.ControlPlane) error {
	w := v.world
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if !w.serving() {
		return fmt.Errorf("%w: no API server answers", ports.ErrUnreachable)
	}
	w.joinVersion = c.Desired.Template.Version
	return nil
}

// UpdateAddons brings the add-ons to the desired version.
func (v controlPlaneWorkload) UpdateAddons(_ context.Context, c ports.ControlPlane) error {
	w := v.world
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if !w.serving() {
		return fmt.Errorf("%w: no API server answers", ports.ErrUnreachable)
	}
	w.addonsVersion = c.Desired.Template.Version
	return nil
}

// CertificateExpiry returns a year after the creation of the machine.
func (v controlPlaneWorkload) CertificateExpiry(_ context.Context, _ ports.ControlPlane, m controlplane.Machine) (
	time.Time, error,
) {
	w := v.world
	w.mutex.Lock()
	defer w.mutex.Unlock()
	stored := w.find(m.Name)
	if stored == nil || !w.serves(stored) {
		return time.Time{}, fmt.Errorf("%w: no API server answers", ports.ErrUnreachable)
	}
	return stored.CreatedAt.Add(certificateValidity), nil
}

// Starter returns the port that starts clusters whose machines boot alike.
func (w *ControlPlane) Starter() ports.ClusterStarter { return controlPlaneStarter{w} }

type controlPlaneStarter struct{ world *ControlPlane }

// Start makes the machine start the cluster, unless one has etcd data.
func (v controlPlaneStarter) Start(_ context.Context, _ ports.ControlPlane, machine string) error {
	w := v.world
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, m := range w.machines {
		if m.stopped {
			return fmt.Errorf("%w: %s does not answer", ports.ErrUnreachable, m.Name)
		}
	}
	started := slices.ContainsFunc(w.machines, func(m *simulated) bool {
		return m.first && m.Phase != controlplane.PhaseTerminating
	})
	if m := w.find(machine); m != nil && !started && len(w.etcd.members) == 0 {
		m.first = true
	}
	return nil
}

// Kubeconfigs returns the kubeconfig of the cluster.
func (w *ControlPlane) Kubeconfigs() ports.Kubeconfigs { return controlPlaneKubeconfigs{w} }

type controlPlaneKubeconfigs struct{ world *ControlPlane }

// Ensure counts the calls.
func (v controlPlaneKubeconfigs) Ensure(context.Context, ports.ControlPlane) error {
	v.world.mutex.Lock()
	defer v.world.mutex.Unlock()
	v.world.kubeconfigs++
	return nil
}
