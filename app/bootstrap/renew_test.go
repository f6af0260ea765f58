package bootstrap_test

import (
	"context"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// givenToken has machines join with a token of the user's own.
func givenToken(r *bootstrap.Request) {
	describe := r.Describe
	given := node.NodeConfig{Discovery: &node.Discovery{Token: secret.FromString("abcdef.canary7q9zk2xw5v")}}
	r.Describe = func(ctx context.Context) (composition.Description, error) {
		d, err := describe(ctx)
		d.Documents = append(d.Documents, document.Document{Value: given})
		return d, err
	}
}

// address returns how long the address counts that is published.
func (w *world) address(t *testing.T, r bootstrap.Request) ports.LocationRef {
	t.Helper()
	found, err := w.data.Find(t.Context(), r.Owner.Key, r.Owner)
	if err != nil {
		t.Fatal(err)
	}
	return found.Location
}

// publish has what is stored published.
func (w *world) publish(t *testing.T, requests *memory.StorageRequests, r bootstrap.Request) outcome {
	t.Helper()
	w.ensure(t, r)
	if err := requests.Process(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	return outcome{Ready: w.ready(t, r)}
}

func TestPoolsLocationIsReplacedBeforeItExpires(t *testing.T) {
	cases := map[string]struct {
		reason  string
		request []func(*bootstrap.Request)
		renewed bool
	}{
		"growing": {
			reason:  "Machines come, and the token stays that they may boot with for long.",
			request: []func(*bootstrap.Request){pool}, renewed: true,
		},
		"without a token": {reason: "Nothing else has its data made again.", request: []func(*bootstrap.Request){
			pool,
			givenToken,
		}, renewed: true},
		"full, no token": {
			reason: "It may grow.", request: []func(*bootstrap.Request){pool, joined, givenToken},
			renewed: true,
		},
		"full": {reason: "Its tokens are replaced more often.", request: []func(*bootstrap.Request){pool, joined}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w, requests, byStorage := stored()
			r := request(append(tc.request, byStorage)...)
			first := w.publish(t, requests, r)
			next, renewed := first.Next, false
			for end := w.clock.Now().Add(4 * requests.Lifetime); w.clock.Now().Before(end); {
				if next <= 0 {
					t.Fatalf("%s\nnobody looks again", tc.reason)
				}
				w.clock.Advance(next)
				// The storage is not the fastest.
				if left := w.address(t, r).Expires.Sub(w.clock.Now()); left < requests.Lifetime/4 {
					t.Fatalf("%s\nthe address has %s left", tc.reason, left)
				}
				got := w.maintain(t, r)
				next, renewed = got.Next, renewed || got.Renewed
				if tc.renewed && got.TokenID != first.TokenID {
					t.Fatalf("%s\nthe token %s took the place of %s", tc.reason, got.TokenID, first.TokenID)
				}
				if err := requests.Process(t.Context(), ""); err != nil {
					t.Fatal(err)
				}
			}
			if renewed != tc.renewed {
				t.Errorf("%s\nrenewed %t", tc.reason, renewed)
			}
		})
	}
}

func TestStorageDelayIsToleratedUntilTheNextReconcile(t *testing.T) {
	for name, kind := range map[string][]func(*bootstrap.Request){
		"full": {pool, joined}, "growing": {pool}, "without a token": {pool, givenToken},
		"full, no token": {pool, joined, givenToken},
	} {
		t.Run(name, func(t *testing.T) {
			w, requests, byStorage := stored()
			r := request(append(kind, byStorage)...)
			got := w.publish(t, requests, r)
			for got.Held == nil {
				w.clock.Advance(got.Next)
				got = w.maintain(t, r)
			}
			for range 3 {
				if held(got) != string(bootstrap.ReasonStorage) || !got.Recent {
					t.Fatalf("%+v: it was asked a moment ago", got)
				}
				w.clock.Advance(time.Second)
				got = w.maintain(t, r)
			}
			for range 3 {
				w.clock.Advance(got.Next)
				if got = w.maintain(t, r); held(got) != string(bootstrap.ReasonStorage) || got.Recent {
					t.Errorf("%+v: the condition does not name the cause", got)
				}
			}
		})
	}
}

func TestStorageRefusalIsReportedAtOnce(t *testing.T) {
	cases := map[string]struct {
		reason, want string
		after        time.Duration
		spoil        func(t *testing.T, w *world, requests *memory.StorageRequests, r bootstrap.Request, token string)
	}{
		"no token": {
			"No machine joins with what is published.", string(bootstrap.ReasonStorage), 8 * time.Minute,
			func(t *testing.T, w *world, _ *memory.StorageRequests, _ bootstrap.Request, token string) {
				owner := node.TokenOwner{Namespace: "default", Cluster: "c1", Config: "m1"}
				if err := w.tokens.Revoke(t.Context(), clusterKey, token, owner); err != nil {
					t.Fatal(err)
				}
			},
		},
		"refused": {
			"A user has to correct it.", "stalled " + string(bootstrap.ReasonStorageRefused), 8 * time.Minute,
			func(t *testing.T, w *world, requests *memory.StorageRequests, r bootstrap.Request, _ string) {
				w.maintain(t, r)
				if err := requests.Process(t.Context(), "no such bucket"); err != nil {
					t.Fatal(err)
				}
			},
		},
		"late": {
			"The token has little left: the last reconciliation is long ago.", string(bootstrap.ReasonStorage), 12 * time.Minute,
			func(*testing.T, *world, *memory.StorageRequests, bootstrap.Request, string) {},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w, requests, byStorage := stored()
			r := request(pool, joined, byStorage)
			first := w.publish(t, requests, r)
			w.clock.Advance(tc.after)
			tc.spoil(t, w, requests, r, first.TokenID)
			if got := w.maintain(t, r); held(got) != tc.want || got.Recent {
				t.Errorf("%s\n%+v", tc.reason, got)
			}
		})
	}
}

func TestMachinesDataIsNotRenewed(t *testing.T) {
	w, requests, byStorage := stored()
	w.publish(t, requests, request(byStorage))
	before := w.payload("m1")
	w.clock.Advance(2 * requests.Lifetime)
	if got := w.maintain(t, request(byStorage)); got.Renewed || got.Rotated || w.payload("m1") != before {
		t.Errorf("%+v: a machine that came late is replaced", got)
	}
}

func TestRecreatedDataGetsAValidLocation(t *testing.T) {
	for _, kind := range []func(*bootstrap.Request){pool, func(*bootstrap.Request) {}} {
		w, requests, byStorage := stored()
		r := request(byStorage, kind, givenToken)
		w.publish(t, requests, r)
		w.clock.Advance(2 * requests.Lifetime)
		w.data.Delete(r.Owner.Key)
		if got := summary(w.ensure(t, r)); got != string(bootstrap.ReasonStorage) {
			t.Errorf("outcome %s, and the address is over", got)
		}
		w.publish(t, requests, r)
		if left := w.address(t, r).Expires.Sub(w.clock.Now()); left != requests.Lifetime {
			t.Errorf("it has %s left", left)
		}
	}
}

// once is a storage's side that signs the same bytes only once.
type once struct {
	*memory.StorageRequests
	sum      string
	location delivery.Location
}

func (o *once) Ensure(ctx context.Context, d ports.StorageRequest) (delivery.Location, error) {
	if d.InputDigest == o.sum {
		return o.location, nil
	}
	l, err := o.StorageRequests.Ensure(ctx, d)
	if err == nil {
		o.sum, o.location = d.InputDigest, l
	}
	return l, err
}

func (o *once) Location(context.Context, ports.Key, ports.Owner, delivery.StorageRef) (delivery.Location, error) {
	return o.location, nil
}

// TestPoolsGetURLsThatAreSignedAgain holds that an address which its storage replaced before its time is published at
// once, for machines that come, and once; and that a machine's data is left alone: it has booted, or is about to.
func TestPoolsGetURLsThatAreSignedAgain(t *testing.T) {
	cases := map[string]struct {
		reason  string
		kind    []func(*bootstrap.Request)
		renewed bool
	}{
		"growing":         {"Its machines are refused.", []func(*bootstrap.Request){pool}, true},
		"full":            {"It may grow.", []func(*bootstrap.Request){pool, joined}, true},
		"without a token": {"Nothing else has its data made again.", []func(*bootstrap.Request){pool, givenToken}, true},
		"a machine":       {"Its userdata is given away.", nil, false},
		"a node":          {"It has booted.", []func(*bootstrap.Request){joined}, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w, requests, byStorage := stored()
			r := request(append(tc.kind, byStorage)...)
			first := w.publish(t, requests, r)
			before := w.address(t, r)
			if got := w.maintain(t, r); got.Renewed || got.Rotated {
				t.Errorf("%+v: nothing has changed", got)
			}
			// In the same second, so that both end at once.
			requests.Storage = &memory.Storage{Base: "https://another", Clock: w.clock}
			if err := requests.Process(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			got := w.maintain(t, r)
			after := w.address(t, r)
			if got.Renewed != tc.renewed || got.Rotated || got.TokenID != first.TokenID ||
				(after.Fingerprint != before.Fingerprint) != tc.renewed {
				t.Errorf("%s\n%+v, the address is %+v and then %+v", tc.reason, got, before, after)
			}
			if got := w.maintain(t, r); got.Renewed || got.Rotated {
				t.Errorf("%+v: it is published again and again", got)
			}
		})
	}
}

func TestStorageThatDoesNotSignAgain(t *testing.T) {
	for name, other := range map[string]func(*bootstrap.Request){
		"token":       func(*bootstrap.Request) {},
		"given token": givenToken,
	} {
		t.Run(name, func(t *testing.T) {
			w, requests, byStorage := stored()
			w.StorageRequests = &once{StorageRequests: requests}
			r := request(byStorage, pool, other)
			first := w.publish(t, requests, r)
			w.clock.Advance(requests.Lifetime/2 + time.Minute)
			if got := w.maintain(t, r); held(got) != string(bootstrap.ReasonStorage) || got.Next != 100*time.Second {
				t.Errorf("%+v: there is no later address", got)
			}
			w.clock.Advance(requests.Lifetime / 4)
			w.maintain(t, r)
			if err := requests.Process(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			got := w.maintain(t, r)
			if first.TokenID != "" && (!got.Rotated || w.address(t, r).Expires.Sub(w.clock.Now()) != requests.Lifetime) {
				t.Errorf("%+v: other bytes get another address", got)
			}
			if first.TokenID == "" && held(got) != string(bootstrap.ReasonStorage) {
				t.Errorf("%+v: that must be reported", got)
			}
		})
	}
}
