package controlplane

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
)

// maxFailure is the limit of a failure that a machine reports, in bytes.
const maxFailure = 512

// What the Machines of KubeadmControlPlane have (Cluster API, api/bootstrap/kubeadm and api/controlplane/kubeadm): the
// kind of their config, and the hook that delays the deletion of the infrastructure.
const (
	kubeadmConfigGroup = "bootstrap.cluster.x-k8s.io"
	kubeadmConfigKind  = "KubeadmConfig"
	// kubeadmControlPlane is the kind of the former control plane.
	kubeadmControlPlane = "KubeadmControlPlane"
	kubeadmHook         = clusterv1.PreTerminateDeleteHookAnnotationPrefix + "/kcp-cleanup"
)

// adoptable reports whether the Machine can become one of a control plane: its config is known to start a member of the
// cluster with kubeadm.
func adoptable(m *clusterv1.Machine) bool { return hasOwnConfig(m) || hasKubeadmConfig(m) }

// hasOwnConfig reports whether the Machine has a MachineBootstrapConfig.
func hasOwnConfig(m *clusterv1.Machine) bool {
	ref := m.Spec.Bootstrap.ConfigRef
	return ref.APIGroup == bootstrapv1.Group && ref.Kind == bootstrapv1.ConfigKind
}

// hasKubeadmConfig reports whether the Machine has the config of the kubeadm bootstrap provider. It cannot be compared
// with a MachineBootstrapConfig, so the machine is outdated.
func hasKubeadmConfig(m *clusterv1.Machine) bool {
	ref := m.Spec.Bootstrap.ConfigRef
	return ref.APIGroup == kubeadmConfigGroup && ref.Kind == kubeadmConfigKind
}

// isHeld reports whether a hook keeps the infrastructure until the member is removed. An adopted Machine keeps the hook
// of its former control plane, which no one else removes.
func isHeld(m *clusterv1.Machine) bool {
	for _, hook := range []string{v1alpha1.HookAnnotation, kubeadmHook} {
		if _, held := m.Annotations[hook]; held {
			return true
		}
	}
	return false
}

// readMachine converts a Machine with its bootstrap config.
func (s *Store) readMachine(ctx context.Context, m *clusterv1.Machine, c content) (controlplane.Machine, error) {
	read := controlplane.Machine{
		Name: m.Name, FailureDomain: m.Spec.FailureDomain, CreatedAt: m.CreationTimestamp.Time, Phase: phase(m),
		NodeName: m.Status.NodeRef.Name, Addresses: addresses(m),
		CertificatesExpireAt: expiry(m), Replaces: readRetry(m.Annotations[v1alpha1.RemediationForAnnotation]),
	}
	read.Template.Version = m.Spec.Version
	read.MemberID, _ = strconv.ParseUint(m.Annotations[v1alpha1.MemberAnnotation], 16, 64)
	read.Unhealthy = conditions.IsFalse(m, clusterv1.MachineHealthCheckSucceededCondition) &&
		conditions.IsFalse(m, clusterv1.MachineOwnerRemediatedCondition)
	_, read.RemediationRequested = m.Annotations[clusterv1.RemediateMachineAnnotation]
	_, read.DeletionPreferred = m.Annotations[clusterv1.DeleteMachineAnnotation]
	if hasKubeadmConfig(m) {
		read.Template.Bootstrap = kubeadmConfigKind
	}
	config, err := s.config(ctx, m)
	if err != nil {
		return read, err
	}
	if config != nil {
		read.Template.Bootstrap = convert.Meaning(&config.Spec)
		read.Template.Content = c.of(config)
		read.OwnTaints = hasOwnTaints(config)
	}
	read.Failure = failure(m, config)
	return read, nil
}

// hasOwnTaints reports whether the taints of the node are configured, without the default one.
func hasOwnTaints(config *bootstrapv1.MachineBootstrapConfig) bool {
	n := config.Spec.Node
	return n != nil && n.Taints != nil && !slices.ContainsFunc(*n.Taints, func(t bootstrapv1.Taint) bool {
		return controlplane.IsDefaultTaint(t.Key, t.Effect)
	})
}

// hasJoined reports whether the Machine is a node, has an etcd member, or serves the API. The member and the
// expiry of the certificate are recorded also before Cluster API finds the node, which needs its provider ID.
func hasJoined(m *clusterv1.Machine) bool {
	return m.Status.NodeRef.Name != "" || m.Annotations[v1alpha1.MemberAnnotation] != "" || !expiry(m).IsZero()
}

// phase returns the stage of the Machine's life.
func phase(m *clusterv1.Machine) controlplane.Phase {
	switch {
	case m.DeletionTimestamp.IsZero() && m.Status.NodeRef.Name != "":
		return controlplane.PhaseRunning
	case m.DeletionTimestamp.IsZero() && m.Spec.ProviderID != "":
		return controlplane.PhaseProvisioned
	case m.DeletionTimestamp.IsZero():
		return controlplane.PhaseCreating
	case !isHeld(m):
		return controlplane.PhaseTerminating
	case isDue(m):
		return controlplane.PhaseDue
	default:
		return controlplane.PhaseDeleting
	}
}

// isDue reports whether the deletion waits for nothing but the hook of the control plane. Other hooks run first.
func isDue(m *clusterv1.Machine) bool {
	for key := range m.Annotations {
		if strings.HasPrefix(key, clusterv1.PreTerminateDeleteHookAnnotationPrefix) && key != v1alpha1.HookAnnotation &&
			key != kubeadmHook {
			return false
		}
	}
	deleting := conditions.Get(m, clusterv1.MachineDeletingCondition)
	return deleting != nil && deleting.Reason == clusterv1.MachineDeletingWaitingForPreTerminateHookReason
}

// addresses returns the IP addresses of the Machine.
func addresses(m *clusterv1.Machine) []string {
	var found []string
	for _, a := range m.Status.Addresses {
		if a.Type == clusterv1.MachineInternalIP || a.Type == clusterv1.MachineExternalIP {
			found = append(found, a.Address)
		}
	}
	return found
}

// expiry returns when the certificates of the machine expire, or the zero time.
func expiry(m *clusterv1.Machine) time.Time {
	if at, err := time.Parse(time.RFC3339, m.Annotations[clusterv1.MachineCertificatesExpiryDateAnnotation]); err == nil {
		return at
	}
	return m.Status.CertificatesExpiryDate.Time
}

// config returns the MachineBootstrapConfig of the Machine, or nil if it does not exist.
func (s *Store) config(ctx context.Context, m *clusterv1.Machine) (*bootstrapv1.MachineBootstrapConfig, error) {
	if !hasOwnConfig(m) {
		return nil, nil
	}
	config := &bootstrapv1.MachineBootstrapConfig{}
	err := s.Client.Get(ctx, client.ObjectKey{Namespace: m.Namespace, Name: m.Spec.Bootstrap.ConfigRef.Name}, config)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("get the config of Machine %s: %w", m.Name, err)
	}
	return config, nil
}

// failure returns why the machine failed to boot, or an empty string: the report of the machine itself, or else the
// terminal failure of the contract.
func failure(m *clusterv1.Machine, config *bootstrapv1.MachineBootstrapConfig) string {
	if config != nil && config.Status.Bootstrap != nil && config.Status.Bootstrap.State == "Failed" {
		c := meta.FindStatusCondition(config.Status.Conditions, host.ConditionBootSucceeded)
		if c != nil && c.Status == metav1.ConditionFalse {
			return host.Line(secret.CleanShapes("the bootstrap failed: "+c.Message), maxFailure)
		}
	}
	return terminalFailure(m)
}

// copiedFailure matches what Cluster API writes before a failure that it copies: a reader knows the Machine, and the
// length of a failure is limited.
var copiedFailure = regexp.MustCompile(
	`^Failure detected from referenced resource [^"]+ with name "[^"]+": `)

// terminalFailure returns the failure that Cluster API copied from the infrastructure machine or the bootstrap config,
// or an empty string. Cluster API removes the field with the contract v1beta1. Version v1beta2 has no other field with
// this meaning.
//
//nolint:staticcheck // see above
func terminalFailure(m *clusterv1.Machine) string {
	if m.Status.Deprecated == nil || m.Status.Deprecated.V1Beta1 == nil {
		return ""
	}
	terminal := m.Status.Deprecated.V1Beta1
	if terminal.FailureReason == nil {
		return ""
	}
	text := string(*terminal.FailureReason) + ": " +
		copiedFailure.ReplaceAllString(ptr.Deref(terminal.FailureMessage, ""), "")
	return host.Line(secret.CleanShapes("the machine failed: "+text), maxFailure)
}

// infrastructureMachine returns the metadata of the infrastructure machine, or nil if it does not exist.
func (s *Store) infrastructureMachine(ctx context.Context, m *clusterv1.Machine) (*metav1.PartialObjectMetadata,
	error,
) {
	ref := m.Spec.InfrastructureRef
	gv, err := apiVersion(ctx, s.Client, ref.GroupKind())
	if err != nil {
		return nil, err
	}
	o := &metav1.PartialObjectMetadata{}
	o.SetGroupVersionKind(gv.WithKind(ref.Kind))
	err = s.kinds.read(ctx, ref.GroupKind(), s.Clock.Now(), func(ctx context.Context) error {
		return s.Client.Get(ctx, client.ObjectKey{Namespace: m.Namespace, Name: ref.Name}, o)
	})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("get the %s of Machine %s: %w", ref.Kind, m.Name, err)
	}
	return o, nil
}

// clonedFrom returns the template of the infrastructure machine. It is empty for one that was not cloned.
func (s *Store) clonedFrom(ctx context.Context, m *clusterv1.Machine) (string, error) {
	o, err := s.infrastructureMachine(ctx, m)
	if err != nil || o == nil {
		return "", err
	}
	return convert.InfrastructureTemplate(o.Annotations[clusterv1.TemplateClonedFromGroupKindAnnotation],
		o.Annotations[clusterv1.TemplateClonedFromNameAnnotation]), nil
}

// readRetry reads an annotation of a remediation. It returns nil if the annotation is missing or invalid.
func readRetry(text string) *controlplane.Retry {
	var data v1alpha1.RemediationData
	if text == "" || json.Unmarshal([]byte(text), &data) != nil {
		return nil
	}
	at, err := time.Parse(time.RFC3339, data.Timestamp)
	if err != nil || data.Machine == "" || data.RetryCount < 0 {
		return nil
	}
	return &controlplane.Retry{Machine: data.Machine, At: at, Count: data.RetryCount}
}

// writeRetry returns the annotation of a remediation.
func writeRetry(r controlplane.Retry) string {
	text, _ := json.Marshal(v1alpha1.RemediationData{
		Machine: r.Machine, Timestamp: r.At.UTC().Format(time.RFC3339), RetryCount: r.Count,
	})
	return string(text)
}
