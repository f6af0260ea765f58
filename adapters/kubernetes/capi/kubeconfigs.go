package capi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	capisecret "sigs.k8s.io/cluster-api/util/secret"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/budget"
)

// IsPlugin reports whether resources of a kind are plugins (docs/plugin-contract.md).
type IsPlugin func(ctx context.Context, kind schema.GroupKind) (bool, error)

// KubeconfigReader reads the kubeconfigs of workload clusters for Cluster API's ClusterCache. It refuses those that a
// user without rights on Secrets may have written. It also refuses those that make the client read files of the
// controller's Pod or run programs.
type KubeconfigReader struct {
	secrets  client.Reader
	isPlugin IsPlugin
}

var _ client.Reader = (*KubeconfigReader)(nil)

// NewKubeconfigReader returns a reader. The given reader reads Secrets from the API.
func NewKubeconfigReader(secrets client.Reader, isPlugin IsPlugin) *KubeconfigReader {
	return &KubeconfigReader{secrets: secrets, isPlugin: isPlugin}
}

// Get reads a Secret with a kubeconfig. Errors of the API are returned unchanged; errors about the kubeconfig do not
// quote it.
func (r *KubeconfigReader) Get(ctx context.Context, key client.ObjectKey, o client.Object, options ...client.GetOption,
) error {
	found, ok := o.(*corev1.Secret)
	if !ok {
		return fmt.Errorf("%T: only Secrets are read", o)
	}
	secret := &corev1.Secret{}
	if err := r.secrets.Get(ctx, key, secret, options...); err != nil {
		return err
	}
	problem, err := r.problem(ctx, secret)
	if err != nil {
		return err
	}
	if problem != "" {
		return fmt.Errorf("the kubeconfig in Secret %s is not used: %s", key, problem)
	}
	*found = *secret
	return nil
}

// List returns an error: kubeconfigs are only read by their names.
func (r *KubeconfigReader) List(context.Context, client.ObjectList, ...client.ListOption) error {
	return errors.New("kubeconfigs are not listed")
}

// problem returns why the kubeconfig must not be used, or empty if it may be used.
func (r *KubeconfigReader) problem(ctx context.Context, s *corev1.Secret) (string, error) {
	if problem, err := r.written(ctx, s); problem != "" || err != nil {
		return problem, err
	}
	config, err := clientcmd.Load(s.Data[capisecret.KubeconfigDataName])
	if err != nil {
		// The parser's error is dropped, because it may quote credentials.
		return structured.Malformed("", "its key "+capisecret.KubeconfigDataName+" cannot be read", err).Message, nil
	}
	return checkKubeconfig(config), nil
}

// written returns a problem if a config, a plugin or a template owns the Secret. It also detects machineadm's Secrets
// by their types, labels and annotations, since a backup may have lost the owner.
func (r *KubeconfigReader) written(ctx context.Context, s *corev1.Secret) (string, error) {
	const remedy = "; delete the object and the Secret, and let the control plane provider create another one"
	for _, o := range s.OwnerReferences {
		group, err := schema.ParseGroupVersion(o.APIVersion)
		if err != nil {
			problem := fmt.Sprintf("the apiVersion of its owner %s %s cannot be read", o.Kind, o.Name)
			return problem, nil //nolint:nilerr // it is returned as a problem
		}
		kind := schema.GroupKind{Group: group.Group, Kind: o.Kind}
		own := group.Group == v1alpha1.Group
		if !own {
			if own, err = r.isPlugin(ctx, kind); err != nil {
				return "", fmt.Errorf("find out what owns Secret %s: %w", s.Name, err)
			}
		}
		if own {
			return fmt.Sprintf("the %s %s wrote it%s", kind, o.Name, remedy), nil
		}
	}
	ours := func(text string) bool { return strings.HasPrefix(text, v1alpha1.Group+"/") }
	if ours(string(s.Type)) || hasKey(s.Annotations, ours) || hasKey(s.Labels, ours) {
		return "machineadm wrote it for another purpose" + remedy, nil
	}
	return "", nil
}

func hasKey(all map[string]string, wanted func(string) bool) bool {
	for key := range all {
		if wanted(key) {
			return true
		}
	}
	return false
}

// checkKubeconfig returns the fields of a kubeconfig, in any of its contexts, that make the client read a file or run a
// program.
func checkKubeconfig(c *api.Config) string {
	var problems []string
	for _, u := range c.AuthInfos {
		problems = addProblem(problems, u.TokenFile != "", "tokenFile", "use token")
		problems = addProblem(problems, u.ClientCertificate != "", "client-certificate", "use client-certificate-data")
		problems = addProblem(problems, u.ClientKey != "", "client-key", "use client-key-data")
		problems = addProblem(problems, u.Exec != nil, "exec", "use a token or a client certificate")
		problems = addProblem(problems, u.AuthProvider != nil, "auth-provider", "use a token or a client certificate")
		long := len(u.ClientKeyData) > budget.PrivateKey || budget.CheckCertificates(u.ClientCertificateData) != nil
		problems = append(problems, longKey(long, "client-certificate-data or client-key-data")...)
	}
	for _, k := range c.Clusters {
		problems = addProblem(problems, k.CertificateAuthority != "", "certificate-authority",
			"use certificate-authority-data")
		long := budget.CheckCertificates(k.CertificateAuthorityData) != nil
		problems = append(problems, longKey(long, "certificate-authority-data")...)
	}
	slices.Sort(problems)
	return strings.Join(slices.Compact(problems), "; ")
}

// longKey reports a key that is so long that its use would take minutes.
func longKey(long bool, field string) []string {
	if !long {
		return nil
	}
	return []string{fmt.Sprintf("its %s has a key of more than %d bits; use a shorter one", field, budget.RSABits)}
}

func addProblem(problems []string, there bool, field, remedy string) []string {
	if !there {
		return problems
	}
	return append(problems, fmt.Sprintf("it has %s, which works on the controller's own pod; %s", field, remedy))
}
