package report

import (
	"regexp"
	"strings"
)

// quotePattern matches from the first quotation mark to the last. An apostrophe within a word is not a quotation mark.
// The text between two quoted values is removed, too: it is not known which of the marks belong to a value.
var quotePattern = regexp.MustCompile("(?s)(^|[^0-9A-Za-z])[\"'`](.*[\"'`]([^0-9A-Za-z]|$)|.*$)")

// Unquoted returns a program's message about a valid text on one line and without the parts that it quotes, which may
// be secret. It is for programs whose messages are needed; parsers of user input use structured.Malformed in place of
// it.
func Unquoted(message string) string {
	return strings.Join(strings.Fields(quotePattern.ReplaceAllString(message, "${1}a value${3}")), " ")
}

// quiet is an error with a shorter message than the one that it wraps.
type quiet struct {
	message string
	err     error
}

func (q quiet) Error() string { return q.message }
func (q quiet) Unwrap() error { return q.err }

// Quiet wraps the error with its message without the parts that it quotes (see Unquoted). It is for errors of programs
// whose messages are needed, such as why a server was not reached.
func Quiet(err error) error {
	if err == nil {
		return nil
	}
	if message := Unquoted(err.Error()); message != err.Error() {
		return quiet{message: message, err: err}
	}
	return err
}
