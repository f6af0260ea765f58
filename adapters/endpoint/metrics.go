package endpoint

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics are the endpoint's own. A nil Metrics counts nothing.
type Metrics struct {
	reports   *prometheus.CounterVec
	downloads *prometheus.CounterVec
}

// NewMetrics registers the metrics.
func NewMetrics(registry prometheus.Registerer) (*Metrics, error) {
	m := &Metrics{
		reports: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "machineadm_endpoint_reports_total", Help: "Reports that came to this replica, by what became of them.",
		}, []string{"result"}),
		downloads: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "machineadm_endpoint_agent_downloads_total", Help: "Requests for the agent to this replica, by the code of the answer.",
		}, []string{"os", "architecture", "code"}),
	}
	for _, c := range []prometheus.Collector{m.reports, m.downloads} {
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
