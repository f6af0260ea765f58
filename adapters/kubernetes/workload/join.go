package workload

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// kubeadmConfig is the ConfigMap in kube-system that kubeadm join reads, and configurationKey its key.
const (
	kubeadmConfig    = "kubeadm-config"
	configurationKey = "ClusterConfiguration"
)

// PrepareJoin updates the permissions and the configuration that kubeadm join reads. Fields that the specification does
// not have stay.
func (w *Cluster) PrepareJoin(ctx context.Context, c ports.ControlPlane) error {
	if c.Desired.Type == node.ControlPlaneTalos {
		return nil
	}
	w.settings.forget(c)
	ctx, cancel := context.WithTimeout(ctx, w.options.Timeout)
	defer cancel()
	api, err := w.dial(ctx, client.ObjectKey(clusterKey(c)))
	if err != nil {
		return err
	}
	if err := ensurePermissions(ctx, api, c.Desired.Template.Version); err != nil {
		return err
	}
	return apiError("update ConfigMap "+kubeadmConfig, retry.RetryOnConflict(retry.DefaultRetry, func() error {
		config, err := readConfiguration(ctx, api)
		if apierrors.IsNotFound(err) {
			return errors.New("it does not exist; restore it by kubeadm init phase upload-config kubeadm")
		}
		if err != nil {
			return err
		}
		settled, err := w.settle(ctx, c, config)
		if err != nil || !settled.changed {
			return err
		}
		config.Data[configurationKey] = settled.text
		return api.Update(ctx, config)
	}))
}

func readConfiguration(ctx context.Context, api client.Reader) (*corev1.ConfigMap, error) {
	config := &corev1.ConfigMap{}
	return config, api.Get(ctx, client.ObjectKey{Namespace: metav1.NamespaceSystem, Name: kubeadmConfig}, config)
}

// settle returns the configuration with the fields of the specification.
func (w *Cluster) settle(ctx context.Context, c ports.ControlPlane, config *corev1.ConfigMap) (settled, error) {
	current, found := config.Data[configurationKey]
	if !found {
		return settled{}, fmt.Errorf("ConfigMap %s has no key %s; restore it by kubeadm init phase upload-config kubeadm",
			kubeadmConfig, configurationKey)
	}
	before, err := decodeConfiguration(ctx, current)
	if err != nil {
		return settled{}, fmt.Errorf("ConfigMap %s: %w", kubeadmConfig, err)
	}
	dir, _ := before["certificatesDir"].(string)
	static, kept := withoutFacts(c.Config.WithEtcdFiles(dir))
	text, findings := w.options.Configuration(c.Desired.Template.Version, c.Network, static)
	if findings.HasErrors() {
		return settled{}, fmt.Errorf("the configuration of kubeadm: %s", findings)
	}
	desired, err := decodeConfiguration(ctx, string(text))
	if err != nil {
		return settled{}, fmt.Errorf("the configuration of kubeadm: %w", err)
	}
	keepArgs(before, desired, kept)
	enableLocalMode(desired, c.Desired.Template.Version)
	return settle(current, before, desired)
}

// enableLocalMode lets the kubelet of a machine that joins use the API server of the machine. With the endpoint, a
// kubelet of a newer minor version could reach an older API server, which Kubernetes does not support. The gate is
// enabled by default since 1.33.
func enableLocalMode(desired object, version string) {
	const gate = "ControlPlaneKubeletLocalMode"
	v, ok := node.ParseVersion(version)
	if !ok || v.Major != 1 || v.Minor < 31 || v.Minor > 32 {
		return
	}
	gates := child(desired, "featureGates")
	if gates == nil {
		gates = object{}
	}
	if _, given := gates[gate]; !given {
		gates[gate] = true
	}
	desired["featureGates"] = gates
}

// withoutFacts returns the settings without the arguments whose values contain facts that only a machine knows, and the
// names of these arguments for each component. The first machine resolved them.
func withoutFacts(c node.ControlPlaneConfig) (node.ControlPlaneConfig, map[string][]string) {
	kept := map[string][]string{}
	strip := func(component string, args []node.Arg) []node.Arg {
		return slices.DeleteFunc(slices.Clone(args), func(a node.Arg) bool {
			_, static := a.Value.Static()
			if !static {
				kept[component] = append(kept[component], a.Name)
			}
			return !static
		})
	}
	c.APIServer.Args = strip("apiServer", c.APIServer.Args)
	c.ControllerManager.Args = strip("controllerManager", c.ControllerManager.Args)
	c.Scheduler.Args = strip("scheduler", c.Scheduler.Args)
	if c.LocalEtcd != nil {
		local := *c.LocalEtcd
		local.Args = strip("local", local.Args)
		c.LocalEtcd = &local
	}
	return c, kept
}

// keepArgs adds the arguments of the current configuration with the names to the desired one.
func keepArgs(current, desired object, names map[string][]string) {
	for component, wanted := range names {
		from, to := child(current, component), child(desired, component)
		if component == "local" {
			from, to = child(child(current, "etcd"), component), child(child(desired, "etcd"), component)
		}
		if to == nil {
			continue
		}
		args := argsOf(to["extraArgs"])
		for _, a := range argsOf(from["extraArgs"]) {
			if slices.Contains(wanted, a.Name) {
				args = append(args, a)
			}
		}
		setArgs(to, args, desired["apiVersion"] == "kubeadm.k8s.io/v1beta3")
	}
}

// arg is an argument of a component.
type arg struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// argsOf returns arguments that are a list, as in v1beta4, or an object, as in v1beta3.
func argsOf(value any) []arg {
	var args []arg
	switch v := value.(type) {
	case object:
		for name, text := range v {
			s, _ := text.(string)
			args = append(args, arg{name, s})
		}
	case []any:
		for _, item := range v {
			a, _ := item.(object)
			name, _ := a["name"].(string)
			text, _ := a["value"].(string)
			args = append(args, arg{name, text})
		}
	}
	return args
}

func setArgs(component object, args []arg, asObject bool) {
	list, byName := []any{}, object{}
	for _, a := range args {
		list = append(list, object{"name": a.Name, "value": a.Value})
		byName[a.Name] = a.Value
	}
	switch {
	case len(args) == 0:
		delete(component, "extraArgs")
	case asObject:
		component["extraArgs"] = byName
	default:
		component["extraArgs"] = list
	}
}
