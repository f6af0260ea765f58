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
	// ErrOther means that the machine was bootstrapped with another configuration.
	ErrOther = errors.New("this machine was bootstrapped with another configuration; reset it first")
	// ErrFindings means that the configuration has mistakes; nothing was changed.
	ErrFindings = errors.New("the configuration has mistakes")
	// ErrEarlier means that an earlier run failed. Nothing was repeated.
	ErrEarlier = errors.New("an earlier run failed; see to its cause and run machineadm apply, or replace the machine")
	// ErrStep means that a step failed; the status tells which.
	ErrStep = errors.New("a step failed")
	// ErrReset means that a reset of the machine did not come to its end.
	ErrReset = errors.New("a reset of this machine did not end; run machineadm reset again")
	// ErrStopped means that the run was told to stop before its end, as by a machine that shuts down. If the next boot
	// starts another, the error says so.
	ErrStopped = errors.New("told to stop before the end; the next run goes on from here")
)

// Mode is what a run is for.
type Mode int

// The modes of the proposal.
const (
	// Provision brings about the whole configuration and joins the cluster.
	Provision Mode = iota
	// Prepare brings about all that needs neither a cluster nor this machine's own facts: an image is built, or a machine
	// waits to be provisioned.
	Prepare
)

// Parts are what the service works with.
type Parts struct {
	Host     ports.Host
	Surveyor ports.Surveyor
	Facts    ports.Facts
	Journal  ports.Journal
	Codec    ports.Codec
	// Locator sets the lines of findings; nil leaves them out.
	Locator ports.Locator
	// Source and Unwrapper may be nil if there are none.
	Source    ports.Source
	Unwrapper ports.Unwrapper
	Clock     ports.Clock
	// Publisher publishes the status on the machine, the sentinel of success among it; without that a run fails.
	Publisher ports.Reporter
	// Reporters tell others. What they cannot tell changes nothing.
	Reporters []ports.Reporter
	// Preflight looks whether the machine has what a plan needs; nil finds nothing lacking.
	Preflight ports.Preflight
	// Resumption has later boots go on; nil has none do so.
	Resumption ports.Resumption
	// Membership is what others count on the machine for; nil if nobody does.
	Membership ports.Membership
	// Learn is told how to take the configuration's secrets out of what programs print, before the first is started; nil
	// is told nothing.
	Learn func(secret.Redactor)
	// Progress is told of each step that was carried out; nil tells nobody.
	Progress func(status.Step)
	// Expanders are those of all core plugins.
	Expanders []ports.Expander
	// Plugins are the external ones; nil if there are none.
	Plugins ports.Plugins
	// Version is the agent's own.
	Version string
}

// Service applies configurations. It is not for several goroutines.
type Service struct {
	Parts
	planner *planner.Planner
}

// New returns a service of the parts. Two expanders of one kind are an error.
func New(p Parts) (*Service, error) {
	made, err := planner.New(p.Expanders)
	if err != nil {
		return nil, err
	}
	return &Service{Parts: p, planner: made}, nil
}

// Request is what is to be applied.
type Request struct {
	// Data is a serialised machine configuration. It may be empty on a machine that is complete: its configuration, which
	// holds secrets, is gone by then.
	Data []byte
	// Hint is what was said of the machine; the surveyor finds out the rest.
	Hint osprofile.Target
	Mode Mode
	// Only are the phases to carry out; none means all. Skip are phases to leave out.
	Only, Skip []document.Phase
	// Later is what later boots are to start, so that they go on with a run that is cut off; none leaves that to who
	// starts this one.
	Later []string
	// Resume says that a later boot asks: a run that was cut off goes on, and one that failed is told of again and not
	// repeated.
	Resume bool
	// Forget removes what the data were read from, since it holds secrets; nil leaves it. It is called once the journal
	// says that all is done and before success is published, so that no machine that looks complete keeps them.
	Forget func() error
}
