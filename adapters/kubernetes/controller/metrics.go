package controller

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/machineadm/machineadm/app/bootstrap"
)

// Metrics are the metrics of the controller. A nil Metrics counts nothing.
type Metrics struct {
	outcomes *prometheus.CounterVec
	render   *prometheus.HistogramVec
	payload  *prometheus.HistogramVec
	tokens   *prometheus.CounterVec
	boots    *prometheus.CounterVec
}

// NewMetrics creates and registers the metrics.
func NewMetrics(registry prometheus.Registerer) (*Metrics, error) {
	m := &Metrics{
		outcomes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "machineadm_reconcile_outcomes_total", Help: "Reconciliations of configs, by outcome and reason.",
		}, []string{"outcome", "reason"}),
		render: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "machineadm_render_seconds", Help: "Time to render a machine's bootstrap data.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 2, 14),
		}, []string{"format"}),
		payload: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "machineadm_payload_bytes", Help: "Size of published bootstrap data.",
			Buckets: prometheus.ExponentialBuckets(512, 2, 12),
		}, []string{"format"}),
		tokens: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "machineadm_bootstrap_tokens_total", Help: "Bootstrap tokens that were created, rotated or lost.",
		}, []string{"event"}),
		boots: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "machineadm_bootstraps_total", Help: "Bootstraps of machines that report, by outcome and cause.",
		}, []string{"outcome", "cause"}),
	}
	for _, c := range []prometheus.Collector{m.outcomes, m.render, m.payload, m.tokens, m.boots} {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Rendered counts a rendering.
func (m *Metrics) Rendered(format string, took time.Duration) {
	if m != nil {
		m.render.WithLabelValues(format).Observe(took.Seconds())
	}
}

func (m *Metrics) observe(ready bootstrap.Ready, err error) {
	if m == nil {
		return
	}
	var waiting bootstrap.WaitingError
	var stalled bootstrap.StalledError
	switch {
	case ready.Name != "":
		reason, _ := maintenanceProblem(ready, err)
		if errors.As(err, &waiting) && waiting.Recent {
			reason = "" // A storage needs a moment for each new object.
		}
		m.outcomes.WithLabelValues("ready", reason).Inc()
		m.ready(ready)
	case errors.As(err, &waiting):
		m.outcomes.WithLabelValues("waiting", string(waiting.Reason)).Inc()
	case errors.As(err, &stalled):
		m.outcomes.WithLabelValues("stalled", string(stalled.Reason)).Inc()
	case err != nil:
		m.outcomes.WithLabelValues("failed", "").Inc()
	}
}

func (m *Metrics) ready(o bootstrap.Ready) {
	if o.Created || o.Rotated || o.Renewed {
		m.payload.WithLabelValues(string(o.Payload.Format)).Observe(float64(o.Payload.Data.Len()))
	}
	switch {
	case o.Rotated:
		m.tokens.WithLabelValues("rotated").Inc()
	case o.Created && o.TokenID != "":
		m.tokens.WithLabelValues("created").Inc()
	case o.TokenLost:
		m.tokens.WithLabelValues("lost").Inc()
	}
}

// bootstrapped counts the result of a bootstrap. The label has few values: one cause for each phase.
func (m *Metrics) bootstrapped(succeeded bool, cause string) {
	if m == nil {
		return
	}
	outcome := "failed"
	if succeeded {
		outcome = "succeeded"
	}
	m.boots.WithLabelValues(outcome, cause).Inc()
}
