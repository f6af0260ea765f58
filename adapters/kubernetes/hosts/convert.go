package hosts

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/annotations"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// The defaults of a Host.
const (
	defaultPort = 22
	defaultUser = "root"
)

// conditionReachable is the condition of a Host with the result of its last probe.
const conditionReachable = "Reachable"

// readMachine converts a HostMachine. The owner and the cluster are nil if they do not exist.
func readMachine(o *v1alpha1.HostMachine, owner *clusterv1.Machine, cluster *clusterv1.Cluster) ports.HostMachine {
	m := ports.HostMachine{
		Key: ports.Key{Namespace: o.Namespace, Name: o.Name}, Version: o.ResourceVersion,
		Timeouts: readTimeouts(o.Spec.Timeouts), Settings: readSettings(&o.Spec.HostMachineSettings),
		ProviderID: o.ExpectedProviderID(),
		Request: host.Request{
			Machine: o.Name, Selector: readSelector(o.Spec.HostSelector), Architecture: o.Spec.Architecture,
		},
		Machine: host.Machine{
			Owned: owner != nil, ClusterFound: cluster != nil, Paused: isPaused(cluster, o),
			Finalizer:   controllerutil.ContainsFinalizer(o, v1alpha1.MachineFinalizer),
			Provisioned: o.Provisioned(), Identified: o.Spec.ProviderID != "",
			Failed: host.Reason(ptr.Deref(o.Status.FailureReason, "")),
		},
	}
	if cluster != nil {
		m.InfrastructureReady = kube.IsProvisioned(cluster)
	}
	if owner != nil {
		m.Request.FailureDomain = owner.Spec.FailureDomain
		m.DataSecretName = ptr.Deref(owner.Spec.Bootstrap.DataSecretName, "")
		m.DataReady = m.DataSecretName != ""
	}
	if c := o.Spec.Claim; c != nil {
		m.Claim = host.Claim{ID: c.ID, Machine: o.Name, Host: c.HostName}
		m.SentAt = c.SentAt.Time
	}
	if o.DeletionTimestamp != nil {
		m.DeletedAt = o.DeletionTimestamp.Time
	}
	if c := meta.FindStatusCondition(o.Status.Conditions, host.ConditionPaused); c != nil {
		m.PauseReported = c.Status == metav1.ConditionTrue
		if !m.PauseReported {
			m.ResumedAt = c.LastTransitionTime.Time
		}
	}
	if c := meta.FindStatusCondition(o.Status.Conditions, host.ConditionHostClaimed); c != nil &&
		c.Status == metav1.ConditionFalse {
		m.WithoutHostSince = c.LastTransitionTime.Time
	}
	m.Fault, m.FaultSince = readFault(o.Status.Conditions, host.ConditionHostReachable)
	return m
}

// readFault returns the fault of a condition, and since when it exists.
func readFault(conditions []metav1.Condition, name string) (host.Fault, time.Time) {
	c := meta.FindStatusCondition(conditions, name)
	if c == nil || c.Status != metav1.ConditionFalse {
		return "", time.Time{}
	}
	return host.Fault(c.Reason), c.LastTransitionTime.Time
}

func readTimeouts(t *v1alpha1.MachineTimeouts) host.Timeouts {
	timeouts := host.DefaultTimeouts()
	if t == nil {
		return timeouts
	}
	for _, field := range []struct {
		seconds int32
		target  *time.Duration
	}{
		{t.ClaimSeconds, &timeouts.Claim}, {t.BootSeconds, &timeouts.Boot}, {t.ReleaseSeconds, &timeouts.Release},
	} {
		if field.seconds > 0 {
			*field.target = time.Duration(field.seconds) * time.Second
		}
	}
	return timeouts
}

// readSettings returns the machine that a driver creates, or nil if the machine claims a host.
func readSettings(s *v1alpha1.HostMachineSettings) *ports.HostMachineSettings {
	switch {
	case s.NamespaceMachine != nil:
		return &ports.HostMachineSettings{Root: s.NamespaceMachine.Root}
	case s.VirtualMachine != nil:
		vm := s.VirtualMachine
		return &ports.HostMachineSettings{
			Image: vm.Image.Path, ImageSHA256: vm.Image.SHA256, Seed: vm.Seed, KVM: vm.Accelerator == "KVM",
			CPUs: int(vm.CPUs), MemoryMiB: int(vm.MemoryMiB), DiskGiB: int(vm.DiskGiB),
		}
	default:
		return nil
	}
}

// readSelector converts a label selector; nil selects every host.
func readSelector(s *metav1.LabelSelector) host.Selector {
	if s == nil {
		return nil
	}
	var selector host.Selector
	for key, value := range s.MatchLabels {
		selector = append(selector, host.Requirement{Key: key, Operator: host.OperatorIn, Values: []string{value}})
	}
	for _, e := range s.MatchExpressions {
		selector = append(selector, host.Requirement{
			Key: e.Key, Operator: host.Operator(e.Operator), Values: slices.Clone(e.Values),
		})
	}
	return selector
}

// readHost converts a Host.
func readHost(o *v1alpha1.Host) ports.HostEntry {
	e := ports.HostEntry{
		Namespace: o.Namespace, Version: o.ResourceVersion,
		Paused: annotations.HasPaused(o), Finalizer: controllerutil.ContainsFinalizer(o, v1alpha1.HostFinalizer),
		SecretName: o.Spec.SSHKeyRef.Name, SecretKey: o.Spec.SSHKeyRef.Key,
		TrustsFirstKey: o.Spec.HostKeyPolicy == v1alpha1.HostKeyPolicyTrustOnFirstUse,
		Host: host.Host{
			Name: o.Name, Labels: o.Labels, Architecture: o.Spec.Architecture, FailureDomain: o.Spec.FailureDomain,
			Deleting: o.DeletionTimestamp != nil, Agent: o.Status.Agent,
		},
		Connection: ports.HostConnection{
			Address: o.Spec.Address, Port: int(o.Spec.Port), User: o.Spec.User, HostKeys: slices.Clone(o.Spec.HostKeys),
		},
	}
	if e.SecretKey == "" {
		e.SecretKey = corev1.SSHAuthPrivateKey
	}
	if e.Connection.Port == 0 {
		e.Connection.Port = defaultPort
	}
	if e.Connection.User == "" {
		e.Connection.User = defaultUser
	}
	if e.Architecture == "" {
		e.Architecture = o.Status.Architecture
	}
	if u := o.Spec.Unavailable; u != nil {
		e.Unavailable, e.Message = host.Reason(u.Reason), u.Message
	}
	if c := o.Spec.Claim; c != nil {
		e.Claim = host.Claim{ID: c.ID, Machine: c.MachineName, Host: o.Name}
	}
	readProbe(o, &e)
	return e
}

// readProbe sets the result of the last probe, if the spec did not change since.
func readProbe(o *v1alpha1.Host, e *ports.HostEntry) {
	c := meta.FindStatusCondition(o.Status.Conditions, conditionReachable)
	if c == nil || c.ObservedGeneration != o.Generation {
		return
	}
	e.Probed, e.ProbedAt = true, o.Status.LastProbeTime.Time
	if c.Status != metav1.ConditionTrue {
		e.Probe = host.Fault(c.Reason)
	}
	if e.Message == "" {
		e.Message = c.Message
	}
}
