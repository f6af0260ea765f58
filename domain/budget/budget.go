// Package budget limits the resources that processing one object may use: bytes of resolved, decompressed and decoded
// content, parsed nodes, and bytes of printed findings. The controller and the commands create one budget for each
// object and pass it with the context, so that all processing steps share its limits.
package budget

import (
	"context"
	"fmt"
	"sync/atomic"
)

// Resource is the name of a limited resource.
type Resource string

// The limited resources.
const (
	// Content is the number of bytes that are resolved from references, decompressed or decoded.
	Content Resource = "content"
	// Nodes is the number of values, lists and maps that a parser creates, with aliases expanded.
	Nodes Resource = "nodes"
	// Output is the number of bytes of printed findings and of the lines that they quote.
	Output Resource = "output"
)

// Limits are the limits of one budget.
type Limits struct {
	// Content, Nodes and Output are the limits of the resources with these names: bytes, nodes and bytes.
	Content, Nodes, Output int64
}

// Default returns the limits of one object. A data Secret holds 1 MiB, and a stored configuration 8 MiB; more content
// than 16 MiB never reaches a machine.
func Default() Limits {
	return Limits{Content: 16 << 20, Nodes: 100_000, Output: 1 << 20}
}

// ExceededError means that the processing of an object exceeded a limit.
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

// Budget counts the resources that one object uses. It is safe for concurrent use.
type Budget struct {
	limits                 Limits
	content, nodes, output atomic.Int64
	slot
}

// New returns an unused budget.
func New(l Limits) *Budget { return &Budget{limits: l} }

// Spend adds n to the use of the resource; a negative n adds 0. Once the limit is exceeded, this and all later calls
// return an *ExceededError. ErrBusy means that the pool of the budget has no free slot.
func (b *Budget) Spend(r Resource, n int) error {
	spent, limit := b.counter(r)
	// The sum must not overflow, for any n and any number of calls.
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
// missing budget does not remove the limits.
func FromContext(ctx context.Context) *Budget {
	if b, ok := ctx.Value(contextKey{}).(*Budget); ok {
		return b
	}
	return New(Default())
}
