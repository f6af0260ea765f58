package bootstrap_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
)

// kept remembers the grant of the credential that was published, and for how long others are accepted.
type kept struct {
	ports.DataSecrets
	grant   credential.Grant
	earlier time.Duration
}

func (k *kept) Create(ctx context.Context, d ports.DataSecret) error {
	k.grant, k.earlier = d.Credential, d.PreviousExpiry.Sub(d.Published)
	return k.DataSecrets.Create(ctx, d)
}

// enrolled produces the data of a machine with the options of delivery on the operating system, and returns what was
// rendered for.
func enrolled(
	t *testing.T, system string, o delivery.Options, known func() (bootstrap.Endpoint, error),
	change ...func(*bootstrap.Request),
) (delivery.Options, *kept, outcome, error) {
	t.Helper()
	w := newWorld()
	k := &kept{DataSecrets: w.data}
	w.Data, w.Endpoint = k, known
	var got delivery.Options
	w.Render = func(ctx context.Context, job plan.Job) (render.Result, error) {
		got = job.Delivery
		return w.render(ctx, job)
	}
	profile, _ := osprofile.Lookup(system)
	out, err := result(w.Produce(t.Context(), request(func(r *bootstrap.Request) {
		r.Describe = func(context.Context) (composition.Description, error) {
			return composition.Description{Job: plan.Job{
				Target: osprofile.Target{Profile: profile, Architecture: "amd64"}, Delivery: o, Format: "cloud-init",
			}}, nil
		}
		for _, f := range change {
			f(r)
		}
	})))
	return got, k, out, err
}

func endpoint() (bootstrap.Endpoint, error) {
	return bootstrap.Endpoint{URL: "https://e:9444/", Authorities: "PEM", Agent: func(system, architecture string) string {
		if system == "linux" && architecture == "amd64" {
			return strings.Repeat("ab", 32)
		}
		return ""
	}}, nil
}

func TestAMachineThatReportsIsEnrolled(t *testing.T) {
	cases := map[string]struct {
		reason, url, want, authorities string
		known                          func() (bootstrap.Endpoint, error)
	}{
		"the controller's": {
			reason: "flags set it", known: endpoint, want: "https://e:9444/reports/default/m1",
			authorities: "PEM",
		},
		"the config's own": {
			reason: "it is reached otherwise", url: "https://f", known: endpoint,
			want: "https://f/reports/default/m1",
		},
		"no other": {reason: "the controller has none", url: "https://f", want: "https://f/reports/default/m1"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, k, outcome, err := enrolled(t, "ubuntu", delivery.Options{Reporting: &delivery.Reporting{Endpoint: c.url}},
				c.known)
			if _, ready := outcome, outcome.Name != ""; !ready || err != nil {
				t.Fatalf("%s: %v, %v", c.reason, outcome, err)
			}
			if got.Reporting.URL() != c.want || got.Reporting.Authorities != c.authorities {
				t.Errorf("%s: %s %s", c.reason, got.Reporting.URL(), got.Reporting.Authorities)
			}
			if shown := got.Reporting.Credential; shown.Len() != 43 || !k.grant.Digest.Matches(shown.Reveal()) {
				t.Errorf("a credential of %d bytes, whose digest is not the one that is kept", shown.Len())
			}
		})
	}
}

func TestACredentialHasAnEnd(t *testing.T) {
	pool := func(r *bootstrap.Request) {
		r.Machine.Pool, r.Machine.ControlPlane, r.Cluster.Initialized = true, false, true
	}
	for name, c := range map[string]struct {
		reason   string
		deadline time.Duration
		change   []func(*bootstrap.Request)
		want     time.Duration
	}{
		"machine":     {reason: "late machines still report", deadline: 20 * time.Minute, want: 80 * time.Minute},
		"no deadline": {reason: "without a deadline it still ends", want: 24 * time.Hour},
		"pool":        {reason: "machines to come have it", deadline: time.Minute, change: []func(*bootstrap.Request){pool}},
	} {
		t.Run(name, func(t *testing.T) {
			_, k, outcome, err := enrolled(t, "ubuntu", delivery.Options{Reporting: &delivery.Reporting{Deadline: c.deadline}},
				endpoint, c.change...)
			ready, is := outcome, outcome.Name != ""
			if !is || err != nil {
				t.Fatalf("%+v, %v", outcome, err)
			}
			var life time.Duration
			if !k.grant.Expires.IsZero() {
				life = k.grant.Expires.Sub(ready.Published)
			}
			if life != c.want || k.earlier != bootstrap.DefaultTokenTTL {
				t.Errorf("%s: it ends after %s, and earlier ones after %s", c.reason, life, k.earlier)
			}
		})
	}
}

func TestNoCredentialWithoutReporting(t *testing.T) {
	for reason, o := range map[string]delivery.Options{
		"not requested":           {},
		"Talos starts no program": {Reporting: &delivery.Reporting{}},
	} {
		system := "ubuntu"
		if o.Reporting != nil {
			system = "talos"
		}
		got, k, outcome, err := enrolled(t, system, o, endpoint)
		if got.Reporting != nil || !k.grant.Digest.IsZero() || err != nil {
			t.Errorf("%s: %v, %v, %v", reason, got.Reporting, outcome, err)
		}
	}
}

func TestMissingEndpoint(t *testing.T) {
	agent := delivery.Options{Mode: delivery.ModeAgent, Agent: delivery.Agent{Endpoint: true}}
	for want, c := range map[string]struct {
		options delivery.Options
		known   func() (bootstrap.Endpoint, error)
	}{
		"spec.reporting.url: the controller has no endpoint": {options: delivery.Options{Reporting: &delivery.Reporting{}}},
		"spec.delivery.agent.source: the controller serves no agent; ": {
			options: agent, known: func() (bootstrap.Endpoint, error) { return bootstrap.Endpoint{URL: "https://e"}, nil },
		},
		"the controller serves no agent for amd64": {options: agent, known: func() (bootstrap.Endpoint, error) {
			return bootstrap.Endpoint{URL: "https://e", Agent: func(string, string) string { return "" }}, nil
		}},
	} {
		_, _, outcome, err := enrolled(t, "ubuntu", c.options, c.known)
		if stalled, is := as[bootstrap.StalledError](outcome); !is || err != nil || !strings.Contains(stalled.Message, want) {
			t.Errorf("want %q: %+v, %v", want, outcome, err)
		}
	}
	served := func() (bootstrap.Endpoint, error) {
		return bootstrap.Endpoint{URL: "https://e", Agent: func(string, string) string { return "0" }}, nil
	}
	_, _, outcome, err := enrolled(t, "windows-server-2022", agent, served)
	if stalled, is := as[bootstrap.StalledError](outcome); !is || err != nil || !strings.Contains(stalled.Message,
		"the controller serves agents for Linux, and the machine has Windows Server 2022; use Image or Fetch") {
		t.Errorf("an agent for Linux on Windows: %+v, %v", outcome, err)
	}
	away := func() (bootstrap.Endpoint, error) { return bootstrap.Endpoint{}, errors.New("no such file") }
	if _, _, outcome, err := enrolled(t, "ubuntu", agent, away); outcome.Held != nil || err == nil {
		t.Errorf("it is worth another attempt: %v, %v", outcome, err)
	}
}

// TestAgentOfATemplateWritesItsReportFile has the agent started by the user's own text.
func TestAgentOfATemplateWritesItsReportFile(t *testing.T) {
	w := newWorld()
	w.Endpoint = endpoint
	profile, _ := osprofile.Lookup("ubuntu")
	o := delivery.Options{Mode: delivery.ModeAgent, Template: &delivery.Template{}, Reporting: &delivery.Reporting{}}
	w.produce(t, request(func(r *bootstrap.Request) {
		r.Describe = func(context.Context) (composition.Description, error) {
			return composition.Description{Job: plan.Job{
				Target: osprofile.Target{Profile: profile}, Delivery: o, Format: "cloud-init",
			}}, nil
		}
	}))
	for _, f := range document.Select[machine.File](w.rendered) {
		text, _ := f.Content.Static()
		if f.Path == delivery.ReportPath && f.Secret && f.Mode == 0o600 && strings.HasPrefix(string(text),
			"https://e:9444/reports/default/m1\n") {
			return
		}
	}
	t.Error("the agent does not learn where to report")
}

func TestTheEndpointsAgentIsPinned(t *testing.T) {
	got, _, _, err := enrolled(t, "ubuntu", delivery.Options{
		Mode:  delivery.ModeAgent,
		Agent: delivery.Agent{Endpoint: true},
	}, endpoint)
	digest := strings.Repeat("ab", 32)
	want := delivery.AgentFetch{
		URL: "https://e:9444/agent/linux/amd64?sha256=" + digest, SHA256: digest,
		Authorities: "PEM",
	}
	if err != nil || got.Agent.Fetch == nil || *got.Agent.Fetch != want {
		t.Errorf("%v: %+v", err, got.Agent.Fetch)
	}
}
