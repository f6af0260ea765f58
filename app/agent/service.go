package agent

import (
	"errors"

	"github.com/machineadm/machineadm/app/planner"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// The errors of the service.
var (
	// ErrOtherConfiguration means that the machine was bootstrapped with another configuration.
	ErrOtherConfiguration = errors.New("this machine was bootstrapped with another configuration; reset it first")
	// ErrFindings means that the configuration has mistakes; nothing was changed.
	ErrFindings = errors.New("the configuration has mistakes")
	// ErrEarlierFailure means that an earlier run failed. Nothing was repeated.
	ErrEarlierFailure = errors.New("an earlier run failed; correct its cause and run machineadm " +
		"apply, or replace the machine")
	// ErrStep means that a step failed; the status names it.
	ErrStep = errors.New("a step failed")
	// ErrReset means that a reset of the machine was interrupted.
	ErrReset = errors.New("a reset of this machine was interrupted; run machineadm reset again")
	// ErrStopped means that the run was stopped before its end, for example because the machine shuts down. The error also
	// reports whether the next boot starts another run.
	ErrStopped = errors.New("stopped before the end; the next run continues from here")
)

// Mode is the purpose of a run.
type Mode int

// The modes of runs.
const (
	// Provision applies the whole configuration and joins the cluster.
	Provision Mode = iota
	// Prepare applies what needs neither a cluster nor facts of this machine: when an image is built, or before a machine
	// is provisioned.
	Prepare
)

// Dependencies are the dependencies of the service.
type Dependencies struct {
	Host     ports.Host
	Detector ports.Detector
	Facts    ports.Facts
	Journal  ports.Journal
	Codec    ports.Codec
	// Locator sets the lines of findings; nil leaves them out.
	Locator ports.Locator
	// Source and Decrypter may be nil.
	Source    ports.Source
	Decrypter ports.Decrypter
	Clock     ports.Clock
	// Publisher publishes the status and the success sentinel on the machine. Its failure is a failure of the run.
	Publisher ports.Reporter
	// Reporters report to other systems. Their failures are ignored.
	Reporters []ports.Reporter
	// Preflight checks whether the machine has what a plan needs; nil checks nothing.
	Preflight ports.Preflight
	// Resumption makes later boots continue a run; nil makes none.
	Resumption ports.Resumption
	// Membership removes the machine from etcd, or nil if it is not a member.
	Membership ports.Membership
	// OnRedactor receives the redactor of the configuration's secrets before the first program starts; nil ignores it.
	OnRedactor func(secret.Redactor)
	// Progress is called after each step; nil ignores it.
	Progress func(status.Step)
	// Expanders are the core plugins.
	Expanders []ports.Expander
	// Plugins are the external ones, or nil if there are none.
	Plugins ports.ExternalPlugins
	// Version is the agent's own.
	Version string
}

// Service applies configurations. It must not be used concurrently.
type Service struct {
	Dependencies
	planner *planner.Planner
}

// New returns a service. Two expanders of one kind are an error.
func New(p Dependencies) (*Service, error) {
	created, err := planner.New(p.Expanders)
	if err != nil {
		return nil, err
	}
	return &Service{Dependencies: p, planner: created}, nil
}

// Request is a configuration to apply.
type Request struct {
	// Data is a serialised machine configuration. It may be empty on a machine that is complete: its configuration, which
	// holds secrets, is gone by then.
	Data []byte
	// Hint contains what is known about the machine; the surveyor adds the rest.
	Hint osprofile.Target
	Mode Mode
	// Only lists the phases to run; none means all. Skip lists phases to leave out.
	Only, Skip []document.Phase
	// ResumeCommand is the command that later boots run to continue an interrupted run. Without it the caller has to start
	// the next run.
	ResumeCommand []string
	// Resume is set by later boots: an interrupted run continues, and a failed run is reported again and not repeated.
	Resume bool
	// RemoveConfiguration removes the file of the configuration, which contains secrets; nil keeps it. It is called after
	// the journal is complete and before success is published, so that no machine that looks complete has the file.
	RemoveConfiguration func() error
}
