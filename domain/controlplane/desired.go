package controlplane

import (
	"time"

	"github.com/machineadm/machineadm/domain/node"
)

// Template identifies what a machine is created from. Two machines with the same template are interchangeable.
type Template struct {
	// Version is the Kubernetes version, with the prefix v.
	Version string
	// Bootstrap is a digest of the meaning of the bootstrap configuration, computed by the running controller for
	// machines old and new. An empty digest is not compared.
	Bootstrap string
	// Content is a digest of the Secrets, ConfigMaps and plugins that the configuration refers to. It is empty, and not
	// compared, if a change of them must not replace machines.
	Content string
	// Infrastructure is the kind, API group and name of the infrastructure template: "Kind.group/name". An empty value is
	// not compared.
	Infrastructure string
}

// Desired is the control plane that the user describes.
type Desired struct {
	// Replicas is the number of machines, zero or more.
	Replicas int
	Template Template
	// Type is the control plane type. Plan needs it for how the cluster is started and joined.
	Type node.ControlPlaneType
	// MaxSurge is the number of machines above Replicas that a rollout may create, 0 or 1.
	MaxSurge int
	// FailureDomains are those that accept control plane machines, sorted. It is empty if the infrastructure has none.
	FailureDomains []string
	// ExternalEtcd means that the machines run no etcd members.
	ExternalEtcd bool
	// RolloutAfter replaces machines that were created before this time, as soon as it has passed. The zero time
	// replaces none.
	RolloutAfter time.Time
	// RolloutBeforeExpiry replaces machines whose certificates expire within this duration. Zero replaces none.
	RolloutBeforeExpiry time.Duration
	Remediation         Remediation
	// Paused means that the control plane or its cluster is paused, and Deleting that it is being deleted.
	Paused, Deleting bool
	// Unclaimed means that no Cluster refers to the control plane. The other fields are unknown then.
	Unclaimed bool
	// Held is the reason why machines must neither be created nor replaced for the time being, such as a topology upgrade
	// that is pending. It is empty if there is none. Dead machines and stray members are removed nevertheless.
	Held string
}

// Remediation limits how machines are replaced that a health check marks.
type Remediation struct {
	// MaxRetry is how often the replacement of a machine may itself be replaced; nil means without a limit.
	MaxRetry *int
	// RetryPeriod is the least time between two retries. If it is nil, the time grows for a machine that has not joined,
	// and any other machine is replaced at once.
	RetryPeriod *time.Duration
	// MinHealthyPeriod is the time after which a failure is not a retry of the one before. Default: one hour.
	MinHealthyPeriod time.Duration
}
