package action

import "strings"

// Quote returns s as one word of the shell. No byte but the quote is special inside single quotes; NUL cannot stand in
// a word and must not be in s.
func Quote(s string) string {
	if s != "" && strings.IndexFunc(s, special) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func special(r rune) bool {
	plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-:,+@%", r)
	return !plain
}
