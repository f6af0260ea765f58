// Package canary finds secrets where they must not appear: in logs, events, conditions, statuses, metrics, errors,
// arguments, environments, and in the output of the tests themselves.
//
// Tests use the Mark wherever they need a secret: as a password, as the secret half of a token, within the text of a
// key or a file. All output is then searched for it, as plain text and in the usual encodings.
package canary

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Mark is what is planted. It is the secret half of a valid bootstrap token, and no language of any format quotes or
// escapes it.
const Mark = "canary7q9zk2xw5v"

// Token is a bootstrap token whose secret half is the mark.
const Token = "abcdef." + Mark

// around is the number of bytes before a match that a report quotes.
const around = 60

// Search looks for the mark and for other secrets.
type Search struct {
	needles []string
	// starts contains the indexes of the needles by their first bytes, and hashes those that these bytes have.
	starts map[uint64][]int
	hashes *[1 << 16]bool
}

// startBytes is the number of first bytes of a needle by which it is found. No needle is shorter.
const startBytes = 8

// hash returns the hash of the first bytes of a needle.
func hash(start uint64) uint64 { return start * 0x9e3779b97f4a7c15 >> 48 }

// For returns a search for the mark and for the given secrets, which a program has made itself. Secrets of fewer than
// eight bytes are refused: they would be seen everywhere.
func For(secrets ...string) (Search, error) {
	var s Search
	for _, secret := range append([]string{Mark}, secrets...) {
		if len(secret) < 8 {
			return s, fmt.Errorf("a secret of %d bytes is too short to be searched for", len(secret))
		}
		s.needles = append(s.needles, forms(secret)...)
	}
	// The longest first, so that redaction leaves no half of one.
	slices.SortStableFunc(s.needles, func(a, b string) int { return len(b) - len(a) })
	s.starts, s.hashes = map[uint64][]int{}, new([1 << 16]bool)
	for i, needle := range s.needles {
		start := binary.LittleEndian.Uint64([]byte(needle[:startBytes]))
		s.starts[start] = append(s.starts[start], i)
		s.hashes[hash(start)] = true
	}
	return s, nil
}

// forms returns how text that holds the secret may be written: as it is, in the ways in which Go prints bytes, and in
// base64, where the characters depend on how many bytes are before it.
func forms(secret string) []string {
	all := []string{secret}
	for _, verb := range []string{"%x", "%X", "% x", "%v", "%#v"} {
		all = append(all, strings.Trim(strings.TrimPrefix(fmt.Sprintf(verb, []byte(secret)), "[]byte"), "[]{}"))
	}
	// JSON writes a list of small numbers without spaces.
	all = append(all, strings.ReplaceAll(strings.Trim(fmt.Sprint([]byte(secret)), "[]"), " ", ","))
	for skip := range 3 {
		padded := append(make([]byte, skip), secret...)
		// Characters that also encode bits of the bytes before or after are cut off.
		first := (skip*8 + 5) / 6
		last := len(padded) * 8 / 6
		for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			all = append(all, e.EncodeToString(padded)[first:last])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// In returns a sentence for each place in the text that shows a secret. It quotes the text before the secret, but not
// the secret.
func (s Search) In(text string) []string {
	var seen []string
	found := s.find(text)
	for i, needle := range s.needles {
		if at, shown := found[i]; shown {
			seen = append(seen, fmt.Sprintf("a secret of %d characters after %q", len(needle),
				s.Redact(text[max(0, at-around):at])))
		}
	}
	return seen
}

// find returns the indexes of the needles in the text, and where each begins for the first time. It reads the text
// once: a run has a thousand needles, and tens of megabytes of logs.
func (s Search) find(text string) map[int]int {
	var found map[int]int
	var start uint64
	for end := range len(text) {
		start = start>>8 | uint64(text[end])<<(8*(startBytes-1))
		if s.hashes == nil || !s.hashes[hash(start)] {
			continue
		}
		at := end + 1 - startBytes
		for _, i := range s.starts[start] {
			if _, earlier := found[i]; earlier || at < 0 || !strings.HasPrefix(text[at:], s.needles[i]) {
				continue
			}
			if found == nil {
				found = map[int]int{}
			}
			found[i] = at
		}
	}
	return found
}

// Redact returns the text without the secrets.
func (s Search) Redact(text string) string {
	for _, needle := range s.needles {
		text = strings.ReplaceAll(text, needle, "[canary]")
	}
	return text
}

// tokenPattern is a bootstrap token.
var tokenPattern = regexp.MustCompile(`\b[a-z0-9]{6}\.([a-z0-9]{16})\b`)

// keyPattern is a private key, with its first line of base64.
var keyPattern = regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----\s+([A-Za-z0-9+/=]{16,})`)

// signedPattern is what makes an address good: the signature, or the token of the session that signed it.
var signedPattern = regexp.MustCompile(`(?i)\b(?:signature|x-amz-security-token)=([A-Za-z0-9%_-]{32,})`)

// shownPattern is what a machine shows when it reports, after the address that it reports to. What is between them is a
// line end, as the formats write it.
var shownPattern = regexp.MustCompile(`/reports/[A-Za-z0-9./-]+(?:\s+|\\n|%0A)([A-Za-z0-9_-]{43})\b`)

// headerPattern is a credential in a header.
var headerPattern = regexp.MustCompile(`\bBearer ([A-Za-z0-9._~+/-]{32,})`)

// SecretsIn returns the secrets that a payload shows by their form: the secret halves of tokens, the first lines of
// private keys, what signs addresses, and credentials for reports and in headers.
func SecretsIn(payload string) []string {
	var secrets []string
	for _, pattern := range []*regexp.Regexp{tokenPattern, keyPattern, signedPattern, shownPattern, headerPattern} {
		for _, match := range pattern.FindAllStringSubmatch(payload, -1) {
			secrets = append(secrets, match[1])
		}
	}
	slices.Sort(secrets)
	return slices.Compact(secrets)
}

// Check fails the test if the text shows the mark or one of the secrets. place names the text in the message.
func Check(t testing.TB, place, text string, secrets ...string) {
	t.Helper()
	s, err := For(secrets...)
	if err != nil {
		t.Fatal(err)
	}
	for _, sighting := range s.In(text) {
		t.Errorf("%s shows %s", place, sighting)
	}
}

// Files returns a sentence for each regular file below the path that shows a secret, or an error if there is no file.
func (s Search) Files(path string) ([]string, error) {
	var seen []string
	files := 0
	err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		files++
		text, err := os.ReadFile(name)
		for _, sighting := range s.In(string(text)) {
			seen = append(seen, name+" shows "+sighting)
		}
		return err
	})
	if err == nil && files == 0 {
		err = fmt.Errorf("%s has no file to search", path)
	}
	return seen, err
}

// CheckFiles fails the test if a file below the path shows a secret, or if there is none.
func CheckFiles(t testing.TB, path string, secrets ...string) {
	t.Helper()
	s, err := For(secrets...)
	if err != nil {
		t.Fatal(err)
	}
	seen, err := s.Files(path)
	if err != nil {
		t.Error(err)
	}
	for _, sighting := range seen {
		t.Error(sighting)
	}
}
