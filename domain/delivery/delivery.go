// Package delivery defines the formats of machine configuration, and the payload that an infrastructure provider
// receives.
package delivery

import "github.com/machineadm/machineadm/domain/secret"

// Format names an output format, as spec.format and --format take it.
type Format string

// The formats that profiles of operating systems name. One that no profile names has its constant in its renderer's
// package, and a new one needs no line here.
const (
	// FormatCloudInit is a #cloud-config document.
	FormatCloudInit Format = "cloud-init"
	// FormatIgnition is an Ignition configuration, specification 3.
	FormatIgnition Format = "ignition"
	// FormatIgnitionV2 is an Ignition configuration, specification 2.3, for old Flatcar.
	FormatIgnitionV2 Format = "ignition-v2"
	// FormatButane is Butane YAML, for people; no machine boots it.
	FormatButane Format = "butane"
	// FormatTalos is Talos Linux machine configuration: one or several YAML documents.
	FormatTalos Format = "talos"
	// FormatUnattend is a Windows answer file for unattended set-up.
	FormatUnattend Format = "unattend"
	// FormatCloudbaseInit is what cloudbase-init reads on Windows: a script, or the part of #cloud-config that it knows.
	FormatCloudbaseInit Format = "cloudbase-init"
	// FormatBottlerocket is Bottlerocket's settings, in TOML.
	FormatBottlerocket Format = "bottlerocket"
)

// SecretFormat is the value of the data Secret's "format" key, by which some infrastructure providers choose how to
// hand the data over. Empty leaves the key out.
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
	// SecretFormat is how infrastructure providers call the format. A renderer leaves it out: it follows from where the
	// payload goes.
	SecretFormat SecretFormat
	// Data is the userdata. It holds join tokens and, for control planes, private keys.
	Data secret.Value
	// FileExtension is the usual file name extension, with its dot.
	FileExtension string
	// Envelope is what wraps Data, innermost first, such as gzip; empty for none.
	Envelope string
}

// Snippet is the user's own text in the language of a format, merged into the output by that format's rules.
type Snippet struct {
	// Format is the format whose language it is.
	Format Format
	// Text is cloud-config, Butane or Container Linux Config.
	Text string
	// Strict makes the language's warnings errors.
	Strict bool
}
