package clusterctl_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// The namespaces of the providers of Cluster API's module.
const (
	coreNamespace          = "capi-system"
	kubeadmNamespace       = "capi-kubeadm-bootstrap-system"
	kubeadmPlanesNamespace = "capi-kubeadm-control-plane-system"
)

// site is a management cluster in which clusterctl installs providers, whose managers are processes here.
type site struct {
	*WithT
	*controlplane.ControlPlane
	repository
	t                                  *testing.T
	program, machineadmctl, kubeconfig string
	// upstream are the managers of Cluster API's module, and ours are those of machineadm.
	upstream, ours []*controlplane.Process
	// events is the number of events about bootstrap configs of the moved clusters.
	events int
}

// TestChain takes clusters through the real clusterctl, with the real managers under the ServiceAccounts that
// clusterctl installs: init, generate and apply for each template, machines with bootstrap data, describe, move to
// another management cluster and back, upgrade, roll back, and delete. A cluster of the kubeadm providers is beside
// ours, and our managers write nothing to it. The machines and their clusters are in memory. Our managers of the other
// management cluster are in FIPS 140-3 mode.
func TestChain(t *testing.T) {
	r := catalog(t)
	source, target := newSite(t, r), newSite(t, r)
	target.program = fipsManager(t, target.program)
	source.init()
	source.start()
	source.acceptsTemplates()
	target.followsInstallPage()
	infrastructure, err := source.ServeInMemory(context.WithoutCancel(t.Context()), target.ControlPlane)
	source.Expect(err).NotTo(HaveOccurred())
	source.upstream = append(source.upstream, infrastructure.Process)

	source.createClusters()
	before := source.complete()
	source.describes()

	source.moves(target)
	target.leftAlone(before)
	target.inFIPSMode()
	target.moves(source)
	source.leftAlone(before)

	source.upgrades()
	source.leftAlone(before)
	source.leavesKubeadmAlone()
	source.rollsBack()
	source.leftAlone(before)

	source.deletes()
}

// newSite starts a management cluster in which nothing is installed but the definitions of cert-manager's kinds.
func newSite(t *testing.T, r repository) *site {
	t.Helper()
	s := &site{WithT: NewWithT(t), ControlPlane: startServer(t), repository: r, t: t}
	s.SetDefaultEventuallyTimeout(10 * time.Minute)
	s.SetDefaultEventuallyPollingInterval(time.Second)
	s.Expect(s.Apply(t.Context(), decode(t, []byte(certManager))...)).To(Succeed())
	s.kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	s.Expect(s.WriteKubeconfig(s.kubeconfig)).To(Succeed())
	var err error
	s.program, err = programs.Build(t.Context(), "machineadm-controller")
	s.Expect(err).NotTo(HaveOccurred())
	s.machineadmctl, err = programs.Build(t.Context(), "machineadmctl")
	s.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() { s.stop(s.ours, s.upstream) })
	controllers, err := s.StartControllerManager(context.WithoutCancel(t.Context()))
	s.Expect(err).NotTo(HaveOccurred())
	s.upstream = append(s.upstream, controllers)
	return s
}

// startServer starts another API server.
func startServer(t *testing.T) *controlplane.ControlPlane {
	t.Helper()
	dir, err := os.MkdirTemp(shared, "management-")
	if err != nil {
		t.Fatal(err)
	}
	c, err := controlplane.Start(context.WithoutCancel(t.Context()), controlplane.Options{Dir: dir, Audit: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// clusterctl runs clusterctl with the management cluster.
func (s *site) clusterctl(args ...string) string {
	s.t.Helper()
	return string(s.run(s.t, append(args, "--kubeconfig", s.kubeconfig)...))
}

// init installs all providers.
func (s *site) init() {
	s.t.Helper()
	s.clusterctl("init", "--core", "cluster-api:"+coreVersion, "--bootstrap", "machineadm:"+version+",kubeadm",
		"--control-plane", "machineadm:"+version+",kubeadm", "--infrastructure",
		"machineadm-hosts:"+version+",standin")
}

// start starts all managers.
func (s *site) start() {
	s.t.Helper()
	ctx := context.WithoutCancel(s.t.Context())
	for _, upstream := range [][2]string{
		{coreNamespace, "capi-core-manager"},
		{kubeadmNamespace, "capi-kubeadm-bootstrap-manager"},
		{kubeadmPlanesNamespace, "capi-kubeadm-control-plane-manager"},
	} {
		program, err := controlplane.Tool(ctx, upstream[1])
		s.Expect(err).NotTo(HaveOccurred())
		process, err := s.StartInstalledWithWebhooks(ctx, upstream[0], program)
		s.Expect(err).NotTo(HaveOccurred())
		s.upstream = append(s.upstream, process)
	}
	s.startOurs()
}

// startOurs starts the managers of machineadm.
func (s *site) startOurs() {
	s.t.Helper()
	for _, namespace := range ourNamespaces() {
		process, err := s.StartInstalled(context.WithoutCancel(s.t.Context()), namespace, s.program)
		s.Expect(err).NotTo(HaveOccurred())
		s.ours = append(s.ours, process)
	}
}

// ourNamespaces are those of the managers of machineadm.
func ourNamespaces() []string {
	return []string{controlplane.ProviderNamespace, controlplane.PlanesNamespace, controlplane.HostsNamespace}
}

// stop stops managers.
func (s *site) stop(groups ...[]*controlplane.Process) {
	for _, group := range groups {
		for _, process := range group {
			s.Expect(process.Stop()).To(Succeed())
		}
	}
}
