package structured

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/report"
)

// mistake maps a part of a parser's message to our own message.
type mistake struct{ part, message string }

// mistakes lists the known mistakes of the parsers of YAML, JSON, TOML and Ignition, the more specific first. A
// text that itself contains such a part only causes a wrong message from this list.
func mistakes() []mistake {
	return []mistake{
		{"unknown anchor", "an alias names no anchor; quote a text that begins with an asterisk"},
		{"value contains itself", "an anchor holds an alias of itself"},
		{"excessive aliasing", "its aliases make it too large"},
		{"already defined", "a key is repeated"},
		{"already set", "a key is repeated"},
		{"not found in type", "a field is not known"},
		{"unknown field", "a field is not known"},
		{"cannot unmarshal", "a value is of another type than its field"},
		{"cannot decode", "a value is of another type than its tag"},
		{"invalid base64", "what is tagged as binary is not base64"},
		{"invalid map key", "a key is no plain text"},
		{"map merge requires", "what is merged is no mapping"},
		{"undefined tag handle", "a tag is not known; quote a text that begins with an exclamation mark"},
		{"scanning a tag", "a tag is not known; quote a text that begins with an exclamation mark"},
		{"tab character", "a tab is used for indentation; use spaces"},
		{"cannot start any token", "a text begins with a tab or another reserved character; " +
			"indent with spaces, or quote the text"},
		{"mapping values are not allowed", "a colon is where no key is allowed; look at the indentation, and " +
			"quote texts with a colon"},
		{"could not find expected ':'", "a key has no colon; look at the indentation"},
		{"expected ',' or", "a list or a mapping in brackets is not closed, or lacks a comma"},
		{"did not find expected key", "there is no key where one is wanted; look at the indentation"},
		{"expected '-' indicator", "there is no item of the list where one is wanted; look at the indentation"},
		{"expected node content", "a value is missing"},
		{"unexpected document indicator", "a quoted text is not closed"},
		{"unexpected end of stream", "a quoted text is not closed"},
		{"unexpected end of JSON input", "it ends too early"},
		{"escape", "an escape in a quoted text is not known"},
		{"hexdecimal", "an escape in a quoted text is not known"},
		{"alphabetic or numeric character", "an alias or an anchor has no name; quote a text that begins with an " +
			"asterisk or an ampersand"},
		{"control characters", "it holds a control character"},
		{"UTF-", "it is not UTF-8"},
		{"exceeded max depth", "it is nested too deeply"},
		{"unexpected EOF", "it ends too early"},
		{"error parsing variant", "its variant is missing"},
		{"error parsing version", "its version is missing, or is none"},
		{"No translator exists", "there is no such variant in such a version"},
		{"missing value", "the path of an operation leads nowhere"},
		{"missing path", "the path of an operation leads nowhere"},
	}
}

// Mistake returns a message for an error of a parser, or empty for unknown errors. It does not contain the parser's
// message, which may quote secret text.
func Mistake(complaint error) string {
	for _, m := range mistakes() {
		if strings.Contains(complaint.Error(), m.part) {
			return m.message
		}
	}
	return ""
}

// linePattern finds where a parser stopped. It begins where the complaint does, so that no quoted text is taken for a
// line.
var linePattern = regexp.MustCompile(`^(?:[A-Za-z ]+:\s+)*(?:[a-z ]*)line ([0-9]{1,7})(?:, column ([0-9]{1,7}))?: `)

// Malformed returns an error finding for an error of a parser, with the line of the error. Its message consists of
// message, such as "this is not YAML", and the result of Mistake.
func Malformed(p report.Path, message string, complaint error) report.Finding {
	f := report.Errorf(p, "%s", message)
	if message := Mistake(complaint); message != "" {
		f.Message += ": " + message
	}
	if m := linePattern.FindStringSubmatch(complaint.Error()); m != nil {
		// Both are digits, or the column is missing.
		f.Line, _ = strconv.Atoi(m[1])
		f.Column, _ = strconv.Atoi(m[2])
		f.Column = max(f.Column, 1)
	}
	return f
}
