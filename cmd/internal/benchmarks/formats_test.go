package benchmarks_test

import (
	"context"
	"testing"
	"time"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalogtest"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

// rounds is how often two formats take turns. The shortest time of each is what other work on the machine did not
// lengthen.
const rounds = 200

// ratio returns how much longer one takes than the other.
func ratio(one, other func()) float64 {
	shortest := [2]time.Duration{}
	for range rounds {
		for i, run := range []func(){one, other} {
			began := time.Now()
			run()
			if took := time.Since(began); shortest[i] == 0 || took < shortest[i] {
				shortest[i] = took
			}
		}
	}
	return float64(shortest[0]) / float64(shortest[1])
}

// supported returns the documents of the worker that the format supports, including its node.
func supported(t testing.TB, s *render.Service, r ports.Renderer, os osprofile.Target) []document.Document {
	t.Helper()
	message := portstest.Sample{With: portstest.Machine(os)}.At("machine")
	for _, d := range documents() {
		with := append([]document.Document{d}, message...)
		result, err := s.Render(context.Background(), plan.Job{Documents: with, Target: os, Format: r.Format()})
		if err != nil {
			t.Fatal(err)
		}
		if !result.Findings.HasErrors() {
			message = with
		}
	}
	return message
}

// TestEveryFormatRendersTheWorker keeps the benchmark from measuring how fast a format refuses.
func TestEveryFormatRendersTheWorker(t *testing.T) {
	s := service(t)
	for _, r := range formats.Builtin() {
		os := catalogtest.Target(t, r)
		if got := ours(t, s, supported(t, s, r, os), os, r.Format()); len(got) == 0 {
			t.Errorf("%s supports no document", r.Format())
		}
	}
}

// BenchmarkFormats renders, in each format, the documents of the worker that it supports. The ratio is that of its time
// to the time of cloud-init for the same documents in the same run, of those that cloud-init supports.
func BenchmarkFormats(b *testing.B) {
	s := service(b)
	ubuntu := target(b, "ubuntu")
	for _, r := range formats.Builtin() {
		os := catalogtest.Target(b, r)
		docs := supported(b, s, r, os)
		b.Run("format="+string(r.Format()), func(b *testing.B) {
			b.ReportAllocs()
			size := 0
			for b.Loop() {
				size = len(ours(b, s, docs, os, r.Format()))
			}
			b.ReportMetric(ratio(
				func() { _ = ours(b, s, docs, os, r.Format()) },
				func() { _ = ours(b, s, common(docs), ubuntu, delivery.FormatCloudInit) },
			), "x-cloud-init")
			b.ReportMetric(float64(size), "payload-bytes")
		})
	}
}

// common leaves out what only some operating systems have.
func common(docs []document.Document) []document.Document {
	var all []document.Document
	for _, d := range docs {
		if d.Kind() != "TalosSecrets" {
			all = append(all, d)
		}
	}
	return all
}
