package reports_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/machineadm/machineadm/app/reports"
	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest/inmemory"
)

// words reads one word as a state.
type words struct{}

func (words) ReadStatus(data []byte) (status.Status, error) {
	if string(data) == "?" {
		return status.Status{}, errors.New("no word")
	}
	return status.Status{State: status.State(data), Failure: &status.Failure{Cause: "x"}}, nil
}

type broken struct{ inmemory.Reports }

func (*broken) Find(context.Context, ports.Key) (ports.Reporting, error) {
	return ports.Reporting{}, errors.New("the API is away")
}

func (*broken) Save(context.Context, ports.Owner, status.Summary, time.Time) error {
	return errors.New("the API is away")
}

func service() (*reports.Service, *inmemory.Reports, ports.Owner) {
	store := &inmemory.Reports{}
	owner := ports.Owner{Key: ports.Key{Namespace: "a", Name: "m"}, UID: "1"}
	store.Put(owner.Key, ports.Reporting{Owner: owner, Credentials: credential.Digests{credential.Of([]byte("right"))}})
	store.Put(ports.Key{Namespace: "a", Name: "mute"}, ports.Reporting{Owner: owner})
	return reports.New(reports.Parts{Reports: store, Reader: words{}, Clock: &inmemory.Clock{}}), store, owner
}

func TestAdmit(t *testing.T) {
	s, _, owner := service()
	got, err := s.Admit(t.Context(), owner.Key, []byte("right"))
	if err != nil || got != owner {
		t.Errorf("got %v, %v", got, err)
	}
	for reason, try := range map[string]struct{ name, shown string }{
		"another's credential": {"m", "wrong"}, "no credential": {"m", ""}, "no machine": {"n", "right"}, "a machine that may not": {"mute", ""},
	} {
		if _, err := s.Admit(t.Context(), ports.Key{Namespace: "a", Name: try.name}, []byte(try.shown)); err != reports.ErrRefused { //nolint:errorlint // nothing may be told
			t.Errorf("%s: %v", reason, err)
		}
	}
	s.Reports = &broken{}
	if _, err := s.Admit(t.Context(), owner.Key, []byte("right")); err == nil || errors.Is(err, reports.ErrRefused) {
		t.Errorf("a failure of ours is not the machine's: %v", err)
	}
}

func TestReceive(t *testing.T) {
	s, store, owner := service()
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
		_, news, err := s.Receive(t.Context(), owner, []byte(step.document))
		if news != step.news || !errors.Is(err, step.want) {
			t.Errorf("%s: news %v, %v", step.document, news, err)
		}
	}
	last, _, err := store.Last(t.Context(), owner)
	if last.State != status.StateSucceeded || last.Failure != nil || err != nil {
		t.Errorf("kept %+v, %v", last, err)
	}
	store.Delete(owner)
	if _, _, err := s.Receive(t.Context(), owner, []byte("Failed")); !errors.Is(err, reports.ErrRefused) {
		t.Errorf("the machine is gone: %v", err)
	}
}

func TestReceiveTellsOfItsOwnFailure(t *testing.T) {
	s, _, owner := service()
	away := &broken{}
	away.Put(owner.Key, ports.Reporting{Owner: owner})
	s.Reports = away
	if _, _, err := s.Receive(t.Context(), owner, []byte("Failed")); err == nil || errors.Is(err, reports.ErrRefused) || errors.Is(err, reports.ErrMalformed) {
		t.Errorf("got %v", err)
	}
}
