package bootstrap_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// stored is a world whose machines fetch what they boot with.
func stored() (*world, *memory.StorageRequests, func(*bootstrap.Request)) {
	w := newWorld()
	requests := &memory.StorageRequests{
		Storage:  &memory.Storage{Base: "https://storage", Clock: w.clock},
		Lifetime: time.Hour,
	}
	w.StorageRequests = requests
	plain := w.Render
	w.Render = func(ctx context.Context, job plan.Job) (render.Result, error) {
		r, err := plain(ctx, job)
		data := r.Rendering.Payload.Data
		if l := job.Delivery.Location; l != nil {
			r.Rendering.Payload.Data = secret.FromString("fetch " + l.SHA256)
			return r, err
		}
		r.Stored = &render.StoredObject{Sum: string(data.Reveal()), Data: func(context.Context) (secret.Value, error) {
			return data, nil
		}}
		return r, err
	}
	return w, requests, func(r *bootstrap.Request) {
		describe := r.Describe
		r.Describe = func(ctx context.Context) (composition.Description, error) {
			d, err := describe(ctx)
			d.Delivery.Storage = delivery.StorageRef{Group: "storage.example", Kind: "Shelf", Name: "top"}
			return d, err
		}
	}
}

func TestStubIsPublishedWhenTheStorageHasTheData(t *testing.T) {
	w, requests, byStorage := stored()
	r := request(byStorage)
	for range 2 {
		o, err := result(w.Ensure(t.Context(), r))
		if waiting, ok := as[bootstrap.WaitingError](o); err != nil || !ok || waiting.Reason != bootstrap.ReasonStorage ||
			w.payload("m1") != "" {
			t.Fatalf("%v %v %q", o, err, w.payload("m1"))
		}
	}
	if err := requests.Process(t.Context(), "no such bucket"); err != nil {
		t.Fatal(err)
	}
	o, err := result(w.Ensure(t.Context(), r))
	if stalled, ok := as[bootstrap.StalledError](o); err != nil || !ok ||
		stalled.Reason != bootstrap.ReasonStorageRefused ||
		!strings.Contains(stalled.Message, "Shelf.storage.example/top: no such bucket") {
		t.Fatalf("%v %v", o, err)
	}
	if err := requests.Process(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	o, err = result(w.Ensure(t.Context(), r))
	if ready, ok := o, o.Name != ""; err != nil || !ok || !ready.Created || ready.TokenID == "" ||
		!strings.HasPrefix(w.payload("m1"), "fetch ") {
		t.Fatalf("%v %v %q", o, err, w.payload("m1"))
	}
}

func TestPoolKeepsItsDataUntilTheStorageHasTheNext(t *testing.T) {
	w, requests, byStorage := stored()
	r := request(byStorage, pool)
	ready := func() bootstrap.Ready {
		t.Helper()
		o, err := result(w.Ensure(t.Context(), r))
		ready, ok := o, o.Name != ""
		if err != nil || !ok {
			t.Fatalf("%v %v", o, err)
		}
		return ready.Ready
	}
	if _, err := result(w.Ensure(t.Context(), r)); err != nil {
		t.Fatal(err)
	}
	take := func() {
		t.Helper()
		if err := requests.Process(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
	}
	take()
	first := ready()
	before := w.payload("m1")
	w.clock.Advance(time.Hour)
	owner := node.TokenOwner{Namespace: "default", Cluster: "c1", Config: "m1"}
	if err := w.tokens.Revoke(t.Context(), clusterKey, first.TokenID, owner); err != nil {
		t.Fatal(err)
	}
	if o := ready(); o.Rotated || o.Next == 0 || w.payload("m1") != before {
		t.Errorf("%+v: what is published has to stay", o)
	}
	take()
	if o := ready(); !o.Rotated || w.payload("m1") == before {
		t.Errorf("%+v: the next has to be published", o)
	}
}

// TestReportingThatComesWithAnotherStorage holds that what the second storage is given is the same at each look:
// otherwise it is never stored.
func TestReportingThatComesWithAnotherStorage(t *testing.T) {
	w, requests, _ := stored()
	w.Endpoint = endpoint
	plain := w.Render
	w.Render = func(ctx context.Context, job plan.Job) (render.Result, error) {
		r, err := plain(ctx, job)
		if reporting := job.Delivery.Reporting; reporting != nil && r.Stored != nil {
			r.Stored.Sum += string(reporting.Credential.Reveal())
		}
		return r, err
	}
	asking := func(storage string, reporting *delivery.Reporting) bootstrap.Request {
		profile, _ := osprofile.Lookup("ubuntu")
		o := delivery.Options{
			Storage:   delivery.StorageRef{Group: "storage.example", Kind: "Shelf", Name: storage},
			Reporting: reporting,
		}
		return request(func(r *bootstrap.Request) {
			r.Describe = func(context.Context) (composition.Description, error) {
				return composition.Description{Job: plan.Job{
					Target: osprofile.Target{Profile: profile}, Delivery: o, Format: "cloud-init",
				}}, nil
			}
		})
	}
	w.ensure(t, asking("top", nil))
	w.ensure(t, asking("bottom", &delivery.Reporting{}))
	if err := requests.Process(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if got := summary(w.ensure(t, asking("bottom", &delivery.Reporting{}))); got != "ready" {
		t.Errorf("outcome %s, and the storage has what it was given", got)
	}
}

func TestControllerWithoutStoragesStalls(t *testing.T) {
	w, _, byStorage := stored()
	w.StorageRequests = nil
	o, err := result(w.Ensure(t.Context(), request(byStorage)))
	if stalled, ok := as[bootstrap.StalledError](o); err != nil || !ok ||
		stalled.Reason != bootstrap.ReasonStorageRefused {
		t.Errorf("%v %v", o, err)
	}
}

func TestStoredObjectsOfLongNames(t *testing.T) {
	valid := regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
	long := strings.Repeat("a", 237) + "."
	names := map[string]string{}
	for _, name := range []string{
		"m1", strings.Repeat("a", 246), strings.Repeat("a", 247), strings.Repeat("a", 252) + "1",
		strings.Repeat("a", 252) + "2",
		long + "b.cccccccccccccc", strings.Repeat("a", 245) + ".b.ccccc", strings.Repeat("a", 244) + "--b.cccccc",
	} {
		w, requests, byStorage := stored()
		var requested string
		w.StorageRequests = keeping{requests, &requested}
		w.ensure(t, request(named(name), byStorage))
		if !valid.MatchString(requested) || len(requested) > 253 || !strings.HasSuffix(requested, "-stored") {
			t.Errorf("the storage request of %s is called %s", name, requested)
		}
		if other, taken := names[requested]; taken {
			t.Errorf("%s and %s have one storage request", name, other)
		}
		names[requested] = name
	}
}

// keeping records the names of the objects that are stored.
type keeping struct {
	ports.StorageRequests
	requested *string
}

func (k keeping) Ensure(ctx context.Context, d ports.StorageRequest) (delivery.Location, error) {
	*k.requested = d.Name
	return k.StorageRequests.Ensure(ctx, d)
}
