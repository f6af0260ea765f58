package workload

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

const (
	// clusterTimeout is the default deadline of an observation and of an operation.
	clusterTimeout = 15 * time.Second
	// maxVersion limits the version that a node reports, in bytes.
	maxVersion = 64
	// controlPlaneNode is the label of a control plane node, and controlPlaneTier the value of the label tier on the
	// static Pods of the components.
	controlPlaneNode = controlplane.ControlPlaneRole
	controlPlaneTier = "control-plane"
)

// WriteConfiguration returns kubeadm's ClusterConfiguration for a version of Kubernetes, in JSON or YAML.
type WriteConfiguration func(version string, network node.Cluster, config node.ControlPlaneConfig,
) ([]byte, report.Report)

// ClusterOptions configure a Cluster.
type ClusterOptions struct {
	Clusters Clusters
	Clock    ports.Clock
	// Configuration writes the configuration that machines join with.
	Configuration WriteConfiguration
	// Timeout is the deadline of an observation and of an operation. Default: 15 seconds.
	Timeout time.Duration
}

// Cluster implements ports.WorkloadCluster for clusters of kubeadm. Clusters of Talos have the same components, and
// neither a configuration of kubeadm nor its add-ons.
type Cluster struct {
	options ClusterOptions
	// dial connects to the API server of a cluster, and watched returns the cache of what is watched there.
	dial    func(ctx context.Context, cluster client.ObjectKey) (client.Client, error)
	watched func(ctx context.Context, cluster client.ObjectKey) (client.Reader, error)

	settings settings
}

var _ ports.WorkloadCluster = (*Cluster)(nil)

// NewCluster returns the workload clusters.
func NewCluster(o ClusterOptions) *Cluster {
	o.Timeout = cmp.Or(o.Timeout, clusterTimeout)
	return &Cluster{
		options: o,
		dial: func(ctx context.Context, cluster client.ObjectKey) (client.Client, error) {
			return connectLimited(ctx, o.Clusters, cluster)
		},
		watched: func(ctx context.Context, cluster client.ObjectKey) (client.Reader, error) {
			reader, err := o.Clusters.GetReader(ctx, cluster)
			if err != nil {
				return nil, connectionError(err)
			}
			return reader, nil
		},
	}
}

// Observe reads the components of the nodes from the cache. The configuration of kubeadm and the add-ons are read from
// the API server, but rarely while nothing is to be done with the machines.
func (w *Cluster) Observe(ctx context.Context, c ports.ControlPlane) (ports.Workload, error) {
	ctx, cancel := context.WithTimeout(ctx, w.options.Timeout)
	defer cancel()
	reader, err := w.watched(ctx, client.ObjectKey(clusterKey(c)))
	if err != nil {
		return ports.Workload{}, err
	}
	result, err := observeNodes(ctx, reader)
	if err != nil {
		return ports.Workload{}, err
	}
	if c.Desired.Type == node.ControlPlaneTalos {
		result.Initialized, result.JoinPrepared, result.AddonsCurrent = len(result.KubeletVersions) > 0, true, true
		return result, nil
	}
	if now := w.options.Clock.Now(); !w.settings.areCurrent(c, now) {
		if err := w.observeSettings(ctx, c, &result); err != nil {
			return ports.Workload{}, err
		}
		w.settings.remember(c, result, now)
		return result, nil
	}
	result.Initialized, result.JoinPrepared, result.AddonsCurrent = true, true, true
	return result, nil
}

// observeSettings reads the configuration of kubeadm and the add-ons.
func (w *Cluster) observeSettings(ctx context.Context, c ports.ControlPlane, result *ports.Workload) error {
	api, err := w.dial(ctx, client.ObjectKey(clusterKey(c)))
	if err != nil {
		return err
	}
	config, err := readConfiguration(ctx, api)
	if apierrors.IsNotFound(err) {
		if c.Observed.Initialized {
			// A user deleted it. PrepareJoin reports that before a machine joins, and the add-ons do not need it.
			result.AddonsCurrent, err = addonsCurrent(ctx, api, c)
			return err
		}
		return nil
	}
	if err != nil {
		return apiError("get ConfigMap "+kubeadmConfig, err)
	}
	// kubeadm init creates the ConfigMap after the API server accepts requests.
	result.Initialized = true
	// A mistake in the specification must not hide the health of the machines. PrepareJoin returns it.
	if settled, err := w.settle(ctx, c, config); err == nil && !settled.changed {
		if result.JoinPrepared, err = hasPermissions(ctx, api, c.Desired.Template.Version); err != nil {
			return err
		}
	}
	result.AddonsCurrent, err = addonsCurrent(ctx, api, c)
	return err
}

// observeNodes reads the versions of the control plane nodes, and the health of their components.
func observeNodes(ctx context.Context, api client.Reader) (ports.Workload, error) {
	result := ports.Workload{
		Components:      map[string]map[controlplane.Component]controlplane.Health{},
		KubeletVersions: map[string]string{}, Tainted: map[string]bool{},
	}
	nodes := &corev1.NodeList{}
	if err := api.List(ctx, nodes, client.HasLabels{controlPlaneNode}); err != nil {
		return result, apiError("list nodes", err)
	}
	pods := &corev1.PodList{}
	if err := api.List(ctx, pods, client.InNamespace(metav1.NamespaceSystem),
		client.MatchingLabels{"tier": controlPlaneTier}); err != nil {
		return result, apiError("list Pods", err)
	}
	health := map[string]controlplane.Health{}
	for i := range pods.Items {
		health[pods.Items[i].Name] = podHealth(&pods.Items[i])
	}
	for _, n := range nodes.Items {
		result.KubeletVersions[n.Name] = host.Line(n.Status.NodeInfo.KubeletVersion, maxVersion)
		result.Tainted[n.Name] = slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool {
			return controlplane.IsDefaultTaint(t.Key, string(t.Effect))
		})
		result.Components[n.Name] = map[controlplane.Component]controlplane.Health{}
		for _, component := range []controlplane.Component{
			controlplane.ComponentAPIServer, controlplane.ComponentControllerManager, controlplane.ComponentScheduler,
			controlplane.ComponentEtcd,
		} {
			// kubelet names the mirror Pod of a static Pod so. A missing one is unknown: kubelet may not have created it yet.
			if h := health[fmt.Sprintf("%s-%s", component, n.Name)]; h != controlplane.HealthUnknown {
				result.Components[n.Name][component] = h
			}
		}
	}
	return result, nil
}

// podHealth returns the health of a static Pod. Kubernetes reports the Pods of a node that does not respond as not
// ready.
func podHealth(p *corev1.Pod) controlplane.Health {
	if p.DeletionTimestamp != nil || p.Status.Phase == corev1.PodFailed {
		return controlplane.HealthUnhealthy
	}
	for _, c := range p.Status.Conditions {
		if c.Type != corev1.PodReady {
			continue
		}
		if c.Status == corev1.ConditionTrue {
			return controlplane.HealthHealthy
		}
		return controlplane.HealthUnhealthy
	}
	return controlplane.HealthUnknown
}
