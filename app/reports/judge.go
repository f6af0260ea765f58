package reports

import (
	"fmt"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/status"
)

// Reason says in one word how a bootstrap stands.
type Reason string

// The reasons. That of a failure is its phase: StartFailed, JoinFailed and so on, see failed.
const (
	ReasonSucceeded Reason = "Succeeded"
	// ReasonJoined means that the machine is a node and has not said more.
	ReasonJoined  Reason = "NodeJoined"
	ReasonWaiting Reason = "WaitingForReport"
	ReasonRunning Reason = "Running"
	// ReasonSilent means that the machine neither joined nor reported its end in time.
	ReasonSilent Reason = "DeadlineExceeded"
)

// Answer is whether the bootstrap succeeded.
type Answer int

// The answers.
const (
	Unknown Answer = iota
	Yes
	No
)

// Evidence is what is known of a bootstrap.
type Evidence struct {
	// Report is what the machine reported last; nil if it has not.
	Report *status.Status
	// Joined says that the machine is a node.
	Joined bool
	// Pool says that many machines speak with one voice: none is missed, and none that joined speaks for the others.
	Pool bool
	// Published is when the data was there.
	Published time.Time
	// Deadline is how long the machine has from then on; 0 is for ever.
	Deadline time.Duration
	Now      time.Time
}

// Verdict is what follows.
type Verdict struct {
	Succeeded Answer
	Reason    Reason
	// Message is one line for people.
	Message string
	// Next is when to look again if nothing happens; 0 is never.
	Next time.Duration
}

// Judge says how the bootstrap stands. A failure that was reported stands although the machine is a node: the commands
// after that have failed, and the success of the contract's sentinel is not there.
func Judge(e Evidence) Verdict {
	switch {
	case e.Report != nil && e.Report.State == status.StateFailed && e.Report.Failure != nil:
		return failed(*e.Report.Failure)
	case e.Report != nil && e.Report.State == status.StateSucceeded:
		return Verdict{Succeeded: Yes, Reason: ReasonSucceeded}
	case e.Joined && !e.Pool:
		return Verdict{Succeeded: Yes, Reason: ReasonJoined}
	case e.Pool || e.Deadline <= 0:
		return waiting(e)
	}
	left := e.Published.Add(e.Deadline).Sub(e.Now)
	if left <= 0 {
		return Verdict{Succeeded: No, Reason: ReasonSilent, Message: silent(e)}
	}
	v := waiting(e)
	v.Next = left
	return v
}

func waiting(e Evidence) Verdict {
	if e.Report == nil {
		return Verdict{Reason: ReasonWaiting, Message: "the machine has not reported yet"}
	}
	return Verdict{Reason: ReasonRunning, Message: progress(*e.Report)}
}

// progress says how far the machine has come.
func progress(s status.Status) string {
	message := fmt.Sprintf("%d of %d steps are done", s.Progress.Done, s.Progress.Steps)
	if s.Progress.Phase != 0 {
		message += ", in phase " + s.Progress.Phase.String()
	}
	return message
}

func silent(e Evidence) string {
	message := fmt.Sprintf("the machine has not joined within %s of its data being published, and ", e.Deadline)
	if e.Report == nil {
		return message + "it has not reported: look at its console, its infrastructure object, and whether " +
			"it reaches the endpoint"
	}
	return message + "last reported: " + progress(*e.Report)
}

// failed names the phase in the reason, and on one line all that tells people why.
func failed(f status.Failure) Verdict {
	phase := f.PhaseName()
	message := "phase " + phase
	if f.Action != "" {
		message += ": " + f.Action
	}
	if f.Document != "" {
		message += " (" + f.Document + ")"
	}
	if exit := fmt.Sprintf("exit code %d", f.ExitCode); f.ExitCode != 0 && !strings.Contains(f.Cause, exit) {
		message += ": " + exit
	}
	if f.Cause != "" {
		message += ": " + f.Cause
	}
	return Verdict{Succeeded: No, Reason: FailedIn(phase), Message: message}
}

// FailedIn returns the reason of a failure in the phase, such as JoinFailed.
func FailedIn(phase string) Reason {
	return Reason(strings.ToUpper(phase[:1]) + phase[1:] + "Failed")
}
