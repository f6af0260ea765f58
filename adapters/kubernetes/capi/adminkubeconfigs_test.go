package capi_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/certs"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

// adminWorld is a cluster with a CA in an API server.
type adminWorld struct {
	client.Client
	certificates *capi.Certificates
	kubeconfigs  *capi.AdminKubeconfigs
	clock        *memory.Clock
	plane        ports.ControlPlane
}

func newAdminWorld(t *testing.T) *adminWorld {
	t.Helper()
	c := newCertificatesClient(t)
	reader := capi.NewObjectReader(c, c)
	w := &adminWorld{
		Client: c, certificates: capi.NewCertificates(c, reader), clock: memory.NewClock(time.Now()),
		plane: ports.ControlPlane{
			Key: ports.Key{Namespace: "default", Name: "cp"}, ClusterName: "c1",
			Network: node.Cluster{Endpoint: "192.0.2.10:6443"},
			Config:  node.ControlPlaneConfig{Certificates: node.Certificates{Algorithm: node.ECDSAP256}},
		},
	}
	w.kubeconfigs = capi.NewAdminKubeconfigs(c, reader, w.certificates, w.clock)
	w.generate(t)
	return w
}

func (w *adminWorld) generate(t *testing.T) {
	t.Helper()
	err := w.certificates.Generate(t.Context(), ports.Key{Namespace: "default", Name: "c1"}, node.PurposeClusterCA,
		w.plane.Config.Certificates)
	if err != nil {
		t.Fatal(err)
	}
}

func (w *adminWorld) removeCA(t *testing.T) {
	t.Helper()
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "c1-ca"}}
	if err := w.Delete(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	// The cache of Secrets learns of it by an event.
	reader := capi.NewObjectReader(w, w)
	w.certificates = capi.NewCertificates(w, reader)
	*w.kubeconfigs = *capi.NewAdminKubeconfigs(w, reader, w.certificates, w.clock)
}

func (w *adminWorld) secret(t *testing.T) *corev1.Secret {
	t.Helper()
	s := &corev1.Secret{}
	err := w.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "c1-kubeconfig"}, s)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (w *adminWorld) read(t *testing.T) *portstest.Kubeconfig {
	t.Helper()
	s := w.secret(t)
	if s == nil {
		return nil
	}
	config, err := clientcmd.Load(s.Data["value"])
	if err != nil {
		t.Fatal(err)
	}
	current := config.Contexts[config.CurrentContext]
	user := config.AuthInfos[current.AuthInfo]
	return &portstest.Kubeconfig{
		Server: config.Clusters[current.Cluster].Server, CA: config.Clusters[current.Cluster].CertificateAuthorityData,
		Client: node.KeyPair{Certificate: user.ClientCertificateData, Key: secret.New(user.ClientKeyData)},
	}
}

func TestAdminKubeconfigsConform(t *testing.T) {
	portstest.Kubeconfigs(t, func(t *testing.T) portstest.KubeconfigStore {
		w := newAdminWorld(t)
		return portstest.KubeconfigStore{
			Kubeconfigs: w.kubeconfigs, ControlPlane: w.plane, Read: w.read, Advance: w.clock.Advance, RemoveCA: w.removeCA,
			CA: func(t *testing.T) node.KeyPair {
				t.Helper()
				pair, err := w.certificates.Find(t.Context(), ports.Key{Namespace: "default", Name: "c1"}, node.PurposeClusterCA)
				if err != nil {
					t.Fatal(err)
				}
				return pair
			},
			ReplaceCA: func(t *testing.T) {
				t.Helper()
				w.removeCA(t)
				w.generate(t)
			},
			Foreign: func(t *testing.T, server string) { w.create(t, server, corev1.SecretTypeOpaque) },
		}
	})
}

// create stores a kubeconfig without a user.
func (w *adminWorld) create(t *testing.T, server string, kind corev1.SecretType) {
	t.Helper()
	text, err := clientcmd.Write(api.Config{
		Clusters:  map[string]*api.Cluster{"c": {Server: server}},
		AuthInfos: map[string]*api.AuthInfo{"u": {Token: "canary7q9zk2xw5v"}},
		Contexts:  map[string]*api.Context{"x": {Cluster: "c", AuthInfo: "u"}}, CurrentContext: "x",
	})
	if err != nil {
		t.Fatal(err)
	}
	yes := true
	err = w.Create(t.Context(), &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "c1-kubeconfig", OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "controlplane.cluster.x-k8s.io/v1beta2", Kind: "KubeadmControlPlane", Name: "old", UID: "old",
				Controller: &yes,
			}},
		},
		Type: kind, Data: map[string][]byte{"value": text, "other": []byte("kept")},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestAdminKubeconfigSecret verifies the metadata by which Cluster API finds the Secret and clusterctl moves it.
func TestAdminKubeconfigSecret(t *testing.T) {
	w := newAdminWorld(t)
	if err := w.kubeconfigs.Ensure(t.Context(), w.plane); err != nil {
		t.Fatal(err)
	}
	s := w.secret(t)
	if s.Type != clusterv1.ClusterSecretType || s.Labels[clusterv1.ClusterNameLabel] != "c1" ||
		len(s.OwnerReferences) != 1 || s.OwnerReferences[0].Kind != "Cluster" {
		t.Errorf("type %s, labels %v, owners %v", s.Type, s.Labels, s.OwnerReferences)
	}
}

// TestAdminKubeconfigOfOtherProvider verifies that the content decides and not the owner: the Secret of another control
// plane provider is renewed, and keeps its owner and its other keys.
func TestAdminKubeconfigOfOtherProvider(t *testing.T) {
	w := newAdminWorld(t)
	w.create(t, "https://192.0.2.10:6443", clusterv1.ClusterSecretType)
	if err := w.kubeconfigs.Ensure(t.Context(), w.plane); err != nil {
		t.Fatal(err)
	}
	s := w.secret(t)
	if len(w.read(t).Client.Certificate) == 0 || s.Labels[clusterv1.ClusterNameLabel] != "c1" {
		t.Error("it was not renewed")
	}
	if string(s.Data["other"]) != "kept" || len(s.OwnerReferences) != 1 || s.OwnerReferences[0].Name != "old" {
		t.Errorf("data %v, owners %v", s.Data, s.OwnerReferences)
	}
	version := s.ResourceVersion
	if err := w.kubeconfigs.Ensure(t.Context(), w.plane); err != nil {
		t.Fatal(err)
	}
	if again := w.secret(t).ResourceVersion; again != version {
		t.Error("it was written again")
	}
}

// TestAdminKubeconfigOfOldCA verifies that the kubeconfig of an old cluster is signed once: client certificates begin
// with the CA.
func TestAdminKubeconfigOfOldCA(t *testing.T) {
	w := newAdminWorld(t)
	w.removeCA(t)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "kubernetes"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign, NotBefore: w.clock.Now().AddDate(-3, 0, 0), NotAfter: w.clock.Now().AddDate(7, 0, 0),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := certs.EncodePrivateKeyPEMFromSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	err = w.Create(t.Context(), &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "c1-ca"}, Type: clusterv1.ClusterSecretType,
		Data: map[string][]byte{
			"tls.crt": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), "tls.key": encoded,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var versions []string
	for range 2 {
		if err := w.kubeconfigs.Ensure(t.Context(), w.plane); err != nil {
			t.Fatal(err)
		}
		versions = append(versions, w.secret(t).ResourceVersion)
	}
	if versions[0] != versions[1] {
		t.Error("it was signed again")
	}
}
