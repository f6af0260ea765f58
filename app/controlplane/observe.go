package controlplane

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// observeTimeout is the deadline of each observation of the workload cluster and its members.
const observeTimeout = 15 * time.Second

// The tasks beside the plan. Their failures are in the status under these names.
const (
	taskCertificates = "certificates"
	taskKubeconfig   = "kubeconfig"
	taskWorkload     = "workload cluster"
	taskPropagation  = "propagation"
	taskExpiry       = "certificate expiry"
	taskRecord       = "record of members"
)

// observe completes the observation by what the workload cluster and the members report.
func (r *round) observe(ctx context.Context) {
	r.observeCertificates(ctx)
	r.ensureKubeconfig(ctx)
	r.observeWorkload(ctx)
	if r.plane.Observed.Members, r.validUntil = r.history.recall(r.plane, r.Clock.Now()); !r.recalled() {
		r.observeMembers(ctx)
	}
}

// clusterKey names the cluster of the control plane.
func (r *round) clusterKey() ports.Key {
	return ports.Key{Namespace: r.plane.Namespace, Name: r.plane.ClusterName}
}

// observeCertificates looks for the key pairs of the cluster. Talos machines need their secrets, too.
func (r *round) observeCertificates(ctx context.Context) {
	o := &r.plane.Observed
	o.CertificatesReady, o.MissingCertificates = true, nil
	missing, err := r.missingPairs(ctx)
	if r.plane.Desired.Type == node.ControlPlaneTalos {
		secrets, problem := r.missingTalosSecrets(ctx)
		missing, err = append(missing, secrets...), errors.Join(err, problem)
	}
	if err != nil {
		o.CertificatesReady = false
		r.problem(taskCertificates, err)
	}
	if len(missing) > 0 {
		o.CertificatesReady, o.MissingCertificates = false, missing
	}
}

// missingPairs returns the names of the key pairs that do not exist.
func (r *round) missingPairs(ctx context.Context) ([]string, error) {
	var missing []string
	var problems error
	for _, p := range r.purposes() {
		pair, err := r.Certificates.Find(ctx, r.clusterKey(), p)
		switch name := r.pairName(p); {
		case errors.Is(err, ports.ErrNoCertificate):
			missing = append(missing, name)
		case err != nil:
			problems = errors.Join(problems, fmt.Errorf("%s: %w", name, err))
		case !pair.Complete(p, r.plane.Desired.ExternalEtcd):
			problems = errors.Join(problems, fmt.Errorf("%s: the private key is missing; add tls.key", name))
		}
	}
	return missing, problems
}

// purposes returns the key pairs that machines need from the management cluster. Those of an external etcd can be files
// of the user on the machine.
func (r *round) purposes() []node.Purpose {
	var needed []node.Purpose
	for _, p := range node.ControlPlanePurposes(r.plane.Desired.ExternalEtcd) {
		e := r.plane.Config.ExternalEtcd
		provided := e != nil && (p == node.PurposeEtcdCA && e.CAFile != "" || p == node.PurposeEtcdClient && e.CertFile != "")
		if !provided {
			needed = append(needed, p)
		}
	}
	return needed
}

// pairName returns the name of the Secret with the key pair.
func (r *round) pairName(p node.Purpose) string { return r.plane.ClusterName + "-" + string(p) }

// missingTalosSecrets returns the name of the secrets of Talos machines if they do not exist.
func (r *round) missingTalosSecrets(ctx context.Context) ([]string, error) {
	_, err := r.TalosSecrets.Find(ctx, r.clusterKey())
	if errors.Is(err, ports.ErrNoTalosSecrets) {
		return []string{r.plane.ClusterName + "-talos"}, nil
	}
	return nil, err
}

// observeWorkload reads the workload cluster as soon as it can exist.
func (r *round) observeWorkload(ctx context.Context) {
	o := &r.plane.Observed
	if !o.EndpointKnown || len(o.Machines) == 0 {
		return
	}
	limited, cancel := context.WithTimeout(ctx, observeTimeout)
	defer cancel()
	w, err := r.cluster.Workload.Observe(limited, r.plane)
	if err != nil {
		r.unseen, o.NodesUnknown = true, true
		// Add-ons that are unknown cannot be updated either.
		o.AddonsCurrent = true
		// Before the first machine runs, the workload cluster cannot answer.
		if o.Initialized {
			since := r.history.silent(r.plane.Key, r.Clock.Now())
			r.problem(taskWorkload, fmt.Errorf("%w (since %s)", err, since.UTC().Format(time.RFC3339)))
		}
		return
	}
	r.history.answered(r.plane.Key)
	o.Initialized = o.Initialized || (w.Initialized && r.mayInitialize())
	o.JoinPrepared, o.AddonsCurrent = w.JoinPrepared, w.AddonsCurrent
	o.NodesWithoutMachine = nodesWithoutMachine(o.Machines, w)
	o.OtherNodes = slices.DeleteFunc(slices.Clone(o.NodesWithoutMachine), func(name string) bool {
		return w.Components[name][controlplane.ComponentAPIServer] != controlplane.HealthHealthy
	})
	for i := range o.Machines {
		m := &o.Machines[i]
		if m.NodeName == "" {
			continue
		}
		var labelled bool
		m.KubeletVersion, labelled = w.KubeletVersions[m.NodeName]
		m.Components = w.Components[m.NodeName]
		m.Marks = &controlplane.NodeMarks{Labelled: labelled, Tainted: w.Tainted[m.NodeName]}
	}
}

// nodesWithoutMachine returns the control plane nodes without a machine.
func nodesWithoutMachine(machines []controlplane.Machine, w ports.Workload) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(w.KubeletVersions)), func(name string) bool {
		return slices.ContainsFunc(machines, func(m controlplane.Machine) bool { return m.NodeName == name })
	})
}

// mayInitialize reports whether the cluster can count as initialized. It cannot while its only machine is about to be
// removed, unless the cluster was initialized before, and its status was lost.
func (r *round) mayInitialize() bool {
	machines := r.plane.Observed.Machines
	if len(machines) != 1 || machines[0].WasNode() {
		return true
	}
	m := machines[0]
	return !m.Unhealthy && !leaving(m.Phase)
}

// leaving reports whether a machine of the phase is being deleted.
func leaving(p controlplane.Phase) bool {
	return p == controlplane.PhaseDeleting || p == controlplane.PhaseDue || p == controlplane.PhaseTerminating
}

// observeMembers asks the etcd members. Members that cannot be listed are unknown since the first time.
func (r *round) observeMembers(ctx context.Context) {
	if !r.plane.Observed.Initialized || r.plane.Desired.ExternalEtcd {
		return
	}
	limited, cancel := context.WithTimeout(ctx, observeTimeout)
	defer cancel()
	members, err := r.cluster.Members.Observe(limited, r.plane)
	now := r.Clock.Now()
	if err != nil {
		members = controlplane.Members{Problem: err.Error()}
	}
	if members.Known {
		r.history.listed(r.plane.Key)
		members.Since = now
	} else {
		r.unseen = true
		members.List, members.Problem = nil, clean(members.Problem)
		members.Since = r.history.unlisted(r.plane.Key, now)
	}
	r.plane.Observed.Members = members
}
