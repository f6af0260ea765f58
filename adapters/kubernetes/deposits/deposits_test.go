package deposits_test

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/adapters/kubernetes/deposits"
	"github.com/machineadm/machineadm/ports/portstest"
)

// live reads Secrets from the API.
type live struct{ client.Client }

func (l live) Secret(ctx context.Context, key client.ObjectKey) (*corev1.Secret, error) {
	s := &corev1.Secret{}
	return s, l.Get(ctx, key, s)
}

func TestStoreConforms(t *testing.T) {
	kind := schema.GroupVersionKind{Group: "bootstrap.machineadm.io", Version: "v1alpha1", Kind: "MachineBootstrapConfig"}
	portstest.Deposits(t, func(*testing.T) portstest.DepositStore {
		c := fake.NewClientBuilder().Build()
		return portstest.DepositStore{Deposits: deposits.New(c, live{c}, kind), Take: func(t *testing.T, problem string) {
			t.Helper()
			s := &corev1.Secret{}
			if err := c.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "m1-stored"}, s); err != nil {
				t.Fatal(err)
			}
			if problem != "" {
				storagecontract.SetProblem(s, problem)
			} else if err := answer(s); err != nil {
				t.Fatal(err)
			}
			if s.Labels[clusterv1.ClusterNameLabel] != "c1" || len(s.OwnerReferences) != 1 || !*s.OwnerReferences[0].Controller {
				t.Errorf("labels %v, owners %v", s.Labels, s.OwnerReferences)
			}
			if err := c.Update(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}}
	})
}

func answer(s *corev1.Secret) error {
	asked, err := storagecontract.RequestOf(s)
	if err != nil {
		return err
	}
	return storagecontract.Answer{URL: "https://storage/" + asked.Digest, Headers: map[string]string{"B": "b", "A": "a"}}.Write(s, asked.Digest)
}
