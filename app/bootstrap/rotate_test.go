package bootstrap_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// stubborn are data Secrets that cannot be replaced.
type stubborn struct{ ports.DataSecrets }

func (stubborn) Replace(context.Context, ports.DataSecret) error { return errors.New("no luck") }

func TestPoolKeepsItsTokenUntilTheNextIsPublished(t *testing.T) {
	describing := func(d composition.Description, err error) func(*world, *bootstrap.Request) {
		return func(_ *world, r *bootstrap.Request) {
			r.Describe = func(context.Context) (composition.Description, error) { return d, err }
		}
	}
	cases := map[string]struct {
		reason string
		spoil  func(*world, *bootstrap.Request)
		held   string
		fails  bool
	}{
		"nothing can be written": {
			reason: "A token that is in no data belongs to no machine.", fails: true,
			spoil: func(w *world, _ *bootstrap.Request) { w.Data = stubborn{w.data} },
		},
		"conversion fails": {reason: "It may be over soon.", fails: true, spoil: describing(composition.Description{},
			errors.New("no luck"))},
		"something is missing": {
			reason: "No event follows when it comes.", held: "WaitingForReference",
			spoil: describing(composition.Description{
				Missing: report.Report{report.Errorf("spec", "Secret a does not exist")},
			}, nil),
		},
		"a mistake": {
			reason: "Its author has published data all the same.", held: "stalled InvalidSpec",
			spoil: func(w *world, r *bootstrap.Request) {
				r.Describe = describe()
				w.findings = report.Report{report.Errorf("spec.os", "no such thing")}
			},
		},
		"skew": {
			reason: "The control plane is upgraded later.", held: "stalled VersionSkew",
			spoil: func(_ *world, r *bootstrap.Request) { r.Cluster.OldestVersion = "v1.30.0" },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			first := w.ready(t, request(pool))
			before := w.payload("m1")
			spoilt := request(pool, joined)
			tc.spoil(w, &spoilt)
			w.clock.Advance(8 * time.Minute)
			for range 10 {
				o, err := result(w.Ensure(t.Context(), spoilt))
				ready, ok := o, o.Name != ""
				if !ok || (err != nil) != tc.fails || held(ready) != tc.held || o.Recent || ready.Rotated ||
					w.payload("m1") != before {
					t.Fatalf("%s\noutcome %+v, error %v", tc.reason, o, err)
				}
				if left := w.expires(t, first.TokenID); left != 7*time.Minute+30*time.Second || ready.Next != 100*time.Second {
					t.Fatalf("%s\nthe token that is published has %s left, and the next look is in %s", tc.reason, left, ready.Next)
				}
				w.clock.Advance(ready.Next)
			}
			w.Data, w.findings = w.data, nil
			if got := w.maintain(t, request(pool, joined)); !got.Rotated || got.Held != nil || got.TokenID == first.TokenID ||
				w.payload("m1") == before {
				t.Errorf("it goes on: %+v", got)
			}
		})
	}
}

func TestRefusedRotationIsRetried(t *testing.T) {
	w, requests, byStorage := stored()
	take := func(problem string) {
		t.Helper()
		if err := requests.Process(t.Context(), problem); err != nil {
			t.Fatal(err)
		}
	}
	w.ensure(t, request(byStorage, pool))
	take("")
	first := w.ready(t, request(byStorage, pool))
	owner := node.TokenOwner{Namespace: "default", Cluster: "c1", Config: "m1"}
	if err := w.tokens.Revoke(t.Context(), clusterKey, first.TokenID, owner); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(6 * time.Minute)
	w.maintain(t, request(byStorage, pool))
	take("no such bucket")
	for range 3 {
		if got := w.maintain(t, request(byStorage, pool)); held(got) != "stalled StorageRefused" ||
			got.Next != 100*time.Second {
			t.Errorf("%+v: the token that is published is gone", got)
		}
		w.clock.Advance(100 * time.Second)
	}
	take("")
	if got := w.maintain(t, request(byStorage, pool)); !got.Rotated {
		t.Errorf("%+v: the next has to be published", got)
	}
}
