package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// planSource is where the objects of control planes are: in a cluster, or in files.
type planSource struct {
	client client.Client
	// namespace limits the control planes; empty means all.
	namespace string
	read      ControlPlaneReader
	// assumeSecrets means that Secrets that are missing are not among the objects, but may exist.
	assumeSecrets bool
}

// controlPlanes returns the control planes, or that of the name.
func (s planSource) controlPlanes(ctx context.Context, names []string) ([]ports.ControlPlane, error) {
	var list controlplanev1.MachineadmControlPlaneList
	if err := s.client.List(ctx, &list, client.InNamespace(s.namespace)); err != nil {
		return nil, fmt.Errorf("list the control planes: %w", err)
	}
	slices.SortFunc(list.Items, func(a, b controlplanev1.MachineadmControlPlane) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	reader := s.read(s.client, func(namespace string) convert.Resolver { return clientContents{s.client, namespace} })
	var found []ports.ControlPlane
	for i := range list.Items {
		o := &list.Items[i]
		if len(names) > 0 && o.Name != names[0] {
			continue
		}
		c, err := reader.Read(ctx, ports.Key{Namespace: o.Namespace, Name: o.Name})
		if err != nil {
			return nil, fmt.Errorf("read the control plane %s/%s: %w", o.Namespace, o.Name, err)
		}
		if err := s.observe(ctx, &c); err != nil {
			return nil, err
		}
		found = append(found, c)
	}
	if len(found) == 0 && len(names) > 0 {
		return nil, fmt.Errorf("%w %s", errNoControlPlane, names[0])
	}
	if len(found) == 0 {
		return nil, errNoControlPlane
	}
	return found, nil
}

// observe adds what the controller has observed: the key pairs, and the health of machines and members by the
// conditions of the Machines.
func (s planSource) observe(ctx context.Context, c *ports.ControlPlane) error {
	if err := s.observeCertificates(ctx, c); err != nil {
		return err
	}
	var machines clusterv1.MachineList
	if err := s.client.List(ctx, &machines, client.InNamespace(c.Namespace)); err != nil {
		return fmt.Errorf("list the Machines: %w", err)
	}
	conditions := map[string][]metav1.Condition{}
	for _, m := range machines.Items {
		conditions[m.Name] = m.Status.Conditions
	}
	o := &c.Observed
	upToDate := true
	for i := range o.Machines {
		m := &o.Machines[i]
		m.Components = componentHealth(conditions[m.Name])
		upToDate = upToDate && m.Template.Version == c.Desired.Template.Version
		addMember(&o.Members, *m, conditions[m.Name])
	}
	// The controller updates both before and after it replaces machines of another version.
	o.JoinPrepared, o.AddonsCurrent = upToDate, upToDate
	if !o.Members.Known {
		o.Members.List = nil
		o.Members.Problem = "no Machine has the condition EtcdMemberHealthy with the status True"
	}
	return nil
}

// componentHealth returns the health of the components by the conditions of the Machine.
func componentHealth(conditions []metav1.Condition) map[controlplane.Component]controlplane.Health {
	health := map[controlplane.Component]controlplane.Health{}
	for component, condition := range map[controlplane.Component]string{
		controlplane.ComponentAPIServer:         "APIServerPodHealthy",
		controlplane.ComponentControllerManager: "ControllerManagerPodHealthy",
		controlplane.ComponentScheduler:         "SchedulerPodHealthy",
		controlplane.ComponentEtcd:              "EtcdPodHealthy",
	} {
		c := meta.FindStatusCondition(conditions, condition)
		switch {
		case c == nil || c.Status == metav1.ConditionUnknown:
		case c.Status == metav1.ConditionTrue:
			health[component] = controlplane.HealthHealthy
		default:
			health[component] = controlplane.HealthUnhealthy
		}
	}
	return health
}

// addMember adds the etcd member of a machine that has joined. It responds if the condition of the Machine is True.
func addMember(members *controlplane.Members, m controlplane.Machine, conditions []metav1.Condition) {
	c := meta.FindStatusCondition(conditions, "EtcdMemberHealthy")
	if m.NodeName == "" || m.Phase == controlplane.PhaseTerminating || c == nil && m.MemberID == 0 {
		return
	}
	member := controlplane.Member{
		ID: cmp.Or(m.MemberID, uint64(len(members.List)+1)), Name: m.NodeName, PeerAddresses: m.Addresses,
		Responds: c != nil && c.Status == metav1.ConditionTrue,
	}
	members.List = append(members.List, member)
	members.Known = members.Known || member.Responds
}

// observeCertificates looks for the Secrets with the key pairs of the cluster.
func (s planSource) observeCertificates(ctx context.Context, c *ports.ControlPlane) error {
	o := &c.Observed
	names := []string{c.ClusterName + talosSuffix}
	if c.Desired.Type != node.ControlPlaneTalos {
		names = nil
		for _, p := range node.ControlPlanePurposes(c.Desired.ExternalEtcd) {
			names = append(names, c.ClusterName+"-"+string(p))
		}
	}
	for _, name := range names {
		secret := &metav1.PartialObjectMetadata{}
		secret.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Secret"))
		err := s.client.Get(ctx, client.ObjectKey{Namespace: c.Namespace, Name: name}, secret)
		switch {
		case err == nil || apierrors.IsForbidden(err):
		case !apierrors.IsNotFound(err):
			return fmt.Errorf("look for the Secret %s: %w", name, err)
		case !o.Initialized || !s.assumeSecrets:
			o.MissingCertificates = append(o.MissingCertificates, name)
		}
	}
	o.CertificatesReady = len(o.MissingCertificates) == 0
	return nil
}

// clientContents resolves references to Secrets and ConfigMaps of a namespace.
type clientContents struct {
	client    client.Client
	namespace string
}

// Resolve returns the content of the key.
func (r clientContents) Resolve(ctx context.Context, ref convert.Reference) ([]byte, error) {
	key := client.ObjectKey{Namespace: r.namespace, Name: ref.Name}
	var data []byte
	var found bool
	var err error
	if ref.Kind == "Secret" {
		var s corev1.Secret
		err = r.client.Get(ctx, key, &s)
		data, found = s.Data[ref.Key]
	} else {
		var c corev1.ConfigMap
		err = r.client.Get(ctx, key, &c)
		if data, found = c.BinaryData[ref.Key]; !found {
			var text string
			text, found = c.Data[ref.Key]
			data = []byte(text)
		}
	}
	if apierrors.IsNotFound(err) || err == nil && !found {
		return nil, fmt.Errorf("%s: %w", ref, convert.ErrNotFound)
	}
	return data, err
}
