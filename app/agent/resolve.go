package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// The limits of the configuration that documents refer to. They are far above the needs of any machine, and stop
// configuration that fetches itself or decompresses without limit.
const (
	maxDepth     = 8
	maxDocuments = 10_000
	// maxEncryptedDocuments limits how often a key is derived. The configuration determines the cost, which can be seconds
	// for each key.
	maxEncryptedDocuments = 64
)

// ErrDigest means that fetched configuration has another digest than the document that refers to it.
var ErrDigest = errors.New("sha256 mismatch")

// resolver replaces documents by the configuration that they refer to.
type resolver struct {
	*Service
	documents []document.Document
	// decoded contains the codec's findings, which have lines; findings contains all others.
	decoded, findings report.Report
	// texts are the configurations that were read.
	texts []text
	// identity is the machine's identity; it is empty until the configuration that the machine was started with has set
	// it.
	identity  indirect.MachineIdentity
	encrypted int
}

// resolve decodes the data and all configuration that it refers to. Mistakes are findings; an error means that
// configuration could not be fetched or decrypted.
func (s *Service) resolve(ctx context.Context, data []byte) (*resolver, error) {
	ctx = budget.NewContext(ctx, budget.FromContext(ctx))
	r := &resolver{Service: s}
	return r, r.splice(ctx, text{data: data}, nil)
}

// splice adds the documents of the text. The chain has the documents that refer to it, outermost first.
func (r *resolver) splice(ctx context.Context, t text, chain []link) error {
	left, data := budget.FromContext(ctx), t.data
	plain, err := indirect.Uncompressed(data, int(left.Left(budget.Content)))
	// Bytes that decode to nothing cost work, too.
	exceeded := left.Spend(budget.Content, max(len(plain), len(data)))
	r.texts = append(r.texts, text{data: plain, parent: t.parent, name: t.name})
	switch {
	case errors.Is(err, indirect.ErrTooLarge), exceeded != nil:
		return fmt.Errorf("the configuration and all configuration that it refers to exceed %d bytes",
			budget.Default().Content)
	case err != nil:
		r.findings = append(r.findings, report.Errorf(t.path(""), "%v", err))
		return nil
	}
	docs, findings := r.Codec.Decode(ctx, plain)
	for _, f := range findings {
		f.Path = t.path(f.Path)
		r.decoded = append(r.decoded, t.named(f))
	}
	for i := range docs {
		docs[i].Source.Path = t.path(docs[i].Source.Path)
	}
	docs = r.identify(docs, chain)
	for _, d := range docs {
		if err := r.add(ctx, d, chain); err != nil {
			return err
		}
	}
	return nil
}

func (r *resolver) add(ctx context.Context, d document.Document, chain []link) error {
	if len(r.documents) >= maxDocuments {
		return fmt.Errorf("the configuration has more than %d documents", maxDocuments)
	}
	name, fetch := r.indirection(d)
	if fetch == nil && r.exposed(chain) {
		r.findings = append(r.findings, report.Errorf(d.Source.Path, "is not encrypted").
			To("encrypt all configuration that this machine fetches"))
		return nil
	}
	if fetch == nil {
		d.Source.Object = origin(chain)
		r.documents = append(r.documents, d)
		return nil
	}
	if found := r.check(d); found.HasErrors() {
		r.findings = append(r.findings, found...)
		return nil
	}
	next := link{name: name, encrypted: d.Kind() == indirect.KindEncrypted, source: sourceOf(d)}
	if slices.Contains(chain, next) || len(chain) == maxDepth {
		r.findings = append(r.findings, endless(d, chain, next))
		return nil
	}
	data, err := fetch(ctx)
	if errors.Is(err, ErrDigest) {
		return fmt.Errorf("%s: %w", d.Source.Under("sha256"), err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", d.Source, err)
	}
	nested := text{data: data, parent: d.Source.Path, name: name}
	return r.splice(ctx, nested, append(slices.Clone(chain), next))
}

func endless(d document.Document, chain []link, next link) report.Finding {
	if slices.Contains(chain, next) {
		return report.Errorf(d.Source.Path, "%s refers to itself", next.name).To("remove one of the references")
	}
	return report.Errorf(d.Source.Path, "more than %d references lead from one to the next", maxDepth).
		To("refer to fewer at a time")
}

// indirection returns a name for the configuration that the document refers to, and a function that fetches or decrypts
// it, or nil if the document is not a reference.
func (r *resolver) indirection(d document.Document) (string, func(context.Context) ([]byte, error)) {
	switch v := d.Value.(type) {
	case indirect.RemoteConfig:
		return "RemoteConfig " + v.Place(), func(ctx context.Context) ([]byte, error) { return r.fetch(ctx, v) }
	case indirect.EncryptedConfig:
		// Encrypted data cannot contain itself, so a position is a sufficient name.
		return fmt.Sprintf("EncryptedConfig %s of %x", d.Source.Path, v.IV), func(ctx context.Context) ([]byte, error) {
			if r.Decrypter == nil {
				return nil, fmt.Errorf("%s: %w", v.Provider, ports.ErrNoProvider)
			}
			if r.encrypted++; r.encrypted > maxEncryptedDocuments {
				return nil, fmt.Errorf("the configuration is encrypted in more than %d parts", maxEncryptedDocuments)
			}
			return r.Decrypter.Decrypt(ctx, v, r.identity.Machine)
		}
	default:
		return "", nil
	}
}

// fetch fetches the configuration and checks its digest.
func (r *resolver) fetch(ctx context.Context, c indirect.RemoteConfig) ([]byte, error) {
	if r.Source == nil {
		return nil, fmt.Errorf("%s: %w", c.Provider, ports.ErrNoProvider)
	}
	data, err := r.Source.Fetch(ctx, c)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); c.SHA256 != "" && hex.EncodeToString(sum[:]) != c.SHA256 {
		return nil, fmt.Errorf("configuration from %s: %w: got %x, want %s", c.Place(), ErrDigest, sum, c.SHA256)
	}
	return data, nil
}

// sourceOf returns the URI of a document that is fetched, or empty for others.
func sourceOf(d document.Document) string {
	c, _ := d.Value.(indirect.RemoteConfig)
	return c.URI
}

// origin returns the name of the configuration in which a document was written, or empty for the machine's own.
func origin(chain []link) string {
	if len(chain) == 0 {
		return ""
	}
	return chain[len(chain)-1].name
}
