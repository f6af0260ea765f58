package render_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// texts is a renderer that renders a file as its content, and a snippet as itself.
type texts struct{ format delivery.Format }

func (r texts) Format() delivery.Format { return r.format }

func (texts) Native(document.Document, osprofile.Target) bool { return true }

func (r texts) Render(_ context.Context, p plan.Plan) (ports.Rendering, report.Report, error) {
	var b bytes.Buffer
	for _, d := range p.Documents {
		text, _ := d.Value.(machine.File).Content.Static()
		b.Write(text)
	}
	for _, s := range p.Snippets {
		b.WriteString(s.Text)
	}
	return ports.Rendering{Payload: delivery.Payload{Format: r.format, Data: secret.New(b.Bytes()), FileExtension: ".x"}},
		nil, nil
}

// tenth wraps: compressed data is a tenth as long, and parts are appended.
type tenth struct{ fail error }

func (w tenth) Wrap(p delivery.Payload, e delivery.Envelope) (delivery.Payload, error) {
	data := p.Data.Reveal()
	for _, part := range e.Parts {
		data = append(data, part.Text...)
	}
	if e.Gzip {
		data = data[:len(data)/10]
	}
	if e.Base64 {
		data = bytes.Repeat([]byte("b"), delivery.Base64Len(len(data)))
	}
	p.Data, p.Envelope = secret.New(data), e.String()
	return p, w.fail
}

func content(path report.Path, bytes int) document.Document {
	return at(path, machine.File{Path: "/" + string(path), Content: document.Text(strings.Repeat("x", bytes))})
}

// twoFiles returns the shares of files[0] and files[1].
func twoFiles(first, second int) []render.Share {
	one, two := document.Source{Path: "files[0]"}, document.Source{Path: "files[1]"}
	return []render.Share{{Source: one, Bytes: first}, {Source: two, Bytes: second}}
}

// target returns a job for a kind of infrastructure.
func target(kind string, options ...delivery.Options) plan.Job {
	job := plan.Job{Target: osprofile.Target{Infrastructure: kind}}
	for _, o := range options {
		job.Delivery = o
	}
	return job
}

// inFormat returns the job with a format and documents.
func inFormat(job plan.Job, f delivery.Format, docs ...document.Document) plan.Job {
	job.Format, job.Documents = f, docs
	return job
}

func TestDeliver(t *testing.T) {
	script := delivery.Part{Name: "a.sh", ContentType: delivery.ContentShellScript, Text: "#!/bin/sh\n"}
	cases := map[string]struct {
		reason   string
		format   delivery.Format
		target   plan.Job
		bytes    int
		limits   map[string]int64
		envelope string
		key      delivery.SecretFormat
		size     render.Size
		findings []string
	}{
		"unknown": {
			reason: "what is not known takes what a Secret takes", format: delivery.FormatCloudInit,
			target: target(""), bytes: 100000,
			key: "cloud-config", size: render.Size{
				Rendered: 100000, Published: 100000, Counted: 100000,
				Limit: infrastructure.SecretBytes,
			},
		},
		"fits": {
			reason: "what fits is left alone", format: delivery.FormatCloudInit, target: target("AWSMachinePool"), bytes: 16384,
			key: "cloud-config", size: render.Size{Rendered: 16384, Published: 16384, Counted: 16384, Limit: 16384},
		},
		"compressed": {
			reason: "what does not is compressed where it is read", format: delivery.FormatCloudInit,
			target: target("AWSMachinePool"), bytes: 16385,
			key: "cloud-config", envelope: "gzip", size: render.Size{
				Rendered: 16385, Published: 1638,
				Counted: 1638, Limit: 16384,
			},
		},
		"encoded": {
			reason: "where text alone arrives and is decoded, in base64",
			format: delivery.FormatCloudInit, target: target("HCloudMachine"), bytes: 40000,
			key: "cloud-config", envelope: "gzip+base64", size: render.Size{
				Rendered: 40000, Published: 5336,
				Counted: 5336, Limit: 32768,
			},
		},
		"counted": {
			reason: "the platform counts in its own way", format: delivery.FormatIgnition,
			target: target("OpenStackMachine"), bytes: 3000,
			key: "ignition", size: render.Size{Rendered: 3000, Published: 3000, Counted: 4000, Limit: 65535},
		},
		"compressed there": {
			reason: "what the provider compresses is counted so",
			format: delivery.FormatCloudInit, target: target("CloudStackMachine"), bytes: 200000,
			key: "cloud-config", size: render.Size{Rendered: 200000, Published: 200000, Counted: 26668, Limit: 32768},
		},
		"too large": {
			reason: "with a reader that reads nothing compressed", format: delivery.FormatTalos,
			target: target("AWSMachinePool"), bytes: 20000,
			size: render.Size{
				Rendered: 20000, Published: 20000, Counted: 20000, Limit: 16384, TooLarge: true,
				Shares: twoFiles(19900, 100),
			},
			findings: []string{
				"error: spec.delivery: the userdata has 20000 bytes, 3616 more than the limit of AWSMachinePool, which is 16384; " +
					"the largest parts: " +
					"files[0] 19900, files[1] 100; add large files to the machine's image, or set " +
					"spec.delivery.maxPayloadSize if the platform accepts more",
			},
		},
		"refused compression": {
			reason: "the finding contains the compressed size", format: delivery.FormatCloudInit, bytes: 20000,
			target: target("AWSMachinePool", delivery.Options{Compression: delivery.CompressionNone}), key: "cloud-config",
			size: render.Size{
				Rendered: 20000, Published: 20000, Counted: 20000, Limit: 16384, TooLarge: true,
				Shares: twoFiles(19900, 100),
			},
			findings: []string{
				"error: spec.delivery: the userdata has 20000 bytes, 3616 more than the limit of AWSMachinePool, which is 16384; " +
					"the largest parts: " +
					"files[0] 19900, files[1] 100; set spec.delivery.compression to Gzip, which reduces it to 2000 bytes",
			},
		},
		"other way": {
			reason: "where the provider has another way it is a warning",
			format: delivery.FormatCloudInit, bytes: 300000, target: target("AWSMachine"), key: "cloud-config",
			size: render.Size{Rendered: 300000, Published: 300000, Counted: 300000, Limit: 16384, Shares: twoFiles(299900, 100)},
			findings: []string{
				"warning: spec.delivery: the userdata has 300000 bytes, 283616 more than the limit of AWSMachine, which is " +
					"16384; the largest parts: " +
					"files[0] 299900, files[1] 100; this limit does not apply if Secrets Manager delivers it, the default unless " +
					"spec.cloudInit.insecureSkipSecretsManager is set; compressed it still has 30000 bytes, which is too much; add " +
					"large files to the machine's image, or set spec.delivery.maxPayloadSize if the platform accepts more",
			},
		},
		"asked": {
			reason: "a description's limit goes before all others", format: delivery.FormatTalos, bytes: 1100,
			target: target("AWSMachine", delivery.Options{MaxBytes: 1000}), limits: map[string]int64{"AWSMachine": 5000},
			size: render.Size{
				Rendered: 1100, Published: 1100, Counted: 1100, Limit: 1000, TooLarge: true,
				Shares: twoFiles(1000, 100),
			},
			findings: []string{
				"warning: spec.format: AWSMachine: a boothook of cloud-init fetches data from Secrets Manager, and this " +
					"machine has no cloud-init; set spec.cloudInit.insecureSkipSecretsManager",
				"error: spec.delivery.maxPayloadSize: the userdata has 1100 bytes, 100 more than the limit of AWSMachine, which " +
					"is 1000; the largest parts: files[0] 1000, files[1] 100; add large files to the machine's image, or set " +
					"spec.delivery.maxPayloadSize if the platform accepts more",
			},
		},
		"administrator's": {
			reason: "the administrator's limit goes before the catalog's",
			format: delivery.FormatCloudInit, bytes: 20000, target: target("AWSMachinePoolTemplate"),
			limits: map[string]int64{"AWSMachinePool": 25000}, key: "cloud-config",
			size: render.Size{Rendered: 20000, Published: 20000, Counted: 20000, Limit: 25000},
		},
		"parts": {
			reason: "parts make it a message, which is measured", format: delivery.FormatCloudInit, bytes: 1000,
			target: target("AWSMachinePool", delivery.Options{Parts: []delivery.Part{script}}), key: "cloud-config",
			envelope: "mime",
			size:     render.Size{Rendered: 1000, Published: 1010, Counted: 1010, Limit: 16384},
		},
		"secret": {
			reason: "no platform takes more than a Secret holds", format: delivery.FormatTalos, bytes: 1 << 20,
			target: target("VSphereVM"),
			size: render.Size{
				Rendered: 1 << 20, Published: 1 << 20, Counted: 1 << 20, Limit: infrastructure.SecretBytes, TooLarge: true,
				Shares: twoFiles(1<<20-100, 100),
			},
			findings: []string{
				"error: spec.delivery: the userdata has 1048576 bytes, 23 more than the limit of a Secret, which is 1048553; " +
					"the largest parts: files[0] " +
					"1048476, files[1] 100; add large files to the machine's image, or set spec.delivery.maxPayloadSize if the " +
					"platform accepts more",
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, err := render.New([]ports.Renderer{texts{c.format}}, nil, render.WithWrapper(tenth{}),
				render.WithLimits(c.limits))
			if err != nil {
				t.Fatal(err)
			}
			docs := []document.Document{content("files[0]", c.bytes-100), content("files[1]", 100)}
			got, err := s.Render(t.Context(), inFormat(c.target, c.format, docs...))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.size, got.Size); diff != "" {
				t.Errorf("%s: size (-want +got):\n%s", c.reason, diff)
			}
			p := got.Rendering.Payload
			if p.Envelope != c.envelope || (p.SecretFormat != c.key && !got.Size.TooLarge) ||
				p.Data.IsZero() != got.Size.TooLarge {
				t.Errorf("%s: envelope %q, key %q, %d bytes", c.reason, p.Envelope, p.SecretFormat, p.Data.Len())
			}
			var findings []string
			for _, f := range got.Findings {
				findings = append(findings, f.String())
			}
			if diff := cmp.Diff(c.findings, findings); diff != "" {
				t.Errorf("%s: findings (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

// cloud-init would take this for a message, and find no part in it.
func TestAmbiguousPayloadBecomesAMessage(t *testing.T) {
	s, err := render.New([]ports.Renderer{texts{delivery.FormatCloudInit}}, nil, render.WithWrapper(tenth{}))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"mime-Version: 1.0": "mime", "plain": "",
		strings.Repeat(" ", 4096) + "mime-version:": "", strings.Repeat(" ", 4083) + "mime-version:": "mime",
	} {
		docs := []document.Document{at("files[0]", machine.File{Path: "/a", Content: document.Text(text)})}
		got, err := s.Render(t.Context(), plan.Job{Documents: docs, Format: delivery.FormatCloudInit})
		if err != nil || got.Rendering.Payload.Envelope != want {
			t.Errorf("%.20q: %q %v", text, got.Rendering.Payload.Envelope, err)
		}
	}
}

func TestWeigh(t *testing.T) {
	s, err := render.New([]ports.Renderer{texts{delivery.FormatCloudInit}}, nil, render.WithWrapper(tenth{}))
	if err != nil {
		t.Fatal(err)
	}
	here := func(p report.Path) document.Source { return document.Source{Path: p} }
	part := delivery.Part{Name: "a", ContentType: delivery.ContentBootHook, Text: "#!/bin/sh"}
	job := inFormat(target("", delivery.Options{Parts: []delivery.Part{part}}), delivery.FormatCloudInit,
		content("files[0]", 5), content("files[1]", 50))
	job.Snippets = []plan.Snippet{
		{Snippet: delivery.Snippet{Format: delivery.FormatCloudInit, Text: "1234567"}, Source: here("snippet")},
		{Snippet: delivery.Snippet{Format: delivery.FormatTalos, Text: "123456789"}, Source: here("other")},
	}
	result, err := s.Render(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	want := []render.Share{
		{Source: here("files[1]"), Bytes: 50},
		{Source: here("spec.delivery.parts[0]"), Bytes: 9},
		{Source: here("snippet"), Bytes: 7},
		{Source: here("files[0]"), Bytes: 5},
	}
	if diff := cmp.Diff(want, s.SizeShares(t.Context(), result)); diff != "" {
		t.Errorf("shares (-want +got):\n%s", diff)
	}
}

// counted counts what a renderer is asked for.
type counted struct {
	texts
	renderings *int
}

func (c counted) Render(ctx context.Context, p plan.Plan) (ports.Rendering, report.Report, error) {
	*c.renderings++
	return c.texts.Render(ctx, p)
}

// lengths is a codec that writes documents as their contents.
type lengths struct{ ports.Codec }

func (lengths) Encode(docs []document.Document) ([]byte, error) {
	text, _ := docs[0].Value.(machine.File).Content.Static()
	return text, nil
}

// TestRendererReceivesItsSnippetsAlone verifies that a renderer does not receive the snippets of other formats, since
// snippets may contain credentials.
func TestRendererReceivesItsSnippetsAlone(t *testing.T) {
	snippet := func(f delivery.Format) plan.Snippet {
		return plan.Snippet{Snippet: delivery.Snippet{Format: f, Text: string(f) + ";"}}
	}
	cases := map[string]struct {
		reason string
		format delivery.Format
		want   string
	}{
		"cloud-init": {reason: "its own language", format: delivery.FormatCloudInit, want: "cloud-init;"},
		"ignition":   {reason: "users write Butane", format: delivery.FormatIgnition, want: "butane;"},
		"talos":      {reason: "there is no snippet", format: delivery.FormatTalos},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s, err := render.New([]ports.Renderer{texts{tc.format}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			job := inFormat(target("", delivery.Options{}), tc.format)
			job.Snippets = []plan.Snippet{snippet(delivery.FormatButane), snippet(delivery.FormatCloudInit)}
			result, err := s.Render(t.Context(), job)
			if got := string(result.Rendering.Payload.Data.Reveal()); err != nil || got != tc.want {
				t.Errorf("got %q, %v: %s", got, err, tc.reason)
			}
		})
	}
}
