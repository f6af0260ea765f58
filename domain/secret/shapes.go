package secret

import "regexp"

// The shapes of secrets: PEM blocks of private keys, complete or truncated; JSON web tokens; the text after an
// authorization scheme; and the certificate key of kubeadm.
var (
	privateKeyPattern = regexp.MustCompile(
		`(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(-----END [A-Z0-9 ]*PRIVATE KEY-----|$)`)
	webTokenPattern    = regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+`)
	authorizedPattern  = regexp.MustCompile(`(?i)\b(bearer|authorization: basic)\s+[A-Za-z0-9._~+/-]{8,}=*`)
	certificatePattern = regexp.MustCompile(`(?i)(certificate-?key[ =:"]+)[0-9a-f]{32,64}\b`)
)

// CleanShapes returns the text without parts that look like secrets. It is for callers that do not know the secrets.
func CleanShapes(text string) string {
	text = privateKeyPattern.ReplaceAllString(text, Redacted)
	text = webTokenPattern.ReplaceAllString(text, Redacted)
	text = authorizedPattern.ReplaceAllString(text, "$1 "+Redacted)
	text = certificatePattern.ReplaceAllString(text, "${1}"+Redacted)
	return Redactor{}.Clean(text)
}
