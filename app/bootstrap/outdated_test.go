package bootstrap_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// withAgent describes a machine by the source of the request. It fetches the agent from the endpoint.
func withAgent(r *bootstrap.Request) {
	source, describe := r.Source, r.Describe
	r.Describe = func(ctx context.Context) (composition.Description, error) {
		d, err := describe(ctx)
		d.Source, d.Target.Architecture = source, "amd64"
		d.Target.Profile, _ = osprofile.Lookup("ubuntu")
		d.Delivery = delivery.Options{Mode: delivery.ModeAgent, Agent: delivery.Agent{Endpoint: true}}
		return d, err
	}
}

// serving makes the endpoint with an authority serve the agent with a digest, as in "digest authority"; empty serves
// none.
func (w *world) serving(agent string) {
	digest, authority, _ := strings.Cut(agent, " ")
	w.Endpoint = func() (bootstrap.Endpoint, error) {
		return bootstrap.Endpoint{
			URL: "https://e", Authorities: authority, Agent: func(string, string) string { return digest },
		}, nil
	}
}

// TestOutdatedPoolGetsNewData changes what the data of a pool was rendered from. A pool whose machines cannot join must
// not boot the same data again.
func TestOutdatedPoolGetsNewData(t *testing.T) {
	source := func(r *bootstrap.Request) { r.Source = "os:2" }
	version := func(r *bootstrap.Request) { r.Machine.Version = "v1.36.4" }
	none := func(*bootstrap.Request) {}
	growing := []func(*bootstrap.Request){pool}
	cases := map[string]struct {
		reason           string
		pool             []func(*bootstrap.Request)
		change           func(*bootstrap.Request)
		agent            string
		replaced, failed bool
	}{
		"unchanged":         {"Machines may still join with it.", growing, none, "ab", false, false},
		"spec":              {"A command of it may fail.", growing, source, "ab", true, false},
		"spec, full":        {"It may grow.", []func(*bootstrap.Request){pool, joined}, source, "ab", true, false},
		"spec, no token":    {"It has no next one.", []func(*bootstrap.Request){pool, givenToken}, source, "ab", true, false},
		"version":           {"The template may have it.", growing, version, "ab", true, false},
		"agent":             {"The first may be gone.", growing, none, "cd", true, false},
		"authority":         {"The first may be gone.", growing, none, "ab new", true, false},
		"no agent":          {"A user must add one.", growing, none, "", false, true},
		"machine":           {"It reads its data once.", nil, source, "cd", false, false},
		"machine, upgraded": {"It reads its data once.", nil, version, "cd", false, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.serving("ab")
			first := w.ready(t, request(append(tc.pool, withAgent)...))
			w.serving(tc.agent)
			w.clock.Advance(4 * time.Minute)
			r := request(append([]func(*bootstrap.Request){tc.change}, append(tc.pool, withAgent)...)...)
			got := w.maintain(t, r)
			if (got.Rotated || got.Renewed) != tc.replaced || (held(got) != "") != tc.failed {
				t.Fatalf("%s\n%+v", tc.reason, got)
			}
			complete := r.Machine.Joined
			if first.TokenID != "" && tc.replaced && (got.Rotated != complete || !complete &&
				w.expires(t, first.TokenID) != 15*time.Minute) {
				t.Errorf("%s\n%+v: machines that boot with the previous token must be able to join", tc.reason, got)
			}
			if next := w.maintain(t, r); next.Rotated || next.Renewed {
				t.Errorf("%s\n%+v: the data is replaced once", tc.reason, next)
			}
		})
	}
}

// TestInvalidChangeKeepsThePoolsData holds that machines can join with the published data of a pool while its changed
// spec is invalid, and that the corrected spec is published.
func TestInvalidChangeKeepsThePoolsData(t *testing.T) {
	w := newWorld()
	w.serving("ab")
	first := w.ready(t, request(pool, withAgent))
	changed := request(pool, func(r *bootstrap.Request) { r.Source = "os:2" }, withAgent)
	w.findings = report.Report{report.Errorf("spec.os", "no such thing")}
	for range 3 {
		w.clock.Advance(14 * time.Minute)
		got := w.maintain(t, changed)
		if held(got) != "stalled InvalidSpec" || w.expires(t, first.TokenID) != 15*time.Minute ||
			got.Summary.Source != "" {
			t.Fatalf("%+v", got)
		}
	}
	w.findings = nil
	if got := w.maintain(t, changed); !got.Renewed || got.Summary.Source != "os:2" {
		t.Errorf("%+v", got)
	}
}

// TestDataOfAnOlderCacheIsNotReplaced holds that a cache that does not contain the replaced data yet causes no second
// replacement.
func TestDataOfAnOlderCacheIsNotReplaced(t *testing.T) {
	w := newWorld()
	w.serving("ab")
	w.ready(t, request(pool, withAgent))
	changed := request(pool, func(r *bootstrap.Request) { r.Source = "os:2" }, withAgent)
	before, err := w.data.Find(t.Context(), ports.Key{Namespace: "default", Name: "m1"}, changed.Owner)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		if got, err := w.Maintain(t.Context(), changed, before); err != nil || got.Renewed != want {
			t.Errorf("renewed %t, %v", got.Renewed, err)
		}
	}
}

// TestUnknownEndpointKeepsThePoolsData holds that machines can join with the published data while the endpoint cannot
// be looked up.
func TestUnknownEndpointKeepsThePoolsData(t *testing.T) {
	w := newWorld()
	w.serving("ab")
	first := w.ready(t, request(pool, withAgent))
	w.Endpoint = func() (bootstrap.Endpoint, error) { return bootstrap.Endpoint{}, errors.New("no luck") }
	w.clock.Advance(14 * time.Minute)
	got, err := w.Ensure(t.Context(), request(pool, withAgent))
	if err == nil || got.Rotated || got.Renewed || got.Next == 0 || w.expires(t, first.TokenID) != 15*time.Minute {
		t.Errorf("%+v, %v", got, err)
	}
}
