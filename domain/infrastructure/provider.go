package infrastructure

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
	"github.com/machineadm/machineadm/domain/report"
)

// SecretBytes is the maximum size of the data in a Secret: 1 MiB for all keys and values (validation of core/v1
// Secrets), without the keys "value" and "format" and the value of "format".
const SecretBytes = 1<<20 - len("value"+"format"+"cloud-config")

// Handling is how a provider treats data with a certain value of the Secret's key "format".
type Handling int

// The readings.
const (
	// HandlingUserdata delivers the data as userdata.
	HandlingUserdata Handling = iota + 1
	// HandlingIgnition delivers the data to a place that only Ignition reads.
	HandlingIgnition
	// HandlingIgnored silently creates a machine without userdata.
	HandlingIgnored
	// HandlingError reports an error on the provider's object.
	HandlingError
)

// Keys contains a provider's treatment of each value of the key "format".
type Keys struct {
	// Absent applies to a Secret without the key, Other to values without a field.
	Absent, CloudConfig, Ignition, Other Handling
}

// Of returns the treatment of the value.
func (k Keys) Of(v delivery.SecretFormat) Handling {
	switch v {
	case delivery.SecretFormatNone:
		return k.Absent
	case delivery.SecretFormatCloudConfig:
		return k.CloudConfig
	case delivery.SecretFormatIgnition:
		return k.Ignition
	default:
		return k.Other
	}
}

// ignoresKey returns the Keys of a provider that ignores the key "format".
func ignoresKey() Keys {
	return Keys{
		Absent: HandlingUserdata, CloudConfig: HandlingUserdata, Ignition: HandlingUserdata,
		Other: HandlingUserdata,
	}
}

// DataType describes which data a provider delivers unchanged.
type DataType int

// The carriages.
const (
	// DataUnknown means that the provider's support is not known.
	DataUnknown DataType = iota
	// DataBinary delivers any bytes.
	DataBinary
	// DataText delivers text in UTF-8 only.
	DataText
	// DataParsed parses the data, so that it cannot have an envelope.
	DataParsed
)

// Limit is a size limit of the platform.
type Limit struct {
	// Formats are the formats that the limit applies to; none means all.
	Formats []delivery.Format
	// Bytes is the maximum size; 0 means that only SecretBytes applies.
	Bytes int
	// Gzip means that the provider compresses the data before it counts the bytes, Base64 that it counts them after
	// base64 encoding.
	Gzip, Base64 bool
	// Unless is the setting of the provider that removes the limit. If it is not empty, data over the limit is a
	// warning instead of an error.
	Unless string
}

// Count returns the size that the platform compares with the limit. compressed is the size of the data after gzip.
func (l Limit) Count(size, compressed int) int {
	if l.Gzip {
		size = compressed
	}
	if l.Base64 {
		size = delivery.Base64Len(size)
	}
	return size
}

// SupervisorGroup is the API group of the objects of Cluster API Provider vSphere in Supervisor mode.
const SupervisorGroup = "vmware.infrastructure.cluster.x-k8s.io"

// Note is a setting that the provider's objects need for a format.
type Note struct {
	Formats         []delivery.Format
	Severity        report.Severity
	Message, Remedy string
}

// Provider describes an infrastructure provider.
type Provider struct {
	// Name is the name in messages.
	Name string
	// Kinds are the kinds of the provider's machines and machine pools.
	Kinds []string
	Keys  Keys
	// Formats lists the formats that the provider can deliver; none means all.
	Formats []delivery.Format
	// Limits are in the order of their precedence. If none applies, SecretBytes is the only limit.
	Limits []Limit
	Data   DataType
	// Metadata is the metadata service of the machines. Images for Windows on Amazon EC2 contain EC2Launch.
	Metadata facts.Service
	// Base64 lists the formats whose data may be in base64. The provider, or the consumer on its machines, decodes it.
	Base64 []delivery.Format
	Notes  []Note
	// Remarks are facts that depend on settings of the provider's objects which few users set. They are not reported.
	Remarks []string
	// CloudConfig is the dialect of #cloud-config that reaches the machines.
	CloudConfig delivery.CloudConfig
	// Placeholders match text that the provider replaces in the data.
	Placeholders delivery.Placeholders
	// Template is the left delimiter of templates that the provider executes in the data, or empty. Only text that
	// Placeholders match is valid after it.
	Template string
	// ProviderIDPrefix begins the provider ID that kubelet must have; namespace, slash and name of the object follow. It
	// is empty if the ID is not known before the machine exists.
	ProviderIDPrefix string
	// FactsOfCloudInit are the facts that cloud-init finds on the platform and afterburn does not.
	FactsOfCloudInit []document.Fact
	// Sources are the references for these facts.
	Sources []string
}

// Lookup returns the provider of a kind of machines, machine pools, or templates of either.
func Lookup(kind string) (Provider, bool) {
	kind = KindOf(kind)
	for _, e := range entries {
		if e.kind == kind {
			return e.build(), true
		}
	}
	return Provider{}, false
}

// Kinds returns the names of all known kinds of machines and machine pools, in the order of the table.
func Kinds() []string {
	var kinds []string
	for _, e := range entries {
		kinds = append(kinds, e.kind)
	}
	return kinds
}

// KindOf returns the kind that a template creates, such as AWSMachine for AWSMachineTemplate. It returns other kinds
// unchanged. The kind may have an API group, as in NameOf.
func KindOf(kind string) string {
	kind, group, grouped := strings.Cut(kind, ".")
	if created, isTemplate := strings.CutSuffix(kind, "Template"); isTemplate && created != "" {
		kind = created
	}
	if grouped {
		return kind + "." + group
	}
	return kind
}

// NameOf returns the name of a kind in the table: the kind that a template creates, followed by a dot and the API group
// if another provider has a kind of the same name.
func NameOf(group, kind string) string {
	kind = KindOf(kind)
	if _, listed := Lookup(kind + "." + group); listed {
		return kind + "." + group
	}
	return kind
}

// CloudConfigOf returns the dialect of #cloud-config for machines of the kind. Providers that are not known may insert
// text in the same way as Vultr's.
func CloudConfigOf(kind string) delivery.CloudConfig {
	p, known := Lookup(kind)
	if !known {
		return delivery.CloudConfig{Appendable: kind != ""}
	}
	return p.CloudConfig
}

// PlaceholdersOf returns what the provider of the kind replaces in userdata.
func PlaceholdersOf(kind string) delivery.Placeholders {
	p, _ := Lookup(kind)
	return p.Placeholders
}

// MetadataOf returns the metadata service of machines of the kind.
func MetadataOf(kind string) facts.Service {
	p, _ := Lookup(kind)
	return p.Metadata
}

// ProviderID returns the provider ID that kubelet must have on a machine whose infrastructure is the object; empty if
// it is not known.
func ProviderID(kind, namespace, name string) string {
	p, _ := Lookup(kind)
	if p.ProviderIDPrefix == "" || name == "" {
		return ""
	}
	return p.ProviderIDPrefix + namespace + "/" + name
}

// LimitOf returns the limit for the format.
func (p Provider) LimitOf(f delivery.Format) Limit {
	for _, l := range p.Limits {
		if len(l.Formats) == 0 || slices.Contains(l.Formats, f) {
			return l
		}
	}
	return Limit{}
}

// Delivers reports whether the provider can deliver the format.
func (p Provider) Delivers(f delivery.Format) bool {
	_, ok := p.key(f)
	return ok
}

// key returns the first value of keysOf for which the provider delivers the data.
func (p Provider) key(f delivery.Format) (delivery.SecretFormat, bool) {
	if len(p.Formats) > 0 && !slices.Contains(p.Formats, f) {
		return delivery.SecretFormatNone, false
	}
	for _, k := range keysOf(f) {
		switch p.Keys.Of(k) {
		case HandlingUserdata:
			return k, true
		case HandlingIgnition:
			if f == delivery.FormatIgnition || f == delivery.FormatIgnitionV2 {
				return k, true
			}
		case HandlingIgnored, HandlingError:
		}
	}
	return delivery.SecretFormatNone, false
}

// keysOf returns the values of the key "format" with which data in the format may be published, best first. Formats
// other than cloud-config and Ignition are published without the key, which providers treat as plain userdata.
func keysOf(f delivery.Format) []delivery.SecretFormat {
	switch f {
	case delivery.FormatCloudInit, delivery.FormatCloudbaseInit:
		return []delivery.SecretFormat{delivery.SecretFormatCloudConfig, delivery.SecretFormatNone}
	case delivery.FormatIgnition, delivery.FormatIgnitionV2:
		return []delivery.SecretFormat{delivery.SecretFormatIgnition}
	case delivery.FormatButane, delivery.FormatTalos, delivery.FormatUnattend, delivery.FormatBottlerocket:
	}
	return []delivery.SecretFormat{delivery.SecretFormatNone, delivery.SecretFormatCloudConfig}
}

// Key returns the value of the Secret's key "format" for machines of the kind. For unknown kinds it returns the value
// that most providers support. Check reports formats that the provider of the kind cannot deliver.
func Key(kind string, f delivery.Format) delivery.SecretFormat {
	if p, known := Lookup(kind); known {
		if k, ok := p.key(f); ok {
			return k
		}
	}
	return keysOf(f)[0]
}

// Check returns findings about the delivery of a payload of the format to machines of the kind, and about settings that
// its provider needs. at is the path of spec.format.
func Check(kind string, f delivery.Format, at report.Path) report.Report {
	p, known := Lookup(kind)
	switch {
	case kind == "" || f == delivery.FormatButane:
		return nil
	case !known:
		return report.Report{report.Infof(at, "machineadm does not know how machines of the kind %s get userdata; it "+
			"assumes that the provider passes it on unchanged", kind).
			To("test the size and the format with one machine")}
	case !p.Delivers(f):
		return report.Report{report.Errorf(at, "%s does not deliver the format %s to machines of the kind %s",
			p.Name, f, kind).To("use %s", p.alternatives(f))}
	}
	if f == delivery.FormatUnattend {
		return report.Report{report.Errorf(at, "%s delivers userdata, and Windows Setup does not read answer files from it",
			p.Name).To("use the format cloudbase-init, and an image that contains cloudbase-init")}
	}
	var found report.Report
	for _, n := range p.Notes {
		if slices.Contains(n.Formats, f) {
			found = append(found, report.Finding{
				Severity: n.Severity, Path: at, Message: kind + ": " + n.Message,
				Remedy: n.Remedy,
			})
		}
	}
	return found
}

// alternatives names the formats that the provider delivers in place of f: other versions of Ignition for Ignition.
func (p Provider) alternatives(f delivery.Format) string {
	if f == ignition && p.Delivers(ignitionV2) {
		return "the format " + string(ignitionV2) + ", or another infrastructure"
	}
	var names []string
	for _, f := range p.Formats {
		if p.Delivers(f) {
			names = append(names, string(f))
		}
	}
	if len(names) == 0 {
		return "another infrastructure"
	}
	return "the format " + strings.Join(names, ", ") + ", or another infrastructure"
}
