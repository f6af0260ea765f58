package convert

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
)

// Contents returns a digest of the keys of Secrets and ConfigMaps that a resource or a spec refers to, and whether all
// that are required exist. The digest is not salted. The spec is a pointer.
func Contents(ctx context.Context, spec any, r Resolver) (digest string, complete bool, err error) {
	all, required := sha256.New(), RequiredKeys(spec)
	complete = true
	for _, ref := range ReferencedKeys(spec) {
		data, err := r.Resolve(ctx, ref)
		switch {
		case errors.Is(err, ErrNotFound):
			data, complete = []byte("missing"), complete && !slices.Contains(required, ref)
		case err != nil:
			return "", false, fmt.Errorf("read %s: %w", ref, err)
		}
		fmt.Fprintf(all, "%q %x\n", ref.String(), sha256.Sum256(data))
	}
	return string(all.Sum(nil)), complete, nil
}
