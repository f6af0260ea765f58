// Package upload sends the status of a bootstrap from the machine to the controller's endpoint.
//
// The bootstrap does not wait for uploads: a goroutine sends the newest status. At the end, Close waits some seconds
// for the final status, after the failure record or the success sentinel was written.
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
	// attempt is the timeout of one upload.
	attempt = 10 * time.Second
	// between is the minimum time between two progress reports.
	between = 30 * time.Second
	// attempts is the maximum number of attempts for the final status, and retryAfter is the time between two of them.
	attempts   = 6
	retryAfter = time.Second
	// Last is the maximum time that Close waits.
	Last = 10 * time.Second
)

// Options configure a Reporter. Path and Encode are required.
type Options struct {
	// Path is the file with the URL and the credential of the endpoint (delivery.ReportPath). It is read for each
	// report, since userdata or the configuration itself may write it. Without the file nothing is sent.
	Path string
	// Marker is the path of a file that is created after the endpoint has accepted the final status; empty creates
	// none. Each run removes an earlier marker first.
	Marker string
	// Encode encodes a status in the format of the endpoint.
	Encode func(status.Status) ([]byte, error)
	// Log receives a line for each failed upload; nil logs nothing.
	Log io.Writer
}

// Reporter implements ports.Reporter. Report and Close must be called by the same goroutine.
type Reporter struct {
	Options
	// progress contains the newest progress status, and last the final one.
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

// Report queues the status and returns at once. It ignores the status of a machine that was already complete, and of a
// reset.
func (r *Reporter) Report(_ context.Context, s status.Status) error {
	if s.Again || s.State == status.StateReset || r.closed {
		return nil
	}
	if !r.begun {
		r.begun = true
		if err := r.forget(); err != nil {
			return err
		}
		go r.run()
	}
	if final(s) {
		replaceLatest(r.last, s)
		return nil
	}
	replaceLatest(r.progress, s)
	return nil
}

// replaceLatest replaces a queued status by a newer one.
func replaceLatest(box chan status.Status, s status.Status) {
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

// Close waits until the last queued status is sent, but at most for Last.
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

// run sends queued statuses until the final one is sent or Close is called. It limits the rate of progress reports.
func (r *Reporter) run() {
	defer close(r.done)
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case s, ok := <-r.last:
			r.finish(s, ok)
			return
		case <-pause.C:
		}
		select {
		case s, ok := <-r.last:
			r.finish(s, ok)
			return
		case s := <-r.progress:
			r.logError(r.send(s))
		}
		pause.Reset(between)
	}
}

// finish sends the final status with retries. Without a final status, it sends the queued progress.
func (r *Reporter) finish(s status.Status, ok bool) {
	if !ok {
		select {
		case left := <-r.progress:
			r.logError(r.send(left))
		default:
		}
		return
	}
	_, err := backoff.Retry(context.Background(), func() (struct{}, error) {
		err := r.send(s)
		// Without the file, reporting is not configured.
		if errors.Is(err, errRefused) || errors.Is(err, fs.ErrNotExist) {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(backoff.NewConstantBackOff(retryAfter)), backoff.WithMaxTries(attempts))
	if err == nil {
		err = r.writeMarker()
	}
	if s.State == status.StateSucceeded && (err == nil || errors.Is(err, errRefused)) {
		// No report follows, so the credential is no longer needed. The endpoint may have refused it because it already
		// knows of the success.
		err = errors.Join(err, os.Remove(r.Path))
	}
	r.logError(err)
}

func (r *Reporter) writeMarker() error {
	if r.Marker == "" {
		return nil
	}
	return os.WriteFile(r.Marker, nil, 0o600)
}

func (r *Reporter) logError(err error) {
	if err != nil && r.Log != nil && !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(r.Log, "machineadm: cannot report: %v\n", err)
	}
}

func final(s status.Status) bool {
	return s.State == status.StateSucceeded || s.State == status.StateFailed
}
