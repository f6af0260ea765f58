package status

import (
	"cmp"
	"strings"
	"time"
	"unicode"

	"github.com/machineadm/machineadm/domain/secret"
)

// The limits of the texts of a summary, in bytes. They come from a machine that may be compromised.
const (
	maxWord  = 64
	maxPlace = 256
	maxCause = 512
	maxLog   = 4096
)

// Summarize returns what the controller stores of a status: with progress in place of steps, and times to the second.
// Texts come from the machine, so they are limited and lose control characters and what looks like a secret.
func (s Status) Summarize() Status {
	out := Status{
		State: s.State, Version: line(s.Version, maxWord), Started: s.Started.UTC().Truncate(time.Second),
		Ended: s.Ended.UTC().Truncate(time.Second), Progress: progress(s.Steps),
	}
	if s.Failure != nil && s.State == StateFailed {
		f := s.Failure.cleaned()
		out.Failure = &f
	}
	return out
}

func progress(steps []Step) Progress {
	p := Progress{Steps: len(steps)}
	for _, step := range steps {
		if step.Outcome != OutcomePending {
			p.Done++
		} else if p.Phase == 0 {
			p.Phase = step.Phase
		}
	}
	return p
}

func (f Failure) cleaned() Failure {
	f.Document, f.Action, f.Cause = line(f.Document, maxPlace), line(f.Action, maxPlace), line(f.Cause, maxCause)
	f.Log = end(clean(f.Log), maxLog)
	if f.Cause == "" {
		f.Cause = end(f.Log[strings.LastIndexByte(f.Log, '\n')+1:], maxCause)
	}
	return f
}

// Within returns the status without times outside of the range. The clock of the machine can be wrong: with a start in
// the far future, Follows would reject all later reports.
func (s Status) Within(from, to time.Time) Status {
	if s.Started.Before(from) || s.Started.After(to) {
		s.Started = time.Time{}
	}
	if s.Ended.Before(from) || s.Ended.After(to) {
		s.Ended = time.Time{}
	}
	return s
}

// Final reports whether the run has ended.
func (s Status) Final() bool { return s.State == StateSucceeded || s.State == StateFailed }

// Follows reports whether the status of a machine is newer than its last one. It is false for an older or equal status,
// and for a late status of a run that has ended. The first success always follows, and so does a failure of a machine
// that was running, because the machine's clock may have been set back.
func (s Status) Follows(last Status) bool {
	switch {
	case s.State == StateSucceeded:
		return last.State != StateSucceeded
	case s.State == StateFailed && !last.Final():
		return true
	case s.known() && last.known() && !s.Started.Equal(last.Started):
		return s.Started.After(last.Started)
	case last.Final():
		return false
	default:
		return s.State != last.State || s.Progress.Done != last.Progress.Done || s.Progress.Steps != last.Progress.Steps
	}
}

// Repeats reports whether two summaries are equal.
func (s Status) Repeats(last Status) bool {
	none := &Failure{}
	return s.State == last.State && s.Version == last.Version && s.Progress == last.Progress &&
		s.Started.Equal(last.Started) && s.Ended.Equal(last.Ended) &&
		*cmp.Or(s.Failure, none) == *cmp.Or(last.Failure, none)
}

func (s Status) known() bool { return !s.Started.IsZero() }

// clean removes control characters except line ends, invalid UTF-8, and parts that look like secrets.
func clean(text string) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\t", " "), "")
	text = strings.Map(func(r rune) rune {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			return -1
		}
		return r
	}, text)
	return strings.TrimSpace(secret.CleanShapes(text))
}

// line returns clean text on one line, no longer than n bytes.
func line(text string, n int) string {
	text = strings.Join(strings.FieldsFunc(clean(text), func(r rune) bool { return r == '\n' }), ": ")
	if len(text) > n {
		return strings.ToValidUTF8(text[:n], "")
	}
	return text
}

// end returns the end of the text, no longer than n bytes.
func end(text string, n int) string {
	if len(text) > n {
		return strings.ToValidUTF8(text[len(text)-n:], "")
	}
	return text
}
