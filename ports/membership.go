package ports

import "context"

// Membership is a machine's place among those that count on one another: the members of its cluster's etcd.
type Membership interface {
	// Leave takes the machine out, and returns once those that stay agree without it. A machine that is no member, or the
	// last one, has nothing to leave. That the others cannot do without the machine, or do not answer in time, is an
	// error; who asks again may find that the machine has left.
	Leave(ctx context.Context) error
}
