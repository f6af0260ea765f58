package controlplane

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// maxMessage limits a message in the status in bytes. Messages contain text of workload clusters and members.
const maxMessage = 512

// expiryTimeout is the deadline for reading the expiry of one certificate.
const expiryTimeout = 5 * time.Second

// clean returns the text on one line, without secrets and with a limited length.
func clean(text string) string { return host.Line(secret.CleanShapes(text), maxMessage) }

// problem records the failure of a task beside the plan.
func (r *round) problem(task string, err error) { r.problems[task] = clean(err.Error()) }

// ensureKubeconfig creates or renews the kubeconfig as soon as its contents are known.
func (r *round) ensureKubeconfig(ctx context.Context) {
	if o := r.plane.Observed; !o.EndpointKnown || slices.Contains(o.MissingCertificates, r.plane.ClusterName+"-ca") {
		return
	}
	limited, cancel := context.WithTimeout(ctx, operateTimeout)
	defer cancel()
	if err := r.Kubeconfigs.Ensure(limited, r.plane); err != nil && !errors.Is(err, ports.ErrConflict) {
		r.problem(taskKubeconfig, err)
	}
}

// propagate writes what changes without a replacement to the machines, before one of them is deleted: its hook is a
// part of that.
func (r *round) propagate(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, operateTimeout)
	defer cancel()
	if err := r.Objects.Propagate(limited, r.plane); err != nil && !errors.Is(err, ports.ErrConflict) {
		r.problem(taskPropagation, err)
	}
}

// record records the members of the machines and the expiry of their certificates.
func (r *round) record(ctx context.Context) {
	var expiry, records []error
	for i := range r.plane.Observed.Machines {
		m := &r.plane.Observed.Machines[i]
		if m.Name == r.operation.Machine || m.Phase == controlplane.PhaseTerminating {
			continue
		}
		before := *m
		// A member votes before the API server of its machine starts. Until then, the machine has not joined.
		member, found := r.plane.Observed.MemberOf(*m)
		if found && (m.NodeName != "" || slices.Contains(r.plane.Observed.OtherNodes, member.Name)) {
			m.MemberID = member.ID
		}
		// Before, the record would prove that the cluster was initialized.
		if m.CertificatesExpireAt.IsZero() && r.plane.Observed.Initialized &&
			m.Components[controlplane.ComponentAPIServer] == controlplane.HealthHealthy {
			expiry = append(expiry, r.readExpiry(ctx, m))
		}
		if m.MemberID == before.MemberID && m.CertificatesExpireAt.Equal(before.CertificatesExpireAt) {
			continue
		}
		if err := r.Machines.Record(ctx, r.plane, *m); err != nil && !errors.Is(err, ports.ErrConflict) {
			records = append(records, fmt.Errorf("%s: %w", m.Name, err))
		}
	}
	if err := errors.Join(expiry...); err != nil {
		r.problem(taskExpiry, err)
	}
	if err := errors.Join(records...); err != nil {
		r.problem(taskRecord, err)
	}
}

// readExpiry reads the expiry of the certificate of the machine's API server.
func (r *round) readExpiry(ctx context.Context, m *controlplane.Machine) error {
	limited, cancel := context.WithTimeout(ctx, expiryTimeout)
	defer cancel()
	at, err := r.cluster.Workload.CertificateExpiry(limited, r.plane, *m)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	m.CertificatesExpireAt = at
	return nil
}
