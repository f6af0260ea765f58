package infrastructure

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/report"
)

// SecretBytes is what a Secret holds at most: 1 MiB for all its keys and values (validation of core/v1 Secrets). The
// key "value", the key "format" and that one's value are left for our data to share.
const SecretBytes = 1<<20 - len("value"+"format"+"cloud-config")

// Reading is what a provider does with data under a value of the Secret's format key.
type Reading int

// The readings.
const (
	// Passes hands the data over as userdata.
	Passes Reading = iota + 1
	// ToIgnition delivers the data where only Ignition looks for it.
	ToIgnition
	// Drops silently creates a machine without userdata.
	Drops
	// Refuses ends in an error on the provider's own object.
	Refuses
)

// Keys are what a provider does with the values of the format key.
type Keys struct {
	// Absent is for a Secret without the key, Other for every value that has no field here.
	Absent, CloudConfig, Ignition, Other Reading
}

// Of returns what is done with the value.
func (k Keys) Of(v delivery.SecretFormat) Reading {
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

// unread are the keys of a provider that looks at "value" alone.
func unread() Keys { return Keys{Absent: Passes, CloudConfig: Passes, Ignition: Passes, Other: Passes} }

// Carriage is what may be in the data.
type Carriage int

// The carriages.
const (
	// CarriesUnknown is what is not known.
	CarriesUnknown Carriage = iota
	// CarriesBytes takes any bytes.
	CarriesBytes
	// CarriesText takes text in UTF-8; other bytes do not arrive.
	CarriesText
	// Opens reads the data itself, so that nothing can be laid around it.
	Opens
)

// Limit is how much data the platform takes.
type Limit struct {
	// Formats are those that the limit is for; none means all.
	Formats []delivery.Format
	// Bytes is the most that is taken; 0 means no other limit than a Secret's.
	Bytes int
	// Base64 means that the bytes are counted after base64 encoding, and Gzip that the provider compresses them before
	// that.
	Gzip, Base64 bool
	// Unless is the setting of the provider that removes the limit. Data over the limit is then a warning.
	Unless string
}

// Count returns how many of the limit's bytes the data takes; compressed is its size after gzip.
func (l Limit) Count(size, compressed int) int {
	if l.Gzip {
		size = compressed
	}
	if l.Base64 {
		size = delivery.Base64Len(size)
	}
	return size
}

// Note is a setting that the provider's own objects need so that a format arrives.
type Note struct {
	Formats         []delivery.Format
	Severity        report.Severity
	Message, Remedy string
}

// Provider is what is known of an infrastructure provider.
type Provider struct {
	// Name is for people.
	Name string
	// Kinds are the kinds of the provider's machines and machine pools.
	Kinds []string
	Keys  Keys
	// Only are the formats that the provider can deliver; none means all.
	Only []delivery.Format
	// Limits are in the order of their precedence. Where none fits, a Secret's is the only one.
	Limits  []Limit
	Carries Carriage
	// Base64 are the formats whose data may be in base64: the provider, or what reads it on its machines, decodes it.
	Base64 []delivery.Format
	Notes  []Note
	// Sources are where the facts were found.
	Sources []string
}

// Lookup returns the provider whose machines, pools of machines, or templates of either are of the kind.
func Lookup(kind string) (Provider, bool) {
	kind = KindOf(kind)
	for _, e := range entries() {
		if e.kind == kind {
			return e.build(), true
		}
	}
	return Provider{}, false
}

// KindOf returns the kind of the machines that a template of the kind makes; another kind is its own.
func KindOf(kind string) string {
	if made, isTemplate := strings.CutSuffix(kind, "Template"); isTemplate && made != "" {
		return made
	}
	return kind
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

// Delivers reports whether the provider can hand the format over at all.
func (p Provider) Delivers(f delivery.Format) bool {
	_, ok := p.key(f)
	return ok
}

// key returns the first of the format's keys under which the provider hands the data over.
func (p Provider) key(f delivery.Format) (delivery.SecretFormat, bool) {
	if len(p.Only) > 0 && !slices.Contains(p.Only, f) {
		return delivery.SecretFormatNone, false
	}
	for _, k := range keysOf(f) {
		switch p.Keys.Of(k) {
		case Passes:
			return k, true
		case ToIgnition:
			if f == delivery.FormatIgnition || f == delivery.FormatIgnitionV2 {
				return k, true
			}
		case Drops, Refuses:
		}
	}
	return delivery.SecretFormatNone, false
}

// keysOf returns the keys under which the format may be published, the best first. An operating system that reads
// neither cloud-config nor Ignition gets no key: a provider that minds the key then takes the data for plain userdata.
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

// Key returns the value of the Secret's format key for machines of the kind. A kind that is not known gets what most
// providers read. A format that the kind cannot deliver has a finding of Check.
func Key(kind string, f delivery.Format) delivery.SecretFormat {
	if p, known := Lookup(kind); known {
		if k, ok := p.key(f); ok {
			return k
		}
	}
	return keysOf(f)[0]
}

// Check returns findings about the delivery of a payload of the format to machines of the kind, and about settings that
// its provider needs. The path is that of the description's format.
func Check(kind string, f delivery.Format, at report.Path) report.Report {
	p, known := Lookup(kind)
	if !known || f == delivery.FormatButane {
		return nil
	}
	if !p.Delivers(f) {
		return report.Report{report.Errorf(at, "%s does not hand %s over to the machines that it makes for a %s",
			p.Name, f, kind).
			To("use another format or another infrastructure")}
	}
	var found report.Report
	if f == delivery.FormatUnattend {
		found = append(found, report.Warningf(at,
			"%s hands the answer file over as userdata, where Windows Setup does not look", p.Name).
			To("bring it to the machine in another way, or use cloudbase-init"))
	}
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
