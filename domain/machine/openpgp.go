package machine

import (
	"encoding/base64"
	"strings"

	"github.com/machineadm/machineadm/domain/report"
)

// The armor of a public key (RFC 9580, section 6.2), and the type of the packet that it begins with (section 5.5.1.1).
const (
	armorBegin      = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
	armorEnd        = "-----END PGP PUBLIC KEY BLOCK-----"
	publicKeyPacket = 6
)

// checkSigningKey returns an error finding unless the text is one armored block that begins with a public key.
func checkSigningKey(p report.Path, text string) report.Report {
	remedy := "set the armored public key, as in the file Release.key of the repository"
	switch {
	case text == "":
		return report.Report{report.Errorf(p, "the repository has no signing key, so that its packages cannot be verified").
			To("%s", remedy)}
	case strings.Contains(text, "PRIVATE KEY"):
		return report.Report{report.Errorf(p, "this is a private key, which every user of the machine could read").
			To("%s", remedy)}
	case !beginsWithPublicKey(unarmored(text)):
		return report.Report{report.Errorf(p, "this is not one armored OpenPGP public key block").To("%s", remedy)}
	}
	return nil
}

// unarmored returns the packets of an armored block, or nil if the text is not exactly one block.
func unarmored(text string) []byte {
	text, begins := strings.CutPrefix(strings.TrimSpace(text), armorBegin+"\n")
	text, ends := strings.CutSuffix(text, "\n"+armorEnd)
	headers, body, separated := strings.Cut("\n"+text, "\n\n")
	if !begins || !ends || !separated || strings.Contains(headers+body, "-----") || !printable(text) {
		return nil
	}
	body, _, _ = strings.Cut(body, "\n=") // the checksum, which is optional
	packets, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		return nil
	}
	return packets
}

func printable(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c != '\n' && (c < ' ' || c > '~') })
}

// beginsWithPublicKey reads the type of the first packet: in the low six bits of its first byte, or in older packets in
// four bits above the type of their length (RFC 9580, section 4.2).
func beginsWithPublicKey(packets []byte) bool {
	if len(packets) == 0 || packets[0]&0x80 == 0 {
		return false
	}
	if packets[0]&0x40 != 0 {
		return packets[0]&0x3f == publicKeyPacket
	}
	return packets[0]>>2&0x0f == publicKeyPacket
}
