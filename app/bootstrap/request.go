package bootstrap

import (
	"context"
	"time"

	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Request is what is known when a machine asks for its bootstrap data.
type Request struct {
	// Owner is the object that describes the machine.
	Owner ports.Owner
	// DataName is the name of the data to publish, in the owner's namespace; empty takes the owner's name.
	DataName string
	// Published says that there was data once, which somebody deleted: a machine may be at work with it.
	Published bool
	// Reported says that the machine has reported success.
	Reported bool
	Cluster  Cluster
	Machine  Machine
	// Describe converts the machine's description. It is called only when the answer is needed.
	Describe func(ctx context.Context) (Description, error)
	// counter is the first one to try for a token's ID.
	counter int
	// after is when the address ends that is to be replaced; zero if none is.
	after time.Time
}

// Cluster is what is known of the machine's cluster.
type Cluster struct {
	ports.Key
	// Network holds the cluster's name, endpoint, subnets and domain, as far as they are known.
	Network node.Cluster
	// InfrastructureReady says that the infrastructure of the cluster stands.
	InfrastructureReady bool
	// Initialized says that the first control plane node is up.
	Initialized bool
	// StandAlone says that no control plane provider runs the control plane machines, so that nobody else makes the
	// cluster's certificates.
	StandAlone bool
	// ControlPlane is what the control plane is made of.
	ControlPlane ControlPlane
	// Addresses are those of the control plane's machines, sorted, as far as they are known.
	Addresses []string
	// OldestVersion is the oldest version of the control plane's machines; empty if it is not known.
	OldestVersion string
}

// Machine is what is known of the machine, or of the pool of machines, that the data is for.
type Machine struct {
	Name string
	// Pool says that many machines boot with the same data, now and later.
	Pool         bool
	ControlPlane bool
	// Version is the machine's Kubernetes version, with its v.
	Version string
	// Infrastructure is the kind of its infrastructure object, such as AWSMachine; empty if it is not known.
	Infrastructure string
	// Addresses are the machine's own, the one to reach it by first; none if they are not known yet.
	Addresses []string
	// Joined says that the machine is a node; of a pool, that all its machines are.
	Joined bool
}

// Description is the machine's description in the domain's words.
type Description struct {
	Documents []document.Document
	Target    osprofile.Target
	Format    delivery.Format
	// Findings were made while converting.
	Findings report.Report
	// Fields maps paths of the documents to those that the user wrote.
	Fields report.Fields
	// Plugins are those of the machine. Their documents are among Documents.
	Plugins composition.Composition
	// Missing names objects that the description needs and that are not there yet.
	Missing []string
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
