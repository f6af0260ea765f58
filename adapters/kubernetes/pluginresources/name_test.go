package pluginresources_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/reserved"
)

// TestDocumentsHaveTheirOwnNames verifies that no name of a plugin, however long, leads to a Secret that another
// controller trusts.
func TestDocumentsHaveTheirOwnNames(t *testing.T) {
	const longest = 253
	names := []string{"machineadm-endpoint-key"}
	for _, n := range reserved.Names() {
		if n.Suffix != "" {
			names = append(names, "c1"+n.Suffix, strings.Repeat("a", longest-len(n.Suffix))+n.Suffix,
				strings.Repeat("a", 230)+n.Suffix)
		}
	}
	for _, name := range names {
		if len(name) > longest {
			continue
		}
		w := newWorld(t, plugin(func(p *v1alpha1.TimeSyncConfig) { p.Name = name }))
		w.reconcileNamed(name)
		var secrets corev1.SecretList
		if err := w.Client.List(t.Context(), &secrets, client.InNamespace("default")); err != nil || len(secrets.Items) != 1 {
			t.Fatalf("%s: %v, %d Secrets", name, err, len(secrets.Items))
		}
		if got := reserved.CheckDocuments(secrets.Items[0].Name, "TimeSyncConfig"); got != "" {
			t.Errorf("%s has the Secret %s: %s", name, secrets.Items[0].Name, got)
		}
		if n, _ := reserved.Find(secrets.Items[0].Name); n.Kind != "TimeSyncConfig" {
			t.Errorf("a config may be called %s, as the Secret of %s", secrets.Items[0].Name, name)
		}
	}
}

func (w *world) reconcileNamed(name string) {
	w.t.Helper()
	if _, err := w.Reconcile(w.t.Context(), request(name)); err != nil {
		w.t.Fatal(err)
	}
}

func request(name string) ctrl.Request {
	return ctrl.Request{NamespacedName: client.ObjectKey{Namespace: "default", Name: name}}
}

// TestNoLabelIsCopied verifies that labels and annotations of a plugin, which can have a meaning for clusterctl and
// others, are not copied to its Secret. Only the cluster's name is.
func TestNoLabelIsCopied(t *testing.T) {
	w := newWorld(t, plugin(func(p *v1alpha1.TimeSyncConfig) {
		p.Labels = map[string]string{
			clusterv1.ClusterNameLabel: "c1", "clusterctl.cluster.x-k8s.io/move": "",
			"bootstrap.machineadm.io/storage-kind": "A",
		}
		p.Annotations = map[string]string{
			"clusterctl.cluster.x-k8s.io/block-move": "",
			"bootstrap.machineadm.io/machine":        "m",
		}
	}))
	w.reconcile()
	s := &corev1.Secret{}
	if err := w.Client.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "site-timesyncconfig"},
		s); err != nil {
		t.Fatal(err)
	}
	if len(s.Labels) != 1 || s.Labels[clusterv1.ClusterNameLabel] != "c1" || len(s.Annotations) != 0 ||
		len(s.Finalizers) != 0 {
		t.Errorf("%v %v %v", s.Labels, s.Annotations, s.Finalizers)
	}
}
