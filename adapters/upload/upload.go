// Package upload sends how a bootstrap goes from the machine to the controller's endpoint.
//
// The bootstrap does not wait for it: what is to be sent is put down and picked up by a goroutine, which sends the
// newest. At the end it has some seconds left for the last word, after the record of the failure or the sentinel was
// written.
package upload

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/machineadm/machineadm/domain/status"
)

// The times of reports.
const (
	// attempt is how long one upload may take.
	attempt = 10 * time.Second
	// between is how long progress waits after what was sent before.
	between = 30 * time.Second
	// attempts is how often the last status is sent, and retryAfter is the time between two attempts.
	attempts   = 6
	retryAfter = time.Second
	// Last is how long Close waits.
	Last = 10 * time.Second
)

// Options configure a Reporter. Path and Encode are required.
type Options struct {
	// Path is the file with the address and the credential of the endpoint (delivery.ReportPath). It is read for each
	// report, since userdata or the configuration itself may write it. Without it nothing is sent.
	Path string
	// Marker is made once the endpoint has the last word; empty makes none. A run removes that of an earlier one.
	Marker string
	// Encode writes a status as the endpoint reads it.
	Encode func(status.Status) ([]byte, error)
	// Log takes a line about what could not be sent; nil takes none.
	Log io.Writer
}

// Reporter implements ports.Reporter. Close ends it. Both are called by one goroutine.
type Reporter struct {
	Options
	// progress holds the newest report of a run that goes on, and last that of its end.
	progress, last chan status.Status
	done           chan struct{}
	begun, closed  bool
}

// New returns a reporter.
func New(o Options) *Reporter {
	return &Reporter{
		Options: o, progress: make(chan status.Status, 1), last: make(chan status.Status, 1),
		done: make(chan struct{}),
	}
}

// Report puts the status down to be sent and returns at once. A machine that was complete before has nothing to say,
// and neither has one that is reset.
func (r *Reporter) Report(_ context.Context, s status.Status) error {
	if s.Again || s.State == status.StateReset || r.closed {
		return nil
	}
	if !r.begun {
		r.begun = true
		if err := r.forget(); err != nil {
			return err
		}
		go r.work()
	}
	if final(s) {
		offer(r.last, s)
		return nil
	}
	offer(r.progress, s)
	return nil
}

// offer puts the status in place of an older one that was not picked up.
func offer(box chan status.Status, s status.Status) {
	select {
	case <-box:
	default:
	}
	box <- s
}

func (r *Reporter) forget() error {
	if r.Marker == "" {
		return nil
	}
	if err := os.Remove(r.Marker); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the mark of an earlier report: %w", err)
	}
	return nil
}

// Close waits until what was put down last is sent, but not for long.
func (r *Reporter) Close() {
	if r.closed || !r.begun {
		r.closed = true
		return
	}
	r.closed = true
	close(r.last)
	timer := time.NewTimer(Last)
	defer timer.Stop()
	select {
	case <-r.done:
	case <-timer.C:
	}
}

// work sends what is put down until there is a last word, or none to come. Progress is sent now and then.
func (r *Reporter) work() {
	defer close(r.done)
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case s, told := <-r.last:
			r.finish(s, told)
			return
		case <-pause.C:
		}
		select {
		case s, told := <-r.last:
			r.finish(s, told)
			return
		case s := <-r.progress:
			r.complain(r.send(s))
		}
		pause.Reset(between)
	}
}

// finish sends the last word, again if it does not arrive. Without one, it sends what is left.
func (r *Reporter) finish(s status.Status, told bool) {
	if !told {
		select {
		case left := <-r.progress:
			r.complain(r.send(left))
		default:
		}
		return
	}
	_, err := backoff.Retry(context.Background(), func() (struct{}, error) {
		err := r.send(s)
		// Without a file the machine does not report.
		if errors.Is(err, errRefused) || errors.Is(err, fs.ErrNotExist) {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(backoff.NewConstantBackOff(retryAfter)), backoff.WithMaxTries(attempts))
	if err == nil {
		err = r.mark()
	}
	if s.State == status.StateSucceeded && (err == nil || errors.Is(err, errRefused)) {
		// There is nothing more to report, so that the credential is of no use. It may have been refused because success is
		// known.
		err = errors.Join(err, os.Remove(r.Path))
	}
	r.complain(err)
}

func (r *Reporter) mark() error {
	if r.Marker == "" {
		return nil
	}
	return os.WriteFile(r.Marker, nil, 0o600)
}

func (r *Reporter) complain(err error) {
	if err != nil && r.Log != nil && !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(r.Log, "machineadm: cannot report: %v\n", err)
	}
}

func final(s status.Status) bool {
	return s.State == status.StateSucceeded || s.State == status.StateFailed
}
