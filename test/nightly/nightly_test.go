package nightly_test

import (
	"slices"
	"testing"

	"github.com/machineadm/machineadm/test/nightly"
)

func TestSample(t *testing.T) {
	t.Setenv(nightly.Variable, "")
	for _, c := range []struct {
		n    int
		want []int
	}{
		{1, []int{1}},
		{2, []int{1, 7}},
		{3, []int{1, 4, 7}},
		{7, []int{1, 2, 3, 4, 5, 6, 7}},
		{9, []int{1, 2, 3, 4, 5, 6, 7}},
	} {
		if got := nightly.Sample([]int{1, 2, 3, 4, 5, 6, 7}, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%d values: %v, want %v", c.n, got, c.want)
		}
	}
}

func TestNightlyRunsEverything(t *testing.T) {
	all := map[string]int{"a": 1, "b": 2}
	for value, want := range map[string]int{"": 1, "0": 1, "1": 2} {
		t.Setenv(nightly.Variable, value)
		if got := len(nightly.Cases(t, all, "b")); got != want {
			t.Errorf("%s=%q: %d cases, want %d", nightly.Variable, value, got, want)
		}
		if got := len(nightly.Sample([]int{1, 2}, 1)); got != want {
			t.Errorf("%s=%q: %d values, want %d", nightly.Variable, value, got, want)
		}
		if got := nightly.Or(2, 1); got != want {
			t.Errorf("%s=%q: %d, want %d", nightly.Variable, value, got, want)
		}
	}
}
