// Package composition describes plugin resources: custom resources in a cluster whose documents are added to those of a
// machine. Anyone can define further kinds. docs/plugin-contract.md specifies these resources.
package composition

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// TemplateSuffix is the suffix of the kinds of templates: a FooTemplate is a template of Foo.
const TemplateSuffix = "Template"

// ID names a resource in the namespace of the machine's description.
type ID struct{ Group, Kind, Name string }

// String returns kind/name, by which plugins refer to each other.
func (i ID) String() string { return i.Kind + "/" + i.Name }

// Full returns kind.group/name, which is unique in the namespace.
func (i ID) Full() string { return i.Kind + "." + i.Group + "/" + i.Name }

// names returns the names by which plugins refer to the resource: kind/name, and kind.group/name for a kind that exists
// in two groups.
func (i ID) names() []string { return []string{i.String(), i.Full()} }

// Reference is a place in a description that names a plugin, or a template of one.
type Reference struct {
	ID
	// Template means that the plugin is created from the named template.
	Template bool
	// At is the path of the field that contains the reference.
	At report.Path
}

// Instance is a plugin that is created from a template for one machine.
type Instance struct {
	ID
	Template ID
}

// InstanceOf returns the plugin that is created from a template for the description with the name. Its name is a prefix
// of the description's name and a hash of the description's name and the template, so that it is found again after a
// restart or a move.
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

// Observed is the state of a plugin in the cluster, and its documents if it is ready.
type Observed struct {
	State State
	// Message explains State. It never contains a secret.
	Message string
	// Before and After contain names of plugins. The documents of this plugin come before the documents of the plugins
	// in Before, and after those in After.
	Before, After []string
	// Text contains the plugin's documents, serialised. It is set only if State is Ready.
	Text secret.Value
}

// Missing returns the state of a plugin that is not in the namespace.
func Missing() Observed {
	return Observed{
		State: NotFound, Message: "there is no such resource in this namespace; create it, or correct the name",
	}
}

// MissingTemplate returns the state of a plugin whose template is not in the namespace.
func MissingTemplate(template ID) Observed {
	return Observed{
		State: NoTemplate, Message: "there is no " + template.String() + " in this namespace; create it, or correct the name",
	}
}

// Plugin is a plugin of a machine and its state.
type Plugin struct {
	Observed
	ID
	// Template is the template from which the plugin was created, or nil if the description refers to the plugin itself.
	Template *ID
	// At is the path of the field that refers to the plugin or its template.
	At report.Path
	// Documents are the documents of the plugin.
	Documents []document.Document
}

// Fail sets the state and the message of a ready plugin. It keeps an earlier failure.
func (p *Plugin) Fail(s State, message string) {
	if p.State == Ready {
		p.State, p.Message = s, message
	}
}
