package main

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
)

// budget is how many requests a worker may cost from first sight to ready: its token, its Secret, its status.
const budget = 3

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	os.Exit(m.Run())
}

func TestWorkerCostsAtMostThreeRequests(t *testing.T) {
	results, err := compare(t.Context(), settings{
		workers: 20, clusters: 2, providers: []string{machineadmName},
		limits: []string{limitsDefault},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{
		"create secrets (workload)", "create secrets", "patch machinebootstrapconfigs/status",
	} {
		if results[0].Requests[kind] < 20 {
			t.Errorf("%s: %d for 20 workers: the audit log does not show what was done", kind, results[0].Requests[kind])
		}
	}
	if m := results[0].Memory; m.Heap < 1<<20 || m.Program < 1<<20 || m.Peak < m.Heap {
		t.Errorf("memory: %+v", m)
	}
	if requested := results[0].perWorker(); requested > budget {
		t.Errorf("%.2f requests per worker, want at most %d: %v", requested, budget, results[0].Requests)
	}
}

func TestRatios(t *testing.T) {
	results := []result{
		{Provider: machineadmName, Limits: limitsLifted, Seconds: 2},
		{Provider: kubeadmName, Limits: limitsLifted, Seconds: 8},
		{Provider: machineadmName, Limits: limitsDefault, Seconds: 1},
		{Provider: machineadmName, Limits: limitsLifted, Seconds: 4},
		{Provider: kubeadmName, Limits: limitsLifted, Seconds: 8},
	}
	seconds := func(ours, theirs result) float64 { return theirs.Seconds / ours.Seconds }
	if got := ratios(results, limitsLifted, seconds); !slices.Equal(got, []float64{4, 2}) {
		t.Errorf("got %v", got)
	}
	if got := ratios(results, limitsDefault, seconds); len(got) != 0 {
		t.Errorf("a round without the other provider gave %v", got)
	}
}

// TestMedians checks that tables have one row for each provider and limit.
func TestMedians(t *testing.T) {
	results := []result{
		{Provider: machineadmName, Seconds: 4},
		{Provider: kubeadmName, Seconds: 30},
		{Provider: machineadmName, Seconds: 2},
		{Provider: machineadmName, Seconds: 3},
		{Provider: machineadmName, Limits: limitsLifted, Seconds: 5},
	}
	want := []float64{3, 30, 5}
	var got []float64
	for _, r := range medians(results) {
		got = append(got, r.Seconds)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestRoundsAreWritten fails in the second round: the first one was written, and nothing is lost.
func TestRoundsAreWritten(t *testing.T) {
	var written []string
	tries := 0
	failure := errors.New("the second manager stopped")
	results, err := rounds(5, func() ([]result, error) {
		ours := result{Provider: machineadmName, Workers: 1, Seconds: 1}
		if tries++; tries == 2 {
			return []result{ours}, failure
		}
		return []result{ours, {Provider: kubeadmName, Workers: 1, Seconds: 1}}, nil
	}, func(text string) error {
		written = append(written, text)
		return nil
	})
	if !errors.Is(err, failure) || len(results) != 3 {
		t.Errorf("got %v and %d results", err, len(results))
	}
	if len(written) != 1 || strings.Count(written[0], machineadmName) != 2 {
		t.Errorf("written: %q", written)
	}
}
