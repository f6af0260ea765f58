package main

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// replicas is how many managers run at a time, of which the lease elects one.
const replicas = 2

// managers are the replicas of the manager. They are restarted when they end, as kubelet does it.
type managers struct {
	scene   *scene
	program string
	config  string

	mutex sync.Mutex
	// running are the replicas, the oldest first. The oldest one is usually the leader.
	running []*controlplane.Process
	started int
	// killed counts those that kill ended, and ended those that ended otherwise, because they lost the lease.
	killed, ended int
}

// newManagers prepares the managers: their program, and an identity that reaches the API server through the proxy.
func newManagers(ctx context.Context, s *scene) (*managers, error) {
	program, err := programs.Build(ctx, "machineadm-controller")
	if err != nil {
		return nil, err
	}
	m := &managers{scene: s, program: program, config: filepath.Join(s.Dir, "manager.kubeconfig")}
	if err := s.WriteServiceAccountKubeconfig(ctx, controlplane.ProviderNamespace, "machineadm-manager",
		m.config); err != nil {
		return nil, err
	}
	config, err := clientcmd.LoadFromFile(m.config)
	if err != nil {
		return nil, fmt.Errorf("read the manager's identity: %w", err)
	}
	cluster := config.Clusters["management"]
	cluster.Server, cluster.CertificateAuthorityData = s.proxy.URL, s.proxy.authority()
	return m, clientcmd.WriteToFile(*config, m.config)
}

// supervise keeps the replicas running until the context ends.
func (m *managers) supervise(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := m.replace(ctx); err != nil {
			return err
		}
		pause(ctx, time.Second)
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, p := range m.running {
		_ = p.Kill()
	}
	return nil
}

// replace starts managers in the place of those that have ended.
func (m *managers) replace(ctx context.Context) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	alive := m.running[:0]
	for _, p := range m.running {
		if p.Running() {
			alive = append(alive, p)
		} else {
			m.ended++
		}
	}
	for m.running = alive; len(m.running) < replicas; m.started++ {
		p, err := m.start(ctx)
		if err != nil {
			return err
		}
		m.running = append(m.running, p)
	}
	return nil
}

func (m *managers) start(ctx context.Context) (*controlplane.Process, error) {
	return controlplane.StartProcess(ctx, filepath.Join(m.scene.Dir, fmt.Sprintf("manager-%d.log", m.started)),
		"env", "POD_NAMESPACE="+controlplane.ProviderNamespace, m.program, "--kubeconfig="+m.config, "--health-addr=0",
		"--diagnostics-address=0", "--leader-elect", "--leader-elect-lease-duration=4s",
		"--leader-elect-renew-deadline=3s", "--leader-elect-retry-period=500ms", "--bootstrap-token-ttl=6h")
}

// kill kills the oldest replica without a warning.
func (m *managers) kill() error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if len(m.running) == 0 {
		return nil
	}
	oldest := m.running[0]
	if !oldest.Running() {
		return nil
	}
	m.running = m.running[1:]
	m.killed++
	return oldest.Kill()
}

// counts returns how many managers were killed, and how many ended otherwise.
func (m *managers) counts() (killed, ended int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.killed, m.ended
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
