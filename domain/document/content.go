package document

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Fact names a value that is known only on the running machine, such as its host name. Each format resolves facts in
// its own way.
type Fact string

// The instance facts.
const (
	// FactHostname is the name by which the platform's cloud provider finds the node: the private DNS name on AWS and
	// Outscale, and the first label of the host name elsewhere.
	FactHostname Fact = "hostname"
	// FactShortHostname is the first label of the host name, as set by the platform.
	FactShortHostname Fact = "shortHostname"
	// FactFQDN is the host name with its domain, as set by the platform.
	FactFQDN Fact = "fqdn"
	// FactPrivateIPv4 is the first private IPv4 address.
	FactPrivateIPv4 Fact = "privateIPv4"
	// FactPublicIPv4 is the first public IPv4 address.
	FactPublicIPv4 Fact = "publicIPv4"
	// FactIPv6 is the first IPv6 address with global scope of the running system, without temporary addresses.
	FactIPv6 Fact = "ipv6"
	// FactInstanceID is the platform's identifier of the machine. On OpenStack it is the UUID.
	FactInstanceID Fact = "instanceID"
	// FactRegion is the platform's region.
	FactRegion Fact = "region"
	// FactZone is the platform's availability zone.
	FactZone Fact = "zone"
)

// Facts returns all facts that documents may contain, except for those of Metadata.
func Facts() []Fact {
	return []Fact{
		FactHostname, FactShortHostname, FactFQDN, FactPrivateIPv4, FactPublicIPv4, FactIPv6, FactInstanceID, FactRegion,
		FactZone,
	}
}

// metadataPrefix precedes the path in the name of a fact of Metadata.
const metadataPrefix = "metadata."

// pathPattern matches keys that are separated by dots.
var pathPattern = regexp.MustCompile(`^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*$`)

// MaxMetadataPath is the maximum length of the path of a fact of Metadata.
const MaxMetadataPath = 128

// Metadata returns the fact that is the value at a path of the platform's metadata, such as uuid. The keys of the path
// are separated by dots; an underscore also matches a hyphen. It is false if the text is not a path.
func Metadata(path string) (Fact, bool) {
	return Fact(metadataPrefix + path), pathPattern.MatchString(path) && len(path) <= MaxMetadataPath
}

// MetadataPath returns the path of a fact of Metadata.
func (f Fact) MetadataPath() (path string, ok bool) {
	return strings.CutPrefix(string(f), metadataPrefix)
}

// Fragment is either literal bytes or a fact to be filled in on the machine.
type Fragment struct {
	Literal []byte
	Fact    Fact
}

// String returns the fact's name, or the number of bytes.
func (f Fragment) String() string {
	if f.Fact != "" {
		return "[" + string(f.Fact) + "]"
	}
	return fmt.Sprintf("[%d bytes]", len(f.Literal))
}

// Format keeps the verbs of package fmt from printing the bytes.
func (f Fragment) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, f.String()) }

// Content is a sequence of literal bytes and facts. Literals may contain any bytes and are never interpreted. Printing
// a Content shows its length only, because files and arguments may contain secrets.
type Content struct{ held *fragments }

// Content holds a pointer to fragments, because package fmt prints the fields of a value for %p without calling its
// methods, but does not follow pointers.
type fragments struct{ list []Fragment }

func contentOf(list []Fragment) Content {
	if len(list) == 0 {
		return Content{}
	}
	return Content{held: &fragments{list: list}}
}

// Literal returns the content that consists of b. The caller must not modify b afterwards.
func Literal(b []byte) Content {
	if len(b) == 0 {
		return Content{}
	}
	return contentOf([]Fragment{{Literal: b}})
}

// Text returns the content that consists of s.
func Text(s string) Content { return Literal([]byte(s)) }

// FromFact returns a content that consists of the fact f.
func FromFact(f Fact) Content { return contentOf([]Fragment{{Fact: f}}) }

// Join returns the concatenation of the contents.
func Join(parts ...Content) Content {
	var list []Fragment
	for _, p := range parts {
		list = append(list, p.Fragments()...)
	}
	return contentOf(compact(list))
}

// compact merges neighbouring literals, so that equal contents have equal fragments. Each byte is copied at most once.
func compact(list []Fragment) []Fragment {
	var out []Fragment
	for len(list) > 0 {
		n := 0
		var run [][]byte
		for ; n < len(list) && list[n].Fact == ""; n++ {
			run = append(run, list[n].Literal)
		}
		if n < 2 {
			out, list = append(out, list[0]), list[1:]
			continue
		}
		out, list = append(out, Fragment{Literal: slices.Concat(run...)}), list[n:]
	}
	return out
}

// Fragments returns the parts. The caller must not modify them.
func (c Content) Fragments() []Fragment {
	if c.held == nil {
		return nil
	}
	return c.held.list
}

// IsZero reports whether the content is empty.
func (c Content) IsZero() bool { return c.held == nil }

// Static returns the bytes of a content without facts. It is false for a content with facts.
func (c Content) Static() ([]byte, bool) {
	list := c.Fragments()
	switch {
	case len(list) == 0:
		return nil, true
	case len(list) == 1 && list[0].Fact == "":
		return list[0].Literal, true
	default:
		return nil, false
	}
}

// Facts returns the facts in the content, each once, in the order of their first appearance.
func (c Content) Facts() []Fact {
	var facts []Fact
	for _, f := range c.Fragments() {
		if f.Fact != "" && !slices.Contains(facts, f.Fact) {
			facts = append(facts, f.Fact)
		}
	}
	return facts
}

// Resolve returns the bytes of the content. It calls value for each fact.
func (c Content) Resolve(value func(Fact) string) []byte {
	var b bytes.Buffer
	for _, f := range c.Fragments() {
		if f.Fact != "" {
			b.WriteString(value(f.Fact))
			continue
		}
		b.Write(f.Literal)
	}
	return b.Bytes()
}

// Substitute returns the content with each occurrence of a placeholder replaced by its fact. Encoders that support only
// plain strings write placeholders, which must not occur elsewhere in the output. Of overlapping placeholders, the
// longest is replaced.
func (c Content) Substitute(placeholders map[string]Fact) Content {
	out := c
	longestFirst := func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) }
	for _, placeholder := range slices.SortedFunc(maps.Keys(placeholders), longestFirst) {
		out = out.substitute([]byte(placeholder), placeholders[placeholder])
	}
	return out
}

func (c Content) substitute(placeholder []byte, fact Fact) Content {
	var out []Fragment
	for _, f := range c.Fragments() {
		if f.Fact != "" {
			out = append(out, f)
			continue
		}
		for i, part := range bytes.Split(f.Literal, placeholder) {
			if i > 0 {
				out = append(out, Fragment{Fact: fact})
			}
			if len(part) > 0 {
				out = append(out, Fragment{Literal: part})
			}
		}
	}
	return contentOf(out)
}

// Len returns the number of literal bytes.
func (c Content) Len() int {
	n := 0
	for _, f := range c.Fragments() {
		n += len(f.Literal)
	}
	return n
}

// Equal reports whether both contents are the same. It makes cmp.Diff work without seeing unexported fields.
func (c Content) Equal(other Content) bool {
	return slices.EqualFunc(c.Fragments(), other.Fragments(), func(a, b Fragment) bool {
		return a.Fact == b.Fact && bytes.Equal(a.Literal, b.Literal)
	})
}

// String returns the length, never the bytes.
func (c Content) String() string { return fmt.Sprintf("[%d bytes]", c.Len()) }

// Format keeps every verb of package fmt from printing the bytes.
func (c Content) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, c.String()) }

// LogValue keeps structured loggers from writing the bytes.
func (c Content) LogValue() slog.Value { return slog.StringValue(c.String()) }
