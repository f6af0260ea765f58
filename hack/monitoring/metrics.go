package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/machineadm/machineadm/adapters/endpoint"
	"github.com/machineadm/machineadm/adapters/kubernetes/controller"
	"github.com/machineadm/machineadm/adapters/kubernetes/controlplane"
	"github.com/machineadm/machineadm/adapters/kubernetes/hosts"
)

// metric is the definition of a metric.
type metric struct {
	// component is the part of the program that registers the metric.
	component string
	// kind is counter, gauge or histogram.
	name, kind, help string
	labels           []string
}

// recorder is a registry that keeps the definitions of the metrics that are registered.
type recorder struct {
	prometheus.Registerer
	component string
	metrics   []metric
	err       error
}

// Register keeps the definitions of the collector.
func (r *recorder) Register(c prometheus.Collector) error {
	descriptions := make(chan *prometheus.Desc)
	go func() {
		c.Describe(descriptions)
		close(descriptions)
	}()
	for d := range descriptions {
		m, err := parse(d)
		if err != nil {
			r.err = err
		}
		m.component, m.kind = r.component, kindOf(c)
		r.metrics = append(r.metrics, m)
	}
	return r.err
}

// kindOf returns the type of the metrics of a collector. Collectors of the project's own are gauges.
func kindOf(c prometheus.Collector) string {
	switch c.(type) {
	case *prometheus.CounterVec:
		return "counter"
	case *prometheus.HistogramVec:
		return "histogram"
	default:
		return "gauge"
	}
}

// descriptionPattern matches the text of a description, which has no other access to its fields.
var descriptionPattern = regexp.MustCompile(
	`^Desc\{fqName: "([a-z_]+)", help: "(.*)", constLabels: \{\}, variableLabels: \{(.*)\}\}$`)

func parse(d *prometheus.Desc) (metric, error) {
	m := descriptionPattern.FindStringSubmatch(d.String())
	if m == nil {
		return metric{}, fmt.Errorf("cannot read the description %s", d)
	}
	return metric{name: m[1], help: m[2], labels: strings.Split(m[3], ",")}, nil
}

// definitions returns the metrics of the controllers, ordered by their component and name.
func definitions() ([]metric, error) {
	var all []metric
	for _, c := range []struct {
		name     string
		register func(r prometheus.Registerer) error
	}{
		{"bootstrap", func(r prometheus.Registerer) error { _, err := controller.NewMetrics(r); return err }},
		{"control plane", func(r prometheus.Registerer) error { _, err := controlplane.NewMetrics(r, nil); return err }},
		{"hosts", func(r prometheus.Registerer) error { _, err := hosts.NewMetrics(r, nil, nil); return err }},
		{"endpoint", func(r prometheus.Registerer) error { _, err := endpoint.NewMetrics(r); return err }},
	} {
		r := &recorder{component: c.name}
		if err := c.register(r); err != nil {
			return nil, fmt.Errorf("register the metrics of %s: %w", c.name, err)
		}
		slices.SortFunc(r.metrics, func(a, b metric) int { return cmp.Compare(a.name, b.name) })
		all = append(all, r.metrics...)
	}
	return all, nil
}
