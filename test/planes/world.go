//go:build linux

package planes

import (
	"context"
	"errors"
	"net/netip"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/onsi/gomega"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nodehost"
	"github.com/machineadm/machineadm/test/nodeimage"
	"github.com/machineadm/machineadm/test/programs"
)

// The network of the machines. The first ten addresses are left to tests, and Endpoint is one of them.
const (
	Endpoint = "10.87.0.5"
	subnet   = "10.87.0.0/16"
	bridge   = "planes0"
)

// Patience is how long tests wait for a goal on a busy host. They continue as soon as it is reached.
const Patience = 20 * time.Minute

// World is a management cluster, and what machines need on this host.
type World struct {
	*controlplane.ControlPlane
	*gomega.WithT
	Host *nodehost.Host

	t *testing.T
	// ctx ends with the test, after its cleanup.
	ctx context.Context //nolint:containedctx // it is that of the test
	// controller is the path of the program of the controllers.
	controller string
	// planes is the manager of control planes.
	planes *controlplane.Provider
}

// RootName returns the name of the root file system with a release. It is part of the name of the machines' template.
func RootName(r nodeimage.Release) string { return "debian-" + r.Version }

// New starts a management cluster, which ends with the test. Machines can have the releases; the first one is that of
// clusters, and without releases it is the current one.
func New(t *testing.T, releases ...nodeimage.Release) *World {
	t.Helper()
	if len(releases) == 0 {
		releases = []nodeimage.Release{nodeimage.Current()}
	}
	w := &World{WithT: gomega.NewWithT(t), t: t, ctx: context.WithoutCancel(t.Context())}
	w.SetDefaultEventuallyTimeout(Patience)
	w.SetDefaultEventuallyPollingInterval(500 * time.Millisecond)
	directory := t.TempDir()
	w.Host = nodehost.New(nodehost.Config{
		Directory: filepath.Join(directory, "machines"), Bridge: bridge, Subnet: netip.MustParsePrefix(subnet),
	})
	// The machines end after the manager that would create them again.
	t.Cleanup(func() { w.Expect(w.Host.Close()).To(gomega.Succeed()) })
	w.Expect(connect(bridge, w.Host.Subnet)).To(gomega.Succeed())
	prepared := make(chan error, 1)
	go func() { prepared <- w.prepareHost(releases) }()
	management, err := controlplane.Start(w.ctx, controlplane.Options{Dir: directory, Audit: true})
	if err == nil {
		w.ControlPlane = management
		t.Cleanup(func() { w.Expect(w.Stop()).To(gomega.Succeed()) })
		err = management.WriteKubeconfig(filepath.Join(directory, "admin.kubeconfig"))
	}
	w.Expect(errors.Join(err, <-prepared)).To(gomega.Succeed())
	w.startManagers()
	return w
}

// prepareHost creates what the machines boot from and pull.
func (w *World) prepareHost(releases []nodeimage.Release) error {
	if err := w.Host.Prepare(w.ctx, releases...); err != nil {
		return err
	}
	if err := w.Host.AddVirtualIP(w.ctx); err != nil {
		return err
	}
	for _, r := range releases {
		if err := w.Host.AddRoot(w.ctx, RootName(r), r, nil); err != nil {
			return err
		}
	}
	return w.Host.Serve(w.ctx)
}

// startManagers starts the managers of the management cluster.
func (w *World) startManagers() {
	w.t.Helper()
	var err error
	w.controller, err = programs.Build(w.ctx, "machineadm-controller")
	w.Expect(err).NotTo(gomega.HaveOccurred())
	w.start(w.StartControllerManager)
	w.start(func(ctx context.Context) (*controlplane.Process, error) {
		return w.StartCore(ctx, controlplane.Core114())
	})
	w.startProvider(w.InstallProvider, w.StartProvider)
	w.startProvider(w.InstallHosts, w.StartHostsProvider, w.Host.Flags()...)
	w.Expect(w.InstallPlanes(w.ctx)).To(gomega.Succeed())
	w.StartPlanesManager()
	w.t.Cleanup(w.StopPlanesManager)
}

func (w *World) start(start func(context.Context) (*controlplane.Process, error)) {
	w.t.Helper()
	p, err := start(w.ctx)
	w.Expect(err).NotTo(gomega.HaveOccurred())
	w.t.Cleanup(func() { w.Expect(p.Stop()).To(gomega.Succeed()) })
}

// startProvider installs and starts a provider.
func (w *World) startProvider(install func(context.Context) error,
	start func(context.Context, string, ...string) (*controlplane.Provider, error), flags ...string,
) {
	w.t.Helper()
	w.Expect(install(w.ctx)).To(gomega.Succeed())
	w.start(func(ctx context.Context) (*controlplane.Process, error) {
		p, err := start(ctx, w.controller, flags...)
		if err != nil {
			return nil, err
		}
		return p.Process, nil
	})
}

// StartPlanesManager starts the manager of control planes, with more flags.
func (w *World) StartPlanesManager(flags ...string) {
	w.t.Helper()
	p, err := w.StartPlanesProvider(w.ctx, w.controller, flags...)
	w.Expect(err).NotTo(gomega.HaveOccurred())
	w.planes = p
}

// StopPlanesManager stops the manager of control planes, if it runs.
func (w *World) StopPlanesManager() {
	w.t.Helper()
	if w.planes != nil && w.planes.Running() {
		w.Expect(w.planes.Stop()).To(gomega.Succeed())
	}
}

// KillPlanesManager kills the manager of control planes without a warning.
func (w *World) KillPlanesManager() {
	w.t.Helper()
	w.Expect(syscall.Kill(w.planes.PID(), syscall.SIGKILL)).To(gomega.Succeed())
	w.Eventually(w.planes.Running).Should(gomega.BeFalse())
}

var operationLine = regexp.MustCompile(`(?m)^machineadm_control_plane_operations_total\{operation="(\w+)"\} (\d+)$`)

// Operations returns how often the manager of control planes has carried out each operation since it started.
func (w *World) Operations() map[string]int {
	w.t.Helper()
	text, err := w.planes.Metrics(w.ctx)
	w.Expect(err).NotTo(gomega.HaveOccurred())
	counts := map[string]int{}
	for _, found := range operationLine.FindAllStringSubmatch(string(text), -1) {
		n, err := strconv.Atoi(found[2])
		w.Expect(err).NotTo(gomega.HaveOccurred())
		counts[found[1]] = n
	}
	return counts
}
