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
	Cluster  Cluster
	Machine  Machine
	// Describe converts the machine's description. It is called only when the description is needed.
	Describe func(ctx context.Context) (composition.Description, error)
	// counter is the first counter for a token's ID.
	counter int
	// after is the expiry of the address to replace; zero if there is none.
	after time.Time
}

// Cluster contains the facts about the machine's cluster.
type Cluster struct {
	ports.Key
	// Network contains the cluster's name, endpoint, subnets and domain, as far as they are known.
	Network node.Cluster
	// InfrastructureReady means that the cluster's infrastructure is ready.
	InfrastructureReady bool
	// Initialized means that the first control plane node is ready.
	Initialized bool
	// StandAlone means that no control plane provider manages the control plane machines, so that machineadm generates the
	// cluster's certificates.
	StandAlone   bool
	ControlPlane ControlPlane
	// Addresses are the addresses of the control plane machines, sorted, as far as they are known.
	Addresses []string
	// OldestVersion is the oldest version of the control plane machines; empty if it is not known.
	OldestVersion string
}

// Machine contains the facts about the machine, or the pool of machines, that the data is for.
type Machine struct {
	Name string
	// Pool means that many machines boot with the same data, now and later.
	Pool         bool
	ControlPlane bool
	// Version is the machine's Kubernetes version, with the prefix v.
	Version string
	// Infrastructure is the kind of its infrastructure object, such as AWSMachine; empty if it is not known.
	Infrastructure string
	// Addresses are the machine's addresses, the preferred one first; none if they are not known yet.
	Addresses []string
	// Joined means that the machine, or every machine of the pool, is a node.
	Joined bool
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
