package hosts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// operate carries out the operation of the decision.
func (s *Machines) operate(ctx context.Context, v *situation) error {
	switch m := v.machine; v.step.Operation {
	case host.OperationAddFinalizer:
		return s.Machines.SetFinalizer(ctx, m, true)
	case host.OperationRemoveFinalizer:
		return s.Machines.SetFinalizer(ctx, m, false)
	case host.OperationSelectHost:
		return s.selectHost(ctx, v)
	case host.OperationClaimHost:
		return s.Hosts.SetClaim(ctx, v.entry, m.Claim)
	case host.OperationDropClaim:
		return s.dropClaim(ctx, v)
	case host.OperationReturnHost, host.OperationMarkHost:
		return s.leave(ctx, v)
	case host.OperationRecordSending:
		return s.Machines.SetClaim(ctx, m, m.Claim, s.Clock.Now())
	case host.OperationPrepare, host.OperationBoot, host.OperationRelease:
		return s.drive(ctx, v)
	case host.OperationProvisioned:
		v.machine.Provisioned = true
		return s.Machines.SetProviderID(ctx, m)
	case host.OperationIdentify:
		return s.Machines.SetProviderID(ctx, m)
	case host.OperationFail, host.OperationNone, host.OperationWait, host.OperationObserve:
	}
	return nil
}

// observe calls the driver for the state of the claim.
func (s *Machines) observe(ctx context.Context, v *situation) error {
	return s.call(ctx, v, func(ctx context.Context, d Driver, target ports.HostTarget) error {
		o, err := d.Observe(ctx, target, v.machine.Claim.ID)
		if err != nil {
			return err
		}
		v.observation, v.observed.Phase, v.observed.Failure = &o, o.Phase, o.Failure
		v.observed.ProviderIDDiffers = o.ProviderID != "" && o.ProviderID != v.machine.ProviderID
		return nil
	})
}

// drive calls the driver for an operation that changes the host, and carries out the decision about its fault.
func (s *Machines) drive(ctx context.Context, v *situation) error {
	id := v.machine.Claim.ID
	err := s.call(ctx, v, func(ctx context.Context, d Driver, target ports.HostTarget) error {
		if v.step.Operation == host.OperationPrepare {
			if err := s.checkAgent(ctx, v, d, target); err != nil {
				return err
			}
			return d.Claim(ctx, target, id)
		}
		if v.step.Operation == host.OperationRelease {
			return d.Release(ctx, target, id)
		}
		boot, err := s.boot(ctx, v)
		if err != nil {
			return err
		}
		return d.Boot(ctx, target, id, boot)
	})
	if err != nil || v.observed.Fault == "" {
		return err
	}
	s.next(v)
	s.explain(v)
	return s.operate(ctx, v)
}

// checkAgent returns a fault if the data needs an agent that a host of the inventory lacks. The agent or the accepted
// digests may have changed since the last probe. A machine without data on a host can still use another one.
func (s *Machines) checkAgent(ctx context.Context, v *situation, d Driver, target ports.HostTarget) error {
	if target.Connection == nil {
		return nil
	}
	boot, err := s.boot(ctx, v)
	if err != nil || boot.Format != ports.HostFormatAgent {
		return err
	}
	probe, err := d.Probe(ctx, target)
	if err == nil && !probe.Agent {
		err = &ports.HostError{
			Fault: host.FaultUnsupported, Operation: "claim the host",
			Err: errors.New("it has no agent of --host-agent-sha256"),
		}
	}
	return err
}

// call calls the driver of the machine. It records a fault in the situation.
func (s *Machines) call(ctx context.Context, v *situation,
	f func(context.Context, Driver, ports.HostTarget) error,
) error {
	fault, detail, err := call(ctx, func(ctx context.Context) error {
		d := s.Drivers.of(v.machine)
		if err := changedDriver(v.machine); err != nil || d == nil {
			return &ports.HostError{Fault: host.FaultDisabled, Operation: "call the driver", Err: err}
		}
		target, err := s.target(ctx, v)
		if err != nil {
			return err
		}
		return f(ctx, d, target)
	})
	if err != nil || fault == "" {
		return err
	}
	v.observed.Fault, v.observed.FaultDetail, v.observed.FaultSince = fault, detail, s.faultSince(v.machine, fault)
	return nil
}

// changedDriver returns an error if the settings of a machine are those of another driver than its claim: the claim of
// a machine that a driver creates has no host. The driver of the claim cannot be called without its settings.
func changedDriver(m ports.HostMachine) error {
	switch {
	case m.Settings == nil && m.Claim.Host == "":
		return errors.New("spec.namespaceMachine or spec.virtualMachine was removed after the machine was created; " +
			"restore it")
	case m.Settings != nil && m.Claim.Host != "":
		return errors.New("spec.namespaceMachine or spec.virtualMachine was added after the machine claimed a host; " +
			"remove it")
	default:
		return nil
	}
}

// target returns the host of the machine's claim, or the machine that the driver creates.
func (s *Machines) target(ctx context.Context, v *situation) (ports.HostTarget, error) {
	if v.machine.Settings != nil {
		return ports.HostTarget{Namespace: v.machine.Namespace, Name: v.machine.Name, Machine: v.machine.Settings}, nil
	}
	return connect(ctx, s.Secrets, v.entry)
}

// connect returns the target for a host, with its private key.
func connect(ctx context.Context, secrets ports.HostSecrets, e ports.HostEntry) (ports.HostTarget, error) {
	connection := e.Connection
	var err error
	connection.Key, err = secrets.PrivateKey(ctx, e)
	return ports.HostTarget{Namespace: e.Namespace, Name: e.Name, Connection: &connection}, err
}

// boot returns the bootstrap data of a machine.
func (s *Machines) boot(ctx context.Context, v *situation) (ports.HostBoot, error) {
	format, data, err := s.Secrets.Data(ctx, v.machine)
	v.format = format
	return ports.HostBoot{
		Format: format, Data: data, Hostname: host.Hostname(v.machine.Name), ProviderID: v.machine.ProviderID,
	}, err
}

// selectHost writes a claim with a new ID to the machine. It fails the machine if no host accepts the data.
func (s *Machines) selectHost(ctx context.Context, v *situation) error {
	boot, err := s.readData(ctx, v)
	if err != nil {
		return err
	}
	if !accepts(s.Drivers.of(v.machine), boot.Format) {
		v.machine.DataFault = host.FaultFormat
		s.next(v)
		s.explain(v)
		return nil
	}
	claim := host.Claim{Machine: v.machine.Name}
	if v.machine.Settings == nil {
		selection, err := s.selection(ctx, v.machine, boot.Format)
		if err != nil {
			return err
		}
		v.step, claim.Host = selection.Step(v.machine.Timeouts), selection.Host
		if claim.Host == "" {
			until := s.Clock.Now().Add(v.machine.Timeouts.Resync)
			s.formats.set(v.machine, knownFormat{format: boot.Format, until: until})
			return nil
		}
	}
	if claim.ID, err = newID(s.Entropy); err != nil {
		return err
	}
	return s.Machines.SetClaim(ctx, v.machine, claim, time.Time{})
}

// explain adds the format of the data and those of the driver to the message about an unsupported format.
func (s *Machines) explain(v *situation) {
	d := s.Drivers.of(v.machine)
	if v.step.Reason != host.FaultFormat.Reason() || d == nil {
		return
	}
	v.step.Message = fmt.Sprintf("the bootstrap data has the format %q, and the driver accepts %q; %s",
		v.format, d.Formats(), v.step.Message)
}

// dropClaim removes the claim from the machine.
func (s *Machines) dropClaim(ctx context.Context, v *situation) error {
	return s.Machines.SetClaim(ctx, v.machine, host.Claim{}, time.Time{})
}

// leave removes the claim from the host and then from the machine. After a crash in between, the machine finds the host
// without its claim.
func (s *Machines) leave(ctx context.Context, v *situation) error {
	if v.machine.Claim.Host == "" || !v.observed.HostClaim.Same(v.machine.Claim) {
		return s.dropClaim(ctx, v)
	}
	if v.step.Operation == host.OperationMarkHost {
		if err := s.Hosts.MarkUnavailable(ctx, v.entry, v.step.Reason, v.step.Message); err != nil {
			return err
		}
		return s.dropClaim(ctx, v)
	}
	if err := s.Hosts.SetClaim(ctx, v.entry, host.Claim{}); err != nil {
		return err
	}
	return s.dropClaim(ctx, v)
}
