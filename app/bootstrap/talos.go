package bootstrap

import (
	"context"
	"errors"
	"fmt"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Start tells how far the start of a control plane is that somebody has to begin by hand.
type Start struct {
	// Done says that the control plane is up.
	Done bool
	// Message says what to run until then.
	Message string
}

func (r Request) talos() bool { return r.Cluster.ControlPlane.Flavor == node.FlavorTalos }

// gatherTalos collects what a Talos machine needs beside certificates. The machine that starts the cluster makes the
// secrets; all others wait for them.
func (s *Service) gatherTalos(ctx context.Context, r Request, f *facts) error {
	var err error
	find := s.Talos.Find
	if f.role == node.RoleInit {
		find = s.Talos.Ensure
	}
	secrets, err := find(ctx, r.Cluster.Key)
	if err != nil {
		return fmt.Errorf("Talos secrets of cluster %s: %w", r.Cluster.Name, err)
	}
	f.talos = &secrets
	if f.role.IsControlPlane() {
		f.start, err = s.start(ctx, r)
		return err
	}
	// Talos trusts a certificate where kubeadm has a pin.
	f.talos.OSCA.Key = secret.Value{}
	f.certificates, err = s.authority(ctx, r)
	return err
}

// start keeps the client configuration by which people start a cluster of Talos machines, and says how. All control
// plane machines boot alike and wait until one of them is told to begin (talosctl bootstrap); telling two would make
// two clusters.
func (s *Service) start(ctx context.Context, r Request) (*Start, error) {
	client, err := s.Talos.EnsureClient(ctx, r.Cluster.Key, r.Cluster.Addresses)
	if err != nil {
		return nil, fmt.Errorf("Talos client configuration of cluster %s: %w", r.Cluster.Name, err)
	}
	if r.Cluster.Initialized {
		return &Start{Done: true}, nil
	}
	address, when := "ADDRESS", "when the machine has an address"
	if len(r.Machine.Addresses) > 0 {
		address, when = r.Machine.Addresses[0], "when the machine has booted"
	}
	return &Start{Message: fmt.Sprintf(
		"Talos waits to be told to start the cluster; %[1]s, run once and for this machine alone: "+
			"talosctl --talosconfig talosconfig --endpoints %[2]s --nodes %[2]s bootstrap; the file talosconfig is the key "+
			"%[3]s of the Secret %[4]s: "+
			"kubectl get secret -n %[5]s %[4]s -o jsonpath='{.data.%[3]s}' | base64 -d > talosconfig",
		when, address, client.Key, client.Name, r.Cluster.Namespace,
	)}, nil
}

// talosProblem returns the outcome of an error about Talos's secrets; nil if it is no such error.
func talosProblem(err error) Outcome {
	switch {
	case errors.Is(err, ports.ErrNoTalosSecrets):
		return Waiting{ReasonTalosSecrets, err.Error()}
	case errors.Is(err, ports.ErrBadTalosSecrets):
		return Stalled{Reason: ReasonBadTalosSecrets, Message: err.Error()}
	case errors.Is(err, ports.ErrForeign):
		return Stalled{Reason: ReasonForeignSecret, Message: err.Error() + "; remove it or give the cluster another name"}
	default:
		return nil
	}
}

// maintainTalos looks after the client configuration. A machine that is none of Talos's, in a cluster whose flavor was
// changed later, has none.
func (s *Service) maintainTalos(ctx context.Context, r Request) (*Start, Outcome, error) {
	if !r.talos() || !r.Machine.ControlPlane {
		return nil, nil, nil
	}
	start, err := s.start(ctx, r)
	if errors.Is(err, ports.ErrNoTalosSecrets) {
		return nil, nil, nil
	}
	if o := talosProblem(err); o != nil {
		return nil, o, nil
	}
	return start, nil, err
}

// withTalos adds what Talos machines share.
func withTalos(docs []document.Document, at document.Source, s *node.TalosSecrets) []document.Document {
	if s == nil {
		return docs
	}
	return append(docs, document.Document{Value: *s, Source: at})
}
