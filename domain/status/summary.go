package status

import (
	"strings"
	"time"
	"unicode"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/secret"
)

// The most bytes of what a summary keeps of each text. A machine is no friend: what it says of itself stands beside
// what others rely on.
const (
	maxWord  = 64
	maxPlace = 256
	maxCause = 512
	maxLog   = 4096
)

// Summary is what is kept of a status far from the machine: one line for people, and the failure.
type Summary struct {
	State State
	// Version is the agent's; empty if the bootstrap program that needs no agent speaks.
	Version string
	// Started and Ended are by the machine's own clock, to the second; zero if it does not tell.
	Started, Ended time.Time
	// Steps is how many steps there are, and Done how many of them are over.
	Steps, Done int
	// Phase is that of the first step that is not over; 0 if there is none.
	Phase   document.Phase
	Failure *Failure
}

// Summarize returns what is kept of a status that came from outside: bounded, without control characters, and without
// what looks like a secret.
func (s Status) Summarize() Summary {
	out := Summary{
		State: s.State, Version: line(s.Version, maxWord), Started: s.Started.UTC().Truncate(time.Second),
		Ended: s.Ended.UTC().Truncate(time.Second), Steps: len(s.Steps),
	}
	for _, step := range s.Steps {
		if step.Outcome != OutcomePending {
			out.Done++
		} else if out.Phase == 0 {
			out.Phase = step.Phase
		}
	}
	if s.Failure != nil && s.State == StateFailed {
		f := s.Failure.cleaned()
		out.Failure = &f
	}
	return out
}

func (f Failure) cleaned() Failure {
	f.Document, f.Action, f.Cause = line(f.Document, maxPlace), line(f.Action, maxPlace), line(f.Cause, maxCause)
	f.Log = end(clean(f.Log), maxLog)
	if f.Cause == "" {
		f.Cause = end(f.Log[strings.LastIndexByte(f.Log, '\n')+1:], maxCause)
	}
	return f
}

// Within returns the summary with the times that the machine may be right about. Others are as if it did not tell: a
// start in the far future would keep every later report from being news.
func (s Summary) Within(from, to time.Time) Summary {
	if s.Started.Before(from) || s.Started.After(to) {
		s.Started = time.Time{}
	}
	if s.Ended.Before(from) || s.Ended.After(to) {
		s.Ended = time.Time{}
	}
	return s
}

// Final reports whether nothing follows in the same run.
func (s Summary) Final() bool { return s.State == StateSucceeded || s.State == StateFailed }

// Follows reports whether the summary is news after the last one. What is older, what is told again, and what comes
// late of a run that is over is not. Success is always news: a machine whose clock was put back in between succeeded
// all the same.
func (s Summary) Follows(last Summary) bool {
	switch {
	case s.State == StateSucceeded:
		return last.State != StateSucceeded
	case s.known() && last.known() && !s.Started.Equal(last.Started):
		return s.Started.After(last.Started)
	case last.Final():
		return false
	default:
		return s.State != last.State || s.Done != last.Done || s.Steps != last.Steps
	}
}

func (s Summary) known() bool { return !s.Started.IsZero() }

// clean drops control characters but for line ends, invalid text, and what looks like a secret.
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
