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
	if len(r) > 0 {
		return r
	}
	const remedy = "copy the whole line of a file such as ~/.ssh/id_ed25519.pub"
	switch keyType, key := publicKey(line); {
	case key == nil:
		r = append(r, report.Warningf(p, "this is not a public key: no key type is followed by the base64 of a key of this "+
			"type, so that sshd ignores the line").To(remedy))
	case !isComplete(keyType, key):
		r = append(r, report.Warningf(p, "the %s key is truncated or damaged, so that sshd ignores the line", keyType).
			To(remedy))
	}
	return r
}

// publicKey returns the key type that the line contains after optional options, and the key, which is nil if there is
// none of the type.
func publicKey(line string) (keyType string, key []byte) {
	first, rest := cutOptions(strings.TrimLeft(line, " \t"))
	fields := strings.Fields(rest)
	if len(fields) > 0 {
		if key := decodeKey(first, fields[0]); key != nil {
			return first, key
		}
	}
	if len(fields) > 1 {
		return fields[0], decodeKey(fields[0], fields[1])
	}
	return "", nil
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

// lengthBytes is the size of the length before each field of a key (RFC 4251, section 5).
const lengthBytes = 4

// decodeKey returns the key that the text contains in base64, or nil if it is not a key of the type: RFC 4253, section
// 6.6, begins a key with the length of the type's name and the name.
func decodeKey(keyType, text string) []byte {
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	if name, _, ok := cutField(key); !ok || string(name) != keyType {
		return nil
	}
	return key
}

// cutField splits a key after its first field.
func cutField(key []byte) (field, rest []byte, ok bool) {
	if len(key) < lengthBytes {
		return nil, nil, false
	}
	length, key := binary.BigEndian.Uint32(key), key[lengthBytes:]
	if uint64(length) > uint64(len(key)) {
		return nil, nil, false
	}
	return key[:length], key[length:], true
}

// fieldLengths returns the lengths of the fields of a key after the name of its type; 0 is any length. It is nil for
// other types. Sources: RFC 4253, section 6.6; RFC 5656, section 3.1; RFC 8709, section 4; OpenSSH, PROTOCOL.u2f.
func fieldLengths(keyType string) []int {
	switch keyType {
	case "ssh-rsa":
		return []int{0, 0}
	case "ssh-dss":
		return []int{0, 0, 0, 0}
	case "ssh-ed25519":
		return []int{32}
	case "ecdsa-sha2-nistp256":
		return []int{8, 65}
	case "ecdsa-sha2-nistp384":
		return []int{8, 97}
	case "ecdsa-sha2-nistp521":
		return []int{8, 133}
	case "sk-ssh-ed25519@openssh.com":
		return []int{32, 0}
	case "sk-ecdsa-sha2-nistp256@openssh.com":
		return []int{8, 65, 0}
	default:
		return nil
	}
}

// isComplete reports whether a key contains all fields of its type. A key of an unknown type has to contain something.
func isComplete(keyType string, key []byte) bool {
	_, rest, _ := cutField(key)
	lengths := fieldLengths(keyType)
	for _, length := range lengths {
		field, after, ok := cutField(rest)
		if !ok || len(field) == 0 || length != 0 && len(field) != length {
			return false
		}
		rest = after
	}
	return (lengths == nil) == (len(rest) > 0)
}
