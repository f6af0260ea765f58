package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/machineadm/machineadm/test/golden"
)

const root = "../.."

// TestFilesAreCurrent compares the files with the definitions of the metrics and the alerts.
func TestFilesAreCurrent(t *testing.T) {
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		golden.File(t, filepath.Join(root, name), text)
	}
}

var (
	selectorPattern = regexp.MustCompile(`(machineadm_[a-z_]+)(?:\{([^}]*)\})?`)
	labelPattern    = regexp.MustCompile(`([a-z]+)(?:=~|!=|=)"`)
)

// TestAlertsUseDefinedMetrics checks the names and labels of each alert, and of each unit test.
func TestAlertsUseDefinedMetrics(t *testing.T) {
	all, err := definitions()
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string][]string{}
	for _, m := range all {
		labels[m.name] = m.labels
		labels[m.name+"_count"] = m.labels
	}
	texts := map[string]string{}
	for _, a := range alerts() {
		texts[a.name] = a.expr
	}
	paths, _ := filepath.Glob("testdata/*.yaml")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = string(text)
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		for _, m := range selectorPattern.FindAllStringSubmatch(texts[name], -1) {
			known, defined := labels[m[1]]
			if !defined {
				t.Errorf("%s: no controller has the metric %s", name, m[1])
			}
			for _, label := range labelPattern.FindAllStringSubmatch(m[2], -1) {
				if label[1] != "pod" && !slices.Contains(known, label[1]) {
					t.Errorf("%s: %s has no label %s", name, m[1], label[1])
				}
			}
		}
	}
}

// TestDefinitionsOfOtherMetricsAreRefused expects an error for a description that the page could not show.
func TestDefinitionsOfOtherMetricsAreRefused(t *testing.T) {
	constant := prometheus.NewDesc("machineadm_a", "A.", nil, prometheus.Labels{"a": "b"})
	if _, err := parse(constant); err == nil {
		t.Error("a metric with constant labels was accepted")
	}
}
