package controlplane

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	kubecontroller "github.com/machineadm/machineadm/adapters/kubernetes/controller"
	kubeplanes "github.com/machineadm/machineadm/adapters/kubernetes/controlplane"
	planes "github.com/machineadm/machineadm/app/controlplane"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// The namespace and the account of the manager of control planes.
const (
	PlanesNamespace = "machineadm-control-plane-system"
	planesAccount   = "machineadm-control-plane-manager"
)

// PlanesUser is the name by which the audit log knows the manager of control planes.
const PlanesUser = "system:serviceaccount:" + PlanesNamespace + ":" + planesAccount

// InstallPlanes applies what a release ships for control planes (config/control-plane), but for the Deployment.
func (c *ControlPlane) InstallPlanes(ctx context.Context) error {
	return c.install(ctx, "config/control-plane")
}

// StartPlanesProvider starts the manager of control planes under the ServiceAccount that InstallPlanes created.
// It waits until the manager is ready and serves metrics.
func (c *ControlPlane) StartPlanesProvider(ctx context.Context, program string, args ...string) (*Provider, error) {
	all := append([]string{"--controllers=control-plane"}, args...)
	return c.startManager(ctx, manager{planesAccount, PlanesNamespace, planesAccount}, program, all)
}

// StartPlanes starts the controller of control planes in this process, under the ServiceAccount that InstallPlanes
// created. Everything in the management cluster is real; the workload clusters are simulated. The control plane stops
// it.
func (c *ControlPlane) StartPlanes(ctx context.Context, w *Workloads, concurrency int) error {
	path := filepath.Join(c.Dir, "planes.kubeconfig")
	if err := c.WriteServiceAccountKubeconfig(ctx, PlanesNamespace, planesAccount, path); err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	config.QPS, config.Burst = -1, -1
	mgr, err := ctrl.NewManager(config, ctrl.Options{Scheme: Scheme(), Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		return fmt.Errorf("start the controller of control planes: %w", err)
	}
	running, cancel := context.WithCancel(ctx)
	if err := setupPlanes(running, mgr, w, cmp.Or(concurrency, 8)); err != nil {
		cancel()
		return err
	}
	done := make(chan struct{})
	go func() {
		_ = mgr.Start(running)
		close(done)
	}()
	c.stops = append(c.stops, func() {
		cancel()
		<-done
	})
	return nil
}

func setupPlanes(ctx context.Context, mgr ctrl.Manager, w *Workloads, concurrency int) error {
	reader := capi.NewObjectReader(mgr.GetCache(), mgr.GetAPIReader())
	if err := reader.Follow(ctx, mgr.GetCache()); err != nil {
		return err
	}
	store := &kubeplanes.Store{
		Client: mgr.GetClient(), Live: mgr.GetAPIReader(), Clock: clock{}, Resolver: kubecontroller.NewResolver(reader),
		Events: mgr.GetEventRecorder("machineadm-control-plane"),
	}
	certificates := capi.NewCertificates(mgr.GetClient(), reader)
	simulated := planes.Cluster{Members: simulatedMembers{w}, Workload: simulatedWorkload{w}}
	reconciler := &kubeplanes.Reconciler{Client: mgr.GetClient(), Planes: &planes.Reconciler{
		Objects: store, Machines: store, Certificates: certificates, Clock: clock{}, Kubeadm: simulated, Talos: simulated,
		TalosSecrets: capi.NewTalosSecrets(capi.TalosOptions{
			Client: mgr.GetClient(), Secrets: reader, Clock: clock{}, Entropy: rand.Reader,
		}),
		Kubeconfigs: capi.NewAdminKubeconfigs(mgr.GetClient(), reader, certificates, clock{}),
	}}
	return reconciler.SetupWithManager(ctx, mgr, controller.Options{
		MaxConcurrentReconciles: concurrency, SkipNameValidation: ptr.To(true),
	})
}

// Workloads simulates workload clusters: each Machine with a node has healthy components and an etcd member, until the
// member is removed. The zero value is ready for use.
type Workloads struct {
	mutex sync.Mutex
	// removed are the members that were removed, and silent those that do not respond.
	removed, silent map[uint64]bool
	// leaders are the members that lead, by control plane.
	leaders map[ports.Key]uint64
}

// memberID returns the ID of the member of a Machine.
func memberID(namespace, machine string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(namespace + "/" + machine))
	return h.Sum64()
}

// Silence makes the member of a Machine stop responding.
func (w *Workloads) Silence(namespace, machine string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.silent = with(w.silent, memberID(namespace, machine))
}

// Removed reports whether the member of a Machine was removed.
func (w *Workloads) Removed(namespace, machine string) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.removed[memberID(namespace, machine)]
}

func with(set map[uint64]bool, id uint64) map[uint64]bool {
	if set == nil {
		set = map[uint64]bool{}
	}
	set[id] = true
	return set
}

// simulatedMembers implements ports.EtcdMembers.
type simulatedMembers struct{ *Workloads }

// Observe returns a member for each Machine with a node. When the leader does not respond or is gone, the first one
// that responds leads.
func (w simulatedMembers) Observe(_ context.Context, c ports.ControlPlane) (controlplane.Members, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	members := controlplane.Members{Known: true, Since: time.Now()}
	for _, m := range c.Observed.Machines {
		if id := memberID(c.Namespace, m.Name); m.NodeName != "" && !w.removed[id] {
			members.List = append(members.List, controlplane.Member{ID: id, Name: m.NodeName, Responds: !w.silent[id]})
		}
	}
	leads := func(m controlplane.Member) bool { return m.Responds && m.ID == w.leaders[c.Key] }
	leader := slices.IndexFunc(members.List, leads)
	if leader < 0 {
		leader = slices.IndexFunc(members.List, func(m controlplane.Member) bool { return m.Responds })
	}
	if leader >= 0 {
		members.List[leader].Leader = true
		w.lead(c.Key, members.List[leader].ID)
	}
	return members, nil
}

func (w simulatedMembers) lead(plane ports.Key, member uint64) {
	if w.leaders == nil {
		w.leaders = map[ports.Key]uint64{}
	}
	w.leaders[plane] = member
}

// MoveLeader makes another member lead.
func (w simulatedMembers) MoveLeader(_ context.Context, c ports.ControlPlane, _, to uint64) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.lead(c.Key, to)
	return nil
}

// Remove removes the member.
func (w simulatedMembers) Remove(_ context.Context, _ ports.ControlPlane, member uint64) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.removed = with(w.removed, member)
	return nil
}

// simulatedWorkload implements ports.WorkloadCluster.
type simulatedWorkload struct{ *Workloads }

// Observe reports healthy components on each node.
func (simulatedWorkload) Observe(_ context.Context, c ports.ControlPlane) (ports.Workload, error) {
	found := ports.Workload{
		Components:      map[string]map[controlplane.Component]controlplane.Health{},
		KubeletVersions: map[string]string{}, Tainted: map[string]bool{}, JoinPrepared: true, AddonsCurrent: true,
	}
	found.Initialized = slices.ContainsFunc(c.Observed.Machines, func(m controlplane.Machine) bool {
		return m.NodeName != ""
	})
	for _, m := range c.Observed.Machines {
		if m.NodeName == "" {
			continue
		}
		found.KubeletVersions[m.NodeName], found.Tainted[m.NodeName] = m.Template.Version, true
		found.Components[m.NodeName] = map[controlplane.Component]controlplane.Health{
			controlplane.ComponentAPIServer:         controlplane.HealthHealthy,
			controlplane.ComponentControllerManager: controlplane.HealthHealthy,
			controlplane.ComponentScheduler:         controlplane.HealthHealthy,
			controlplane.ComponentEtcd:              controlplane.HealthHealthy,
		}
	}
	return found, nil
}

// PrepareJoin does nothing.
func (simulatedWorkload) PrepareJoin(context.Context, ports.ControlPlane) error { return nil }

// UpdateAddons does nothing.
func (simulatedWorkload) UpdateAddons(context.Context, ports.ControlPlane) error { return nil }

// CertificateExpiry returns a time in one year.
func (simulatedWorkload) CertificateExpiry(_ context.Context, _ ports.ControlPlane, m controlplane.Machine) (time.Time,
	error,
) {
	return m.CreatedAt.AddDate(1, 0, 0), nil
}
