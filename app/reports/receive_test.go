package reports_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/reports"
	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// words reads a state, and perhaps a start: Failed 2026-11-01T00:00:00Z.
type words struct{}

func (words) ReadStatus(data []byte) (status.Status, error) {
	if string(data) == "?" {
		return status.Status{}, errors.New("no word")
	}
	state, start, _ := strings.Cut(string(data), " ")
	started, _ := time.Parse(time.RFC3339, start)
	return status.Status{State: status.State(state), Started: started, Failure: &status.Failure{Cause: "x"}}, nil
}

type broken struct{ memory.Reports }

func (*broken) Find(context.Context, ports.Key) (ports.ReportingMachine, error) {
	return ports.ReportingMachine{}, errors.New("the API is away")
}

func (*broken) Save(context.Context, ports.Owner, status.Status, time.Time, func(ports.LastReport) error) error {
	return errors.New("the API is away")
}

// fixture is the use case with one machine, which may report for an hour.
type fixture struct {
	*reports.Service
	store   *memory.Reports
	clock   *memory.Clock
	machine ports.ReportingMachine
}

func newFixture() *fixture {
	d := &fixture{store: &memory.Reports{}, clock: memory.NewClock(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))}
	owner := ports.Owner{Key: ports.Key{Namespace: "a", Name: "m"}, UID: "1"}
	d.machine = ports.ReportingMachine{Owner: owner, Published: d.clock.Now()}
	d.store.Put(ports.Key{Namespace: "a", Name: "mute"}, d.machine)
	d.grant(time.Hour)
	d.Service = reports.New(reports.Dependencies{Reports: d.store, Reader: words{}, Clock: d.clock})
	return d
}

// grant accepts the credential for so long from now on; 0 is without an end.
func (d *fixture) grant(life time.Duration) {
	one := credential.Grant{Digest: credential.DigestOf([]byte("right"))}
	if life > 0 {
		one.Expires = d.clock.Now().Add(life)
	}
	d.machine.Credentials = credential.Grants{one}
	d.store.Put(d.machine.Owner.Key, d.machine)
}

func (d *fixture) admits(t *testing.T) bool {
	t.Helper()
	_, err := d.Admit(t.Context(), d.machine.Owner.Key, []byte("right"))
	if err != nil && err != reports.ErrRefused { //nolint:errorlint // the error must reveal nothing
		t.Errorf("a refusal that differs from others: %v", err)
	}
	return err == nil
}

// report reports, as a machine does.
func (d *fixture) report(t *testing.T, document string) (news bool, err error) {
	t.Helper()
	machine, err := d.Admit(t.Context(), d.machine.Owner.Key, []byte("right"))
	if err != nil {
		return false, err
	}
	_, news, err = d.Receive(t.Context(), machine, []byte(document))
	return news, err
}

func (d *fixture) last(t *testing.T) status.Status {
	t.Helper()
	last, err := d.store.Last(t.Context(), d.machine.Owner)
	if err != nil || last.Summary == nil {
		t.Fatalf("%v, %v", last, err)
	}
	return *last.Summary
}

func TestAdmit(t *testing.T) {
	d := newFixture()
	got, err := d.Admit(t.Context(), d.machine.Owner.Key, []byte("right"))
	if err != nil || got.Owner != d.machine.Owner {
		t.Errorf("got %v, %v", got, err)
	}
	for reason, try := range map[string]struct{ name, shown string }{
		"another's credential": {"m", "wrong"}, "no credential": {"m", ""}, "no machine": {"n", "right"},
		"a machine that may not": {"mute", ""},
	} {
		_, err := d.Admit(t.Context(), ports.Key{Namespace: "a", Name: try.name}, []byte(try.shown))
		if err != reports.ErrRefused { //nolint:errorlint // the error must reveal nothing
			t.Errorf("%s: %v", reason, err)
		}
	}
	d.Reports = &broken{}
	if _, err := d.Admit(t.Context(), d.machine.Owner.Key, []byte("right")); err == nil ||
		errors.Is(err, reports.ErrRefused) {
		t.Errorf("a failure of ours is not the machine's: %v", err)
	}
}

func TestReceive(t *testing.T) {
	d := newFixture()
	for _, step := range []struct {
		document string
		news     bool
		want     error
	}{
		{document: "Running", news: true},
		{document: "Running"},
		{document: "?", want: reports.ErrMalformed},
		{document: "Failed", news: true},
		{document: "Running"},
		{document: "Succeeded", news: true},
	} {
		news, err := d.report(t, step.document)
		if news != step.news || !errors.Is(err, step.want) {
			t.Errorf("%s: news %v, %v", step.document, news, err)
		}
	}
	if last := d.last(t); last.State != status.StateSucceeded || last.Failure != nil {
		t.Errorf("kept %+v", last)
	}
	d = newFixture()
	d.store.Delete(d.machine.Owner)
	if _, _, err := d.Receive(t.Context(), d.machine, []byte("Failed")); !errors.Is(err, reports.ErrRefused) {
		t.Errorf("the machine is gone: %v", err)
	}
}

// TestCredentialsExpire attacks as a pod does that reads its node's userdata: it reports a failure of a machine that is
// healthy.
func TestCredentialsExpire(t *testing.T) {
	cases := map[string]struct {
		reason string
		before []string
		pool   bool
		life   time.Duration
		later  time.Duration
		want   bool
	}{
		"running": {
			reason: "the bootstrap goes on", before: []string{"Running"}, life: time.Hour,
			later: time.Minute, want: true,
		},
		"failed": {
			reason: "the machine may be tried again", before: []string{"Failed"}, life: time.Hour,
			later: time.Minute, want: true,
		},
		"succeeded": {
			reason: "nothing follows success", before: []string{"Succeeded"}, life: time.Hour,
			later: time.Minute,
		},
		"a month later": {
			reason: "nothing follows success", before: []string{"Succeeded"}, life: time.Hour,
			later: 30 * 24 * time.Hour,
		},
		"never reported": {reason: "the machine joined and its report was lost", life: time.Hour, later: time.Hour},
		"pool": {
			reason: "others of the pool boot later", before: []string{"Succeeded"}, pool: true,
			later: 30 * 24 * time.Hour, want: true,
		},
		"rotated pool": {
			reason: "the token is over, too", before: []string{"Running"}, pool: true, life: time.Hour,
			later: time.Hour,
		},
		"of before, in time": {
			reason: "it was published before credentials expired",
			later:  delivery.DefaultCredential - 1, want: true,
		},
		"of before": {reason: "it was published before credentials expired", later: delivery.DefaultCredential},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := newFixture()
			d.store.Pool = c.pool
			d.grant(c.life)
			for _, document := range c.before {
				if _, err := d.report(t, document+" 2026-11-01T00:00:00Z"); err != nil {
					t.Fatal(err)
				}
			}
			before, err := d.store.Last(t.Context(), d.machine.Owner)
			if err != nil {
				t.Fatal(err)
			}
			d.clock.Advance(c.later)
			if got := d.admits(t); got != c.want {
				t.Errorf("%s: admitted %v", c.reason, got)
			}
			news, err := d.report(t, "Failed "+d.clock.Now().Format(time.RFC3339))
			after, _ := d.store.Last(t.Context(), d.machine.Owner)
			if changed := !cmp.Equal(after, before); news != c.want || changed != c.want || !c.want &&
				!errors.Is(err, reports.ErrRefused) {
				t.Errorf("%s: news %v, %v, kept %v", c.reason, news, err, after.Summary)
			}
		})
	}
}

// TestPool holds that the reports of machines of a pool do not suppress each other: they started at different times.
func TestPool(t *testing.T) {
	const early, late = " 2026-11-01T00:00:00Z", " 2026-11-01T00:01:00Z"
	d := newFixture()
	d.store.Pool = true
	for _, step := range []struct {
		document string
		news     bool
	}{
		{document: "Running" + late, news: true},
		{document: "Failed" + early, news: true},
		{document: "Failed" + early},
		{document: "Failed" + late, news: true},
		{document: "Succeeded" + late, news: true},
		{document: "Succeeded" + early, news: true},
		{document: "Failed" + early, news: true},
		{document: "Running" + early},
	} {
		news, err := d.report(t, step.document)
		if news != step.news || err != nil {
			t.Errorf("%s: news %v, %v", step.document, news, err)
		}
		if last := d.last(t); step.news && !strings.HasPrefix(step.document, string(last.State)) {
			t.Errorf("%s: kept %+v", step.document, last)
		}
	}
}

// TestSuccessIsFinalWhileTheBodyComes holds for a client that was admitted before the success, and reports after it.
func TestSuccessIsFinalWhileTheBodyComes(t *testing.T) {
	d := newFixture()
	if _, err := d.report(t, "Succeeded"); err != nil {
		t.Fatal(err)
	}
	if _, news, err := d.Receive(t.Context(), d.machine, []byte("Failed 2026-11-01T00:00:01Z")); news ||
		!errors.Is(err, reports.ErrRefused) {
		t.Errorf("news %v, %v", news, err)
	}
}

// TestNoStartSuppressesLaterReports holds that a machine cannot name a start after which nothing is news, also if that
// was stored before.
func TestNoStartSuppressesLaterReports(t *testing.T) {
	for _, start := range []string{
		"9999-12-31T23:59:59Z", "2026-11-01T00:05:01Z", "0001-01-01T00:00:01Z",
		"2026-10-31T23:54:59Z",
	} {
		d := newFixture()
		if _, err := d.report(t, "Running "+start); err != nil || !d.last(t).Started.IsZero() {
			t.Errorf("%s is kept: %v, %v", start, d.last(t).Started, err)
		}
		if news, err := d.report(t, "Failed 2026-11-01T00:00:00Z"); !news || err != nil {
			t.Errorf("%s: the failure is not news: %v", start, err)
		}
	}
	d := newFixture()
	stored := status.Status{State: status.StateRunning, Started: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}
	always := func(ports.LastReport) error { return nil }
	if err := d.store.Save(t.Context(), d.machine.Owner, stored, d.clock.Now(), always); err != nil {
		t.Fatal(err)
	}
	if news, err := d.report(t, "Failed 2026-11-01T00:00:00Z"); !news || err != nil {
		t.Errorf("what is stored suppresses the failure: %v", err)
	}
	// A clock that is a little wrong is taken.
	d = newFixture()
	if _, err := d.report(t, "Running 2026-11-01T00:05:00Z"); err != nil || d.last(t).Started.IsZero() {
		t.Errorf("%v, %v", d.last(t).Started, err)
	}
}

func TestReceiveReturnsItsErrors(t *testing.T) {
	d := newFixture()
	away := &broken{}
	away.Put(d.machine.Owner.Key, d.machine)
	d.Reports = away
	_, _, err := d.Receive(t.Context(), d.machine, []byte("Failed"))
	if err == nil || errors.Is(err, reports.ErrRefused) || errors.Is(err, reports.ErrMalformed) {
		t.Errorf("got %v", err)
	}
}
