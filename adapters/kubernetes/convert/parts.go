package convert

import (
	"slices"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// parts returns the concatenated parts at p, and whether one of them comes from a Secret.
func (c *converter) parts(parts []v1alpha1.Part, p report.Path) (content document.Content, secret bool) {
	contents := make([]document.Content, 0, len(parts))
	for i, part := range parts {
		at := p.Index(i)
		if part.Fact != "" {
			contents = append(contents, c.fact(at, part))
			continue
		}
		if got, ok := c.text(at, "text", part.Text, part.TextFrom); ok {
			contents = append(contents, document.Literal(c.decode(at.Field("text"), part.Encoding, got.bytes)))
			secret = secret || got.secret
		}
	}
	return document.Join(contents...), secret
}

// fact returns the value that is resolved on the machine.
func (c *converter) fact(p report.Path, part v1alpha1.Part) document.Content {
	if part.Text != "" || part.TextFrom != nil {
		c.found(report.Errorf(p, "a part has a text or a fact, and not both").To("write two parts"))
	}
	fact := document.Fact(part.Fact)
	if !slices.Contains(document.Facts(), fact) {
		c.found(report.Errorf(p.Field("fact"), "%q is not a fact", report.Cut(string(part.Fact), report.MaxLine)).
			To("use one of %v", document.Facts()))
		return document.Content{}
	}
	return document.FromFact(fact)
}

// value returns the text of the field p.name, or the parts at p.listed.
func (c *converter) value(p report.Path, name, text, listed string, parts []v1alpha1.Part) document.Content {
	if len(parts) == 0 {
		return document.Text(text)
	}
	at := p.Field(listed)
	if text != "" {
		c.found(report.Errorf(at, "%s is given as well", name).To("remove one of them"))
	}
	c.mapPath(p.Field(name), at)
	return c.publicParts(parts, at)
}

// publicParts returns the parts of a value that every user of the machine can read.
func (c *converter) publicParts(parts []v1alpha1.Part, at report.Path) document.Content {
	for i, part := range parts {
		if part.TextFrom != nil && part.TextFrom.Secret != nil {
			c.found(report.Errorf(at.Index(i).Field("textFrom").Field("secret"),
				"every user of the machine can read this value, so it must not contain a Secret").
				To("use a ConfigMap, or a file with restricted permissions"))
		}
	}
	content, _ := c.parts(parts, at)
	return content
}
