package main

import (
	"context"
	"crypto/rand"

	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	ctrl "sigs.k8s.io/controller-runtime"
	kcontroller "sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/machineadm/machineadm/adapters/age"
	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/adapters/kubernetes/controller"
	kubeplanes "github.com/machineadm/machineadm/adapters/kubernetes/controlplane"
	"github.com/machineadm/machineadm/adapters/kubernetes/storage"
	"github.com/machineadm/machineadm/adapters/kubernetes/workload"
	"github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/adapters/talosapi"
	"github.com/machineadm/machineadm/app/controlplane"
	"github.com/machineadm/machineadm/app/snapshots"
	"github.com/machineadm/machineadm/ports"
)

// setupControlPlanes sets up the control plane provider. The connections to workload clusters are those of the
// bootstrap provider, if it runs in this process, or else nil.
func setupControlPlanes(ctx context.Context, mgr ctrl.Manager, o *options, clusters clustercache.ClusterCache) error {
	reader := capi.NewObjectReader(mgr.GetCache(), mgr.GetAPIReader())
	if err := reader.Follow(ctx, mgr.GetCache()); err != nil {
		return err
	}
	if clusters == nil {
		var err error
		if clusters, err = connect(ctx, mgr, o, capi.NewKubeconfigReader(mgr.GetAPIReader(), isForeign)); err != nil {
			return err
		}
	}
	certificates := capi.NewCertificates(mgr.GetClient(), reader)
	talosSecrets := capi.NewTalosSecrets(capi.TalosOptions{
		Client: mgr.GetClient(), Secrets: reader, Clock: clock{}, Entropy: rand.Reader,
	})
	own, err := kubeplanes.NewMetrics(metrics.Registry, mgr.GetClient())
	if err != nil {
		return err
	}
	store := &kubeplanes.Store{
		Client: mgr.GetClient(), Live: mgr.GetAPIReader(), Clock: clock{}, Resolver: controller.NewResolver(reader),
		Events: mgr.GetEventRecorder("machineadm-control-plane"), Metrics: own,
	}
	cluster := workload.NewCluster(workload.ClusterOptions{
		Clusters: clusters, Clock: clock{}, Configuration: kubeadm.ClusterConfiguration,
	})
	talos := talosapi.Options{Secrets: talosSecrets, Clock: clock{}, Entropy: rand.Reader}
	members := workload.MembersOptions{Clusters: clusters, Certificates: certificates, Clock: clock{}}
	if err := setupSnapshots(ctx, mgr, o, store, certificates, members); err != nil {
		return err
	}
	reconciler := &kubeplanes.Reconciler{
		Client: mgr.GetClient(), Clusters: clusters, WatchFilter: o.watchFilter,
		Planes: &controlplane.Reconciler{
			Objects: store, Machines: store, Certificates: certificates, TalosSecrets: talosSecrets, Clock: clock{},
			Kubeconfigs: capi.NewAdminKubeconfigs(mgr.GetClient(), reader, certificates, clock{}),
			Kubeadm: controlplane.Cluster{
				Members: workload.NewMembers(members), Workload: cluster,
			},
			Talos: controlplane.Cluster{
				Members: talosapi.NewMembers(talos), Workload: cluster, Starter: talosapi.NewStarter(talos),
			},
		},
	}
	return reconciler.SetupWithManager(ctx, mgr, kcontroller.Options{MaxConcurrentReconciles: o.planeConcurrency})
}

// setupSnapshots sets up the snapshots of etcd.
func setupSnapshots(ctx context.Context, mgr ctrl.Manager, o *options, store *kubeplanes.Store,
	certificates ports.Certificates, members workload.MembersOptions,
) error {
	reconciler := &kubeplanes.SnapshotReconciler{
		Client: mgr.GetClient(), WatchFilter: o.watchFilter,
		Snapshots: &snapshots.Reconciler{
			Objects: store, Certificates: certificates, Members: workload.NewSnapshotter(members), Encrypter: age.Encrypter{},
			Stores: &storage.Snapshots{
				Reader: mgr.GetAPIReader(), New: o.snapshotFolder, WatchFilter: o.watchFilter,
				Identity: listed(o.identityNamespaces),
			},
			Clock: clock{},
		},
	}
	return reconciler.SetupWithManager(ctx, mgr, kcontroller.Options{})
}

// isForeign reports whether the owner of a kubeconfig is neither its Cluster nor a control plane of this provider. This
// manager does not know which kinds are plugins, so it uses no kubeconfig of another owner.
func isForeign(_ context.Context, kind schema.GroupKind) (bool, error) {
	return kind != clusterv1.GroupVersion.WithKind(clusterv1.ClusterKind).GroupKind() &&
		kind != controlplanev1.GroupVersion().WithKind(controlplanev1.Kind).GroupKind(), nil
}
