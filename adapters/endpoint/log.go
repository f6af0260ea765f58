package endpoint

import (
	"context"
	"log/slog"
)

// Clients trigger most log lines, so each message has its own rate limit.
const (
	linesPerSecond = 1
	linesAtOnce    = 100
)

// limitedLog is a handler that drops lines whose message is logged too often.
type limitedLog struct {
	slog.Handler
	rates *rates
}

func limitLog(l *slog.Logger) *slog.Logger {
	return slog.New(limitedLog{Handler: l.Handler(), rates: newRates(linesPerSecond, linesAtOnce)})
}

// Handle logs or drops the line.
func (l limitedLog) Handle(ctx context.Context, r slog.Record) error {
	if !l.rates.allow(r.Message, r.Time) {
		return nil
	}
	return l.Handler.Handle(ctx, r)
}
