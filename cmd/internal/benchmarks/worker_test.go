package benchmarks_test

import (
	"bytes"
	"compress/gzip"
	"testing"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/machineadm/machineadm/domain/delivery"
)

var taints = []corev1.Taint{{Key: taintKey, Effect: corev1.TaintEffectNoSchedule}}

// A payload may be this much larger than the kubeadm provider's, plain and compressed by gzip. The bytes are for the
// failure record, the run-once marker, failing fast, redaction and readable names.
const (
	allowance           = 3 << 10
	compressedAllowance = 1 << 10
)

func TestWorkerPayloadIsLittleLarger(t *testing.T) {
	s, docs := service(t), documents()
	cases := map[string]struct {
		ours, theirs []byte
	}{
		"cloud-init": {
			ours: ours(t, s, docs, target(t, "ubuntu"), delivery.FormatCloudInit), theirs: theirsCloudInit(t),
		},
		"ignition": {
			ours: ours(t, s, docs, target(t, "fedora-coreos"), delivery.FormatIgnition), theirs: theirsIgnition(t),
		},
	}
	for name, tc := range cases {
		for _, size := range []struct {
			kind                    string
			ours, theirs, allowance int
		}{
			{"plain", len(tc.ours), len(tc.theirs), allowance},
			{"compressed", compressed(t, tc.ours), compressed(t, tc.theirs), compressedAllowance},
		} {
			t.Logf("%s, %s: ours %d bytes, theirs %d bytes", name, size.kind, size.ours, size.theirs)
			if size.ours > size.theirs+size.allowance {
				t.Errorf("%s, %s: ours %d bytes, theirs %d bytes, at most %d more are allowed\n%s", name, size.kind,
					size.ours, size.theirs, size.allowance, tc.ours)
			}
		}
	}
}

// compressed returns the size after gzip.
func compressed(t *testing.T, data []byte) int {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// withLibrary encodes the payload once more with go.yaml.in/yaml, from a tree that it reads once. That is what
// rendering takes without the encoder of adapters/render/internal/yamlenc, but for the few microseconds of that
// encoder.
func withLibrary(b *testing.B, payload []byte, tree *yaml.Node) []byte {
	b.Helper()
	if tree.IsZero() {
		if err := yaml.Unmarshal(payload, tree); err != nil {
			b.Fatal(err)
		}
	}
	encoded, err := yaml.Marshal(tree)
	if err != nil {
		b.Fatal(err)
	}
	return encoded
}

func BenchmarkWorker(b *testing.B) {
	var tree yaml.Node
	s, docs := service(b), documents()
	ubuntu, coreos := target(b, "ubuntu"), target(b, "fedora-coreos")
	for _, bench := range []struct {
		name string
		run  func() []byte
	}{
		{"format=cloud-init/by=machineadm", func() []byte { return ours(b, s, docs, ubuntu, delivery.FormatCloudInit) }},
		{"format=cloud-init/by=machineadm-with-yaml-library", func() []byte {
			return withLibrary(b, ours(b, s, docs, ubuntu, delivery.FormatCloudInit), &tree)
		}},
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
