package migrate

import (
	"regexp"
	"strings"
)

// fact is the name of a fact about the running machine.
type fact string

// The facts that placeholders name.
const (
	factHostname      fact = "hostname"
	factShortHostname fact = "shortHostname"
	factInstanceID    fact = "instanceID"
	factZone          fact = "zone"
	factRegion        fact = "region"
	factPrivateIPv4   fact = "privateIPv4"
	factPublicIPv4    fact = "publicIPv4"
)

// placeholder matches what other providers replace on the machine: Jinja of cloud-init, variables of afterburn with and
// without clusterctl's escape, and names between @@.
var placeholder = regexp.MustCompile(`\{\{-?\s*(.*?)\s*-?\}\}|\$?\$\{(COREOS_[A-Z0-9_]+)(?:%\.\*)?\}|` +
	`\$\$?(COREOS_[A-Z0-9_]+|Vcoreos-[a-z0-9-]+)|@@([A-Z_]+)@@`)

// jinjaIndex matches a key in brackets, such as ds.meta_data["instance_id"].
var jinjaIndex = regexp.MustCompile(`\[\s*["']([^"'\]]+)["']\s*\]`)

// factNames maps the names in placeholders to facts. cloud-init: documentation of instance-data, "instance metadata
// keys", and cloudinit/sources of 24.1. Afterburn: docs/usage/attributes.md of 5.7.0.
func factNames() map[string]fact {
	return map[string]fact{
		"ds.meta_data.local_hostname": factHostname, "ds.meta_data.local-hostname": factHostname,
		"ds.meta_data.hostname": factHostname, "v1.local_hostname": factHostname, "local_hostname": factHostname,
		"ds.id": factInstanceID, "ds.meta_data.instance_id": factInstanceID, "ds.meta_data.instance-id": factInstanceID,
		"v1.instance_id": factInstanceID, "instance_id": factInstanceID,
		"ds.meta_data.placement.availability_zone": factZone, "ds.meta_data.placement.availability-zone": factZone,
		"ds.meta_data.availability_zone": factZone, "v1.availability_zone": factZone, "availability_zone": factZone,
		"ds.meta_data.placement.region": factRegion, "v1.region": factRegion, "region": factRegion,
		"ds.meta_data.local_ipv4": factPrivateIPv4, "ds.meta_data.local-ipv4": factPrivateIPv4,
		"ds.meta_data.public_ipv4": factPublicIPv4, "ds.meta_data.public-ipv4": factPublicIPv4,
		"COREOS_OPENSTACK_INSTANCE_UUID": factInstanceID, "COREOS_OPENSTACK_HOSTNAME": factHostname,
		"COREOS_EC2_HOSTNAME": factHostname, "COREOS_EC2_INSTANCE_ID": factInstanceID,
		"COREOS_EC2_AVAILABILITY_ZONE": factZone, "COREOS_EC2_IPV4_LOCAL": factPrivateIPv4,
		"COREOS_CUSTOM_HOSTNAME": factHostname, "COREOS_CUSTOM_INSTANCE_ID": factInstanceID,
		"COREOS_AKAMAI_INSTANCE_ID": factInstanceID, "COREOS_AKAMAI_INSTANCE_LABEL": factHostname,
		"COREOS_AKAMAI_PRIVATE_IPV4_0": factPrivateIPv4, "HOSTNAME": factHostname,
	}
}

// piece is a text or a fact.
type piece struct {
	text string
	fact fact
}

// nameInPlaceholder matches the name with which a placeholder begins.
var nameInPlaceholder = regexp.MustCompile(`^[{$@\s-]*([A-Za-z_][\w.-]{0,80})`)

// nameIn returns the name in a placeholder. A message does not quote other parts, such as default values, which may be
// secret.
func nameIn(placeholder string) string {
	if match := nameInPlaceholder.FindStringSubmatch(placeholder); match != nil {
		return match[1]
	}
	return "of an expression"
}

// pieces splits a text at the placeholders. unknown are the names of those without a fact; they stay in the text.
func pieces(s string) (out []piece, unknown []string) {
	names, last := factNames(), 0
	add := func(text string) {
		if text != "" {
			out = append(out, piece{text: text})
		}
	}
	for _, m := range placeholder.FindAllStringSubmatchIndex(s, -1) {
		f, ok := factOf(factName(s, m), names)
		if !ok {
			unknown = append(unknown, nameIn(s[m[0]:m[1]]))
			continue
		}
		add(s[last:m[0]])
		out = append(out, piece{fact: f})
		last = m[1]
	}
	add(s[last:])
	return out, unknown
}

// metadataPath matches a path in the metadata of the platform.
var metadataPath = regexp.MustCompile(`^ds\.meta_data\.([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)$`)

// metadataPrefix begins a fact that is a path in the metadata of the platform.
const metadataPrefix = "metadata/"

// factOf returns the fact with a name, or that of a path in the metadata.
func factOf(name string, names map[string]fact) (fact, bool) {
	if short, ok := strings.CutSuffix(name, `.split(".")[0]`); ok {
		return factShortHostname, names[short] == factHostname
	}
	if f, ok := names[name]; ok {
		return f, true
	}
	if match := metadataPath.FindStringSubmatch(name); match != nil {
		return metadataPrefix + fact(strings.ReplaceAll(match[1], "-", "_")), true
	}
	return "", false
}

// factName returns the name in a match of placeholder.
func factName(s string, match []int) string {
	for group := 1; 2*group < len(match); group++ {
		if at := match[2*group]; at >= 0 {
			name := s[at:match[2*group+1]]
			return jinjaIndex.ReplaceAllString(name, ".$1")
		}
	}
	return ""
}

// hasFact reports whether one of the pieces is a fact.
func hasFact(list []piece) bool {
	for _, p := range list {
		if p.fact != "" {
			return true
		}
	}
	return false
}

// onlyFact returns the fact of a text that is nothing else.
func onlyFact(list []piece) (fact, bool) {
	if len(list) == 1 && list[0].fact != "" {
		return list[0].fact, true
	}
	return "", false
}

// parts returns the pieces as parts of a value.
func parts(pieces []piece) *node {
	out := list()
	for _, p := range pieces {
		name, value := "text", p.text
		if path, ok := strings.CutPrefix(string(p.fact), metadataPrefix); ok {
			name, value = "metadata", path
		} else if p.fact != "" {
			name, value = "fact", string(p.fact)
		}
		out.Content = append(out.Content, put(mapping(), name, text(value)))
	}
	return out
}

// value sets a field of the output to a text, or the field for parts if the text contains placeholders. It consumes the
// field, and reports placeholders without a fact.
func (s *specs) value(in field, path, partsPath string) {
	found, unknown := pieces(unquote(in.text()))
	switch {
	case len(unknown) > 0:
		in.report(NoCounterpart, "no fact replaces the placeholder %q; set the value by hand", strings.Join(unknown, ", "))
	case !hasFact(found):
		move(in, s.out, path)
	default:
		in.take()
		set(s.out, partsPath, parts(found))
		in.add(in, Changed, "spec.%s has the facts of the placeholders", partsPath)
	}
}
