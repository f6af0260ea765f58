package bootstrap_test

import (
	"errors"
	"testing"

	"github.com/machineadm/machineadm/app/bootstrap"
)

// outcome is what a call has returned, without a failure.
type outcome struct {
	bootstrap.Ready
	// Held is a Waiting or Stalled, or nil if there is none.
	Held error
	// Recent is that of the Waiting.
	Recent bool
}

// result separates the failure from the outcome.
func result(ready bootstrap.Ready, err error) (outcome, error) {
	o := outcome{Ready: ready}
	var blocked bootstrap.Blocked
	if errors.As(err, &blocked) {
		o.Held = blocked
	}
	var waiting bootstrap.WaitingError
	o.Recent = errors.As(err, &waiting) && waiting.Recent
	return o, bootstrap.Failure(err)
}

func as[T error](o outcome) (T, bool) {
	var err T
	return err, errors.As(o.Held, &err)
}

func (w *world) produce(t *testing.T, r bootstrap.Request) outcome {
	t.Helper()
	o, err := result(w.Produce(t.Context(), r))
	if err != nil {
		t.Fatalf("produce: %v", err)
	}
	return o
}

func (w *world) ready(t *testing.T, r bootstrap.Request) bootstrap.Ready {
	t.Helper()
	o := w.produce(t, r)
	if o.Name == "" || o.Held != nil {
		t.Fatalf("outcome %#v, want Ready", o)
	}
	return o.Ready
}

// summary is "ready", or the reason why nothing is published.
func summary(o outcome) string {
	if o.Name != "" {
		return "ready"
	}
	return held(o)
}

// held is the reason, or empty if there is none.
func held(o outcome) string {
	if w, is := as[bootstrap.WaitingError](o); is {
		return string(w.Reason)
	}
	if s, is := as[bootstrap.StalledError](o); is {
		return "stalled " + string(s.Reason)
	}
	return ""
}
