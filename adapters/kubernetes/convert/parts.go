package convert

import (
	"slices"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// parts returns the concatenated parts at p, and whether one of them comes from a Secret.
func (c *converter) parts(parts []v1alpha1.Part, p report.Path) (content document.Content, secret bool) {
	contents := make([]document.Content, 0, len(parts))
	for i, part := range parts {
		at := p.Index(i)
		if part.Fact != "" || part.Metadata != "" {
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

// Names are the values of the facts that the conversion inserts. They are empty if they are not known.
type Names struct {
	// Machine is the name of the Machine. It is empty for a MachinePool, whose machines boot with the same data.
	Machine string
	Cluster string
	// ControlPlaneVersion is the oldest Kubernetes version of the control plane machines.
	ControlPlaneVersion string
}

// The facts that the conversion resolves.
const (
	factMachineName         = "machineName"
	factClusterName         = "clusterName"
	factControlPlaneVersion = "controlPlaneVersion"
)

// fact returns the value that is resolved on the machine, or one of the facts that the conversion resolves.
func (c *converter) fact(p report.Path, part v1alpha1.Part) document.Content {
	if part.Text != "" || part.TextFrom != nil || part.Fact != "" && part.Metadata != "" {
		c.found(report.Errorf(p, "a part has a text or a fact, and not both").To("write two parts"))
	}
	switch part.Fact {
	case factMachineName:
		return c.name(p.Field("fact"), c.names.Machine, "the machines of a pool boot with the same data, so they have no "+
			"name of a Machine", "use the fact hostname")
	case factClusterName:
		return c.name(p.Field("fact"), c.names.Cluster, "the name of the cluster is not known", "write the name")
	case factControlPlaneVersion:
		version, known := node.ParseVersion(c.names.ControlPlaneVersion)
		if !known {
			version = node.Version{}
			c.found(report.Errorf(p.Field("fact"), "the version of the control plane is not known, because it has no Machines "+
				"with a version").To("write the version"))
		}
		return document.Text(version.String())
	case "":
		fact, ok := document.Metadata(part.Metadata)
		if !ok {
			c.found(report.Errorf(p.Field("metadata"), "%q is not a path", report.Cut(part.Metadata, report.MaxLine)).
				To("write keys with letters, digits and underscores, with dots in between"))
		}
		return document.FromFact(fact)
	}
	fact := document.Fact(part.Fact)
	if !slices.Contains(document.Facts(), fact) {
		c.found(report.Errorf(p.Field("fact"), "%q is not a fact", report.Cut(string(part.Fact), report.MaxLine)).
			To("use one of %v", append(document.Facts(), factMachineName, factClusterName, factControlPlaneVersion)))
		return document.Content{}
	}
	return document.FromFact(fact)
}

// name returns a name that is known when the machine is rendered.
func (c *converter) name(p report.Path, name, problem, remedy string) document.Content {
	if name == "" {
		c.found(report.Errorf(p, "%s", problem).To("%s", remedy))
	}
	return document.Text(name)
}

// value returns the text of the field p.name, or the parts at p.listed.
func (c *converter) value(p report.Path, name, text, listed string, parts []v1alpha1.Part) document.Content {
	return c.valueOf(p, name, text, listed, parts, maxPublic)
}

// valueOf is value with another limit for the length in bytes.
func (c *converter) valueOf(
	p report.Path, name, text, listed string, parts []v1alpha1.Part, limit int,
) document.Content {
	if len(parts) == 0 {
		return document.Text(text)
	}
	at := p.Field(listed)
	if text != "" {
		c.found(report.Errorf(at, "%s is given as well", name).To("remove one of them"))
	}
	c.mapPath(p.Field(name), at)
	return c.publicParts(parts, at, limit)
}

// maxPublic is the usual limit of publicParts: the maximum length of an argument without parts. A part may have the
// size of a file, and findings quote values.
const maxPublic = 4096

// publicParts returns the parts of a value that every user of the machine can read. limit is the maximum length in
// bytes, without the values of facts.
func (c *converter) publicParts(parts []v1alpha1.Part, at report.Path, limit int) document.Content {
	for i, part := range parts {
		if part.TextFrom != nil && part.TextFrom.Secret != nil {
			c.found(report.Errorf(at.Index(i).Field("textFrom").Field("secret"),
				"every user of the machine can read this value, so it must not contain a Secret").
				To("use a ConfigMap, or a file with restricted permissions"))
		}
	}
	content, _ := c.parts(parts, at)
	if content.Len() > limit {
		c.found(report.Errorf(at, "the texts have %d bytes together; at most %d are allowed", content.Len(), limit).
			To("shorten them"))
		return document.Content{}
	}
	return content
}
