package benchmarks_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/machineadm/machineadm/domain/delivery"
)

var taints = []corev1.Taint{{Key: taintKey, Effect: corev1.TaintEffectNoSchedule}}

// allowance is how much larger than the kubeadm provider's a payload may be: the price of the failure record, the
// run-once marker, failing fast and redaction.
const allowance = 1280

func TestWorkerPayloadIsLittleLarger(t *testing.T) {
	s, docs := service(t), documents()
	cases := map[string]struct {
		reason       string
		ours, theirs []byte
	}{
		"cloud-init": {
			reason: "the guards, and what keeps secrets private, cost less than 1.25 KiB",
			ours:   ours(t, s, docs, target(t, "ubuntu"), delivery.FormatCloudInit), theirs: theirsCloudInit(t),
		},
		"ignition": {
			reason: "the guards, and what keeps secrets private, cost less than 1.25 KiB",
			ours:   ours(t, s, docs, target(t, "fedora-coreos"), delivery.FormatIgnition), theirs: theirsIgnition(t),
		},
	}
	for name, tc := range cases {
		t.Logf("%s: ours %d bytes, theirs %d bytes", name, len(tc.ours), len(tc.theirs))
		if len(tc.ours) > len(tc.theirs)+allowance {
			t.Errorf("%s: %s: ours %d bytes, theirs %d bytes\n%s", name, tc.reason, len(tc.ours), len(tc.theirs), tc.ours)
		}
	}
}

func BenchmarkWorker(b *testing.B) {
	s, docs := service(b), documents()
	ubuntu, coreos := target(b, "ubuntu"), target(b, "fedora-coreos")
	for _, bench := range []struct {
		name string
		run  func() []byte
	}{
		{"format=cloud-init/by=machineadm", func() []byte { return ours(b, s, docs, ubuntu, delivery.FormatCloudInit) }},
		{"format=cloud-init/by=kubeadm-provider", func() []byte { return theirsCloudInit(b) }},
		{"format=ignition/by=machineadm", func() []byte { return ours(b, s, docs, coreos, delivery.FormatIgnition) }},
		{"format=ignition/by=kubeadm-provider", func() []byte { return theirsIgnition(b) }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			size := 0
			for b.Loop() {
				size = len(bench.run())
			}
			b.ReportMetric(float64(size), "payload-bytes")
		})
	}
}
