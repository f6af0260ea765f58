package controlplane

import (
	"context"
	"fmt"
	"os"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/cluster-api/util/kubeconfig"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// tokenSeconds is how long a ServiceAccount's token lasts: longer than any test.
const tokenSeconds = 6 * 3600

// WriteKubeconfig writes the administrator's kubeconfig.
func (c *ControlPlane) WriteKubeconfig(path string) error {
	return c.writeKubeconfig(path, &clientcmdapi.AuthInfo{
		ClientCertificateData: c.Config.CertData, ClientKeyData: c.Config.KeyData,
	})
}

// WriteServiceAccountKubeconfig writes a kubeconfig with a token of the ServiceAccount, which must exist.
func (c *ControlPlane) WriteServiceAccountKubeconfig(ctx context.Context, namespace, name, path string) error {
	seconds := int64(tokenSeconds)
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &seconds}}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	if err := c.Client.SubResource("token").Create(ctx, account, request); err != nil {
		return fmt.Errorf("request token of %s/%s: %w", namespace, name, err)
	}
	return c.writeKubeconfig(path, &clientcmdapi.AuthInfo{Token: request.Status.Token})
}

func (c *ControlPlane) writeKubeconfig(path string, user *clientcmdapi.AuthInfo) error {
	data, err := c.kubeconfig(user)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return fmt.Errorf("write kubeconfig: %w", err)
	}
	return nil
}

func (c *ControlPlane) kubeconfig(user *clientcmdapi.AuthInfo) ([]byte, error) {
	config := clientcmdapi.NewConfig()
	config.Clusters["management"] = &clientcmdapi.Cluster{
		Server:                   "https://" + c.Address(),
		CertificateAuthorityData: c.pki.ca(),
	}
	config.AuthInfos["user"] = user
	config.Contexts["management"] = &clientcmdapi.Context{Cluster: "management", AuthInfo: "user"}
	config.CurrentContext = "management"
	data, err := clientcmd.Write(*config)
	if err != nil {
		return nil, fmt.Errorf("write kubeconfig: %w", err)
	}
	return data, nil
}

// UserKubeconfig returns a kubeconfig with a client certificate for the user, who is in the groups.
func (c *ControlPlane) UserKubeconfig(user string, groups ...string) ([]byte, error) {
	config, err := c.pki.AddUser(envtest.User{Name: user, Groups: groups}, c.Config)
	if err != nil {
		return nil, err
	}
	return c.kubeconfig(&clientcmdapi.AuthInfo{
		ClientCertificateData: config.CertData,
		ClientKeyData:         config.KeyData,
	})
}

// ClusterKubeconfig returns the Secret <cluster>-kubeconfig, with which a manager reaches this API server as the
// Cluster's workload cluster. The audit log knows it there by the user's name.
func (c *ControlPlane) ClusterKubeconfig(cluster client.ObjectKey, user string) (*corev1.Secret, error) {
	data, err := c.UserKubeconfig(user, "system:masters")
	if err != nil {
		return nil, err
	}
	s := kubeconfig.GenerateSecretWithOwner(cluster, data, metav1.OwnerReference{})
	s.OwnerReferences = nil
	return s, nil
}

// ClusterCA returns the Secret <cluster>-ca that makes this API server the workload cluster of the Cluster.
func (c *ControlPlane) ClusterCA(cluster client.ObjectKey) *corev1.Secret {
	ca := c.pki.pair.AsSecret(cluster, metav1.OwnerReference{})
	ca.OwnerReferences = nil
	return ca
}
