package portstest

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// View reads a payload as its consumer does, with the format's own library, and returns a function for all text at a
// place of a rendering's Places. Text that the format has encoded there may stay encoded, if Decoded knows the
// encoding. A place that does not exist has no text.
type View func(t testing.TB, payload []byte) func(place string) string

// Anywhere is a view that knows no format: for every place it returns the whole payload. It cannot check whether a
// value is at its place, but it needs nothing from a new format.
func Anywhere(_ testing.TB, payload []byte) func(place string) string {
	return func(string) string { return string(payload) }
}

// Tree returns the view of a configuration that was parsed into maps, lists and scalars: a place is a path such as
// storage.files[0] or runcmd[0], and its text is each key and scalar below it, one a line.
func Tree(root any) func(place string) string {
	return func(place string) string {
		at, found := lookUp(root, place)
		if !found {
			return ""
		}
		var b strings.Builder
		flatten(&b, at)
		return b.String()
	}
}

var elementPattern = regexp.MustCompile(`[^.\[\]]+`)

func lookUp(at any, place string) (any, bool) {
	for _, element := range elementPattern.FindAllString(place, -1) {
		switch node := at.(type) {
		case map[string]any:
			below, found := node[element]
			if !found {
				return nil, false
			}
			at = below
		case []any:
			i, err := strconv.Atoi(element)
			if err != nil || i < 0 || i >= len(node) {
				return nil, false
			}
			at = node[i]
		default:
			return nil, false
		}
	}
	return at, true
}

func flatten(b *strings.Builder, at any) {
	switch node := at.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(node)) {
			fmt.Fprintln(b, key)
			flatten(b, node[key])
		}
	case []any:
		for _, below := range node {
			flatten(b, below)
		}
	case float64:
		fmt.Fprintln(b, strconv.FormatFloat(node, 'f', -1, 64))
	default:
		fmt.Fprintln(b, node)
	}
}

// depth is how often something encoded may be encoded again.
const depth = 5

var base64Pattern = regexp.MustCompile(`[A-Za-z0-9+/]{16,}={0,2}`)

// Decoded returns the text and, after it, what the encodings of first-boot formats make of it: base64, gzip,
// percent-encoding, the escapes of JSON and of XML, and UTF-16.
func Decoded(text string) string {
	all, layer, seen := []string{text}, []string{text}, map[string]bool{text: true}
	for range depth {
		var next []string
		for _, outer := range layer {
			for _, inner := range within(outer) {
				if !seen[inner] {
					all, next, seen[inner] = append(all, inner), append(next, inner), true
				}
			}
		}
		layer = next
	}
	return strings.Join(all, "\n")
}

// within returns what is encoded in the text, one layer deep.
func within(text string) []string {
	if plain, ok := unzip(text); ok {
		return []string{plain}
	}
	all := unescaped(text)
	for _, word := range base64Pattern.FindAllString(text, -1) {
		if plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(word, "=")); err == nil {
			all = append(all, string(plain))
		}
	}
	return all
}

func unescaped(text string) []string {
	out := []string{html.UnescapeString(text)}
	if strings.Contains(text, `\`) {
		out = append(out, strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\"`, `"`, `\/`, `/`, `\u003c`, "<", `\u003e`, ">",
			`\u0026`, "&").Replace(text))
	}
	if strings.ContainsRune(text, 0) {
		out = append(out, strings.ReplaceAll(text, "\x00", ""))
	}
	if strings.Contains(text, "%") {
		out = append(out, percent(text))
	}
	return out
}

var percentPattern = regexp.MustCompile(`(%[0-9A-Fa-f]{2})+`)

func percent(text string) string {
	return percentPattern.ReplaceAllStringFunc(text, func(s string) string {
		plain, err := url.PathUnescape(s)
		if err != nil {
			return s
		}
		return plain
	})
}

func unzip(text string) (string, bool) {
	r, err := gzip.NewReader(bytes.NewReader([]byte(text)))
	if err != nil {
		return "", false
	}
	plain, err := io.ReadAll(r)
	return string(plain), err == nil
}
