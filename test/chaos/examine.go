package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	bootstrapapi "k8s.io/cluster-bootstrap/token/api"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/test/controlplane"
)

// findings are the counts that the invariants are about, and the violations.
type findings struct {
	// secrets are the data Secrets, and created those that one successful request created. unanswered are those that a
	// request created whose answer was an error: the API server stopped before it was complete. changed are the successful
	// requests that changed or deleted one, by anyone, and the Secrets that changed after their creation.
	secrets, created, unanswered, changed int
	// tokens are the tokens, and tokensCreated the successful requests that created one.
	tokens, tokensCreated int
	// inits are the machines that initialize a cluster.
	inits int
	// violations describe each violation of an invariant.
	violations []string
}

func (f *findings) violate(format string, args ...any) {
	f.violations = append(f.violations, fmt.Sprintf(format, args...))
}

// examine reads the objects and the audit log. Each machine must have one Secret that nobody changed, and one token,
// unless it initializes its cluster; each cluster must have one machine that initializes it.
func (s *scene) examine(ctx context.Context) (findings, error) {
	var secrets, tokens corev1.SecretList
	if err := s.Client.List(ctx, &secrets, client.InNamespace(namespace),
		client.MatchingFields{"type": string(clusterv1.ClusterSecretType)}); err != nil {
		return findings{}, fmt.Errorf("list data Secrets: %w", err)
	}
	if err := s.Client.List(ctx, &tokens, client.InNamespace(metav1.NamespaceSystem),
		client.MatchingFields{"type": string(bootstrapapi.SecretTypeBootstrapToken)}); err != nil {
		return findings{}, fmt.Errorf("list tokens: %w", err)
	}
	requests, _, err := s.Requests(0)
	if err != nil {
		return findings{}, err
	}
	f := findings{}
	data := map[string]*corev1.Secret{}
	for i := range secrets.Items {
		if isData(&secrets.Items[i]) {
			data[secrets.Items[i].Name] = &secrets.Items[i]
		}
	}
	f.secrets = len(data)
	f.checkObjects(s, data, tokens.Items)
	f.checkRequests(data, requests)
	return f, nil
}

// isData distinguishes the data of machines from certificates and kubeconfigs, which have the same type.
func isData(s *corev1.Secret) bool {
	owner := metav1.GetControllerOf(s)
	return owner != nil && owner.Kind == "MachineBootstrapConfig" && len(s.Data["value"]) > 0
}

func (f *findings) checkObjects(s *scene, data map[string]*corev1.Secret, tokens []corev1.Secret) {
	owned := map[string][]string{}
	for i := range tokens {
		t := &tokens[i]
		owner := t.Annotations[capi.TokenOwnerAnnotation]
		name := owner[strings.LastIndexByte(owner, '/')+1:]
		owned[name] = append(owned[name], string(t.Data[bootstrapapi.BootstrapTokenIDKey])+"."+
			string(t.Data[bootstrapapi.BootstrapTokenSecretKey]))
	}
	f.tokens = len(tokens)
	inits := map[string]int{}
	for i := range s.machines {
		name := machineName(i)
		secret, found := data[name]
		if !found {
			f.violate("%s has no Secret", name)
			continue
		}
		text := secret.Data["value"]
		if bytes.Contains(text, []byte("kubeadm init")) {
			inits[s.cluster(i)]++
			f.inits++
			if len(owned[name]) > 0 {
				f.violate("%s initializes its cluster and has a token", name)
			}
			continue
		}
		if len(owned[name]) != 1 {
			f.violate("%s has %d tokens", name, len(owned[name]))
		} else if !bytes.Contains(text, []byte(owned[name][0])) {
			f.violate("the Secret of %s contains another token than the machine has", name)
		}
	}
	for i := range s.clusters {
		if n := inits[s.cluster(i)]; n != 1 {
			f.violate("%d machines initialize %s", n, s.cluster(i))
		}
	}
}

func (f *findings) checkRequests(data map[string]*corev1.Secret, requests []controlplane.Request) {
	created, failed := map[string]int{}, map[string]int{}
	for _, r := range requests {
		if r.Resource != "secrets" {
			continue
		}
		_, isData := data[r.Name]
		ours, succeeded := r.Namespace == namespace && isData, r.Code >= 200 && r.Code <= 299
		switch {
		case ours && r.Verb == "create" && !succeeded:
			failed[r.Name]++
		case !succeeded:
		case ours && r.Verb == "create":
			created[r.Name]++
		case ours && (r.Verb == "update" || r.Verb == "patch" || r.Verb == "delete"):
			f.changed++
			f.violate("%s: %s by %s", r.Name, r.Verb, r.User)
		case r.Namespace == metav1.NamespaceSystem && r.Verb == "create" &&
			strings.HasPrefix(r.Name, bootstrapapi.BootstrapTokenSecretPrefix):
			f.tokensCreated++
		}
	}
	for name, secret := range data {
		f.checkSecret(secret, created[name], failed[name])
	}
	if f.tokensCreated > f.tokens {
		f.violate("%d tokens were created, and there are %d", f.tokensCreated, f.tokens)
	}
}

// checkSecret checks that a Secret was created once and never changed: the times of its managed fields are those of its
// changes, also of those that the audit log lacks.
func (f *findings) checkSecret(s *corev1.Secret, created, failed int) {
	switch {
	case created == 1:
		f.created++
	case created == 0 && failed > 0:
		f.unanswered++
	default:
		f.violate("%s: %d successful requests to create it, and %d others", s.Name, created, failed)
	}
	for _, m := range s.ManagedFields {
		if m.Time.After(s.CreationTimestamp.Time) {
			f.changed++
			f.violate("%s changed after its creation, by %s", s.Name, m.Manager)
		}
	}
}
