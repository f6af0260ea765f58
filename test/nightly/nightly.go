// Package nightly decides how much of a long test runs. `make test` runs a short version of each, with the real
// programs; `make nightly` sets MACHINEADM_NIGHTLY and runs all of it.
package nightly

import (
	"os"
	"testing"
)

// Variable is the environment variable that `make nightly` sets to 1.
const Variable = "MACHINEADM_NIGHTLY"

// Enabled reports whether tests run in full.
func Enabled() bool { return os.Getenv(Variable) == "1" }

// Or returns long in a nightly run, and short otherwise.
func Or[T any](long, short T) T {
	if Enabled() {
		return long
	}
	return short
}

// Cases returns all cases in a nightly run, and those with the given names otherwise. A name without a case fails the
// test.
func Cases[T any](t testing.TB, all map[string]T, names ...string) map[string]T {
	t.Helper()
	short := make(map[string]T, len(names))
	for _, name := range names {
		c, found := all[name]
		if !found {
			t.Fatalf("there is no case %q", name)
		}
		short[name] = c
	}
	return Or(all, short)
}

// Sample returns all values in a nightly run, and n of them otherwise: the first, the last, and others at equal
// distances.
func Sample[T any](all []T, n int) []T {
	if Enabled() || n >= len(all) {
		return all
	}
	sample := make([]T, n)
	for i := range sample {
		sample[i] = all[i*(len(all)-1)/max(n-1, 1)]
	}
	return sample
}
