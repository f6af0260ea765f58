package delivery

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/report"
)

// Reads contains the envelopes that the reader of a format removes, on every platform.
type Reads struct {
	// Gzip means that the reader decompresses gzip.
	Gzip bool
	// Multipart means that the reader reads MIME messages.
	Multipart bool
}

// ReadsOf returns the envelopes that the reader of the format removes. version is the version of the format; empty
// means the newest.
//
// cloud-init and cloudbase-init detect compressed data and MIME messages by their first bytes (cloud-init:
// user_data.convert_string), and Bottlerocket detects compressed settings (early-boot-config:
// OptionalCompressionReader). Ignition since specification 3.1 can merge a compressed configuration from a data URL;
// specification 2.3 cannot.
func ReadsOf(f Format, version string) Reads {
	switch f {
	case FormatCloudInit, FormatCloudbaseInit:
		return Reads{Gzip: true, Multipart: f == FormatCloudInit}
	case FormatBottlerocket:
		return Reads{Gzip: true}
	case FormatIgnition:
		return Reads{Gzip: version != "3.0.0"}
	case FormatIgnitionV2, FormatButane, FormatTalos, FormatUnattend:
	}
	return Reads{}
}

// Check returns findings about invalid options, and about options that the version of the format does not support. at
// is the path of the options.
func (o Options) Check(f Format, version string, at report.Path) report.Report {
	var found report.Report
	reads := ReadsOf(f, version)
	if o.Compression == CompressionGzip && !reads.Gzip {
		found = append(found, report.Errorf(at.Field("compression"), "readers of the format %s do not support compression",
			strings.TrimSpace(string(f)+" "+version)).To("leave it out"))
	}
	if o.Encoding == EncodingEC2Launch {
		found = append(found, o.checkEC2Launch(f, at)...)
	}
	if len(o.Parts) > 0 && !reads.Multipart {
		found = append(found, report.Errorf(at.Field("parts"), "readers of the format %s do not support MIME messages", f).
			To("move the commands of the parts to spec.machine.commands"))
	}
	found = append(found, o.checkPlugins(at)...)
	found = append(found, o.Metadata.Check("secretMetadata").Below(at)...)
	for i, p := range o.Parts {
		found = append(found, p.check(at.Field("parts").Index(i))...)
		if slices.ContainsFunc(o.Parts[:i], func(other Part) bool { return other.Name == p.Name }) {
			found = append(found, report.Errorf(at.Field("parts").Index(i).Field("name"),
				"another part has the name %q", p.Name).To("name each part differently"))
		}
	}
	return found
}

// checkEC2Launch returns findings about a payload that EC2Launch cannot run.
func (o Options) checkEC2Launch(f Format, at report.Path) report.Report {
	if f != FormatCloudbaseInit {
		return report.Report{report.Errorf(at.Field("encoding"),
			"EC2Launch runs PowerShell scripts, which the format %s does not contain", f).
			To("leave it out, or use a Windows machine with the format %s", FormatCloudbaseInit)}
	}
	if o.Compression == CompressionGzip {
		return report.Report{report.Errorf(at.Field("compression"), "EC2Launch does not decompress userdata").
			To("leave it out")}
	}
	return nil
}

func (p Part) check(at report.Path) report.Report {
	var found report.Report
	if p.Name == "" || strings.Trim(p.Name, nameBytes) != "" || p.Name[0] == '.' || p.Name[0] == '-' {
		found = append(found, report.Errorf(at.Field("name"), "%q is not a plain file name", p.Name).
			To("use letters, digits, dots, dashes and underscores"))
	}
	if p.ContentType != ContentShellScript && p.ContentType != ContentBootHook {
		found = append(found, report.Errorf(at.Field("contentType"), "%q is not a supported content type", p.ContentType).
			To("use %s or %s", ContentShellScript, ContentBootHook))
	}
	if !strings.HasPrefix(p.Text, "#!") {
		found = append(found, report.Errorf(at.Field("text"), "the part does not name its interpreter").
			To("begin it with #!/bin/sh"))
	}
	if strings.ContainsAny(p.Text, "\r\x00") {
		found = append(found, report.Errorf(at.Field("text"),
			"cloud-init changes carriage returns, and NUL bytes end a line of a program").
			To("end lines with a line feed alone, and leave NUL bytes out"))
	}
	return found
}

const nameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
