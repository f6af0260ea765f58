package bottlerocket

import (
	"encoding/base64"
	"fmt"
	"math"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// constraint is what a setting takes.
type constraint struct {
	// takes describes it for people: "a whole number from 0 to 100".
	takes string
	ok    func(v any) bool
}

// marks are the characters that Bottlerocket's templates write as character references, since they escape for HTML, and
// the backslash, which files of environment variables take for an escape (handlebars: escape_html; systemd.exec(5)).
const marks = "&<>\"'`=\\"

// quoteMarks are those that end or escape a string in the TOML that Bottlerocket's templates make.
const quoteMarks = `"\`

func text(takes string, ok func(s string) bool) constraint {
	return constraint{takes: takes, ok: func(v any) bool {
		s, is := v.(string)
		return is && !hasControl(s) && ok(s)
	}}
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r < 0x20 || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 || r == '\uFFFD'
	})
}

func pattern(takes, expression string) constraint {
	compiled := regexp.MustCompile(expression)
	return text(takes, compiled.MatchString)
}

func oneOf(words ...string) constraint {
	return text(fmt.Sprintf("one of %q", words), func(s string) bool { return slices.Contains(words, s) })
}

// line is one line of text that the templates write as it is.
func line() constraint {
	return text("one line of text", func(string) bool { return true })
}

// quoted is one line that a template writes between double quotes.
func quoted() constraint {
	return text(`one line of text without " and \`, func(s string) bool { return !strings.ContainsAny(s, quoteMarks) })
}

// plain is one word that is not changed by escaping.
func plain() constraint {
	return text("a word without blanks and "+marks, isPlain)
}

func isPlain(s string) bool { return s != "" && !strings.ContainsAny(s, marks+" \t") }

func address() constraint {
	return text("a URL or a host without "+marks+"; percent-encode these", func(s string) bool {
		if !strings.Contains(s, "://") {
			s = "http://" + s
		}
		u, err := url.Parse(s)
		return err == nil && (u.Host != "" || u.Path != "") && isPlain(s)
	})
}

func base64Text() constraint {
	return text("base64", func(s string) bool {
		_, err := base64.StdEncoding.Strict().DecodeString(s)
		return err == nil
	})
}

func ip() constraint {
	return text("an IP address", func(s string) bool {
		a, err := netip.ParseAddr(s)
		return err == nil && a.Zone() == ""
	})
}

func boolean() constraint {
	return constraint{takes: "true or false", ok: func(v any) bool { _, is := v.(bool); return is }}
}

func number(takes string, low, high int64) constraint {
	return constraint{takes: takes, ok: func(v any) bool {
		n, is := v.(int64)
		return is && n >= low && n <= high
	}}
}

func int32s() constraint {
	return number("a whole number of 32 bits", math.MinInt32, math.MaxInt32)
}

// list takes lists whose items are all as the constraint has it.
func list(of constraint) constraint {
	return constraint{takes: "a list of which each item is " + of.takes, ok: func(v any) bool {
		items, is := v.([]any)
		return is && !slices.ContainsFunc(items, func(item any) bool { return !of.ok(item) })
	}}
}

func either(a, b constraint) constraint {
	return constraint{takes: a.takes + ", or " + b.takes, ok: func(v any) bool { return a.ok(v) || b.ok(v) }}
}

// anything is for settings that only snippets set and whose values are Bottlerocket's to check.
func anything() constraint {
	return constraint{takes: "anything", ok: func(any) bool { return true }}
}
