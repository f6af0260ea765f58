package bootstrap

import (
	"context"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// Request is a request for a machine's bootstrap data.
type Request struct {
	// Owner is the MachineBootstrapConfig.
	Owner ports.Owner
	// DataName is the name of the data to publish, in the owner's namespace; empty is the owner's name.
	DataName string
	// Published means that data was published before and deleted by a user. A machine may be using it.
	Published bool
	// Reported means that the machine has reported success.
	Reported bool
	Cluster  ports.Cluster
	Machine  ports.Machine
	// Source identifies the current spec of a pool (composition.Description.Source).
	Source string
	// Describe converts the machine's description. It is called only when the description is needed.
	Describe func(ctx context.Context) (composition.Description, error)
	// counter is the first counter for a token's ID.
	counter int
	// minExpiry is the expiry of the address to replace, or zero if there is none.
	minExpiry time.Time
}

func (r Request) dataKey() ports.Key {
	name := r.DataName
	if name == "" {
		name = r.Owner.Name
	}
	return ports.Key{Namespace: r.Owner.Namespace, Name: name}
}

func (r Request) tokenOwner() node.TokenOwner {
	return node.TokenOwner{Namespace: r.Cluster.Namespace, Cluster: r.Cluster.Name, Config: r.Owner.Name}
}

// identity returns an identifier that no other machine has or had. A config that is created again has another one.
func (r Request) identity() string {
	parts := []string{r.Owner.Namespace, r.Owner.Name}
	if r.Owner.UID != "" {
		parts = append(parts, r.Owner.UID)
	}
	return strings.Join(parts, "/")
}
