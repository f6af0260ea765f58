package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// signerAnnotation has, on a deposit, what its answer was signed by (Opened.Signer), and on a storage in buckets what
// signs for it now. It stands there so that a look at the cache tells whether thousands of deposits are to be signed
// anew.
const signerAnnotation = "bootstrap.machineadm.io/signer"

const (
	// signerDigits are how much of its digest the word for a signer has.
	signerDigits = 16
	// keyBytes are how much of the digest of a secret key is part of that: enough to see that it was replaced, and too
	// little to try out which one it is, since who reads a storage need not read its credentials.
	keyBytes = 2
)

// settled reports whether there is an answer that counts, and was signed by what signs now. While that is not known it
// counts.
func (r *Reconciler) settled(ctx context.Context, o client.Object) bool {
	if !r.answered(o) || r.Signer == nil {
		return r.answered(o)
	}
	asked, _ := r.asked(o)
	now := r.Signer(ctx, client.ObjectKey{Namespace: o.GetNamespace(), Name: asked.Storage.Name})
	return now == "" || now == o.GetAnnotations()[signerAnnotation]
}

// Signer returns what signs for the storage of the name, as far as it was noted, for Deposits.
func (r *BucketReconciler) Signer(ctx context.Context, key client.ObjectKey) string {
	s, err := r.get(ctx, key)
	if err != nil {
		return ""
	}
	return s.Annotations[signerAnnotation]
}

// note writes down what signs for the storage now, which wakes its deposits.
func (r *BucketReconciler) note(ctx context.Context, s *v1alpha1.S3BootstrapStorage, signer string) error {
	if s.Annotations[signerAnnotation] == signer {
		return nil
	}
	before := s.DeepCopy()
	if s.Annotations == nil {
		s.Annotations = map[string]string{}
	}
	s.Annotations[signerAnnotation] = signer
	if err := r.Client.Patch(ctx, s, client.MergeFromWithOptions(before,
		client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("patch the annotations of %s: %w", s.Name, err)
	}
	return nil
}

// signerOf returns a word for what signs the addresses of a storage: another one when its place, what machines trust or
// its credentials are replaced. Credentials that end by themselves are replaced all the time, and so are addresses that
// they signed, in time.
func signerOf(s v1alpha1.S3BootstrapStorageSpec, k Keys) string {
	parts := []string{placeOf(s).id(), s.CertificateAuthority}
	if k.AccessKeyID != "" && k.SessionToken.IsZero() {
		sum := sha256.Sum256(append([]byte("machineadm/secret-access-key\n"), k.SecretAccessKey.Reveal()...))
		parts = append(parts, k.AccessKeyID, hex.EncodeToString(sum[:keyBytes]))
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return hex.EncodeToString(sum[:])[:signerDigits]
}
