package controller

import (
	"context"
	"errors"
	"fmt"
	"time"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/reports"
	"github.com/machineadm/machineadm/ports"
)

// ownerGrace is how old a config is before a missing owner or cluster is reported. Cluster API usually sets the owner
// within a second, and a condition before that would be an additional request for each machine.
const ownerGrace = 10 * time.Second

// await reports that a config has no owner, or that the cluster of its owner does not exist. The owner and the cluster
// trigger the next reconciliation. Configs that a controller has created, such as that of a MachineSet, have an owner
// reference from the beginning, and the controller reports its own errors. Published data is not affected.
func (r *Reconciler) await(ctx context.Context, s *scope, missing error) (ctrl.Result, error) {
	c := s.config
	if c.Status.DataSecretCreated() || errors.Is(missing, ports.ErrNoOwner) && len(c.OwnerReferences) > 0 {
		return ctrl.Result{}, nil
	}
	if left := ownerGrace - r.Clock.Now().Sub(c.CreationTimestamp.Time); left > 0 {
		return ctrl.Result{RequeueAfter: left}, nil
	}
	before := statusOf(c).DeepCopy()
	cluster, err := r.labelledCluster(ctx, s)
	if err != nil {
		return ctrl.Result{}, err
	}
	waiting := waitingFor(s, missing)
	if !setPaused(c, cluster) {
		setStatus(c, bootstrap.Ready{}, waiting, (*reports.Result)(nil))
	}
	if err := r.patch(ctx, before, c); err != nil {
		return ctrl.Result{}, err
	}
	r.Metrics.observe(bootstrap.Ready{}, waiting)
	return ctrl.Result{}, nil
}

// labelledCluster returns the cluster that the label of the config names, or zero if there is none.
func (r *Reconciler) labelledCluster(ctx context.Context, s *scope) (ports.Cluster, error) {
	name := s.config.Labels[clusterv1.ClusterNameLabel]
	if name == "" {
		return ports.Cluster{}, nil
	}
	cluster, err := r.Lookup.Cluster(ctx, ports.Key{Namespace: s.config.Namespace, Name: name})
	if errors.Is(err, ports.ErrNoCluster) {
		return ports.Cluster{}, nil
	}
	return cluster, err
}

// waitingFor returns what the config waits for, and the remedy.
func waitingFor(s *scope, missing error) bootstrap.WaitingError {
	if errors.Is(missing, ports.ErrNoCluster) {
		return bootstrap.WaitingError{Reason: bootstrap.ReasonCluster, Message: fmt.Sprintf(
			"the Cluster %s does not exist in this namespace; create it, or correct spec.clusterName of the owner %s",
			s.machine.ClusterName, s.machine.Name)}
	}
	return bootstrap.WaitingError{Reason: bootstrap.ReasonOwner, Message: fmt.Sprintf(
		"no Machine or MachinePool owns this object; create one whose spec.bootstrap.configRef names %s; if there is one, "+
			"check its namespace and its spec.clusterName, and that the Cluster exists and is not paused; a "+
			"MachineDeployment needs a MachineBootstrapConfigTemplate instead", s.config.Name)}
}
