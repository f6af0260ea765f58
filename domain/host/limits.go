package host

import (
	"strings"
	"unicode"
)

// The limits of what a host may send. A host may be compromised, so nothing that it sends is trusted.
const (
	// MaxOutput is the number of bytes of standard output that a driver reads before it returns FaultResponse.
	MaxOutput = 64 << 10
	// MaxFailure is the number of bytes of a failure in a condition.
	MaxFailure = 1 << 10
	// MaxAddresses is the number of addresses that are reported.
	MaxAddresses = 16
	// MaxHostname is the number of bytes of a host name, as in DNS.
	MaxHostname = 253
	// MaxOSImage is the number of bytes of the name of an operating system.
	MaxOSImage = 256
)

// Line returns text of a host on one line for conditions: valid UTF-8 without control and format characters, with at
// most limit bytes. The caller removes what looks like a secret.
func Line(text string, limit int) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool {
		return r == '\n' || r == '\r'
	}), "; ")
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		default:
			return r
		}
	}, text))
	if len(text) > limit {
		return strings.ToValidUTF8(text[:limit], "")
	}
	return text
}
