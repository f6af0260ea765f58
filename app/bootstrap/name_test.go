package bootstrap_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/reserved"
	"github.com/machineadm/machineadm/ports"
)

// example returns a name that is reserved as n.
func example(n reserved.Name) string {
	switch {
	case n.Exact != "":
		return n.Exact
	case n.Suffix != "":
		return "c1" + n.Suffix
	default:
		return strings.NewReplacer(`.+`, "m1", `[0-9a-f]{8}`, "01234567", `[0-9a-f]{16}`, "0123456789abcdef", `[0-9]+`,
			"3").Replace(n.String())
	}
}

// TestReservedNamesAreRefused holds that neither a config nor a machine that names its own Secret gets data under a
// name that a controller trusts, and that nothing is created elsewhere for it.
func TestReservedNamesAreRefused(t *testing.T) {
	for _, n := range reserved.Names() {
		name := example(n)
		byMachine := func(r *bootstrap.Request) { r.DataName = name }
		byPool := func(r *bootstrap.Request) { r.DataName, r.Machine.Pool = name, true }
		for field, change := range map[string]func(*bootstrap.Request){
			"metadata.name": named(name), "spec.bootstrap.dataSecretName of the machine": byMachine,
			"spec.template.spec.bootstrap.dataSecretName of the machine pool": byPool,
		} {
			w := newWorld()
			r := request(change, controlPlane, uninitialized)
			o, err := result(w.Ensure(t.Context(), r))
			stalled, ok := as[bootstrap.StalledError](o)
			if err != nil || !ok || stalled.Reason != bootstrap.ReasonInvalid {
				t.Errorf("%s: %#v %v: %s", name, o, err, n.Use)
				continue
			}
			for _, word := range []string{field + ": ", name, n.Use, "; create the machine"} {
				if !strings.Contains(stalled.Message, word) {
					t.Errorf("%s: the message %q lacks %q", name, stalled.Message, word)
				}
			}
			if _, published := w.data.Payload(ports.Key{Namespace: "default", Name: name}); published ||
				w.lock.Holder(clusterKey) != "" {
				t.Errorf("%s: something was created", name)
			}
		}
	}
}

// TestRefusalComesFirst holds that a refused name is reported before the cluster is ready, so that its author learns of
// it at once.
func TestRefusalComesFirst(t *testing.T) {
	r := request(named("c1-kubeconfig"), func(r *bootstrap.Request) { r.Cluster.InfrastructureReady = false })
	if got := summary(newWorld().produce(t, r)); got != "stalled InvalidSpec" {
		t.Errorf("the machine is %s", got)
	}
}

// TestEarlierDataOfAReservedNameIsLeftAlone holds that data which a version before the refusal published is never
// replaced.
func TestEarlierDataOfAReservedNameIsLeftAlone(t *testing.T) {
	w := newWorld()
	r := request(named("pool-kubeconfig"), pool)
	key := ports.Key{Namespace: "default", Name: "pool-kubeconfig"}
	if err := w.data.Create(t.Context(), ports.DataSecret{
		Key: key, Owner: r.Owner,
		Token: ports.TokenRef{ID: "abcdef"},
	}); err != nil {
		t.Fatal(err)
	}
	r.Published = true
	o, err := result(w.Ensure(t.Context(), r))
	ready, ok := o, o.Name != ""
	if err != nil || !ok || ready.Rotated || ready.Renewed || ready.Next != 0 {
		t.Fatalf("%#v %v", o, err)
	}
	if held, ok := as[bootstrap.StalledError](ready); !ok || !strings.Contains(held.Message, "metadata.name") {
		t.Errorf("held by %#v", ready.Held)
	}
}

// TestStoredConfigurationsHaveReservedNames holds that no config can have the name of the Secret that hands another's
// configuration to a storage, however long the other's name is.
func TestStoredConfigurationsHaveReservedNames(t *testing.T) {
	for _, length := range []int{2, 100, 245, 246, 247, 253} {
		w, _, byStorage := stored()
		kept := &keys{StorageRequests: w.StorageRequests}
		w.StorageRequests = kept
		w.produce(t, request(named(strings.Repeat("m", length)), byStorage))
		if n, taken := reserved.Find(kept.last.Name); !taken || n.Suffix != reserved.StoredSuffix ||
			len(kept.last.Name) > 253 {
			t.Errorf("a name of %d letters is kept in %q, which is reserved as %v", length, kept.last.Name, n)
		}
	}
}

// keys remembers the last key.
type keys struct {
	ports.StorageRequests
	last ports.Key
}

func (k *keys) Ensure(ctx context.Context, d ports.StorageRequest) (delivery.Location, error) {
	k.last = d.Key
	return k.StorageRequests.Ensure(ctx, d)
}

// TestDataIsForItsMachine checks that the data of one machine is not used for another: neither a second owner reference
// to a pool, nor a machine that names the data of a config, creates a token in the other's cluster, or publishes the
// data again.
func TestDataIsForItsMachine(t *testing.T) {
	another := ports.Key{Namespace: "default", Name: "c2"}
	cases := map[string]struct {
		reason string
		change func(*bootstrap.Request)
	}{
		"pool": {"the config is a pool's of another cluster by now", func(r *bootstrap.Request) {
			pool(r)
			r.Machine.Name, r.Cluster.Key, r.Cluster.Network.Name = "pool-of-c2", another, another.Name
		}},
		"cluster": {"a machine of the same name is in another cluster", func(r *bootstrap.Request) {
			r.Cluster.Key, r.Cluster.Network.Name = another, another.Name
		}},
		"machine": {"another machine of the cluster names the config", func(r *bootstrap.Request) { r.Machine.Name = "m2" }},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.produce(t, request())
			before, _ := w.data.Payload(ports.Key{Namespace: "default", Name: "m1"})
			w.clock.Advance(time.Hour)
			r := request(tc.change)
			r.Published = true
			o, err := result(w.Ensure(t.Context(), r))
			ready, ok := o, o.Name != ""
			if err != nil || !ok || ready.Rotated || ready.TokenLost {
				t.Fatalf("%#v %v: %s", o, err, tc.reason)
			}
			held, ok := as[bootstrap.StalledError](ready)
			if !ok || held.Reason != bootstrap.ReasonSecretNotOwned || !strings.Contains(held.Message,
				"machine m1 of cluster c1") {
				t.Errorf("held by %#v: %s", ready.Held, tc.reason)
			}
			after, _ := w.data.Payload(ports.Key{Namespace: "default", Name: "m1"})
			if string(before.Data.Reveal()) != string(after.Data.Reveal()) {
				t.Errorf("the data is replaced: %s", tc.reason)
			}
		})
	}
}
