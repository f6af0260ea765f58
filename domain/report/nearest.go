package report

import "strings"

// maxWord is the length of the longest word that Nearest compares: the time is proportional to its square.
const maxWord = 64

// Nearest returns the candidate that the word is probably a misspelling of, or empty if there is none: it differs by at
// most a third of the word's letters, or one begins with the other.
func Nearest(word string, candidates []string) string {
	if word == "" || len(word) > maxWord {
		return ""
	}
	best, least, edits := "", len(word)/3+1, 0
	for _, c := range candidates {
		if len(c) > maxWord {
			continue
		}
		changed := distance(strings.ToLower(word), strings.ToLower(c))
		d := changed
		switch {
		case len(word) > 2 && strings.HasPrefix(c, word):
			d = min(d, 1)
		case len(c) > 2 && strings.HasPrefix(word, c):
			d = min(d, 2)
		}
		// The order of the candidates makes no difference.
		if d < least || d == least && best != "" && (changed < edits || changed == edits && c < best) {
			best, least, edits = c, d, changed
		}
	}
	return best
}

// DidYouMean returns a remedy that names the candidate that the word probably means, or the other remedy if there is
// none.
func DidYouMean(word string, candidates []string, other string) string {
	if c := Nearest(word, candidates); c != "" {
		return "did you mean " + c + "?"
	}
	return other
}

// distance returns the number of letters that are inserted, deleted, replaced, or exchanged with the next one, to get
// from a to b.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(row[j]+1, last[j+1]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
