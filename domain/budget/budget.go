// Package budget limits what the processing of one object may cost: the bytes that are resolved, decompressed and
// decoded, the nodes that are parsed, and the bytes that are printed. A driving adapter creates one budget per object
// and passes it down with the context, so that every part of the processing draws from the same limits.
package budget

import (
	"context"
	"fmt"
	"sync/atomic"
)

// Resource names what is limited.
type Resource string

// The limited resources.
const (
	// Content is bytes that are resolved from references, decompressed or decoded.
	Content Resource = "content"
	// Nodes is values, sequences and mappings that a parser of structured text builds, with aliases expanded.
	Nodes Resource = "nodes"
	// Output is bytes that are printed for people: findings and the lines that they quote.
	Output Resource = "output"
)

// Limits are the limits of one budget.
type Limits struct {
	// Content, Nodes and Output are limits of the resources of the same names: bytes, nodes and bytes.
	Content, Nodes, Output int64
}

// Default returns the limits of one object. A data Secret holds 1 MiB, and a stored configuration 8 MiB; more content
// than 16 MiB never reaches a machine.
func Default() Limits {
	return Limits{Content: 16 << 20, Nodes: 100_000, Output: 1 << 20}
}

// ExceededError reports that a resource is used up.
type ExceededError struct {
	Resource Resource
	Limit    int64
}

// Error names the resource and its limit.
func (e *ExceededError) Error() string {
	switch e.Resource {
	case Nodes:
		return fmt.Sprintf("more than %d YAML or JSON nodes", e.Limit)
	case Output:
		return fmt.Sprintf("more than %d bytes of output", e.Limit)
	case Content:
	}
	return fmt.Sprintf("more than %d MiB of content", e.Limit>>20)
}

// Budget is what one object may still cost. Several goroutines may draw from it.
type Budget struct {
	limits                 Limits
	content, nodes, output atomic.Int64
	slot
}

// New returns a budget of which nothing is spent.
func New(l Limits) *Budget { return &Budget{limits: l} }

// Spend draws n from the resource. Once the limit is exceeded, this and every further call returns an *ExceededError.
// A negative n draws nothing. ErrBusy means that the pool of the budget has no slot for the object.
func (b *Budget) Spend(r Resource, n int) error {
	spent, limit := b.counter(r)
	// The sum must not overflow, whatever n is and however often the caller tries again.
	sum := spent.Add(min(int64(max(n, 0)), limit+1))
	if sum > limit {
		spent.Store(limit + 1)
		return &ExceededError{Resource: r, Limit: limit}
	}
	if r != Output && sum > free(r) {
		return b.take()
	}
	return nil
}

// Left returns how much of the resource can still be spent.
func (b *Budget) Left(r Resource) int64 {
	spent, limit := b.counter(r)
	return max(limit-spent.Load(), 0)
}

func (b *Budget) counter(r Resource) (spent *atomic.Int64, limit int64) {
	switch r {
	case Nodes:
		return &b.nodes, b.limits.Nodes
	case Output:
		return &b.output, b.limits.Output
	case Content:
	}
	return &b.content, b.limits.Content
}

type contextKey struct{}

// NewContext returns a context that carries the budget.
func NewContext(ctx context.Context, b *Budget) context.Context {
	return context.WithValue(ctx, contextKey{}, b)
}

// FromContext returns the budget of the context. Without one it returns a new budget with the default limits, so that a
// caller that forgot to create one is limited, too.
func FromContext(ctx context.Context) *Budget {
	if b, ok := ctx.Value(contextKey{}).(*Budget); ok {
		return b
	}
	return New(Default())
}
