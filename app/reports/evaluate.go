package reports

import (
	"fmt"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/status"
)

// Reason is the machine-readable state of a bootstrap.
type Reason string

// The reasons. The reason of a failure contains its phase, such as JoinFailed; see FailedIn.
const (
	ReasonSucceeded Reason = "Succeeded"
	// ReasonJoined means that the machine has joined as a node, but has not reported success.
	ReasonJoined  Reason = "NodeJoined"
	ReasonWaiting Reason = "WaitingForReport"
	ReasonRunning Reason = "Running"
	// ReasonSilent means that the machine has neither joined nor reported a result before the deadline.
	ReasonSilent Reason = "DeadlineExceeded"
)

// ConditionStatus states whether the bootstrap succeeded.
type ConditionStatus int

// The answers.
const (
	StatusUnknown ConditionStatus = iota
	StatusTrue
	StatusFalse
)

// Observation contains the facts about a bootstrap.
type Observation struct {
	// Report is the machine's last report, or nil if there is none.
	Report *status.Status
	// Joined means that the machine is a node.
	Joined bool
	// Pool means that all machines of a pool share the report. The deadline does not apply, and one node does not mean
	// that all machines have joined.
	Pool bool
	// Published is when the data was published.
	Published time.Time
	// Deadline is the time after Published in which the machine must join or report; 0 means no limit.
	Deadline time.Duration
	Now      time.Time
}

// Result is the result of Evaluate.
type Result struct {
	Succeeded ConditionStatus
	Reason    Reason
	// Message is one line for users.
	Message string
	// Next is when to judge again if nothing happens; 0 means never.
	Next time.Duration
}

// Evaluate returns the state of the bootstrap. A reported failure applies even if the machine is a node: a command that
// runs after joining has failed, and the contract's success sentinel is missing.
func Evaluate(e Observation) Result {
	switch {
	case e.Report != nil && e.Report.State == status.StateFailed && e.Report.Failure != nil:
		return failed(*e.Report.Failure)
	case e.Report != nil && e.Report.State == status.StateSucceeded:
		return Result{Succeeded: StatusTrue, Reason: ReasonSucceeded}
	case e.Joined && !e.Pool:
		return Result{Succeeded: StatusTrue, Reason: ReasonJoined}
	case e.Pool || e.Deadline <= 0:
		return waiting(e)
	}
	left := e.Published.Add(e.Deadline).Sub(e.Now)
	if left <= 0 {
		return Result{Succeeded: StatusFalse, Reason: ReasonSilent, Message: silent(e)}
	}
	v := waiting(e)
	v.Next = left
	return v
}

func waiting(e Observation) Result {
	if e.Report == nil {
		return Result{Reason: ReasonWaiting, Message: "the machine has not reported yet"}
	}
	return Result{Reason: ReasonRunning, Message: progress(*e.Report)}
}

// progress describes how many steps are done.
func progress(s status.Status) string {
	message := fmt.Sprintf("%d of %d steps are done", s.Progress.Done, s.Progress.Steps)
	if s.Progress.Phase != 0 {
		message += ", in phase " + s.Progress.Phase.String()
	}
	return message
}

func silent(e Observation) string {
	message := fmt.Sprintf("the machine has not joined within %s of its data being published, and ", e.Deadline)
	if e.Report == nil {
		return message + "it has not reported: look at its console, its infrastructure object, and whether " +
			"it reaches the endpoint"
	}
	return message + "last reported: " + progress(*e.Report)
}

// failed returns the verdict for a failure: the phase is in the reason, and the cause in the message, on one line.
func failed(f status.Failure) Result {
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
	return Result{Succeeded: StatusFalse, Reason: FailedIn(phase), Message: message}
}

// FailedIn returns the reason of a failure in the phase, such as JoinFailed.
func FailedIn(phase string) Reason {
	return Reason(strings.ToUpper(phase[:1]) + phase[1:] + "Failed")
}
