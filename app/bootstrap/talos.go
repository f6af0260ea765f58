package bootstrap

import (
	"context"
	"errors"
	"fmt"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Start is the state of a control plane that the user must start.
type Start struct {
	// Done means that the control plane has started.
	Done bool
	// Message contains the commands to run before that.
	Message string
}

func (r Request) talos() bool {
	return DetectControlPlane(r.Cluster.ControlPlane).Type == node.ControlPlaneTalos
}

// lookUpTalos looks up the cluster's Talos secrets. The machine that starts the cluster creates them; all others wait
// for them.
func (p *production) lookUpTalos(ctx context.Context) error {
	find := p.Talos.Find
	if p.role == node.RoleInit {
		find = p.Talos.Ensure
	}
	secrets, err := find(ctx, p.request.Cluster.Key)
	if err != nil {
		return fmt.Errorf("Talos secrets of cluster %s: %w", p.request.Cluster.Name, err)
	}
	p.talos = &secrets
	if p.role.IsControlPlane() {
		p.start, err = p.talosStart(ctx, p.request)
		return err
	}
	// Workers need the authority's certificate; kubeadm would use a pin.
	p.talos.OSCA.Key = secret.Value{}
	p.certificates, err = p.authority(ctx)
	return err
}

// talosStart stores the client configuration with which the user starts a cluster of Talos machines, and returns the
// commands, or nil if a control plane provider starts it. All control plane machines boot with the same configuration
// and wait until one of them receives the bootstrap call. Two calls would create two clusters.
func (s *Service) talosStart(ctx context.Context, r Request) (*Start, error) {
	client, err := s.Talos.EnsureClient(ctx, r.Cluster.Key, r.Cluster.Addresses)
	if err != nil {
		return nil, fmt.Errorf("Talos client configuration of cluster %s: %w", r.Cluster.Name, err)
	}
	switch {
	case r.Cluster.Initialized:
		return &Start{Done: true}, nil
	case !r.Cluster.StandAlone:
		return nil, nil // The control plane provider starts the cluster.
	}
	address, when := "ADDRESS", "when the machine has an address"
	if len(r.Machine.Addresses) > 0 {
		address, when = r.Machine.Addresses[0], "when the machine has booted"
	}
	return &Start{Message: fmt.Sprintf(
		"Talos starts the cluster on request; %[1]s, run this command once, for this machine only: "+
			"talosctl --talosconfig talosconfig --endpoints %[2]s --nodes %[2]s bootstrap; the file talosconfig is the key "+
			"%[3]s of the Secret %[4]s: kubectl get secret -n %[5]s %[4]s -o jsonpath='{.data.%[3]s}' | base64 -d > talosconfig",
		when, address, client.Key, client.Name, r.Cluster.Namespace,
	)}, nil
}

// maintainTalos maintains the client configuration. There is none if the cluster's control plane type was changed after
// the machine was created.
func (s *Service) maintainTalos(ctx context.Context, r Request) (*Start, error) {
	if !r.talos() || !r.Machine.ControlPlane {
		return nil, nil
	}
	start, err := s.talosStart(ctx, r)
	if errors.Is(err, ports.ErrNoTalosSecrets) {
		return nil, nil
	}
	return start, clusterError(err)
}
