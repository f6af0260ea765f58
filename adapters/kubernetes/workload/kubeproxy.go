package workload

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

const (
	// kubeProxy is the name of the DaemonSet, of its container and of the ConfigMap.
	kubeProxy = "kube-proxy"
	// proxyKey is the key of the KubeProxyConfiguration in the ConfigMap.
	proxyKey = "config.conf"
	// proxyRevision is the annotation of a ConfigMap that UpdateAddons wrote, and of the Pods that were started with it:
	// kube-proxy does not always notice a change.
	proxyRevision = "controlplane.machineadm.io/kube-proxy-config"
)

// proxyAddon is kube-proxy.
type proxyAddon struct {
	addon
	// config is the ConfigMap, or nil if no field of it is specified.
	config *corev1.ConfigMap
	// text is the desired configuration, and changed reports whether it differs from that of the ConfigMap.
	text    string
	changed bool
	// problem is the reason why the configuration cannot be changed, or nil.
	problem error
}

// findProxy returns kube-proxy, or nil if it is not managed or does not exist.
func findProxy(ctx context.Context, api client.Reader, c ports.ControlPlane) (*proxyAddon, error) {
	if !c.Addons.KubeProxy || c.Config.KubeProxy.Disabled {
		return nil, nil
	}
	set := &appsv1.DaemonSet{}
	err := api.Get(ctx, client.ObjectKey{Namespace: metav1.NamespaceSystem, Name: kubeProxy}, set)
	if err != nil {
		return nil, apiError("get DaemonSet "+kubeProxy, client.IgnoreNotFound(err))
	}
	found := &proxyAddon{addon: addon{object: set, pod: &set.Spec.Template, name: kubeProxy}}
	if found.container() == nil {
		return nil, nil
	}
	found.desired = func(from image) image { return from.with(c.Config.ImageRepository, c.Desired.Template.Version) }
	return found, found.configure(ctx, api, c.Config.KubeProxyConfig)
}

// configure adds the configuration with the specified fields.
func (p *proxyAddon) configure(ctx context.Context, api client.Reader, fields node.Tree) error {
	if len(fields) == 0 {
		return nil
	}
	config := &corev1.ConfigMap{}
	err := api.Get(ctx, client.ObjectKey{Namespace: metav1.NamespaceSystem, Name: kubeProxy}, config)
	if err != nil && !apierrors.IsNotFound(err) {
		return apiError("get ConfigMap "+kubeProxy, err)
	}
	current, err := decodeConfiguration(ctx, config.Data[proxyKey])
	if err != nil || len(current) == 0 {
		p.problem = errors.New("the ConfigMap has no valid " + proxyKey + "; restore it by kubeadm init phase addon " +
			"kube-proxy, or set the add-on to Unmanaged")
		return nil //nolint:nilerr // the health of the machines is reported nevertheless
	}
	desired, err := throughJSON(object(fields))
	if err != nil {
		return err
	}
	p.config = config
	merged, changed := withFields(current, desired)
	text, err := yaml.Marshal(merged)
	p.text, p.changed = string(text), changed
	return err
}

// withFields returns the object with the desired fields, and whether this changes it. Fields of objects that are not
// desired stay.
func withFields(current, desired object) (object, bool) {
	merged, changed := object{}, false
	maps.Copy(merged, current)
	for name, value := range desired {
		if below, ok := value.(object); ok {
			part, differs := withFields(child(current, name), below)
			if differs {
				merged[name], changed = part, true
			}
			continue
		}
		if !reflect.DeepEqual(prune(duration(current[name]), nil), prune(duration(value), nil)) {
			merged[name], changed = value, true
		}
	}
	return merged, changed
}

// settled reports whether the image and the configuration are as specified, and the Pods were started with them.
func (p *proxyAddon) settled() bool {
	return p.current() && p.problem == nil && !p.changed && p.restarted()
}

// restarted reports whether the Pods were started after the last change of the configuration by UpdateAddons.
func (p *proxyAddon) restarted() bool {
	return p.config == nil || p.config.Annotations[proxyRevision] == p.pod.Annotations[proxyRevision]
}

// updateProxy sets the configuration, and then the image. An interruption in between is found by the annotations.
func updateProxy(ctx context.Context, api client.Client, c ports.ControlPlane) error {
	p, err := findProxy(ctx, api, c)
	if err != nil || p == nil || p.settled() {
		return err
	}
	_, to, err := p.next()
	if err = errors.Join(p.problem, err); err != nil {
		return wrap("update "+kubeProxy, err)
	}
	if p.changed {
		digest := sha256.Sum256([]byte(p.text))
		p.config.Data[proxyKey] = p.text
		metav1.SetMetaDataAnnotation(&p.config.ObjectMeta, proxyRevision, hex.EncodeToString(digest[:]))
		if err := api.Update(ctx, p.config); err != nil {
			return apiError("update ConfigMap "+kubeProxy, err)
		}
	}
	return p.patch(ctx, api, func() {
		p.container().Image = to.String()
		if !p.restarted() {
			metav1.SetMetaDataAnnotation(&p.pod.ObjectMeta, proxyRevision, p.config.Annotations[proxyRevision])
		}
	})
}
