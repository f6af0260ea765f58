package endpoint

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics are the metrics of the endpoint. A nil Metrics counts nothing.
type Metrics struct {
	reports   *prometheus.CounterVec
	downloads *prometheus.CounterVec
	fetches   *prometheus.CounterVec
	away      *prometheus.CounterVec
}

// NewMetrics creates and registers the metrics.
func NewMetrics(registry prometheus.Registerer) (*Metrics, error) {
	m := &Metrics{
		reports: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "machineadm_endpoint_reports_total", Help: "Reports that this replica received, by result.",
		}, []string{"result"}),
		downloads: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "machineadm_endpoint_agent_downloads_total",
			Help: "Requests for the agent to this replica, by the code of the answer.",
		}, []string{"os", "architecture", "code"}),
		fetches: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "machineadm_endpoint_stored_total", Help: "Requests for stored configuration to this replica, by " +
				"the code of the answer.",
		}, []string{"code"}),
		away: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "machineadm_endpoint_turned_away_total",
			Help: "Connections to this replica, downloads of the agent and responses with stored configuration that were " +
				"refused or displaced.",
		}, []string{"of"}),
	}
	for _, c := range []prometheus.Collector{m.reports, m.downloads, m.fetches, m.away} {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *Metrics) report(result string) {
	if m != nil {
		m.reports.WithLabelValues(result).Inc()
	}
}

func (m *Metrics) download(system, architecture string, code int) {
	if m != nil {
		m.downloads.WithLabelValues(system, architecture, strconv.Itoa(code)).Inc()
	}
}

func (m *Metrics) stored(code int) {
	if m != nil {
		m.fetches.WithLabelValues(strconv.Itoa(code)).Inc()
	}
}

// rejected returns a function that counts a refused or displaced client.
func (m *Metrics) rejected(of string) func() {
	if m == nil {
		return nil
	}
	return m.away.WithLabelValues(of).Inc
}
