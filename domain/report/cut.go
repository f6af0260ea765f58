package report

import "unicode/utf8"

// The limits of findings on a terminal and in conditions.
const (
	// MaxShown is the maximum number of findings.
	MaxShown = 200
	// MaxText is the maximum length of a finding in bytes, and MaxLine of a quoted line.
	MaxText = 2048
	MaxLine = 240
)

const ellipsis = "…"

// Cut truncates the text to at most n bytes, between two characters. Truncated text ends in an ellipsis. n must be at
// least 3.
func Cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	n -= len(ellipsis)
	for i := 1; i < utf8.UTFMax && n > 0 && !utf8.RuneStart(text[n]); i++ {
		n--
	}
	return text[:n] + ellipsis
}

// Excerpt returns at most n bytes of the line around the 1-based column, and the column of the same byte in the
// excerpt. An ellipsis marks text that is omitted at either end.
func Excerpt(line string, column, n int) (string, int) {
	at := min(max(column-1, 0), len(line))
	if len(line) <= n || at < n/2 {
		return Cut(line, n), at + 1
	}
	start := at - n/2
	for i := 1; i < utf8.UTFMax && start < at && !utf8.RuneStart(line[start]); i++ {
		start++
	}
	return ellipsis + Cut(line[start:], n-len(ellipsis)), at - start + len(ellipsis) + 1
}

// Shown returns the first MaxShown findings in order of severity, each truncated, and the number of omitted findings.
func (r Report) Shown() (shown Report, omitted int) {
	shown = r.Sorted()
	omitted = max(len(shown)-MaxShown, 0)
	shown = shown[:len(shown)-omitted]
	for i, f := range shown {
		shown[i].Path, shown[i].Message, shown[i].Remedy = Path(Cut(string(f.Path), MaxText)), Cut(f.Message, MaxText),
			Cut(f.Remedy, MaxText)
	}
	return shown, omitted
}
