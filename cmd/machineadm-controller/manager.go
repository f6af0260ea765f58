package main

import (
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/remote"
	"sigs.k8s.io/cluster-api/util/flags"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/healthz"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	infrastructurev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, clusterv1.AddToScheme,
		v1alpha1.AddToScheme, infrastructurev1.AddToScheme, controlplanev1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("set up the scheme: %w", err)
		}
	}
	return scheme, nil
}

func newManager(o *options) (ctrl.Manager, error) {
	config, err := ctrl.GetConfig()
	if err != nil {
		return nil, fmt.Errorf("find the management cluster: %w", err)
	}
	config.QPS, config.Burst = o.qps, o.burst
	config.UserAgent = remote.DefaultClusterAPIUserAgent(o.controllers.managerName())
	mgrOptions, err := managerOptions(o)
	if err != nil {
		return nil, err
	}
	mgr, err := ctrl.NewManager(config, mgrOptions)
	if err != nil {
		return nil, fmt.Errorf("create the manager: %w", err)
	}
	return mgr, addChecks(mgr)
}

func managerOptions(o *options) (ctrl.Options, error) {
	scheme, err := newScheme()
	if err != nil {
		return ctrl.Options{}, err
	}
	_, metrics, err := flags.GetManagerOptions(o.manager)
	if err != nil {
		return ctrl.Options{}, fmt.Errorf("read the flags: %w", err)
	}
	return ctrl.Options{
		Scheme:                     scheme,
		LeaderElection:             o.leaderElect,
		LeaderElectionID:           o.controllers.managerName() + "-leader-election",
		LeaderElectionNamespace:    os.Getenv("POD_NAMESPACE"), // that of the Pod if it is empty
		LeaderElectionResourceLock: resourcelock.LeasesResourceLock,
		LeaseDuration:              &o.leaseDuration,
		RenewDeadline:              &o.renewDeadline,
		RetryPeriod:                &o.retryEvery,
		// The process ends with its manager, so a successor need not wait for the lease to run out.
		LeaderElectionReleaseOnCancel: true,
		HealthProbeBindAddress:        o.healthAddress,
		PprofBindAddress:              o.profilerAddress,
		Metrics:                       *metrics,
		Cache:                         cacheOptions(o),
		// Secrets and ConfigMaps are never cached whole; capi.ObjectReader reads them.
		Client: client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{
			&corev1.Secret{},
			&corev1.ConfigMap{},
		}}},
	}, nil
}

func cacheOptions(o *options) cache.Options {
	parts := newSharing()
	options := cache.Options{
		SyncPeriod: &o.syncPeriod, DefaultTransform: parts.transform,
		ByObject: map[client.Object]cache.ByObject{&corev1.Secret{}: {Field: relatedSecrets()}},
	}
	if o.controllers.String() == bootstrapControllers {
		options.ByObject[&clusterv1.Machine{}] = cache.ByObject{Transform: parts.transformMachine}
	}
	if o.namespace != "" {
		options.DefaultNamespaces = map[string]cache.Config{o.namespace: {}}
	}
	return options
}

// relatedSecrets leaves out Secrets that describe no machine, and of which there can be more than machines: bootstrap
// tokens, if the cluster manages itself, and the releases of Helm.
func relatedSecrets() fields.Selector {
	return fields.AndSelectors(
		fields.OneTermNotEqualSelector("type", string(corev1.SecretTypeBootstrapToken)),
		fields.OneTermNotEqualSelector("type", "helm.sh/release.v1"),
	)
}

// trim drops what no controller reads before an object is cached: the managed fields, and the copy of an object in the
// annotation of kubectl apply. The copy stays in objects that are cached whole, because they may be updated; Secrets
// and ConfigMaps are cached as metadata, and the copy of a Secret is as confidential as its data.
func trim(object any) (any, error) {
	object, err := cache.TransformStripManagedFields()(object)
	if metadata, isMetadata := object.(*metav1.PartialObjectMetadata); isMetadata {
		delete(metadata.Annotations, corev1.LastAppliedConfigAnnotation)
	}
	return object, err
}

func addChecks(mgr ctrl.Manager) error {
	if err := mgr.AddHealthzCheck("ping", healthz.Ping); err != nil {
		return fmt.Errorf("add the health check: %w", err)
	}
	if err := mgr.AddReadyzCheck("ping", healthz.Ping); err != nil {
		return fmt.Errorf("add the readiness check: %w", err)
	}
	return nil
}
