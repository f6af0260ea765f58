// Package pattern matches texts of limited length.
package pattern

import "regexp"

// Pattern matches texts by a regular expression and a maximum length. An expression such as [a-z]{0,255} contains
// the class 255 times: its compilation allocates 180 kB of memory, of which 70 kB remain in use.
type Pattern struct {
	expression *regexp.Regexp
	most       int
}

// Of returns the pattern of texts of at most that many bytes. Like regexp.MustCompile, it is for expressions that are
// constant.
func Of(most int, expression string) Pattern {
	return Pattern{expression: regexp.MustCompile(expression), most: most}
}

// MatchString reports whether the text is short enough and matches the expression.
func (p Pattern) MatchString(s string) bool { return len(s) <= p.most && p.expression.MatchString(s) }
