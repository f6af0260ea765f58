package report

import (
	"fmt"
	"strings"
)

// Errors returns the errors of the report as one text of at most MaxText bytes, such as the message of a condition.
// Several errors are numbered, and the text ends with the number of errors that it omits.
func (r Report) Errors() string {
	var all []string
	for _, f := range r {
		if f.Severity == Error {
			all = append(all, strings.TrimPrefix(f.String(), Error.String()+": "))
		}
	}
	if len(all) == 1 {
		return Cut(all[0], MaxText)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d errors:", len(all))
	for i, text := range all {
		// An error takes at most half of the text, so that at least the next one is shown, too.
		text = Cut(text, MaxText/2)
		more := fmt.Sprintf(" and %d more", len(all)-i)
		if b.Len()+len(text)+len(more)+len(more) > MaxText {
			b.WriteString(more)
			break
		}
		fmt.Fprintf(&b, " %d. %s", i+1, text)
	}
	return b.String()
}
