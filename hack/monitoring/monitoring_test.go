package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
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

// TestEachControllerCanAlert compares the controllers of the alerts with the names of controllers in the code.
func TestEachControllerCanAlert(t *testing.T) {
	// The controllers whose names are no literals. The alert has another metric of the bootstrap controller.
	others := map[string][]string{
		"controllerName":                     {"machineadmcontrolplane"},
		`controllerName+"-snapshots"`:        {"machineadmcontrolplane-snapshots"},
		"cleanupName":                        {"machinebootstrapdata"},
		"strings.ToLower(kind)":              nil,
		`strings.ToLower(r.Kind)+"requests"`: {"s3bootstrapstoragerequests", "endpointbootstrapstoragerequests"},
	}
	for _, p := range v1alpha1.Plugins() {
		others["strings.ToLower(kind)"] = append(others["strings.ToLower(kind)"], strings.ToLower(v1alpha1.PluginKind(p)))
	}
	var found []string
	err := filepath.WalkDir(filepath.Join(root, "adapters"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range namePattern.FindAllStringSubmatch(string(text), -1) {
			names, known := others[m[1]]
			if literal, err := strconv.Unquote(m[1]); err == nil {
				names, known = []string{literal}, true
			}
			if !known {
				t.Errorf("%s: add the name %s of a controller to this test and to the alert", path, m[1])
			}
			found = append(found, names...)
		}
		return err
	})
	slices.Sort(found)
	if diff := cmp.Diff(slices.Compact(found), controllers()); diff != "" || err != nil {
		t.Errorf("the alert has other controllers (-code +alert): %v\n%s", err, diff)
	}
}

// namePattern matches the name of a controller.
var namePattern = regexp.MustCompile(`NewControllerManagedBy\(mgr\)\.Named\((.*?)\)\.(?:With|For|Watch|Complete)`)

// TestDefinitionsOfOtherMetricsAreRefused expects an error for a description that the page could not show.
func TestDefinitionsOfOtherMetricsAreRefused(t *testing.T) {
	constant := prometheus.NewDesc("machineadm_a", "A.", nil, prometheus.Labels{"a": "b"})
	if _, err := parse(constant); err == nil {
		t.Error("a metric with constant labels was accepted")
	}
}
