package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
)

// signerAnnotation on a request identifies what signed its answer (OpenStorage.Signer), and on a storage what signs for
// it now. The cache then shows which of thousands of requests need another signature.
const signerAnnotation = "bootstrap.machineadm.io/signer"

const (
	// signerDigits is the length of a signer's identifier.
	signerDigits = 16
	// keyBytes is how many bytes of the digest of a secret key are part of the identifier: enough to detect another key,
	// and too few to verify a guess, since users who read storages need not read their credentials.
	keyBytes = 2
)

// settled reports whether there is a valid answer by the current signer. If the signer is not known, any valid answer
// is accepted.
func (r *Reconciler) settled(ctx context.Context, o client.Object) bool {
	if !r.answered(o) || r.Signer == nil {
		return r.answered(o)
	}
	request, _ := r.requestOf(o)
	now := r.Signer(ctx, client.ObjectKey{Namespace: o.GetNamespace(), Name: request.Storage.Name})
	return now == "" || now == o.GetAnnotations()[signerAnnotation]
}

// Signer implements Reconciler.Signer.
func (r *BucketReconciler) Signer(ctx context.Context, key client.ObjectKey) string {
	s, err := r.get(ctx, key)
	if err != nil {
		return ""
	}
	return s.Annotations[signerAnnotation]
}

// recordSigner records the signer in the storage, which wakes its requests.
func (r *BucketReconciler) recordSigner(ctx context.Context, s *v1alpha1.S3BootstrapStorage, signer string) error {
	if s.Annotations[signerAnnotation] == signer {
		return nil
	}
	err := kube.Patch(ctx, r.Client, s, func() { metav1.SetMetaDataAnnotation(&s.ObjectMeta, signerAnnotation, signer) })
	if err != nil {
		return fmt.Errorf("patch the annotations of %s: %w", s.Name, err)
	}
	return nil
}

// signerOf identifies what signs URLs of a storage. It changes with the place, the trusted certificates and the access
// key. Temporary credentials are not part of it: they change often, and the URLs that they sign are renewed in time.
func signerOf(s v1alpha1.S3BootstrapStorageSpec, k Keys) string {
	parts := []string{placeOf(s).id(), s.CertificateAuthority}
	if k.AccessKeyID != "" && k.SessionToken.IsZero() {
		sum := sha256.Sum256(append([]byte("machineadm/secret-access-key\n"), k.SecretAccessKey.Reveal()...))
		parts = append(parts, k.AccessKeyID, hex.EncodeToString(sum[:keyBytes]))
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return hex.EncodeToString(sum[:])[:signerDigits]
}
