package capi_test

import (
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

func newCertificatesClient(t *testing.T) client.Client {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, clusterv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatalf("add to scheme: %v", err)
		}
	}
	cluster := &clusterv1.Cluster{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "c1", UID: "cluster-uid"}}
	return fake.NewClientBuilder().WithScheme(scheme).WithObjects(cluster).Build()
}

func TestCertificatesConform(t *testing.T) {
	portstest.Certificates(t, func(t *testing.T) ports.Certificates {
		c := newCertificatesClient(t)
		return capi.NewCertificates(c, capi.NewObjectReader(c, c))
	})
}

func TestGeneratedSecretMatchesClusterAPI(t *testing.T) {
	c := newCertificatesClient(t)
	key := ports.Key{Namespace: "default", Name: "c1"}
	created := capi.NewCertificates(c, capi.NewObjectReader(c, c))
	if err := created.Generate(t.Context(), key, node.PurposeClusterCA,
		node.Certificates{Algorithm: node.ECDSAP256}); err != nil {
		t.Fatalf("generate: %v", err)
	}
	s := &corev1.Secret{}
	if err := c.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "c1-ca"}, s); err != nil {
		t.Fatalf("get: %v", err)
	}
	if s.Type != clusterv1.ClusterSecretType || s.Labels[clusterv1.ClusterNameLabel] != "c1" {
		t.Errorf("type %s, labels %v", s.Type, s.Labels)
	}
	if len(s.OwnerReferences) != 1 || s.OwnerReferences[0].UID != "cluster-uid" {
		t.Errorf("owners %v, want the cluster", s.OwnerReferences)
	}
}

// TestKeysOfAnEarlierClusterAreNotUsed verifies that a cluster that was created again under the same name waits until
// the garbage collector has deleted the earlier keys. Otherwise its first machine would use keys that are deleted a
// moment later.
func TestKeysOfAnEarlierClusterAreNotUsed(t *testing.T) {
	c := newCertificatesClient(t)
	key := ports.Key{Namespace: "default", Name: "c1"}
	created := capi.NewCertificates(c, capi.NewObjectReader(c, c))
	generate := func() error {
		return created.Generate(t.Context(), key, node.PurposeClusterCA, node.Certificates{Algorithm: node.ECDSAP256})
	}
	if err := generate(); err != nil {
		t.Fatal(err)
	}
	cluster := &clusterv1.Cluster{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "c1"}}
	if err := c.Delete(t.Context(), cluster); err != nil {
		t.Fatal(err)
	}
	if _, err := created.Find(t.Context(), key, node.PurposeClusterCA); err != nil {
		t.Errorf("keys whose cluster is being deleted: %v", err)
	}
	cluster.UID, cluster.ResourceVersion = "another-uid", ""
	if err := c.Create(t.Context(), cluster); err != nil {
		t.Fatal(err)
	}
	if err := generate(); err != nil {
		t.Errorf("generate: %v", err)
	}
	_, found := created.Find(t.Context(), key, node.PurposeClusterCA)
	_, pinned := created.Pins(t.Context(), key)
	for _, err := range []error{found, pinned} {
		if !errors.Is(err, ports.ErrNoCertificate) || !strings.Contains(err.Error(), "an earlier cluster of that name") {
			t.Errorf("%v, want %v", err, ports.ErrNoCertificate)
		}
	}
}
