package ports

import "context"

// Membership is the machine's membership in the etcd cluster of its control plane.
type Membership interface {
	// Leave removes the machine from etcd, and returns once the remaining members agree. It does nothing if the machine
	// is not a member, or is the last one. It fails if the remaining members would lose quorum or do not answer in
	// time. A retry may find that the member is already gone.
	Leave(ctx context.Context) error
}
