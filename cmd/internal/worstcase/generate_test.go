package worstcase_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

// maxObject is what an object may have in bytes: etcd takes requests of 1.5 MiB, of which the API server's own fields
// take a part.
const maxObject = 1_400_000

// variant is what texts are full of: each is costly for another consumer.
type variant struct{ name, text string }

// variants are ordinary text, text that shells quote with four bytes for one, lines, text that JSON and YAML escape,
// and wide characters.
func variants() []variant {
	return []variant{{"a", "a"}, {"quotes", "'"}, {"lines", "\n"}, {"escapes", "\x01"}, {"wide", "😀"}, {"noise", noise}}
}

// names are what texts that take names are full of, if they take nothing else: letters, and the labels of a domain.
func names() []variant { return []variant{{"letters", "a"}, {"labels", "a."}} }

// freeNodes is how many values structured settings have: as many as the budget lets them.
const freeNodes = 49_000

// noise is the name of texts whose characters differ, so that nothing becomes smaller by compression.
const noise = "noise"

// generator makes the worst object for a site: it fills the lists on the way with as many items as the object has room
// for.
type generator struct {
	site
	variant variant
	// room is how many bytes the site may have in all its instances together.
	room int
	// instances is how many the lists and maps on the way still have to hold.
	instances int
	serial    int
	// references is how many references there are.
	references int
}

// generate returns the spec, and how many bytes it has as JSON.
func (s site) generate(t testing.TB, v variant) (spec map[string]any, size int) {
	t.Helper()
	for room := maxObject; room > 0; room = min(room*9/10, int(float64(room)*maxObject/float64(size))) {
		g := generator{site: s, variant: v, room: room}
		g.instances = g.wanted()
		created, ok := g.value(s.root, s.path, "").(map[string]any)
		if !ok {
			t.Fatalf("%s: the spec is not an object", s)
		}
		completeSpec(s, created)
		if size = encoded(t, created); size <= maxObject {
			return created, size
		}
	}
	t.Fatalf("%s: no object is small enough", s)
	return nil, 0
}

func encoded(t testing.TB, v any) int {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// wanted returns how many instances of the site fill the room.
func (g *generator) wanted() int {
	one := 100
	switch {
	case g.shape == aText:
		one = min(g.longest(g.schema), g.room)
	case g.shape == aFree:
		one = g.room
	}
	return max(g.room/max(one, 100), 1)
}

// value returns a value of the schema in which the path leads to the site.
func (g *generator) value(s *schema, path []string, name string) any {
	if len(path) == 0 {
		return g.large(s, name)
	}
	switch path[0] {
	case element:
		n, within := g.share(s.MaxItems)
		list := make([]any, 0, n)
		for range n {
			g.instances = within
			list = append(list, g.value(s.Items.Schema, path[1:], name))
		}
		return list
	case entry:
		n, within := g.share(s.MaxProperties)
		entries := map[string]any{}
		for range n {
			g.instances = within
			g.serial++
			entries[fmt.Sprintf("x.k%d", g.serial)] = g.value(s.AdditionalProperties.Schema, path[1:], name)
		}
		return entries
	default:
		object := g.minimal(s, name).(map[string]any)
		p := s.Properties[path[0]]
		object[path[0]] = g.value(&p, path[1:], name+"."+path[0])
		g.complete(object, name, path[0])
		return object
	}
}

// longest returns how many characters a text of the schema may have.
func (g *generator) longest(s *schema) int {
	limited := site{schema: s}
	if s == g.schema {
		limited.entries = g.entries
	}
	if n, err := strconv.Atoi(limited.limit()); err == nil {
		return n
	}
	return 24
}

// share returns how many items a list has, and how many instances each of them holds.
func (g *generator) share(most *int64) (n, within int) {
	n = g.instances
	if most != nil {
		n = min(n, int(*most))
	}
	return n, (g.instances + n - 1) / n
}

// large returns the site's own value: as many items, or as long a text, as the API takes.
func (g *generator) large(s *schema, name string) any {
	switch g.shape {
	case aList:
		n := g.room / 4
		if s.MaxItems != nil {
			n = min(n, int(*s.MaxItems))
		}
		var list []any
		for range n {
			item := g.minimal(s.Items.Schema, name)
			if object, ok := item.(map[string]any); ok {
				g.complete(object, name, "")
			}
			list = append(list, item)
		}
		return list
	case aMap:
		entries := map[string]any{}
		for i := range int(*s.MaxProperties) {
			entries[fmt.Sprintf("x.k%d", i)] = g.minimal(s.AdditionalProperties.Schema, name)
		}
		return entries
	case aFree:
		return map[string]any{"a": repeated(min(g.room/4, freeNodes), func() any { return map[string]any{} })}
	case aReference:
		g.serial++
		g.references++
		return map[string]any{"name": fmt.Sprintf("name-%d", g.serial), "key": "key"}
	default:
		return g.text(s, name, g.room)
	}
}

func repeated(n int, element func() any) []any {
	list := []any{}
	for range n {
		list = append(list, element())
	}
	return list
}

// minimal returns the least value that the schema takes.
func (g *generator) minimal(s *schema, name string) any {
	switch {
	case s.Type == "object" && s.AdditionalProperties == nil:
		object := map[string]any{}
		for _, required := range s.Required {
			p := s.Properties[required]
			object[required] = g.minimal(&p, name+"."+required)
		}
		return object
	case s.Type == "object":
		return map[string]any{}
	case s.Type == "array":
		var list []any
		for range int(deref(s.MinItems)) {
			list = append(list, g.minimal(s.Items.Schema, name))
		}
		return list
	case s.Type == "string":
		return g.text(s, name, 24)
	case s.Type == "boolean":
		return false
	default:
		if s.Minimum != nil {
			return int64(*s.Minimum)
		}
		return int64(1)
	}
}

func deref(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// text returns a text of the schema of at most n characters, another one each time where the schema lets it.
func (g *generator) text(s *schema, name string, n int) string {
	if strings.HasSuffix(name, "patches.target") {
		return "kubeletconfiguration"
	}
	if len(s.Enum) > 0 {
		var first string
		_ = json.Unmarshal(s.Enum[0].Raw, &first)
		return first
	}
	n = min(n, g.longest(s))
	g.serial++
	most := n
	if s.MaxLength != nil {
		most = max(n, min(int(*s.MaxLength), 128))
	}
	for _, candidate := range g.candidates(name, n) {
		length := utf8.RuneCountInString(candidate)
		fits := length <= most && length >= int(deref(s.MinLength))
		if fits && (s.Pattern == "" || pattern(s.Pattern).MatchString(candidate)) {
			return candidate
		}
	}
	panic(fmt.Sprintf("no text for %s matches %s with %d characters: add a candidate", name, s.Pattern, n))
}

func pattern(text string) *regexp.Regexp { return regexp.MustCompile(text) }

// candidates are texts that the field may want, the more costly ones first.
func (g *generator) candidates(field string, n int) []string {
	serial := strconv.Itoa(g.serial)
	fill := func(prefix, with string) string {
		left := n - utf8.RuneCountInString(prefix) - len(serial)
		return prefix + repeat(with, max(left, 0)) + serial
	}
	all := known(field, serial, n)
	if prefix := prefix(field); n > 24 {
		all = append(all, fill(prefix, g.variant.text), fill(prefix, "a"))
	}
	hex := fmt.Sprintf("%0128x", g.serial)
	return append(all,
		fill("", "a"), fill("/", "a"), fill("https://h/", "a"), fill("a.", "a"), fill("a-", "a"), fill("", "0"), serial,
		fill("arn:aws:kms:eu-west-1:", "0"), "ConfigMapTemplate", "Kind"+serial, "group"+serial+".example", "KindTemplate",
		"machineadm-plugin-encryption-provider-x"+serial, "0644", "1h0m0s", "eu-west-1", hex[64:], hex,
		"00000000-0000-0000-0000-"+hex[116:], "bucket-"+serial, "https://h.example:6443", "h"+serial+".example:6443",
		"/dev/sd"+serial,
		"v1.36.3",
	)
}

// repeat returns n characters: of a variant's text again and again, or of noise, which does not compress.
func repeat(text string, n int) string {
	if text != noise {
		return strings.Repeat(text, n/utf8.RuneCountInString(text))
	}
	return noiseText()[:n]
}

// noiseText returns characters that differ: 2 MiB, which is more than any text has.
var noiseText = sync.OnceValue(func() string {
	random := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 2<<20)
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"[random.IntN(64)]
	}
	return string(b)
})

// takesCertificates reports whether the field, or what it refers to, is certificates in PEM.
func takesCertificates(field string) bool {
	certificates := regexp.MustCompile(`(tls\.(ca|certificate)|trustedCAs)\.content|certificateAuthorit`)
	return certificates.MatchString(field)
}

// certificates returns as many certificates as n bytes hold, one at least.
func certificates(n int) string { return strings.Repeat(certificate(), max(n/len(certificate()), 1)) }

// certificate is one in PEM, the same each time.
var certificate = sync.OnceValue(func() string {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "ca"},
		NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<33, 0),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(nil, template, template, key.Public(), key)
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
})
