package report

import "unicode/utf8"

// The limits of what is shown of findings, on a terminal and in conditions.
const (
	// MaxShown is how many findings are shown.
	MaxShown = 200
	// MaxText is how many bytes are shown of one finding, and MaxLine of one line that is quoted.
	MaxText = 2048
	MaxLine = 240
)

const ellipsis = "…"

// Cut returns the text with at most n bytes; one that is longer ends in an ellipsis, and characters stay whole. n is at
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

// Excerpt returns at most n bytes of the line, with the byte at the 1-based column among them, and that byte's column
// in the excerpt. What is left out at either end is an ellipsis.
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

// Shown returns the gravest findings, as many as are shown, each cut to the length that is shown, and how many are left
// out.
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
