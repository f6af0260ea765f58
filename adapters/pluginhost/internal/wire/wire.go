// Package wire turns the domain's values into messages of the plugin protocol and back. Documents travel as machine
// configuration, so that a kind is described once.
package wire

import (
	"context"
	"fmt"

	pluginv1 "github.com/machineadm/machineadm/adapters/pluginhost/proto/v1"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Wire converts with a codec.
type Wire struct{ ports.Codec }

// Document returns the message of a document.
func (w Wire) Document(d document.Document) (*pluginv1.Document, error) {
	text, err := w.Encode([]document.Document{d})
	if err != nil {
		return nil, err
	}
	return &pluginv1.Document{Text: text, Path: string(d.Source.Path), Object: d.Source.Object}, nil
}

// Documents returns the messages of documents.
func (w Wire) Documents(docs []document.Document) ([]*pluginv1.Document, error) {
	out := make([]*pluginv1.Document, len(docs))
	for i, d := range docs {
		m, err := w.Document(d)
		if err != nil {
			return nil, err
		}
		out[i] = m
	}
	return out, nil
}

// FromDocument returns the document of a message.
func (w Wire) FromDocument(ctx context.Context, m *pluginv1.Document) (document.Document, error) {
	docs, findings := w.Decode(ctx, m.GetText())
	if findings.HasErrors() {
		return document.Document{}, fmt.Errorf("read a document: %s", findings.Sorted()[0])
	}
	if len(docs) != 1 {
		return document.Document{}, fmt.Errorf("read a document: the message holds %d", len(docs))
	}
	docs[0].Source = document.Source{Object: m.GetObject(), Path: report.Path(m.GetPath())}
	return docs[0], nil
}

// FromDocuments returns the documents of messages.
func (w Wire) FromDocuments(ctx context.Context, messages []*pluginv1.Document) ([]document.Document, error) {
	out := make([]document.Document, len(messages))
	for i, m := range messages {
		d, err := w.FromDocument(ctx, m)
		if err != nil {
			return nil, err
		}
		out[i] = d
	}
	return out, nil
}

// Target returns the message of a target. Its profile travels by name, with what was found out on the machine.
func Target(t osprofile.Target) *pluginv1.Target {
	return &pluginv1.Target{
		Distribution: t.Profile.ID, Release: t.Release, Architecture: t.Architecture, Platform: t.Platform,
		KubernetesVersion: t.KubernetesVersion, ContainerdVersion: int32(t.ContainerdVersion),
		TimeDaemons: timeDaemons(t.Profile),
	}
}

func timeDaemons(p osprofile.Profile) []string {
	names := make([]string, len(p.TimeDaemons))
	for i, daemon := range p.TimeDaemons {
		names[i] = string(daemon)
	}
	return names
}

// FromTarget returns the target of a message. An unknown distribution has an empty profile of that name.
func FromTarget(m *pluginv1.Target) osprofile.Target {
	profile, known := osprofile.Lookup(m.GetDistribution())
	if !known {
		profile.ID = m.GetDistribution()
	}
	profile.TimeDaemons = nil
	for _, daemon := range m.GetTimeDaemons() {
		profile.TimeDaemons = append(profile.TimeDaemons, machine.TimeDaemon(daemon))
	}
	return osprofile.Target{
		Profile: profile, Release: m.GetRelease(), Architecture: m.GetArchitecture(), Platform: m.GetPlatform(),
		KubernetesVersion: m.GetKubernetesVersion(), ContainerdVersion: int(m.GetContainerdVersion()),
	}
}

// Findings returns the messages of findings.
func Findings(r report.Report) []*pluginv1.Finding {
	out := make([]*pluginv1.Finding, len(r))
	for i, f := range r {
		out[i] = &pluginv1.Finding{
			Severity: int32(f.Severity), Path: string(f.Path), Message: f.Message, Remedy: f.Remedy, Line: int32(f.Line),
			Column: int32(f.Column),
		}
	}
	return out
}

// FromFindings returns the findings of messages. An unknown severity is an error: the plugin wanted to report
// something.
func FromFindings(messages []*pluginv1.Finding) report.Report {
	var out report.Report
	for _, m := range messages {
		severity := report.Severity(m.GetSeverity())
		if severity < report.Info || severity > report.Error {
			severity = report.Error
		}
		out = append(out, report.Finding{
			Severity: severity, Path: report.Path(m.GetPath()), Message: m.GetMessage(), Remedy: m.GetRemedy(),
			Line: int(m.GetLine()), Column: int(m.GetColumn()),
		})
	}
	return out
}

// phaseNamed returns the phase with the name; 0 if it is empty.
func phaseNamed(name string) (document.Phase, error) {
	if name == "" {
		return 0, nil
	}
	p, known := document.PhaseNamed(name)
	if !known {
		return 0, fmt.Errorf("%q is not a phase; use one of %v", name, document.Phases())
	}
	return p, nil
}

func phaseName(p document.Phase) string {
	if p == 0 {
		return ""
	}
	return p.String()
}

// Actions returns the messages of actions.
func (w Wire) Actions(actions []action.Action) ([]*pluginv1.Action, error) {
	out := make([]*pluginv1.Action, len(actions))
	for i, a := range actions {
		m, err := w.action(a)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Do.Summary(), err)
		}
		out[i] = m
	}
	return out, nil
}

// FromActions returns the actions of messages.
func (w Wire) FromActions(ctx context.Context, messages []*pluginv1.Action) ([]action.Action, error) {
	out := make([]action.Action, len(messages))
	for i, m := range messages {
		a, err := w.fromAction(ctx, m)
		if err != nil {
			return nil, fmt.Errorf("action %d: %w", i, err)
		}
		out[i] = a
	}
	return out, nil
}
