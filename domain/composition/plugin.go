// Package composition describes plugins in a cluster: small resources of kinds that any user can add, whose documents
// are added to those of a machine. docs/plugin-contract.md specifies these resources.
package composition

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// TemplateSuffix is what the kind of a template has after the kind of what is made from it.
const TemplateSuffix = "Template"

// ID names a resource in the namespace of the machine's description.
type ID struct{ Group, Kind, Name string }

// String returns kind/name, which is what plugins call each other.
func (i ID) String() string { return i.Kind + "/" + i.Name }

// Full returns kind.group/name, which no other resource of the namespace has.
func (i ID) Full() string { return i.Kind + "." + i.Group + "/" + i.Name }

// names returns what plugins call the resource: kind/name, or kind.group/name where two groups have the kind.
func (i ID) names() []string { return []string{i.String(), i.Full()} }

// Reference is a place in a description that names a plugin, or a template of one.
type Reference struct {
	ID
	// Template means that the plugin is created from the named template.
	Template bool
	// At is the field.
	At report.Path
}

// Instance is a plugin that is made from a template for one machine.
type Instance struct {
	ID
	Template ID
}

// InstanceOf returns what is made from a template for the description of the given name. The name of it is always the
// same, so that it is found again after a restart or a move; it is a hash where both names would not fit.
func InstanceOf(description string, template ID) Instance {
	sum := sha256.Sum256([]byte(strings.Join([]string{description, template.Group, template.Kind, template.Name}, "\x00")))
	suffix := "-" + hex.EncodeToString(sum[:5])
	const longest = 253
	prefix := description[:min(len(description), longest-len(suffix))]
	id := ID{
		Group: template.Group, Kind: strings.TrimSuffix(template.Kind, TemplateSuffix),
		Name: strings.TrimRight(prefix, ".-") + suffix,
	}
	return Instance{ID: id, Template: template}
}

// Found is what there is of a plugin in the cluster.
type Found struct {
	State State
	// Message explains State; it never contains a secret.
	Message string
	// Before and After name plugins before and after whose documents the plugin's own come.
	Before, After []string
	// Text is the plugin's documents, serialised. It is there when State is Ready.
	Text secret.Value
}

// Plugin is a plugin of a machine, and what has become of it.
type Plugin struct {
	Found
	ID
	// Template is what the plugin was made from; nil for one that is named itself.
	Template *ID
	// At is the field that names the plugin or its template.
	At report.Path
	// Documents are the plugin's own.
	Documents []document.Document
}

// Fail marks the plugin as unusable. An earlier message comes first.
func (p *Plugin) Fail(s State, message string) {
	if p.State == Ready {
		p.State, p.Message = s, message
	}
}
