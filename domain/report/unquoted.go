package report

import (
	"regexp"
	"strings"
)

// quotePattern matches from the first quotation mark to the last. An apostrophe within a word is not a quotation mark.
// The text between two quoted values is also removed, because a value may contain quotation marks.
var quotePattern = regexp.MustCompile("(?s)(^|[^0-9A-Za-z])[\"'`](.*[\"'`]([^0-9A-Za-z]|$)|.*$)")

// Unquoted returns the message of another program on one line, without the parts that it quotes, which may be secret.
// For errors of parsers use structured.Malformed instead.
func Unquoted(message string) string {
	return strings.Join(strings.Fields(quotePattern.ReplaceAllString(message, "${1}a value${3}")), " ")
}

// quiet is an error without the quoted parts of the message of the error that it wraps.
type quiet struct {
	message string
	err     error
}

func (q quiet) Error() string { return q.message }
func (q quiet) Unwrap() error { return q.err }

// Quiet returns an error that wraps err and whose message omits the parts that err quotes; see Unquoted.
func Quiet(err error) error {
	if err == nil {
		return nil
	}
	if message := Unquoted(err.Error()); message != err.Error() {
		return quiet{message: message, err: err}
	}
	return err
}
