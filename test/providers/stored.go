package providers

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
)

// asText returns the data after JSON, in which bytes that are not UTF-8 become U+FFFD.
func asText(data []byte) []byte { return bytes.ToValidUTF8(data, []byte("\ufffd")) }

// metal3 stores the data in a string of Ironic's configuration drive.
func metal3(data []byte, _ Machine) (Delivered, error) { return Delivered{Userdata: asText(data)}, nil }

// outscale inserts a section with tags in front of the data, which the metadata service removes.
func outscale(data []byte, m Machine) (Delivered, error) {
	const begin, end = "-----BEGIN OUTSCALE SECTION-----\n", "-----END OUTSCALE SECTION-----\n"
	section := fmt.Sprintf("%sfilter_private_section=true\ntags.name=%s\n%s", begin, m.Name, end)
	sent := base64.StdEncoding.EncodeToString(append([]byte(section), data...))
	received, err := base64.StdEncoding.DecodeString(sent)
	if err != nil {
		return Delivered{}, err
	}
	_, public, _ := bytes.Cut(received, []byte(end))
	return Delivered{Userdata: public}, nil
}

// hetznerBare writes the data by two scripts of a shell, one in the other, with a line that ends each of them.
// Shells drop NUL bytes.
func hetznerBare(data []byte, _ Machine) (Delivered, error) {
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		if slices.Contains([]string{"EOF_POST_INSTALL_SCRIPT", "EOF_VIA_SSH"}, string(line)) {
			return Delivered{}, fmt.Errorf("the line %s ends the script", line)
		}
	}
	return Delivered{Userdata: append(bytes.ReplaceAll(data, []byte{0}, nil), '\n')}, nil
}
