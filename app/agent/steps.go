package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// Step is one operation and its origin.
type Step struct {
	// ID is the same in each run for the same action of the same document.
	ID     string
	Phase  document.Phase
	Source document.Source
	Do     action.Operation
	// Kind is that of the document.
	Kind document.Kind
	// Skipped reports whether this run leaves the step out.
	Skipped bool
}

// Prepared is a configuration that is ready to be applied or shown.
type Prepared struct {
	// Digest is the SHA-256 of the data in hexadecimal.
	Digest string
	Target osprofile.Target
	// Documents are resolved and in their order.
	Documents []document.Document
	Steps     []Step
	// Findings contains no errors, or there are no steps.
	Findings report.Report
	redactor secret.Redactor
}

// Plan resolves and plans the request. Mistakes are findings with their line; an error means that something could not
// be read or fetched.
func (s *Service) Plan(ctx context.Context, r Request) (Prepared, error) {
	resolved, err := s.resolve(ctx, r.Data)
	p, err := s.plan(ctx, r, resolved, err)
	p.Findings = slices.Concat(resolved.decoded, resolved.locate(p.Findings))
	return p, err
}

func (s *Service) plan(ctx context.Context, r Request, resolved *resolver, err error) (Prepared, error) {
	p := Prepared{Digest: digest(r.Data)}
	docs, findings := resolved.documents, resolved.findings
	invalid := findings.HasErrors() || resolved.decoded.HasErrors()
	if len(docs) == 0 && err == nil && !invalid {
		findings, invalid = append(findings, report.Errorf("", "there is no document in the configuration")), true
	}
	p.Findings, p.redactor = findings, redactor(docs, nil)
	if err != nil || invalid {
		return p, err
	}
	if p.Target, err = s.Detector.Detect(ctx, hint(r.Hint, docs)); err != nil {
		return p, fmt.Errorf("identify the machine: %w", err)
	}
	planning, found, err := s.plannerOf(ctx, docs)
	if err != nil {
		return p, err
	}
	created, found, err := planning.Plan(ctx, plan.Job{Documents: docs, Target: p.Target},
		func(document.Document) bool { return false }, found)
	p.Findings, p.redactor = append(p.Findings, found...), redactor(docs, created.Steps)
	if err != nil || p.Findings.HasErrors() {
		return p, err
	}
	created.Steps = everyBoot(created)
	p.Documents, p.Steps = created.Documents, steps(created, r)
	return p, nil
}

// hint adds the facts about the machine that its configuration contains.
func hint(t osprofile.Target, docs []document.Document) osprofile.Target {
	if n, _, found := document.First[node.NodeConfig](docs); found && t.KubernetesVersion == "" {
		t.KubernetesVersion = n.KubernetesVersion
	}
	return t
}

// everyBoot adds, before the first command that runs at every boot, what runs them at later boots: a script and its
// unit, or on Windows the scripts that the program for later starts runs.
func everyBoot(p plan.Plan) []plan.Step {
	var commands []plan.BootCommand
	first := -1
	for i, s := range p.Steps {
		c, ok := s.Do.(action.RunCommand)
		if !ok || s.Phase != document.PhaseBoot {
			continue
		}
		if first < 0 {
			first = i
		}
		commands = append(commands, plan.BootCommand{Path: p.Source(s).Path, Script: c.Script})
	}
	if first < 0 {
		return p.Steps
	}
	var added []plan.Step
	for _, op := range bootOperations(p.Target, commands) {
		added = append(added, plan.Step{Phase: document.PhaseBoot, Document: p.Steps[first].Document, Do: op})
	}
	return slices.Insert(slices.Clone(p.Steps), first, added...)
}

func bootOperations(t osprofile.Target, commands []plan.BootCommand) []action.Operation {
	if t.Profile.Family == osprofile.FamilyWindows {
		var ops []action.Operation
		for _, file := range plan.WindowsBoot(commands) {
			ops = append(ops, action.WriteFile{File: file})
		}
		return ops
	}
	file, unit := plan.Boot(commands)
	return []action.Operation{action.WriteFile{File: file}, action.EnsureUnit{Unit: unit}}
}

// digest returns the SHA-256 of the data in hexadecimal.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// steps names the steps of a plan and marks those that the request leaves out.
func steps(p plan.Plan, r Request) []Step {
	seen := map[string]int{}
	out := make([]Step, len(p.Steps))
	for i, s := range p.Steps {
		d := p.Documents[s.Document]
		key := fmt.Sprintf("%s %s %s %s", d.Digest, d.Source, s.Phase, s.Do.Summary())
		if d.Digest != "" {
			// The same document is the same step at another position of the file, too.
			key = fmt.Sprintf("%s %s %s", d.Digest, s.Phase, s.Do.Summary())
		}
		seen[key]++
		id := digest(fmt.Appendf(nil, "%s %d", key, seen[key]))[:16]
		out[i] = Step{ID: id, Phase: s.Phase, Source: d.Source, Do: s.Do, Kind: d.Kind()}
		out[i].Skipped = r.skips(s.Phase) || r.Mode == Prepare && !preparable(d, s)
	}
	return out
}

func (r Request) skips(p document.Phase) bool {
	return slices.Contains(r.Skip, p) || len(r.Only) > 0 && !slices.Contains(r.Only, p)
}

// preparable reports whether a step can be applied before the machine knows its identity and its cluster.
func preparable(d document.Document, s plan.Step) bool {
	switch d.Kind() {
	case node.KindNode, node.KindControlPlane, node.KindStaticPod, node.KindVirtualIP:
		return false
	default:
	}
	if len(action.Facts(s.Do)) > 0 {
		return false
	}
	return s.Phase >= document.PhaseTrust && s.Phase <= document.PhaseUnit
}

// redactor returns the redactor of all secrets of the documents and of the steps. Steps of plugins can have secrets
// that their documents do not show.
func redactor(docs []document.Document, steps []plan.Step) secret.Redactor {
	var known []secret.Value
	for _, d := range docs {
		known = append(known, secret.Collect(d.Value)...)
		known = append(known, secretContents(d.Value)...)
	}
	for _, s := range steps {
		known = append(known, secret.Collect(s.Do)...)
		if w, ok := s.Do.(action.WriteFile); ok {
			known = append(known, secretContents(w.File)...)
		}
	}
	return secret.NewRedactor(known...)
}
