package action

import "strings"

// Quote returns s as one word of the shell. Inside single quotes only the quote is special. A word cannot contain NUL,
// so s must not.
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
