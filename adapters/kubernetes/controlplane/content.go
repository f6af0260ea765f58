package controlplane

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
)

// contentScheme begins the digests of this version of the computation. Others are not compared.
const contentScheme = "v1:"

// content is what the Secrets and ConfigMaps contain that a bootstrap configuration refers to. The zero value compares
// nothing.
type content struct {
	digest string
	// incomplete means that one of them does not exist and is not optional.
	incomplete bool
}

// content reads the referenced contents, if a change of them replaces machines. While a required one is missing, no
// machine could boot, so none is replaced.
func (s *Store) content(ctx context.Context, o *v1alpha1.MachineadmControlPlane) (content, error) {
	if o.Spec.Rollout.OnContentChange != v1alpha1.ContentChangeRoll {
		return content{}, nil
	}
	c, err := s.readContent(ctx, o)
	if err != nil || c.incomplete {
		return content{}, err
	}
	return c, nil
}

// readContent reads the referenced contents. A missing one counts as such.
func (s *Store) readContent(ctx context.Context, o *v1alpha1.MachineadmControlPlane) (content, error) {
	resolver, all, incomplete := s.Resolver(o.Namespace), sha256.New(), false
	required := convert.RequiredKeys(&o.Spec.Bootstrap)
	for _, ref := range convert.ReferencedKeys(&o.Spec.Bootstrap) {
		data, err := resolver.Resolve(ctx, ref)
		switch {
		case errors.Is(err, convert.ErrNotFound):
			data, incomplete = []byte("missing"), incomplete || slices.Contains(required, ref)
		case err != nil:
			return content{}, fmt.Errorf("read %s: %w", ref, err)
		}
		one := sha256.Sum256(data)
		fmt.Fprintf(all, "%q %x\n", ref.String(), one)
	}
	return content{digest: string(all.Sum(nil)), incomplete: incomplete}, nil
}

// desired returns the digest for comparisons, which is not stored.
func (c content) desired() string {
	if c.digest == "" {
		return ""
	}
	return hex.EncodeToString([]byte(c.digest))
}

// recorded returns the digest that is stored on the config of a machine. Everyone who can read the config can read it.
// Therefore it is salted with the name of the machine, which a move keeps.
func (c content) recorded(machine string) string {
	salted := sha256.Sum256([]byte(machine + "\n" + c.digest))
	return contentScheme + hex.EncodeToString(salted[:])
}

// of returns the digest of a machine: the desired one if the recorded contents are those of now.
func (c content) of(config *bootstrapv1.MachineBootstrapConfig) string {
	recorded := config.Annotations[v1alpha1.ContentAnnotation]
	switch {
	case c.digest == "" || !strings.HasPrefix(recorded, contentScheme):
		return ""
	case recorded == c.recorded(config.Name):
		return c.desired()
	default:
		return recorded
	}
}
