package main

import "github.com/go-logr/logr"

// queueMessage is the message with the items of a queue, which controller-runtime logs at level 5. It encodes the items
// while the queue changes them, so that the encoder panics once in a while.
const queueMessage = "workqueue_items"

// withoutQueues returns a logger that omits the items of queues.
func withoutQueues(l logr.Logger) logr.Logger {
	return l.WithSink(queueFilter{l.GetSink()}.WithCallDepth(1))
}

// queueFilter is a sink without the items of queues.
type queueFilter struct{ logr.LogSink }

// Info logs a message, unless it is about the items of a queue.
func (s queueFilter) Info(level int, message string, keysAndValues ...any) {
	if message != queueMessage {
		s.LogSink.Info(level, message, keysAndValues...)
	}
}

// Error logs an error.
func (s queueFilter) Error(err error, message string, keysAndValues ...any) {
	s.LogSink.Error(err, message, keysAndValues...)
}

// WithValues returns a sink that adds the values.
func (s queueFilter) WithValues(keysAndValues ...any) logr.LogSink {
	return queueFilter{s.LogSink.WithValues(keysAndValues...)}
}

// WithName returns a sink that adds the name.
func (s queueFilter) WithName(name string) logr.LogSink { return queueFilter{s.LogSink.WithName(name)} }

// WithCallDepth returns a sink that skips further callers.
func (s queueFilter) WithCallDepth(depth int) logr.LogSink {
	if inner, is := s.LogSink.(logr.CallDepthLogSink); is {
		return queueFilter{inner.WithCallDepth(depth)}
	}
	return s
}
