package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/discovery"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/cluster-api/controllers/remote"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	kcontroller "sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/envelope"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/adapters/kubernetes/controller"
	kubeplanes "github.com/machineadm/machineadm/adapters/kubernetes/controlplane"
	"github.com/machineadm/machineadm/adapters/kubernetes/pluginresources"
	"github.com/machineadm/machineadm/adapters/kubernetes/storage"
	"github.com/machineadm/machineadm/adapters/pluginhost/keys"
	"github.com/machineadm/machineadm/adapters/seal"
	"github.com/machineadm/machineadm/adapters/signature"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/compose"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/plan"
)

// clock is the system's.
type clock struct{}

// Now returns the time.
func (clock) Now() time.Time { return time.Now() }

// expensiveObjects is how many of them are processed at once: so many times 256 MiB fit into GOMEMLIMIT of
// config/manager beside what the controller takes otherwise.
const expensiveObjects = 2

// setup is the composition root: it joins the use cases, the adapters and the manager.
func setup(ctx context.Context, mgr ctrl.Manager, o *options) error {
	var clusters clustercache.ClusterCache
	if o.controllers.includes(bootstrapControllers) {
		var err error
		if clusters, err = setupBootstrap(ctx, mgr, o); err != nil {
			return err
		}
	}
	if o.controllers.includes(controlPlaneControllers) {
		if err := setupControlPlanes(ctx, mgr, o, clusters); err != nil {
			return err
		}
	}
	if o.controllers.includes(hostControllers) {
		return setupHosts(ctx, mgr, o)
	}
	return nil
}

// setupBootstrap sets up the bootstrap provider, and returns its connections to workload clusters.
func setupBootstrap(ctx context.Context, mgr ctrl.Manager, o *options) (clustercache.ClusterCache, error) {
	own, err := controller.NewMetrics(metrics.Registry)
	if err != nil {
		return nil, fmt.Errorf("register metrics: %w", err)
	}
	reader := capi.NewObjectReader(mgr.GetCache(), mgr.GetAPIReader())
	if err := reader.Follow(ctx, mgr.GetCache()); err != nil {
		return nil, err
	}
	reconciler := &controller.Reconciler{}
	found, err := newLookup(mgr, o, reader, reconciler.WatchPlugin)
	if err != nil {
		return nil, err
	}
	clusters, err := connect(ctx, mgr, o, capi.NewKubeconfigReader(mgr.GetAPIReader(), found.IsPlugin))
	if err != nil {
		return nil, err
	}
	agents, err := o.endpoint.readAgents()
	if err != nil {
		return nil, err
	}
	known := o.endpoint.hasAgent(agents)
	stored, err := newEndpointStorage(ctx, mgr, &o.endpoint, known)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(setupEndpoint(ctx, mgr, &o.endpoint, agents, stored),
		setupEndpointStorage(mgr, stored, o.watchFilter)); err != nil {
		return nil, err
	}
	service, err := newService(mgr, o, clusters, reader, own, known)
	if err != nil {
		return nil, err
	}
	lookup, pool := capi.NewLookup(mgr.GetClient()), budget.NewPool(expensiveObjects)
	*reconciler = controller.Reconciler{
		Client: mgr.GetClient(), Lookup: lookup, Service: service, Resolver: controller.NewResolver(reader),
		Plugins:  &compose.Service{Codec: codec.Codec{}, Plugins: found},
		Recorder: mgr.GetEventRecorder("machineadm"), Metrics: own, WatchFilter: o.watchFilter, Clock: clock{}, Pool: pool,
	}
	many := kcontroller.Options{MaxConcurrentReconciles: o.concurrency}
	if err := reconciler.SetupWithManager(ctx, mgr, clusters, many); err != nil {
		return nil, err
	}
	if err := setupPlugins(ctx, mgr, o, reader, pool); err != nil {
		return nil, err
	}
	if err := setupStorage(mgr, o); err != nil {
		return nil, err
	}
	cleanup := &controller.Cleanup{
		Client: mgr.GetClient(), Live: mgr.GetAPIReader(), Metadata: mgr.GetCache(), Lookup: lookup, Service: service,
	}
	return clusters, cleanup.SetupWithManager(mgr, many)
}

// newLookup returns the lookup of plugins of any kind.
func newLookup(mgr ctrl.Manager, o *options, reader *capi.ObjectReader, watch func(client.Object) (func(), error),
) (*pluginresources.Lookup, error) {
	served, err := discovery.NewDiscoveryClientForConfigAndClient(mgr.GetConfig(), mgr.GetHTTPClient())
	if err != nil {
		return nil, fmt.Errorf("create the client for discovery: %w", err)
	}
	return pluginresources.NewLookup(pluginresources.LookupOptions{
		Client: mgr.GetClient(), Discover: pluginresources.DiscoverKinds(served), Cache: mgr.GetCache(), Secrets: reader,
		Watch: watch, Owner: v1alpha1.GroupVersion().WithKind(v1alpha1.ConfigKind), Namespace: o.namespace,
		WatchFilter: o.watchFilter, Clock: clock{},
	}), nil
}

// setupPlugins sets up a controller for each of our own kinds of plugins.
func setupPlugins(ctx context.Context, mgr ctrl.Manager, o *options, reader *capi.ObjectReader, pool *budget.Pool,
) error {
	for _, kind := range v1alpha1.Plugins() {
		r := &pluginresources.Reconciler{
			Kind: kind, Client: mgr.GetClient(), Codec: codec.Codec{}, Secrets: reader, Resolver: controller.NewResolver(reader),
			WatchFilter: o.watchFilter, Pool: pool,
		}
		if err := r.SetupWithManager(ctx, mgr,
			kcontroller.Options{MaxConcurrentReconciles: o.pluginConcurrency}); err != nil {
			return err
		}
	}
	return nil
}

// connect keeps connections to the workload clusters. Only control plane nodes and their static Pods are cached, which
// the control plane provider watches.
func connect(ctx context.Context, mgr ctrl.Manager, o *options, kubeconfigs client.Reader) (clustercache.ClusterCache,
	error,
) {
	clusters, err := clustercache.SetupWithManager(ctx, mgr, clustercache.Options{
		SecretClient:     kubeconfigs,
		WatchFilterValue: o.watchFilter,
		Cache: clustercache.CacheOptions{
			DefaultTransform: cache.TransformStripManagedFields(), ByObject: kubeplanes.WorkloadCache(),
		},
		Client: clustercache.ClientOptions{
			QPS: o.clusterQPS, Burst: o.clusterBurst, UserAgent: remote.DefaultClusterAPIUserAgent(o.controllers.managerName()),
		},
	}, kcontroller.Options{MaxConcurrentReconciles: o.clusterConcurrency})
	if err != nil {
		return nil, fmt.Errorf("set up the connections to clusters: %w", err)
	}
	return clusters, nil
}

func newService(
	mgr ctrl.Manager, o *options, clusters clustercache.ClusterCache, reader *capi.ObjectReader, own *controller.Metrics,
	known func() (bootstrap.Endpoint, error),
) (*bootstrap.Service, error) {
	encryptionKeys := keys.Plugins{
		Codec: codec.Codec{}, Log: os.Stderr, Limit: keys.NewLimit(o.keyConcurrency), Environment: os.LookupEnv,
	}
	renderer, err := render.New(formats.Bootable(), plugins.Builtin(),
		render.WithWrapper(envelope.Wrapper{}), render.WithCodec(codec.Codec{}), render.WithSignatures(signature.Verifier{}),
		render.WithLimits(o.payloadLimits), render.WithEncrypter(seal.Encrypter{Keys: encryptionKeys}))
	if err != nil {
		return nil, fmt.Errorf("join formats and plugins: %w", err)
	}
	kind := v1alpha1.GroupVersion().WithKind(v1alpha1.ConfigKind)
	requests := storage.NewRequests(mgr.GetClient(), reader, kind)
	requests.WatchFilter = o.watchFilter
	return bootstrap.New(bootstrap.Options{
		Render:       measured(renderer, own),
		Certificates: capi.NewCertificates(mgr.GetClient(), reader),
		Tokens:       capi.NewTokens(clusters),
		Talos: capi.NewTalosSecrets(capi.TalosOptions{
			Client: mgr.GetClient(), Secrets: reader, Clock: clock{}, Entropy: rand.Reader,
		}),
		Lock:            capi.NewInitLock(mgr.GetClient(), mgr.GetAPIReader(), reader),
		Data:            capi.NewDataSecrets(mgr.GetClient(), mgr.GetCache(), kind),
		StorageRequests: requests,
		Clock:           clock{},
		Entropy:         rand.Reader,
		TokenTTL:        o.tokenTTL,
		Endpoint:        known,
		KeyIdentity:     listed(o.keyNamespaces),
	}), nil
}

// measured returns a function that renders and observes the duration.
func measured(renderer *render.Service, own *controller.Metrics,
) func(context.Context, plan.Job) (render.Result, error) {
	return func(ctx context.Context, job plan.Job) (render.Result, error) {
		start := time.Now()
		result, err := renderer.Render(ctx, job)
		own.Rendered(string(job.Format), time.Since(start))
		return result, err
	}
}
