// Package plugintest has what the tests of expanders share: targets, and expansions as text that a test can compare
// whole.
package plugintest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

// Target returns a machine of the distribution, amd64 and Kubernetes v1.36.3.
func Target(t *testing.T, distribution string) osprofile.Target {
	t.Helper()
	profile, ok := osprofile.Lookup(distribution)
	if !ok {
		t.Fatalf("no profile %s", distribution)
	}
	return osprofile.Target{Profile: profile, Architecture: "amd64", KubernetesVersion: "v1.36.3"}
}

// Expand expands the value, which has the path "doc", beside others, and checks the port's contract.
func Expand(t *testing.T, x ports.Expander, target osprofile.Target, v document.Value, others ...document.Value,
) ([]action.Action, report.Report) {
	t.Helper()
	e := ports.Expansion{Document: at("doc", v), Target: target}
	for _, o := range others {
		if !slices.Contains(x.Describe().Reads, o.Kind()) {
			t.Errorf("the expander does not declare that it reads %s", o.Kind())
		}
		e.Others = append(e.Others, at("other", o))
	}
	return portstest.Expander(t, x, e)
}

func at(path report.Path, v document.Value) document.Document {
	return document.Document{Value: v, Source: document.Source{Path: path}}
}

// Check compares an expansion with the text that Text makes of it, leading blank lines and the last line's end aside.
func Check(t *testing.T, reason, want string, actions []action.Action, r report.Report) {
	t.Helper()
	if diff := cmp.Diff(strings.Trim(want, "\n"), strings.Trim(Text(actions, r), "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", reason, diff)
	}
}

// RefusesOtherKinds checks that the expander answers a document that is not its own with an error.
func RefusesOtherKinds(t *testing.T, x ports.Expander, target osprofile.Target) {
	t.Helper()
	e := ports.Expansion{Document: at("doc", document.Opaque{Type: "Stranger"}), Target: target}
	if actions, r, err := x.Expand(context.Background(), e); err == nil || actions != nil || r != nil {
		t.Errorf("Expand of a stranger = %v, %v, %v; want an error alone", actions, r, err)
	}
}

// Text returns the findings, one a line, and the actions: "phase: summary (details)", then the content, each line after
// a |. Secrets are shown.
func Text(actions []action.Action, r report.Report) string {
	var b strings.Builder
	for _, f := range r {
		fmt.Fprintln(&b, f)
	}
	for _, a := range actions {
		details, body := describe(a.Do)
		fmt.Fprintf(&b, "%s: %s%s\n", a.In(), a.Do.Summary(), details)
		indent(&b, body)
	}
	return b.String()
}

func describe(op action.Operation) (details, body string) {
	switch o := op.(type) {
	case action.WriteFile:
		content, _ := o.Content.Static()
		return fmt.Sprintf(" (%04o)", uint32(o.EffectiveMode())), string(content)
	case action.FetchFile:
		return fmt.Sprintf(" (%04o)", uint32(o.Mode)), "sha256 " + o.SHA256 + "\nsha512 " + o.SHA512
	case action.EnsureUnit:
		return unit(o)
	case action.InstallPackages:
		return packages(o), strings.Join(o.Install, "\n")
	case action.RunCommand:
		return "", o.Script
	default:
		return "", ""
	}
}

func packages(p action.InstallPackages) string {
	var details []string
	for detail, applies := range map[string]bool{
		"refresh if missing": p.Refresh, "update": p.Update, "upgrade": p.Upgrade,
		"unless " + p.Unless + " exists": p.Unless != "",
	} {
		if applies {
			details = append(details, detail)
		}
	}
	if len(details) == 0 {
		return ""
	}
	slices.Sort(details)
	return " (" + strings.Join(details, ", ") + ")"
}

func unit(u action.EnsureUnit) (details, body string) {
	if len(u.RestartOn) > 0 {
		details = fmt.Sprintf(" (restart on %v)", u.RestartOn)
	}
	body = sample(u.Content)
	for _, d := range u.DropIns {
		body += d.Name + "\n" + sample(d.Content)
	}
	return details, body
}

func indent(b *strings.Builder, body string) {
	body = strings.TrimSuffix(body, "\n")
	if body == "" {
		return
	}
	for line := range strings.SplitSeq(body, "\n") {
		b.WriteString("| " + line + "\n")
	}
}

// sample returns the text with the names of facts in place of their values.
func sample(c document.Content) string {
	return string(c.Resolve(func(f document.Fact) string { return "[" + string(f) + "]" }))
}
