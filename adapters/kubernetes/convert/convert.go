package convert

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// ErrNotFound means that an object or a key does not exist, and ErrNoObject that the whole object does not.
var (
	ErrNotFound = errors.New("not found")
	ErrNoObject = fmt.Errorf("object %w", ErrNotFound)
)

// MoveRemedy is the remedy for an object of the user that is missing in a management cluster. It may have been left
// behind in another one.
const MoveRemedy = "clusterctl move moves it only with the label clusterctl.cluster.x-k8s.io/move"

// Reference names a key of an object in the namespace of the config.
type Reference struct {
	// Kind is Secret or ConfigMap.
	Kind string
	// Name is the object's name, and Key the key in its data.
	Name, Key string
}

// String returns the reference for messages, such as "key ca.crt of ConfigMap site-ca".
func (r Reference) String() string { return fmt.Sprintf("key %s of %s %s", r.Key, r.Kind, r.Name) }

// Resolver resolves references of configs.
type Resolver interface {
	// Resolve returns the bytes, which the caller must not change. The error is ErrNoObject if the object does not exist,
	// and ErrNotFound if the key does not; any other error ends the conversion.
	Resolve(ctx context.Context, r Reference) ([]byte, error)
}

// Config converts a config. It draws contents and the nodes of structured settings from the budget of the context, and
// stops with an error finding once that is exceeded. An error means that a reference could not be looked up or that the
// context has ended; the caller may retry. The profiles replace machineadm's profiles of the same name or are added to
// them.
func Config(ctx context.Context, c *v1alpha1.MachineBootstrapConfig, names Names, r Resolver,
	profiles ...osprofile.Profile,
) (composition.Description, error) {
	object := fmt.Sprintf("%s/%s/%s", v1alpha1.ConfigKind, c.Namespace, c.Name)
	return Spec(ctx, &c.Spec, document.Source{Object: object, Path: "spec"}, names, r, profiles...)
}

// Spec converts the spec of a config or of a template. The result contains no plugins; see Plugins.
func Spec(ctx context.Context, s *v1alpha1.MachineBootstrapConfigSpec, at document.Source, names Names, r Resolver,
	profiles ...osprofile.Profile,
) (composition.Description, error) {
	c := newConverter(ctx, r, at.Object)
	c.profiles, c.names = profiles, names
	c.machine(s.Machine, at.Path.Field("machine"))
	c.controlPlane(s.ControlPlane, at.Path.Field("controlPlane"))
	c.node(s.Node, at.Path.Field("node"))
	c.hardening(s.Hardening, at.Path.Field("hardening"))
	c.target(s, at.Path)
	if c.err != nil {
		return composition.Description{}, fmt.Errorf("convert %s: %w", at.Object, c.err)
	}
	return c.Description, nil
}

// converter collects the result. After it has stopped, it looks up and decodes nothing.
type converter struct {
	composition.Description
	ctx      context.Context
	budget   *budget.Budget
	resolver Resolver
	object   string
	names    Names
	profiles []osprofile.Profile
	// missed contains the references that Missing lists.
	missed map[Reference]bool
	// gzip is reused for each compressed content.
	gzip gzip.Reader
	// err and exceeded are the reasons why the conversion has stopped.
	err      error
	exceeded bool
}

func newConverter(ctx context.Context, r Resolver, object string) *converter {
	return &converter{ctx: ctx, budget: budget.FromContext(ctx), resolver: r, object: object, missed: map[Reference]bool{}}
}

func (c *converter) add(p report.Path, v document.Value) {
	c.Documents = append(c.Documents, document.Document{Value: v, Source: document.Source{Object: c.object, Path: p}})
}

// mapPath records that the document's field is at another path in the config.
func (c *converter) mapPath(field, at report.Path) {
	if c.Fields == nil {
		c.Fields = report.Fields{}
	}
	c.Fields[field] = at
}

func (c *converter) found(f report.Finding) { c.Findings = append(c.Findings, f) }

// target converts the facts about the machine that the documents are rendered for.
func (c *converter) target(s *v1alpha1.MachineBootstrapConfigSpec, p report.Path) {
	profile, known := c.profile(s.OS, p.Field("os"))
	if !known {
		return
	}
	c.Target.Profile = profile
	release, found := profile.ParseRelease(s.OS.Version, p.Field("os").Field("version"))
	c.Findings = append(c.Findings, found...)
	c.Target.Release = release
	c.Target.Platform = s.OS.Platform
	c.Target.Architecture = s.OS.Architecture
	c.Target.InstallDisk = s.OS.InstallDisk
	if s.OS.Architecture == "" {
		c.Target.Architecture = "amd64"
	}
	if s.FormatOptions != nil {
		c.Target.FormatVersion = s.FormatOptions.Version
	}
	c.format(s, p)
	c.delivery(s.Delivery, p.Field("delivery"))
	c.template(s.TemplateRef, p.Field("templateRef"))
	c.reporting(s.Reporting, p.Field("reporting"))
	c.storageRef(s.StorageRef)
}

func (c *converter) format(s *v1alpha1.MachineBootstrapConfigSpec, p report.Path) {
	c.Format = delivery.Format(s.Format)
	if c.Format == "" {
		c.Format = c.Target.DefaultFormat()
	}
	if s.FormatOptions != nil {
		c.snippets(s.FormatOptions.Snippets, p.Field("formatOptions").Field("snippets"))
	}
}

func (c *converter) snippets(snippets []v1alpha1.Snippet, p report.Path) {
	for i, s := range snippets {
		at := p.Index(i)
		format := delivery.Format(s.Format)
		if format == "" {
			format = c.Format
		}
		text, ok := c.text(at, "text", s.Text, s.TextFrom)
		if !ok {
			continue
		}
		field := at.Field("text")
		if s.TextFrom != nil {
			field = at.Field("textFrom")
		}
		c.Snippets = append(c.Snippets, plan.Snippet{
			Snippet: delivery.Snippet{Format: format.SnippetFormat(), Text: string(text.bytes), Strict: s.Strict},
			Source:  document.Source{Object: c.object, Path: field},
			Secret:  text.secret,
		})
	}
}
