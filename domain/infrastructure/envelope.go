package infrastructure

import (
	"bytes"
	"slices"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/facts"
	"github.com/machineadm/machineadm/domain/report"
)

// Envelopes returns the compressed envelopes that machines of the kind are known to support for the format and its
// version, simplest first.
func Envelopes(kind string, f delivery.Format, version string) []delivery.Envelope {
	p, known := Lookup(kind)
	if !known || !delivery.ReadsOf(f, version).Gzip || p.Data == DataParsed {
		return nil
	}
	// The compressed configuration is inside of a small Ignition configuration, which is text.
	if f == delivery.FormatIgnition {
		return []delivery.Envelope{{Gzip: true}}
	}
	var found []delivery.Envelope
	if p.Data == DataBinary {
		found = append(found, delivery.Envelope{Gzip: true})
	}
	if slices.Contains(p.Base64, f) {
		found = append(found, delivery.Envelope{Gzip: true, Base64: true})
	}
	return found
}

// OpensData reports whether the provider of the kind parses the data, so that it cannot have an envelope.
func OpensData(kind string) bool {
	p, known := Lookup(kind)
	return known && p.Data == DataParsed
}

// CheckStub returns a finding if the provider of the kind edits cloud-config or parses it, so that it does not deliver
// the stub of the format, which is a program. at is the path of the storage.
func CheckStub(kind string, f delivery.Format, at report.Path) report.Report {
	p, known := Lookup(kind)
	if !known || p.Data != DataParsed || f != cloudInit {
		return nil
	}
	return report.Report{report.Errorf(at, "%s parses the userdata of a %s, and a program that fetches the configuration "+
		"is not cloud-config", p.Name, kind).
		To("set spec.delivery.mode to %s, so that the agent fetches it, or leave the storage out", delivery.ModeAgent)}
}

// CheckText returns findings about text in the data that the provider of the kind replaces or executes. compressed
// means that the data is delivered in an envelope that hides the text. at is the path of the format.
func CheckText(kind string, data []byte, compressed bool, at report.Path) report.Report {
	p, known := Lookup(kind)
	if !known {
		return nil
	}
	found := p.Placeholders.Find(data)
	if compressed && len(found) > 0 {
		first := found[0]
		return report.Report{report.Errorf(at, "%s replaces %q in the userdata of a %s, and compressed userdata hides it",
			p.Name, data[first[0]:first[1]], kind).To("set spec.delivery.compression to %s", delivery.CompressionNone)}
	}
	if p.Template != "" && bytes.Count(data, []byte(p.Template)) > len(found) {
		return report.Report{report.Errorf(at, "the userdata contains %q, after which %s executes the text as a template "+
			"of Go", p.Template, p.Name).To("write the text in another way, such as in base64")}
	}
	return nil
}

// CheckEnvelope returns findings about requested envelopes that machines of the kind do not support: errors, or
// warnings if the support is not known. at is the path of the options. There are no findings for unknown kinds.
func CheckEnvelope(kind string, f delivery.Format, o delivery.Options, at report.Path) report.Report {
	p, known := Lookup(kind)
	if known && o.Encoding == delivery.EncodingEC2Launch && p.Metadata != facts.ServiceEC2 {
		return report.Report{report.Errorf(at.Field("encoding"),
			"machines of the kind %s are not instances of Amazon EC2, and EC2Launch runs only there", kind).
			To("leave it out, and use an image that contains cloudbase-init")}
	}
	gzip, base64 := o.Compression == delivery.CompressionGzip, o.Encoding == delivery.EncodingBase64
	if !known || (!gzip && !base64 && len(o.Parts) == 0) {
		return nil
	}
	if p.Data == DataParsed {
		return report.Report{report.Errorf(at, "%s parses the userdata of a %s and does not decode it", p.Name,
			kind).
			To("leave compression, encoding and parts out")}
	}
	binary := gzip && !base64 && f != delivery.FormatIgnition
	var found report.Report
	switch {
	case binary && p.Data == DataText:
		found = append(found, report.Errorf(at.Field("compression"),
			"%s delivers the userdata of a %s as text, and compressed data is not text", p.Name, kind).To("%s", p.asText(f)))
	case binary && p.Data == DataUnknown:
		found = append(found, report.Warningf(at.Field("compression"),
			"it is not known whether machines of the kind %s decompress userdata", kind))
	}
	if base64 && !slices.Contains(p.Base64, f) {
		found = append(found, report.Warningf(at.Field("encoding"),
			"it is not known whether userdata in base64 is decoded for machines of the kind %s", kind).
			To("leave it out if the machine does not find its userdata"))
	}
	return found
}

// asText returns the remedy that compresses the format on a platform that delivers only text.
func (p Provider) asText(f delivery.Format) string {
	if slices.Contains(p.Base64, f) {
		return "set encoding to Base64 too"
	}
	return "leave it out"
}
