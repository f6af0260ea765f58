// Package kubeadm renders KubeadmConfigSpecs with the kubeadm bootstrap provider of Cluster API: its reconciler runs on
// objects in memory.
package kubeadm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	//nolint:staticcheck // most published specs are of this version
	bootstrapv1beta1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta1"
	bootstrapv1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	controlplanev1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/bootstrap/kubeadm/reconcilers/kubeadmconfig"
	"sigs.k8s.io/cluster-api/bootstrap/kubeadm/webhooks/admission"
	"sigs.k8s.io/cluster-api/bootstrap/kubeadm/webhooks/conversion"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/cluster-api/controlplane/kubeadm/pkg/desiredstate"
	ctrl "sigs.k8s.io/controller-runtime"
)

// Role is what a machine does with kubeadm.
type Role string

// The roles.
const (
	Init             Role = "init"
	JoinControlPlane Role = "join control plane"
	JoinWorker       Role = "join"
)

// Decode returns the spec that the API server would store: a KubeadmConfigSpec as JSON in v1beta1 or v1beta2. Unknown
// fields are ignored.
func Decode(ctx context.Context, version string, spec []byte) (*bootstrapv1.KubeadmConfigSpec, error) {
	hub := &bootstrapv1.KubeadmConfig{}
	if version == "v1beta2" {
		err := json.Unmarshal(spec, &hub.Spec)
		return &hub.Spec, err
	}
	spoke := &bootstrapv1beta1.KubeadmConfig{}
	if err := json.Unmarshal(spec, &spoke.Spec); err != nil {
		return nil, err
	}
	err := conversion.ConvertKubeadmConfigV1Beta1ToHub(ctx, spoke, hub)
	return &hub.Spec, err
}

// Validate returns the problem for which the webhook of Cluster API refuses the spec.
func Validate(spec *bootstrapv1.KubeadmConfigSpec, managed bool) error {
	return admission.Validate(spec, managed, field.NewPath("spec")).ToAggregate()
}

// Rendered is the content of a data Secret.
type Rendered struct {
	// Format is cloud-config or ignition.
	Format string
	Data   []byte
}

// Render renders the spec for a machine. A managed control plane's spec is first reduced as its provider does.
func (w *World) Render(ctx context.Context, spec *bootstrapv1.KubeadmConfigSpec, r Role, managed bool,
) (Rendered, error) {
	ctx = ctrl.LoggerInto(ctx, logr.Discard())
	config := &bootstrapv1.KubeadmConfig{Spec: *spec.DeepCopy()}
	if managed {
		kcp := &controlplanev1.KubeadmControlPlane{}
		kcp.Spec.Version, kcp.Spec.KubeadmConfigSpec = w.KubernetesVersion, *spec.DeepCopy()
		var err error
		config, err = desiredstate.ComputeDesiredKubeadmConfig(kcp, w.cluster(r), r != Init, machineName, nil)
		if err != nil {
			return Rendered{}, err
		}
	}
	config.ObjectMeta = w.meta(r)
	config.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: clusterv1.GroupVersion.String(), Kind: "Machine", Name: machineName, UID: "machine",
	}}
	c := w.client(config, w.machine(r), w.cluster(r))
	reconciler := kubeadmconfig.Reconciler{
		Client: c, SecretCachingClient: c, APIReader: c, KubeadmInitLock: unlocked{}, TokenTTL: time.Hour,
		ClusterCache: clustercache.NewFakeClusterCache(c, w.clusterKey()),
	}
	// The first reconciliation writes the condition Paused, and no more.
	for range 2 {
		if _, err := reconciler.Reconcile(ctx, ctrl.Request{NamespacedName: w.configKey()}); err != nil {
			return Rendered{}, err
		}
	}
	secret, err := w.dataSecret(ctx, c)
	if err != nil {
		return Rendered{}, fmt.Errorf("no data was rendered: %w", errors.Join(err, w.problem(ctx, c)))
	}
	return Rendered{Format: string(secret.Data["format"]), Data: secret.Data["value"]}, nil
}
