// Command inmemory is an infrastructure provider for tests. Its machines exist in the memory of this process only:
// the API servers and etcd members of workload clusters are those of Cluster API's in-memory provider, which serves
// objects, watches, port-forwards and the requests to members that providers of control planes send.
//
// It is a module of its own, so that the requirements of its dependency are not those of the product.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/sync/errgroup"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/clientcmd"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	inmemory "sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/runtime/manager"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	// A library defines flags of its own.
	flags := flag.NewFlagSet("inmemory", flag.ExitOnError)
	var kubeconfigs []string
	flags.Func("kubeconfig", "the kubeconfig of a management cluster; repeated for clusters that move between several",
		func(path string) error {
			kubeconfigs = append(kubeconfigs, path)
			return nil
		})
	diagnostics := flags.String("diagnostics-address", "127.0.0.1:0", "the address that serves metrics: the requests to "+
		"workload clusters, by path and user agent")
	_ = flags.Parse(os.Args[1:])
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, kubeconfigs, *diagnostics); err != nil {
		log.Fatal(err)
	}
}

// run serves the management clusters, which share the workload clusters. The first one's manager serves the metrics.
func run(ctx context.Context, kubeconfigs []string, diagnostics string) error {
	ctrl.SetLogger(logr.Discard())
	workloads, err := newWorkloads(ctx)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, kubeconfig := range kubeconfigs {
		manager, err := newManager(kubeconfig, diagnostics)
		if err != nil {
			return err
		}
		diagnostics = "0"
		p := &provider{
			client: manager.GetClient(), workloads: workloads, now: time.Now, booted: map[client.ObjectKey]time.Time{},
		}
		if err := p.setup(manager); err != nil {
			return err
		}
		group.Go(func() error { return manager.Start(ctx) })
	}
	return group.Wait()
}

// newManager returns a manager for a management cluster.
func newManager(kubeconfig, diagnostics string) (ctrl.Manager, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("read the kubeconfig: %w", err)
	}
	config.QPS, config.Burst = -1, -1
	scheme, err := schemeOf(corev1.AddToScheme, clusterv1.AddToScheme)
	if err != nil {
		return nil, err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme: scheme, Metrics: metricsserver.Options{BindAddress: diagnostics},
		// A certificate authority is read once in the life of a cluster.
		Client: client.Options{Cache: &client.CacheOptions{
			Unstructured: true, DisableFor: []client.Object{&corev1.Secret{}},
		}},
	})
	if err != nil {
		return nil, fmt.Errorf("connect to the management cluster: %w", err)
	}
	return manager, nil
}

// newWorkloads starts the store of the objects of all workload clusters.
func newWorkloads(ctx context.Context) (*workloads, error) {
	scheme, err := schemeOf(corev1.AddToScheme, appsv1.AddToScheme, rbacv1.AddToScheme, policyv1.AddToScheme,
		storagev1.AddToScheme)
	if err != nil {
		return nil, err
	}
	store := inmemory.New(scheme)
	if err := store.Start(ctx); err != nil {
		return nil, fmt.Errorf("start the store of workload clusters: %w", err)
	}
	return serve(store), nil
}

func schemeOf(add ...func(*runtime.Scheme) error) (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	for _, f := range add {
		if err := f(scheme); err != nil {
			return nil, fmt.Errorf("register kinds: %w", err)
		}
	}
	return scheme, nil
}
