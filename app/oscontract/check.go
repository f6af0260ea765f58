// Package oscontract checks whether a machine, or the file tree of an image, complies with the operating system
// contract (package domain/oscontract).
package oscontract

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/domain/oscontract"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
)

// machine contains the inputs of the rules.
type machine struct {
	ports.Inspector
	target osprofile.Target
}

// verdict is the result of a rule: the outcome and a message.
type verdict struct {
	outcome oscontract.Outcome
	message string
}

func met(message string, a ...any) verdict {
	return verdict{oscontract.Met, fmt.Sprintf(message, a...)}
}

func unmet(message string, a ...any) verdict {
	return verdict{oscontract.Unmet, fmt.Sprintf(message, a...)}
}

// Check returns a result for each clause, in their order. An error means that the machine could not be examined.
func Check(ctx context.Context, in ports.Inspector, s ports.Detector) ([]oscontract.Result, error) {
	target, err := s.Detect(ctx, osprofile.Target{})
	if err != nil {
		return nil, fmt.Errorf("detect the operating system: %w", err)
	}
	m := machine{in, target}
	all := rules()
	var results []oscontract.Result
	for _, c := range oscontract.Clauses() {
		rule, known := all[c.Name]
		if !known {
			return nil, errors.New("no rule looks at the clause " + c.Name)
		}
		v := rule(m)
		results = append(results, oscontract.Result{Clause: c, Outcome: v.outcome, Message: v.message})
	}
	return results, nil
}

// rules returns the rule of each clause.
func rules() map[string]func(machine) verdict {
	return map[string]func(machine) verdict{
		oscontract.OperatingSystem: machine.system,
		oscontract.Shell:           machine.shell,
		oscontract.Systemd:         machine.systemd,
		oscontract.FirstBoot:       machine.firstBoot,
		oscontract.Agent:           machine.agent,
		oscontract.Download:        func(m machine) verdict { return m.one("curl", "wget") },
		oscontract.Owners:          machine.owners,
		oscontract.State:           machine.state,
		oscontract.Run:             machine.run,
		oscontract.Accounts:        func(m machine) verdict { return m.all("groupadd", "useradd", "usermod", "chpasswd") },
		oscontract.Mounts:          func(m machine) verdict { return m.all("mount", "blkid", "swapoff") },
		oscontract.Disks:           func(m machine) verdict { return m.all("sfdisk", "wipefs", "mkfs.ext4", "mkswap") },
		oscontract.Kernel:          func(m machine) verdict { return m.all("modprobe", "sysctl") },
		oscontract.Network:         func(m machine) verdict { return m.units("network-online.target") },
		oscontract.Labels:          machine.labels,
		oscontract.Trust:           machine.trust,
		oscontract.Runtime:         machine.runtime,
		oscontract.Kubernetes:      machine.kubernetes,
		oscontract.Time:            machine.time,
		oscontract.NoSwap:          machine.noSwap,
		oscontract.Unused:          machine.unused,
		oscontract.Identity:        machine.identity,
	}
}

// all requires all of the programs.
func (m machine) all(names ...string) verdict {
	var missing []string
	for _, name := range names {
		if !m.HasProgram(name) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return unmet("there is no %s", strings.Join(missing, ", no "))
	}
	return met("%s", strings.Join(names, ", "))
}

// one requires one of the programs.
func (m machine) one(names ...string) verdict {
	for _, name := range names {
		if m.HasProgram(name) {
			return met("%s", name)
		}
	}
	return unmet("there is no %s", strings.Join(names, ", no "))
}

// unit reports whether the unit exists.
func (m machine) unit(name string) bool {
	for _, dir := range []string{
		"/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system",
		"/usr/lib/systemd/system", "/lib/systemd/system",
	} {
		if m.Stat(dir + "/" + name).Regular {
			return true
		}
	}
	return false
}

func (m machine) units(names ...string) verdict {
	for _, name := range names {
		if !m.unit(name) {
			return unmet("there is no unit %s", name)
		}
	}
	return met("%s", strings.Join(names, ", "))
}
