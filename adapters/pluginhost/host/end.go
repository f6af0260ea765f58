package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// patience is how long a plugin may take to end by itself, and then to be ended.
const patience = 3 * time.Second

// Close ends the process of the plugin and the processes that it started. It returns even if they cannot be ended.
func (p *Plugin) Close() {
	done := make(chan struct{})
	go func() {
		p.client.Kill()
		close(done)
	}()
	// The library waits without a limit for a plugin that is asked to end, and for every process that holds its output.
	for range 2 {
		select {
		case <-done:
			closeAll(p.process)
			return
		case <-time.After(patience):
			closeAll(p.process)
		}
	}
}

// ErrNoResponse means that a plugin did not answer in time.
var ErrNoResponse = errors.New("it did not answer")

// within executes a request within the limit, and returns a plain error if there is no answer.
func within(ctx context.Context, limit time.Duration, do func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := do(bounded)
	answer, is := status.FromError(err)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	// The plugin's end of the connection knows the limit, too, and may give up a moment before this one.
	case errors.Is(bounded.Err(), context.DeadlineExceeded), answer.Code() == codes.DeadlineExceeded,
		answer.Code() == codes.Canceled:
		return fmt.Errorf("%w within %s", ErrNoResponse, limit)
	case !is:
		return err
	case answer.Code() == codes.Unavailable:
		return fmt.Errorf("it ended, or cannot be reached: %s", oneLine(err))
	case answer.Code() == codes.Unimplemented:
		return errors.New("it does not serve this")
	default:
		return errors.New(answer.Message())
	}
}

// maxLine is the maximum length of a plugin's output in an error.
const maxLine = 200

// oneLine returns the error's text as one line of bounded length: it may contain a plugin's text.
func oneLine(err error) string {
	words := strings.FieldsFunc(strings.ToValidUTF8(err.Error(), "?"), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
	text := []rune(strings.Join(words, " "))
	if len(text) > maxLine {
		return string(text[:maxLine]) + "…"
	}
	return string(text)
}
