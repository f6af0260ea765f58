package report

import "strings"

// shortestWord is the minimum length in bytes of a word that Conceal removes. Shorter words occur everywhere.
const shortestWord = 4

// Conceal returns a function that removes the words of a secret text from findings. A word is a sequence of at least
// four letters and digits. The function keeps the path and the position of a finding. Conceal parses the text once, for
// any number of findings.
func Conceal(text string) func(Finding) Finding {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(text, notWord) {
		words[w] = len(w) >= shortestWord
	}
	return func(f Finding) Finding {
		message, remedy := without(f.Message, words), without(f.Remedy, words)
		if message == f.Message && remedy == f.Remedy {
			return f
		}
		f.Message, f.Remedy = message+" (… is what the Secret has)", remedy
		return f
	}
}

func notWord(r rune) bool {
	return r < 0x80 && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// without replaces the words in the text by "…".
func without(text string, words map[string]bool) string {
	var out strings.Builder
	for text != "" {
		if end := strings.IndexFunc(text, notWord); end != 0 {
			if end < 0 {
				end = len(text)
			}
			if words[text[:end]] {
				out.WriteString("…")
			} else {
				out.WriteString(text[:end])
			}
			text = text[end:]
			continue
		}
		out.WriteByte(text[0])
		text = text[1:]
	}
	return out.String()
}
