package agent

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/preflight"
)

// minFreeMiB is the space that a node needs in /var for images and logs before the kubelet begins to evict pods, in
// mebibytes.
const minFreeMiB = 2048

// firstYear is the year of machineadm's first release.
const firstYear = 2026

// The ports of a node: https://kubernetes.io/docs/reference/networking/ports-and-protocols/.
const (
	apiServerPort = 6443
	kubeletPort   = 10250
)

func controlPlanePorts() []int { return []int{10257, 10259} }

func etcdPorts() []int { return []int{2379, 2380} }

// Check plans the request, and checks whether the machine has what the plan needs. It changes nothing.
func (s *Service) Check(ctx context.Context, r Request) (Prepared, []preflight.Problem, error) {
	past, err := s.Journal.Load(ctx)
	if err != nil {
		return Prepared{}, nil, fmt.Errorf("read the journal: %w", err)
	}
	p, err := s.Plan(ctx, r)
	if err != nil || p.Findings.HasErrors() || s.Preflight == nil {
		return p, nil, err
	}
	requirements := requirementsOf(p)
	if past.Digest(journal.EventCompleted) != "" {
		// The node itself already uses the ports.
		requirements.Ports = nil
	}
	problems, err := s.Preflight.Check(ctx, requirements)
	return p, append(problems, s.checkClock(p)...), err
}

// checkClock reports a clock with a time before machineadm existed, at which no certificate is valid.
func (s *Service) checkClock(p Prepared) []preflight.Problem {
	now := s.Clock.Now().UTC()
	joins := slices.ContainsFunc(p.Documents, func(d document.Document) bool { return d.Kind() == node.KindNode })
	if !joins || now.Year() >= firstYear {
		return nil
	}
	return []preflight.Problem{{
		Name: preflight.Clock, Message: "the clock shows " + now.Format(time.DateTime),
		Remedy: "set the clock, or run a time daemon before the bootstrap",
	}}
}

// requirementsOf returns the requirements of the plan before its first step.
func requirementsOf(p Prepared) preflight.Requirements {
	requirements := preflight.Requirements{FreeMiB: map[string]int{}}
	swap := false
	for _, s := range p.Steps {
		if s.Skipped {
			continue
		}
		_, swaps := s.Do.(action.EnableSwap)
		swap = swap || swaps
		requirements.Programs = append(requirements.Programs, toolsOf(s.Do)...)
		if u, ok := s.Do.(action.EnsureUnit); ok && mustExist(u) && !providesUnit(p.Steps, u.Name) {
			requirements.Units = append(requirements.Units, u.Name)
		}
	}
	for _, d := range p.Documents {
		if n, ok := d.Value.(node.NodeConfig); ok {
			requirements.Programs = append(requirements.Programs, "kubeadm", "kubelet")
			if runtime := p.Target.KnownRuntime(p.Documents); runtime != "" {
				requirements.Programs = append(requirements.Programs, string(runtime))
			}
			requirements.Ports = portsOf(n, p.Documents)
			requirements.NoSwap = !swap && n.Kubelet.Config["failSwapOn"] != false
			requirements.FreeMiB["/var"] = minFreeMiB
		}
	}
	requirements.Programs = slices.DeleteFunc(requirements.Programs, func(program string) bool {
		return installsProgram(p.Steps, program)
	})
	slices.Sort(requirements.Programs)
	requirements.Programs = slices.Compact(requirements.Programs)
	slices.Sort(requirements.Units)
	requirements.Units = slices.Compact(requirements.Units)
	return requirements
}

// mustExist reports whether systemctl fails for a unit that does not exist. Masking and disabling work for any name.
func mustExist(u action.EnsureUnit) bool {
	return !u.Masked && u.Enabled != nil && *u.Enabled && u.Content.IsZero()
}

// providesUnit reports whether a step creates the unit. The units of packages and system extensions are unknown before
// the installation, so each of these may provide any unit.
func providesUnit(steps []Step, name string) bool {
	names := []string{name}
	if prefix, instance, found := strings.Cut(name, "@"); found {
		names = append(names, prefix+"@"+path.Ext(instance))
	}
	return slices.ContainsFunc(steps, func(s Step) bool {
		switch o := s.Do.(type) {
		case action.InstallPackages:
			return true
		case action.FetchFile:
			return slices.Contains(names, path.Base(o.Path)) || path.Ext(o.Path) == ".raw"
		case action.WriteFile:
			return slices.Contains(names, path.Base(o.Path))
		case action.Link:
			return slices.Contains(names, path.Base(o.Path))
		case action.EnsureUnit:
			return !o.Content.IsZero() && slices.Contains(names, o.Name)
		default:
			return false
		}
	})
}

// toolsOf returns the programs that an operation uses.
func toolsOf(op action.Operation) []string {
	switch o := op.(type) {
	case action.EnsureGroup:
		return []string{"groupadd"}
	case action.EnsureUser:
		return []string{"useradd", "usermod", "chpasswd"}
	case action.EnsureUnit:
		return []string{"systemctl"}
	case action.PartitionDisk:
		if o.Wipe {
			return []string{"blkid", "sfdisk", "wipefs"}
		}
		return []string{"blkid", "sfdisk"}
	case action.MakeFilesystem:
		if o.Format == "swap" {
			return []string{"blkid", "mkswap"}
		}
		return []string{"blkid", "mkfs." + o.Format}
	case action.MountFilesystem:
		return []string{"mount"}
	case action.EnableSwap:
		return []string{"dd", "mkswap", "swapon"}
	case action.RunCommand:
		return []string{"sh"}
	default:
		return nil
	}
}

func portsOf(n node.NodeConfig, docs []document.Document) []int {
	ports := []int{kubeletPort}
	if n.Role == node.RoleWorker {
		return ports
	}
	api := n.BindPort
	if api == 0 {
		api = apiServerPort
	}
	ports = append(append(ports, api), controlPlanePorts()...)
	elsewhere := func(d document.Document) bool {
		c, ok := d.Value.(node.ControlPlaneConfig)
		return ok && c.ExternalEtcd != nil
	}
	if slices.ContainsFunc(docs, elsewhere) {
		return ports
	}
	return append(ports, etcdPorts()...)
}

// installsProgram reports whether a step installs the program, so that it need not exist before the run.
func installsProgram(steps []Step, program string) bool {
	return slices.ContainsFunc(steps, func(s Step) bool {
		switch o := s.Do.(type) {
		case action.FetchFile:
			// A system extension contains the program of its name. One extension contains both kubelet and kubeadm.
			return path.Base(o.Path) == program || s.Kind == machine.KindKubernetes && strings.HasPrefix(program, "kube")
		case action.WriteFile:
			return path.Base(o.Path) == program
		case action.InstallPackages:
			return slices.ContainsFunc(o.Install, func(name string) bool { return strings.HasPrefix(name, program) })
		default:
			return false
		}
	})
}
