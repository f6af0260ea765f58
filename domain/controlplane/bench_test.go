package controlplane_test

import "testing"

// BenchmarkPlan decides for a rollout of five machines.
func BenchmarkPlan(b *testing.B) {
	f := five()
	f.outdate()
	f.join()
	for b.Loop() {
		f.plan()
	}
}
