// Package delivery defines output formats, the payload that an infrastructure provider receives, and the options that
// determine how machine configuration reaches a machine.
package delivery

import "github.com/machineadm/machineadm/domain/secret"

// Format is the name of an output format, the value of spec.format and --format.
type Format string

// The formats that profiles of operating systems name. The constants of other formats are in the packages of their
// renderers, so that a new format needs no change here.
const (
	// FormatCloudInit is a #cloud-config document.
	FormatCloudInit Format = "cloud-init"
	// FormatIgnition is an Ignition configuration, specification 3.
	FormatIgnition Format = "ignition"
	// FormatIgnitionV2 is an Ignition configuration, specification 2.3, for old Flatcar.
	FormatIgnitionV2 Format = "ignition-v2"
	// FormatButane is Butane YAML, an input language for users. Machines do not read it.
	FormatButane Format = "butane"
	// FormatTalos is Talos Linux machine configuration: one or several YAML documents.
	FormatTalos Format = "talos"
	// FormatUnattend is a Windows answer file for unattended set-up.
	FormatUnattend Format = "unattend"
	// FormatCloudbaseInit is userdata for cloudbase-init on Windows: a script, or the subset of #cloud-config that it
	// supports.
	FormatCloudbaseInit Format = "cloudbase-init"
	// FormatBottlerocket is Bottlerocket's settings, in TOML.
	FormatBottlerocket Format = "bottlerocket"
)

// SecretFormat is the value of the key "format" in the data Secret. It determines how some infrastructure providers
// deliver the data. If it is empty, the Secret does not have the key.
type SecretFormat string

// The values that infrastructure providers read.
const (
	SecretFormatNone        SecretFormat = ""
	SecretFormatCloudConfig SecretFormat = "cloud-config"
	SecretFormatIgnition    SecretFormat = "ignition"
)

// Payload is what the first-boot program of a machine reads.
type Payload struct {
	// Format is the format of Data.
	Format Format
	// SecretFormat is the value for the infrastructure provider. Renderers do not set it, because it depends on the
	// provider.
	SecretFormat SecretFormat
	// Data is the userdata. It contains a bootstrap token and, for control plane machines, private keys.
	Data secret.Value
	// FileExtension is the usual file name extension, with its dot.
	FileExtension string
	// Envelope is the name of the envelope around Data, innermost layer first, such as mime+gzip, or empty without an
	// envelope.
	Envelope string
}

// SnippetFormat returns the format in whose language users write snippets for the format: Butane for Ignition.
func (f Format) SnippetFormat() Format {
	if f == FormatIgnition {
		return FormatButane
	}
	return f
}

// Snippet is a text of the user in the language of a format. The renderer merges it into the output by the rules of the
// format.
type Snippet struct {
	// Format is the format in whose language Text is written.
	Format Format
	// Text is cloud-config, Butane or Container Linux Config.
	Text string
	// Strict turns warnings of the language's parser into errors.
	Strict bool
}
