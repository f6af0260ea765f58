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

// The bounds of what a configuration may stand for. They are far above what any machine needs, and keep a configuration
// that fetches itself, or inflates, from filling the machine.
const (
	maxDepth     = 8
	maxDocuments = 10_000
	// maxEncrypted bounds how often a key is derived, which takes seconds if the configuration says so.
	maxEncrypted = 64
)

// ErrDigest means that fetched configuration is not the one that was meant.
var ErrDigest = errors.New("its SHA-256 is another one")

// resolver puts what documents stand for in their place.
type resolver struct {
	*Service
	documents []document.Document
	findings  report.Report
	// identity is the machine's; it is empty until the configuration that the machine was started with has told it.
	identity  indirect.MachineIdentity
	encrypted int
}

// resolve decodes the data and returns all documents, those that stand for others replaced by them. Mistakes are
// findings; an error means that something could not be fetched or decrypted.
func (s *Service) resolve(ctx context.Context, data []byte) ([]document.Document, report.Report, error) {
	ctx = budget.NewContext(ctx, budget.FromContext(ctx))
	r := &resolver{Service: s}
	err := r.splice(ctx, data, nil)
	return r.documents, r.findings, err
}

// splice adds the documents of the data. The chain names the documents that led here, outermost first.
func (r *resolver) splice(ctx context.Context, data []byte, chain []link) error {
	left := budget.FromContext(ctx)
	text, err := indirect.Uncompressed(data, int(left.Left(budget.Content)))
	// Bytes that come to nothing are work, too.
	exceeded := left.Spend(budget.Content, max(len(text), len(data)))
	switch {
	case errors.Is(err, indirect.ErrTooLarge), exceeded != nil:
		return fmt.Errorf("the configuration with all that it refers to is larger than %d bytes", budget.Default().Content)
	case err != nil:
		r.findings = append(r.findings, within(chain, report.Report{report.Errorf("", "%v", err)})...)
		return nil
	}
	docs, findings := r.Codec.Decode(ctx, text)
	r.findings = append(r.findings, within(chain, findings)...)
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
		r.findings = append(r.findings, within(chain, report.Report{report.Errorf(d.Source.Path, "is not encrypted, and "+
			"what this machine fetches has to be")})...)
		return nil
	}
	if fetch == nil {
		d.Source.Object = origin(chain)
		r.documents = append(r.documents, d)
		return nil
	}
	if found := r.check(d); found.HasErrors() {
		r.findings = append(r.findings, within(chain, found)...)
		return nil
	}
	next := link{name: name, encrypted: d.Kind() == indirect.KindEncrypted, source: sourceOf(d)}
	if slices.Contains(chain, next) || len(chain) == maxDepth {
		r.findings = append(r.findings, endless(d, chain, next))
		return nil
	}
	data, err := fetch(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", d.Source, err)
	}
	return r.splice(ctx, data, append(slices.Clone(chain), next))
}

func endless(d document.Document, chain []link, next link) report.Finding {
	if slices.Contains(chain, next) {
		return report.Errorf(d.Source.Path, "%s refers to itself", next.name).To("remove one of the references")
	}
	return report.Errorf(d.Source.Path, "more than %d references lead from one to the next", maxDepth).
		To("refer to fewer at a time")
}

// indirection returns the name of what the document stands for and how to get it; nil if it stands for itself.
func (r *resolver) indirection(d document.Document) (string, func(context.Context) ([]byte, error)) {
	switch v := d.Value.(type) {
	case indirect.RemoteConfig:
		return "RemoteConfig " + v.Place(), func(ctx context.Context) ([]byte, error) { return r.fetch(ctx, v) }
	case indirect.EncryptedConfig:
		// Encrypted data cannot hold itself, so a position is name enough.
		return fmt.Sprintf("EncryptedConfig %s of %x", d.Source.Path, v.IV), func(ctx context.Context) ([]byte, error) {
			if r.Unwrapper == nil {
				return nil, fmt.Errorf("%s: %w", v.Provider, ports.ErrNoProvider)
			}
			if r.encrypted++; r.encrypted > maxEncrypted {
				return nil, fmt.Errorf("the configuration is encrypted in more than %d parts", maxEncrypted)
			}
			return r.Unwrapper.Unwrap(ctx, v, r.identity.Machine)
		}
	default:
		return "", nil
	}
}

// fetch fetches what the document stands for and checks its digest, whoever fetched it.
func (r *resolver) fetch(ctx context.Context, c indirect.RemoteConfig) ([]byte, error) {
	if r.Source == nil {
		return nil, fmt.Errorf("%s: %w", c.Provider, ports.ErrNoProvider)
	}
	data, err := r.Source.Fetch(ctx, c)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); c.SHA256 != "" && hex.EncodeToString(sum[:]) != c.SHA256 {
		return nil, fmt.Errorf("what was fetched from %s: %w", c.Place(), ErrDigest)
	}
	return data, nil
}

// sourceOf returns from where the document's configuration comes; empty for one that is not fetched.
func sourceOf(d document.Document) string {
	c, _ := d.Value.(indirect.RemoteConfig)
	return c.URI
}

// within says in which of the configurations the findings are.
func within(chain []link, findings report.Report) report.Report {
	if len(chain) == 0 {
		return findings
	}
	told := slices.Clone(findings)
	for i := range told {
		told[i].Message = "in " + origin(chain) + ": " + told[i].Message
	}
	return told
}

// origin returns the name of the configuration in which a document was written; empty for the machine's own.
func origin(chain []link) string {
	if len(chain) == 0 {
		return ""
	}
	return chain[len(chain)-1].name
}
