package bootstrap_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

func (w *world) maintain(t *testing.T, r bootstrap.Request) outcome {
	t.Helper()
	found, err := w.data.Find(t.Context(), r.Owner.Key, r.Owner)
	if err != nil {
		t.Fatalf("find: %v", err)
	}
	o, err := result(w.Maintain(t.Context(), r, found))
	if err != nil {
		t.Fatalf("maintain: %v", err)
	}
	if o.Name == "" {
		t.Fatalf("outcome %#v, want Ready", o)
	}
	return o
}

func (w *world) expires(t *testing.T, id string) time.Duration {
	t.Helper()
	token, err := w.tokens.Find(t.Context(), clusterKey, id)
	if err != nil {
		t.Fatalf("find token: %v", err)
	}
	return token.Expires.Sub(w.clock.Now())
}

func TestTokenLivesUntilTheMachineHasJoined(t *testing.T) {
	w := newWorld()
	ready := w.ready(t, request())
	if ready.Next != 5*time.Minute {
		t.Errorf("the token is looked after in %s, want a third of its life", ready.Next)
	}
	if again := w.maintain(t, request()); again.Next != 5*time.Minute {
		t.Errorf("looked after again in %s", again.Next)
	}
	for range 3 {
		w.clock.Advance(5 * time.Minute)
		w.maintain(t, request())
		if left := w.expires(t, ready.TokenID); left != 15*time.Minute {
			t.Errorf("the token has %s left", left)
		}
	}
	w.clock.Advance(5 * time.Minute)
	if last := w.maintain(t, request(joined)); last.Next != 0 {
		t.Errorf("a joined machine's token is looked after in %s", last.Next)
	}
	if left := w.expires(t, ready.TokenID); left != 10*time.Minute {
		t.Errorf("a joined machine's token was extended to %s", left)
	}
}

func TestLostTokenIsReportedAndDataStays(t *testing.T) {
	w := newWorld()
	ready := w.ready(t, request())
	before := w.payload("m1")
	owner := node.TokenOwner{Namespace: "default", Cluster: "c1", Config: "m1"}
	if err := w.tokens.Revoke(t.Context(), clusterKey, ready.TokenID, owner); err != nil {
		t.Fatalf("revoke: %v", err)
	}
	w.clock.Advance(6 * time.Minute)
	for range 10 {
		got := w.maintain(t, request())
		if got.TokenLost {
			break
		}
		if got.Next == 0 {
			t.Fatal("the token is not looked up again")
		}
		w.clock.Advance(got.Next)
	}
	if age := w.clock.Now().Sub(ready.Published); age < 15*time.Minute || age > 17*time.Minute {
		t.Errorf("the lost token is reported after %s", age)
	}
	if w.payload("m1") != before {
		t.Error("published data was made again")
	}
}

// TestMovedMachineHasLostNoToken has a machine that was moved after it had joined. Its data is new, its Machine has no
// status yet, and its token expired long ago.
func TestMovedMachineHasLostNoToken(t *testing.T) {
	w := newWorld()
	ready := w.ready(t, request())
	owner := node.TokenOwner{Namespace: "default", Cluster: "c1", Config: "m1"}
	if err := w.tokens.Revoke(t.Context(), clusterKey, ready.TokenID, owner); err != nil {
		t.Fatalf("revoke: %v", err)
	}
	w.clock.Advance(24 * time.Hour)
	moved, err := w.data.Find(t.Context(), request().Owner.Key, request().Owner)
	if err != nil {
		t.Fatalf("find: %v", err)
	}
	moved.Published = w.clock.Now().Add(-time.Minute)
	got, err := result(w.Maintain(t.Context(), request(), moved))
	if err != nil || got.TokenLost || got.Next != 100*time.Second {
		t.Errorf("lost %t, next attempt in %s, %v", got.TokenLost, got.Next, err)
	}
	got, err = result(w.Maintain(t.Context(), request(joined), moved))
	if err != nil || got.TokenLost || got.Next != 0 {
		t.Errorf("joined: lost %t, next attempt in %s, %v", got.TokenLost, got.Next, err)
	}
}

func TestFullPoolGetsTheNextTokenInTime(t *testing.T) {
	w := newWorld()
	first := w.ready(t, request(pool))
	before := w.payload("m1")
	if got := w.maintain(t, request(pool, joined)); got.Rotated || got.Next != 7*time.Minute+30*time.Second {
		t.Errorf("rotated %t, next look in %s", got.Rotated, got.Next)
	}
	w.clock.Advance(8 * time.Minute)
	got := w.maintain(t, request(pool, joined))
	if !got.Rotated || got.TokenID == first.TokenID || w.payload("m1") == before {
		t.Errorf("rotated %t, token %s after %s", got.Rotated, got.TokenID, first.TokenID)
	}
	if left := w.expires(t, first.TokenID); left != 7*time.Minute {
		t.Errorf("machines that boot with the old token have %s left", left)
	}
}

func TestGrowingPoolKeepsItsToken(t *testing.T) {
	w := newWorld()
	first := w.ready(t, request(pool))
	w.clock.Advance(6 * time.Minute)
	got := w.maintain(t, request(pool))
	if got.Rotated || w.expires(t, first.TokenID) != 15*time.Minute {
		t.Errorf("rotated %t, %s left", got.Rotated, w.expires(t, first.TokenID))
	}
}

func TestPoolWithoutTokenGetsAnother(t *testing.T) {
	w := newWorld()
	first := w.ready(t, request(pool))
	owner := node.TokenOwner{Namespace: "default", Cluster: "c1", Config: "m1"}
	if err := w.tokens.Revoke(t.Context(), clusterKey, first.TokenID, owner); err != nil {
		t.Fatalf("revoke: %v", err)
	}
	w.clock.Advance(6 * time.Minute)
	if got := w.maintain(t, request(pool)); !got.Rotated || got.TokenID == first.TokenID {
		t.Errorf("rotated %t, token %s", got.Rotated, got.TokenID)
	}
}

func TestOwnerIsRepairedAndNothingIsAdopted(t *testing.T) {
	w := newWorld()
	w.ready(t, request())
	key := ports.Key{Namespace: "default", Name: "m1"}
	w.data.Orphan(key)
	w.maintain(t, request())
	other := request()
	other.Owner.UID = "other"
	if _, err := w.data.Find(t.Context(), key, other.Owner); !errors.Is(err, ports.ErrNotOwned) {
		t.Errorf("the owner was not repaired: %v", err)
	}
	o, err := result(w.Maintain(t.Context(), other, ports.DataSecret{Key: key}))
	if err != nil || summary(o) != "stalled SecretNotOwned" {
		t.Errorf("outcome %s, error %v", summary(o), err)
	}
}

// TestCredentialsExpireWithSuccess holds that success ends the credential where it is stored, since a move forgets the
// report.
func TestCredentialsExpireWithSuccess(t *testing.T) {
	reported := func(r *bootstrap.Request) { r.Reported = true }
	for reason, tc := range map[string]struct {
		change []func(*bootstrap.Request)
		gone   bool
	}{
		"the machine goes on": {}, "nothing follows success": {change: []func(*bootstrap.Request){reported}, gone: true},
		"others of the pool report": {change: []func(*bootstrap.Request){pool, reported}},
	} {
		w := newWorld()
		key, owner := request().Owner.Key, request().Owner
		grant := credential.Grant{Digest: credential.DigestOf([]byte("shown"))}
		published := ports.DataSecret{
			Key: key, Owner: owner, Credential: grant, Summary: ports.DataSummary{Version: request().Machine.Version},
		}
		if err := w.data.Create(t.Context(), published); err != nil {
			t.Fatal(err)
		}
		w.maintain(t, request(tc.change...))
		if gone := w.data.Credential(key).Digest.IsZero(); gone != tc.gone {
			t.Errorf("%s: the credential is gone: %v", reason, gone)
		}
	}
}

func TestInitializedClusterFreesTheLock(t *testing.T) {
	w := newWorld()
	w.ready(t, request(controlPlane, uninitialized))
	if w.lock.Holder(clusterKey) != "m1" {
		t.Fatalf("the lock is %q's", w.lock.Holder(clusterKey))
	}
	w.maintain(t, request(controlPlane))
	if holder := w.lock.Holder(clusterKey); holder != "" {
		t.Errorf("%s keeps the lock", holder)
	}
}

func TestRetireRevokesTheTokenAndFreesTheLock(t *testing.T) {
	w := newWorld()
	ready := w.ready(t, request())
	found, err := w.data.Find(t.Context(), ports.Key{Namespace: "default", Name: "m1"}, request().Owner)
	if err != nil {
		t.Fatalf("find: %v", err)
	}
	if _, err := w.lock.Acquire(t.Context(), clusterKey, "m1"); err != nil {
		t.Fatalf("acquire: %v", err)
	}
	if err := w.Retire(t.Context(), clusterKey, found); err != nil {
		t.Fatalf("retire: %v", err)
	}
	if _, err := w.tokens.Find(t.Context(), clusterKey, ready.TokenID); !errors.Is(err, ports.ErrTokenNotFound) {
		t.Errorf("the token is still there: %v", err)
	}
	if holder := w.lock.Holder(clusterKey); holder != "" {
		t.Errorf("%s keeps the lock", holder)
	}
	w.tokens.Fail = ports.ErrUnreachable
	if err := w.Retire(t.Context(), clusterKey, found); err != nil {
		t.Errorf("an unreachable cluster keeps the object: %v", err)
	}
}

func TestClusterThatDoesNotAnswer(t *testing.T) {
	w := newWorld()
	w.tokens.Fail = fmt.Errorf("connection refused: %w", ports.ErrNoAnswer)
	o, err := result(w.Ensure(t.Context(), request()))
	if summary(o) != "ClusterUnreachable" || !errors.Is(err, ports.ErrNoAnswer) {
		t.Errorf("outcome %s, error %v: no event follows when it answers again", summary(o), err)
	}
	w.tokens.Fail = nil
	published := w.clock.Now()
	w.ready(t, request())
	for _, r := range []bootstrap.Request{request(), request(pool, joined)} {
		w.clock.Advance(6 * time.Minute)
		w.tokens.Fail = fmt.Errorf("connection refused: %w", ports.ErrNoAnswer)
		o, err = result(w.Ensure(t.Context(), r))
		ready, ok := o, o.Name != ""
		if !ok || !errors.Is(err, ports.ErrNoAnswer) || held(ready) != "ClusterUnreachable" ||
			!ready.Published.Equal(published) {
			t.Errorf("outcome %+v, error %v: what is published is published", o, err)
		}
		w.tokens.Fail = errors.New("no luck")
		if o, err = result(w.Ensure(t.Context(), r)); err == nil || summary(o) != "ready" {
			t.Errorf("outcome %s, error %v", summary(o), err)
		}
		w.tokens.Fail = nil
		restarted := w.Service.Options
		w.Service = bootstrap.New(restarted)
	}
}
