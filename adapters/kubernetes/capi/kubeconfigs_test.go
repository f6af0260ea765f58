package capi_test

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	kcfg "sigs.k8s.io/cluster-api/util/kubeconfig"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/test/longkey"
)

const canary = "canary7q9zk2xw5v"

// kubeconfig returns a kubeconfig with the given cluster and user fields.
func kubeconfig(server, cluster, user string) string {
	return "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n" +
		"clusters: [{name: c, cluster: {server: " + server + cluster + "}}]\nusers: [{name: u, user: {" + user + "}}]\n"
}

func kubeconfigSecret(text string, change ...func(*corev1.Secret)) *corev1.Secret {
	s := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "c1-kubeconfig",
			Labels: map[string]string{clusterv1.ClusterNameLabel: "c1"},
		},
		Type: clusterv1.ClusterSecretType, Data: map[string][]byte{"value": []byte(text)},
	}
	for _, f := range change {
		f(s)
	}
	return s
}

func ownedBy(apiVersion, kind string) func(*corev1.Secret) {
	return func(s *corev1.Secret) {
		s.OwnerReferences = append(s.OwnerReferences, metav1.OwnerReference{
			APIVersion: apiVersion, Kind: kind,
			Name: "x", UID: "u",
		})
	}
}

func isPlugin(_ context.Context, kind schema.GroupKind) (bool, error) {
	if kind.Group == "broken.example.com" {
		return false, errors.New("no answer")
	}
	return kind == schema.GroupKind{Group: "plugins.example.com", Kind: "Motd"}, nil
}

// loadKubeconfig reads the kubeconfig of the cluster c1 as ClusterCache does.
func loadKubeconfig(t *testing.T, objects ...client.Object) (*rest.Config, error) {
	t.Helper()
	reader := capi.NewKubeconfigReader(fake.NewClientBuilder().WithObjects(objects...).Build(), isPlugin)
	text, err := kcfg.FromSecret(t.Context(), reader, client.ObjectKey{Namespace: "default", Name: "c1"})
	if err != nil {
		return nil, err
	}
	return clientcmd.RESTConfigFromKubeConfig(text)
}

func TestKubeconfigReaderGet(t *testing.T) {
	good := kubeconfig("https://10.0.0.1:6443", "", "token: "+canary)
	with := func(cluster, user string) string {
		return kubeconfig("https://10.0.0.1:6443", cluster, user+"token: "+canary)
	}
	annotated := func(s *corev1.Secret) { s.Annotations = map[string]string{"bootstrap.machineadm.io/machine": "m1"} }
	cases := map[string]struct {
		reason string
		secret *corev1.Secret
		want   string
	}{
		"user": {
			"a user's has any type and no owner",
			kubeconfigSecret(good, func(s *corev1.Secret) { s.Type = corev1.SecretTypeOpaque }), "",
		},
		"kubeadm": {"a control plane provider's", kubeconfigSecret(good, ownedBy("controlplane.cluster.x-k8s.io/v1beta2",
			"KubeadmControlPlane")), ""},
		"cluster": {
			"that of Cluster API's own function",
			kubeconfigSecret(good, ownedBy("cluster.x-k8s.io/v1beta2", "Cluster")), "",
		},
		"vault": {
			"that of another controller of the user's",
			kubeconfigSecret(good, ownedBy("external-secrets.io/v1", "ExternalSecret")), "",
		},
		"config": {
			"its author chooses the text", kubeconfigSecret(good, ownedBy("bootstrap.machineadm.io/v1alpha1",
				"MachineBootstrapConfig")),
			"the MachineBootstrapConfig.bootstrap.machineadm.io x wrote it; delete the object",
		},
		"second owner": {
			"one owner of several is enough",
			kubeconfigSecret(good, ownedBy("cluster.x-k8s.io/v1beta2", "Cluster"), ownedBy("bootstrap.machineadm.io/v1",
				"TimeSyncConfig")), "TimeSyncConfig",
		},
		"plugin": {
			"a plugin's author chooses it, too", kubeconfigSecret(good, ownedBy("plugins.example.com/v1", "Motd")),
			"the Motd.plugins.example.com x wrote it",
		},
		"no version": {
			"an owner that cannot be read may be any", kubeconfigSecret(good, ownedBy("a/b/c", "X")),
			"apiVersion of its owner X x",
		},
		"restored": {
			"a backup may lose the owner", kubeconfigSecret(good, annotated),
			"machineadm wrote it for another purpose",
		},
		"documents": {"the type identifies it", kubeconfigSecret(good,
			func(s *corev1.Secret) { s.Type = "bootstrap.machineadm.io/documents" }), "another purpose"},
		"label": {
			"so does a label",
			kubeconfigSecret(good,
				func(s *corev1.Secret) { s.Labels = map[string]string{"bootstrap.machineadm.io/storage-kind": "A"} }),
			"another purpose",
		},
		"tokenFile": {
			"a file of the pod", kubeconfigSecret(with("", "tokenFile: /etc/passwd, ")),
			"it has tokenFile, which works on the controller's own pod; use token",
		},
		"client key": {
			"both files are named", kubeconfigSecret(with("", "client-certificate: /a, client-key: /b, ")),
			"client-certificate, which works on the controller's own pod; use client-certificate-data; it has client-key",
		},
		"authority": {
			"a file of the pod", kubeconfigSecret(with(", certificate-authority: /etc/passwd", "")),
			"certificate-authority",
		},
		"long key": {
			"its use takes more than a minute",
			kubeconfigSecret(with(", certificate-authority-data: "+base64.StdEncoding.EncodeToString(longkey.Authority(t)), "")),
			"its certificate-authority-data has a key of more than 8192 bits",
		},
		"exec": {
			"a program", kubeconfigSecret(with("", "exec: {apiVersion: client.authentication.k8s.io/v1, command: sh, "+
				"interactiveMode: Never}, ")), "it has exec",
		},
		"provider": {
			"a program of the client's", kubeconfigSecret(with("", "auth-provider: {name: oidc}, ")),
			"it has auth-provider",
		},
		"other context": {
			"what is current may be changed by another reader",
			kubeconfigSecret(strings.Replace(good, "users: [", "users: [{name: v, user: {tokenFile: /a}}, ", 1)),
			"it has tokenFile",
		},
		"no kubeconfig": {"a text", kubeconfigSecret(canary), "cannot be read"},
		"quoted":        {"a parser quotes what it cannot read", kubeconfigSecret("clusters: " + canary), "cannot be read"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			config, err := loadKubeconfig(t, tc.secret)
			if tc.want == "" {
				if err != nil || config.BearerToken != canary {
					t.Errorf("%v: %s", err, tc.reason)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(),
				"default/c1-kubeconfig is not used: ") {
				t.Errorf("%v, want %q: %s", err, tc.want, tc.reason)
			}
			if err != nil && strings.Contains(err.Error(), canary) {
				t.Errorf("%v shows a secret", err)
			}
		})
	}
}

// TestKubeconfigReaderReturnsErrorsOfTheAPI verifies that the cache can detect a missing kubeconfig, and that a
// kubeconfig is refused if its owner cannot be checked.
func TestKubeconfigReaderReturnsErrorsOfTheAPI(t *testing.T) {
	if _, err := loadKubeconfig(t); !apierrors.IsNotFound(err) {
		t.Errorf("%v, want not found", err)
	}
	_, err := loadKubeconfig(t, kubeconfigSecret(kubeconfig("https://a", "", "token: a"),
		ownedBy("broken.example.com/v1", "X")))
	if err == nil || !strings.Contains(err.Error(), "no answer") {
		t.Error(err)
	}
	reader := capi.NewKubeconfigReader(fake.NewClientBuilder().Build(), isPlugin)
	if reader.Get(t.Context(), client.ObjectKey{}, &corev1.ConfigMap{}) == nil ||
		reader.List(t.Context(), &corev1.SecretList{}) == nil {
		t.Error("it reads more than kubeconfigs")
	}
}

// TestNoFileIsSentToAServer attacks with a kubeconfig that names the attacker's server and a token file of the Pod.
func TestNoFileIsSentToAServer(t *testing.T) {
	shown := ""
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request,
	) {
		shown += r.Header.Get("Authorization")
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(canary), 0o600); err != nil {
		t.Fatal(err)
	}
	for user, sent := range map[string]bool{"token: " + canary: true, "tokenFile: " + file: false} {
		shown = ""
		config, err := loadKubeconfig(t, kubeconfigSecret(kubeconfig(server.URL, ", insecure-skip-tls-verify: true", user)))
		if err == nil {
			err = getKubeconfig(config, server.URL)
		}
		if (err == nil) != sent || strings.Contains(shown, canary) != sent {
			t.Errorf("%s: the server was shown %q: %v", user, shown, err)
		}
	}
}

func getKubeconfig(config *rest.Config, url string) error {
	c, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	response, err := c.Get(url) //nolint:noctx // the test's server
	if err != nil {
		return err
	}
	return response.Body.Close()
}
