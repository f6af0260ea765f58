package machine

import (
	"encoding/base64"
	"encoding/binary"
	"strings"

	"github.com/machineadm/machineadm/domain/report"
)

// checkAuthorizedKey checks a line of authorized_keys(5). A line without a key is a warning, because sshd ignores it.
func checkAuthorizedKey(p report.Path, line string) report.Report {
	if strings.TrimSpace(line) == "" {
		return report.Report{report.Errorf(p, "the key is empty").To("set it, or remove the entry")}
	}
	r := checkLine(p, line)
	if len(r) == 0 && !hasPublicKey(line) {
		r = append(r, report.Warningf(p, "this is not a public key: no key type is followed by the base64 of a key of this "+
			"type, so that sshd ignores the line").To("copy the whole line of a file such as ~/.ssh/id_ed25519.pub"))
	}
	return r
}

// hasPublicKey reports whether the line contains a key type and a key of the type, after optional options.
func hasPublicKey(line string) bool {
	first, rest := cutOptions(strings.TrimLeft(line, " \t"))
	fields := strings.Fields(rest)
	return len(fields) > 0 && isPublicKey(first, fields[0]) || len(fields) > 1 && isPublicKey(fields[0], fields[1])
}

// cutOptions splits the line after its first word. White space between double quotes does not end the word.
func cutOptions(line string) (first, rest string) {
	quoted, escaped := false, false
	end := strings.IndexFunc(line, func(r rune) bool {
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
		case r == '"':
			quoted = !quoted
		}
		return !quoted && (r == ' ' || r == '\t')
	})
	if end < 0 {
		return line, ""
	}
	return line[:end], line[end:]
}

// isPublicKey reports whether the text is the base64 of a key of the type: RFC 4253, section 6.6, begins a key with the
// length of the type's name and the name.
func isPublicKey(keyType, text string) bool {
	key, err := base64.StdEncoding.DecodeString(text)
	const lengthBytes = 4
	if err != nil || len(key) <= lengthBytes {
		return false
	}
	length, key := binary.BigEndian.Uint32(key), key[lengthBytes:]
	return uint64(length) == uint64(len(keyType)) && len(key) > len(keyType) && string(key[:len(keyType)]) == keyType
}
