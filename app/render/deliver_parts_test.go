package render_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
)

// TestWeighingIsLimited has a payload of many documents be too large. Rendering it without each of them would take
// quadratic time; the longest are found nevertheless.
func TestWeighingIsLimited(t *testing.T) {
	renderings := 0
	s, err := render.New([]ports.Renderer{counted{texts{delivery.FormatCloudInit}, &renderings}}, nil,
		render.WithCodec(lengths{}))
	if err != nil {
		t.Fatal(err)
	}
	docs := slices.Repeat([]document.Document{content("files[0]", 2000)}, 2000)
	docs = append(docs, content("files[1]", 40_000))
	result, err := s.Render(t.Context(), inFormat(target(""), delivery.FormatCloudInit, docs...))
	if err != nil || !strings.Contains(result.Findings.String(), "the largest parts: files[1] 40000") {
		t.Errorf("%v, %s", err, result.Findings)
	}
	if renderings > 20 {
		t.Errorf("it is rendered %d times", renderings)
	}
}

func TestDeliverFails(t *testing.T) {
	broken := errors.New("broken")
	s, err := render.New([]ports.Renderer{texts{delivery.FormatCloudInit}}, nil, render.WithWrapper(tenth{fail: broken}))
	if err != nil {
		t.Fatal(err)
	}
	gzip := target("", delivery.Options{Compression: delivery.CompressionGzip})
	got, err := s.Render(t.Context(), inFormat(gzip, delivery.FormatCloudInit, content("files[0]", 5)))
	if !errors.Is(err, broken) || !got.Rendering.Payload.Data.IsZero() {
		t.Errorf("%v, %d bytes", err, got.Rendering.Payload.Data.Len())
	}
}

func TestOptionsAreChecked(t *testing.T) {
	part := delivery.Part{Name: "../x", ContentType: "text/html", Text: "a\r\n"}
	cases := map[string]struct {
		reason string
		format delivery.Format
		target plan.Job
		bare   bool
		want   []string
	}{
		"talos": {
			reason: "a reader that reads neither", format: delivery.FormatTalos,
			target: target("", delivery.Options{
				Compression: delivery.CompressionGzip,
				Parts:       []delivery.Part{{Name: "a", ContentType: delivery.ContentBootHook, Text: "#!"}},
			}),
			want: []string{
				"error: spec.delivery.compression: readers of the format talos do not support compression; leave it out",
				"error: spec.delivery.parts: readers of the format talos do not support MIME messages; move the " +
					"commands of the parts to spec.machine.commands",
			},
		},
		"parts": {
			reason: "parts are files with a name and a program", format: delivery.FormatCloudInit,
			target: target("", delivery.Options{Parts: []delivery.Part{part, part}}),
			want: []string{
				`error: spec.delivery.parts[0].name: "../x" is not a plain file name; use letters, digits, dots, dashes and ` +
					`underscores`,
				`error: spec.delivery.parts[0].contentType: "text/html" is not a supported content type; ` +
					`use text/x-shellscript or ` +
					`text/cloud-boothook`,
				"error: spec.delivery.parts[0].text: the part does not name its interpreter; " +
					"begin it with #!/bin/sh",
				"error: spec.delivery.parts[0].text: cloud-init changes carriage returns, and NUL bytes end a line " +
					"of a program; end lines " +
					"with a line feed alone, and leave NUL bytes out",
				`error: spec.delivery.parts[1].name: "../x" is not a plain file name; use letters, digits, dots, dashes and ` +
					`underscores`,
				`error: spec.delivery.parts[1].contentType: "text/html" is not a supported content type; ` +
					`use text/x-shellscript or ` +
					`text/cloud-boothook`,
				"error: spec.delivery.parts[1].text: the part does not name its interpreter; " +
					"begin it with #!/bin/sh",
				"error: spec.delivery.parts[1].text: cloud-init changes carriage returns, and NUL bytes end a line " +
					"of a program; end lines " +
					"with a line feed alone, and leave NUL bytes out",
				`error: spec.delivery.parts[1].name: another part has the name "../x"; name each part differently`,
			},
		},
		"text": {
			reason: "compressed data is no text", format: delivery.FormatCloudInit,
			target: target("GCPMachine", delivery.Options{Compression: delivery.CompressionGzip}),
			want: []string{
				"error: spec.delivery.compression: Cluster API Provider GCP delivers the userdata of a " +
					"GCPMachine as text, and compressed data is not text; leave it out",
			},
		},
		"opened": {
			reason: "a provider that reads the data itself", format: delivery.FormatCloudInit,
			target: target("HarvesterMachine", delivery.Options{Encoding: delivery.EncodingBase64}),
			want: []string{
				"error: spec.delivery: Cluster API Provider Harvester parses the userdata of a HarvesterMachine " +
					"and does not decode it; leave compression, encoding and parts out",
			},
		},
		"doubt": {
			reason: "unknown facts are reported", format: delivery.FormatCloudInit,
			target: target("NutanixMachine", delivery.Options{Compression: delivery.CompressionGzip}),
			want: []string{"warning: spec.delivery.compression: it is not known whether machines " +
				"of the kind NutanixMachine decompress userdata"},
		},
		"without": {
			reason: "a program without envelopes", format: delivery.FormatCloudInit, bare: true,
			target: target("", delivery.Options{Compression: delivery.CompressionGzip}),
			want:   []string{"error: spec.delivery: this program adds no envelopes; remove compression, encoding and parts"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			options := []render.Option{render.WithWrapper(tenth{})}
			if c.bare {
				options = nil
			}
			s, err := render.New([]ports.Renderer{texts{c.format}}, nil, options...)
			if err != nil {
				t.Fatal(err)
			}
			docs := []document.Document{content("a", 9)}
			result, err := s.Render(t.Context(), inFormat(c.target, c.format, docs...))
			var got []string
			for _, f := range result.Findings {
				got = append(got, f.String())
			}
			if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", c.reason, err, diff)
			}
		})
	}
}
